// SPDX-License-Identifier: Apache-2.0
#include "findings.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "closest.hpp"
#include "trigonometry.hpp"

namespace ik {
namespace {

constexpr double kDistinct = 0.05;  // answers differ by more than this in some variable, rad or m

}  // namespace

void End::set_errors(const double* error) {
  position_m = std::hypot(error[0], error[1], error[2]) * kMetresPerUnit;
  rotation_rad = std::hypot(error[3], error[4], error[5]);
}

double End::weighted_error() const { return std::hypot(position_m, kMetresPerUnit * rotation_rad); }

Findings::Findings(const Problem& problem) : problem_(problem), enough_(problem.max_attempts) {
  End& closest = outcome_.closest;  // until some start has ended
  closest.start = 0;
  closest.reached = false;
  closest.position_m = closest.rotation_rad = std::numeric_limits<double>::infinity();
  problem.starts.start(0, closest.q);
  problem.starts.bring_home(closest.q);
}

bool Findings::wants_start() const {
  return next_ < enough_ && next_ - settled_ < kWindow &&
         found_ + static_cast<int>(waiting_.size()) < problem_.wanted;
}

int Findings::begin_start() {
  record(next_).state = State::kUnderWay;
  return next_++;
}

void Findings::add(const End& end) {
  record(end.start) = {end.reached ? State::kReached : State::kFailed, end.iterations};
  if (!end.reached) {
    keep_closest(end);
  } else if (end.start != settled_) {
    waiting_.push_back(end);
  }
  settle(end);
}

// Counts the starts before which none is under way.
void Findings::settle(const End& latest) {
  while (!decided_ && settled_ < next_ && record(settled_).state != State::kUnderWay) {
    outcome_.iterations += record(settled_).iterations;
    if (record(settled_).state == State::kReached) {
      if (latest.start == settled_) {
        count(latest);
      } else {
        const auto end = std::find_if(waiting_.begin(), waiting_.end(),
                                      [&](const End& e) { return e.start == settled_; });
        count(*end);
        waiting_.erase(end);
      }
    }
    outcome_.attempts = ++settled_;
    decided_ = found_ == problem_.wanted || settled_ == enough_;
  }
}

void Findings::settle_late() {
  outcome_.timed_out = decided_ = true;
  outcome_.attempts = next_;
  std::sort(waiting_.begin(), waiting_.end(),
            [](const End& a, const End& b) { return a.start < b.start; });
  for (const End& end : waiting_) count(end);
}

void Findings::count(const End& end) {
  if (found_ == problem_.wanted || !is_new(end.q)) return;
  if (found_++ == 0) {
    outcome_.seed_converged = end.start == 0;
    outcome_.closest = end;
    if (problem_.seed_suffices) {
      enough_ = std::min(enough_, end.start == 0 ? 1 : 2 * (end.start + 1));
    }
  }
  outcome_.candidates.insert(outcome_.candidates.end(), end.q, end.q + problem_.chain.variables);
}

void Findings::keep_closest(const End& end) {
  if (found_ > 0) return;
  End& closest = outcome_.closest;
  const double error = end.weighted_error(), least = closest.weighted_error();
  if (error < least || (error == least && end.start < closest.start)) closest = end;
}

Outcome Findings::take_outcome() {
  if (found_ == 0) {
    come_closer(problem_, outcome_.closest);
    if (outcome_.closest.reached) count(outcome_.closest);
  }
  return std::move(outcome_);
}

bool Findings::is_new(const double* q) const {
  const int variables = problem_.chain.variables;
  for (int i = 0; i < found_; ++i) {
    const double* other = outcome_.candidates.data() + i * variables;
    double difference = 0.0;
    for (int j = 0; j < variables; ++j) {
      const double apart = q[j] - other[j];
      const bool turns = problem_.limits.turns_freely[j];  // a whole turn is no difference
      difference = std::max(difference, std::fabs(turns ? std::remainder(apart, kTwoPi) : apart));
    }
    if (difference <= kDistinct) return false;
  }
  return true;
}

}  // namespace ik
