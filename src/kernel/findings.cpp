// SPDX-License-Identifier: Apache-2.0
#include "findings.hpp"

#include <algorithm>
#include <cmath>

#include "trigonometry.hpp"

namespace ik {
namespace {

constexpr double kDistinct = 0.05;  // answers differ by more than this in some variable, rad or m

}  // namespace

Findings::Findings(const Problem& problem) : problem_(problem), enough_(problem.max_attempts) {
  outcome_.closest.resize(problem.chain.variables);
  problem.starts.start(0, outcome_.closest.data());
  problem.starts.bring_home(outcome_.closest.data());
  outcome_.closest_position_m = outcome_.closest_rotation_rad = closest_cost_;
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
  if (end.reached) {
    waiting_.push_back(end);
  } else {
    keep_closest(end);
  }
  settle();
}

// Counts the starts before which none is under way.
void Findings::settle() {
  while (!decided_ && settled_ < next_ && record(settled_).state != State::kUnderWay) {
    outcome_.iterations += record(settled_).iterations;
    if (record(settled_).state == State::kReached) {
      const auto end = std::find_if(waiting_.begin(), waiting_.end(),
                                    [&](const End& e) { return e.start == settled_; });
      count(*end);
      waiting_.erase(end);
    }
    outcome_.attempts = ++settled_;
    decided_ = found_ == problem_.wanted || settled_ == enough_;
  }
}

void Findings::settle_late() {
  outcome_.timed_out = true;
  outcome_.attempts = next_;
  std::sort(waiting_.begin(), waiting_.end(),
            [](const End& a, const End& b) { return a.start < b.start; });
  for (const End& end : waiting_) count(end);
}

void Findings::count(const End& end) {
  if (found_ == problem_.wanted || !is_new(end.q)) return;
  if (found_++ == 0) {
    outcome_.seed_converged = end.start == 0;
    set_closest(end);
    if (problem_.seed_suffices) {
      enough_ = std::min(enough_, end.start == 0 ? 1 : 2 * (end.start + 1));
    }
  }
  outcome_.candidates.insert(outcome_.candidates.end(), end.q, end.q + problem_.chain.variables);
}

void Findings::keep_closest(const End& end) {
  const double cost = end.weighted_error();
  if (found_ > 0 || !(cost < closest_cost_ || (cost == closest_cost_ && end.start < closest_start_))) {
    return;
  }
  closest_cost_ = cost;
  closest_start_ = end.start;
  set_closest(end);
}

void Findings::set_closest(const End& end) {
  outcome_.closest.assign(end.q, end.q + problem_.chain.variables);
  outcome_.closest_position_m = end.position_m;
  outcome_.closest_rotation_rad = end.rotation_rad;
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
