// SPDX-License-Identifier: Apache-2.0
//
// The whole course of a start, W of them in lockstep. First the descent. If it gets stuck, and the
// tolerance is wide, once more with slack from there, then with slack from the start itself,
// because the way to the exact pose may have led astray. With joints to spare, the descent is
// pulled along the self-motion toward the seed once, when it is near the target and has to step
// anyway; more hardly bring it nearer. If it gets stuck after that, it goes on as if it had not
// been pulled.
#pragma once

#include <algorithm>
#include <cmath>

#include "descents.hpp"

namespace ik {

// Slack is tried where the cost is at most so many times what the tolerance allows.
constexpr double kRoomForSlack = 4.0;
constexpr double kFarFromSeed = 0.2;  // rad or m of some joint; what is nearer is not pulled

template <int W>
class Courses {
 public:
  using V = Real<W>;

  Courses(const Chain& chain, const Task& task, const Limits& limits)
      : variables_(chain.variables),
        task_(task),
        limits_(limits),
        redundant_(chain.variables > task.constraints()),
        descents_(chain, task, limits) {}

  // Lets a lane work on a start. `seed` is where joints to spare are pulled to.
  void begin(int i, const double* start, const double* seed, const Frame<double>& T_target_first) {
    Course& course = courses_[i];
    course.phase = Phase::kDescent;
    course.is_new = true;
    course.seed = seed;
    std::copy(start, start + variables_, course.start);
    descents_.begin(i, start, T_target_first);
    running_ |= 1u << i;
    if (redundant_) unpulled_ |= 1u << i;
  }

  // Lanes at work, a bit each.
  unsigned running() const { return running_; }

  // Returns the lanes whose course ends here. What they have come to can be asked until step().
  unsigned measure() {
    unsigned ended = descents_.measure() & running_;
    if (task_.use_slack) note_room();
    const unsigned to_pull = unpulled_ & running_ & ~ended & descents_.near();
    for (int i = 0; to_pull >> i; ++i) {
      if (to_pull >> i & 1) begin_pull(i);
    }
    for (int i = 0; ended >> i; ++i) {
      if ((ended >> i & 1) && goes_on(i)) ended &= ~(1u << i);
    }
    running_ &= ~ended;
    return ended;
  }

  void step() {
    descents_.step(pulled_ != 0 ? pull() : nullptr);
    pulled_ = 0;
  }

  // Ends all courses where they are. After measure().
  unsigned stop() {
    const unsigned stopped = running_;
    for (int i = 0; stopped >> i; ++i) {
      if (stopped >> i & 1) settle(i);
    }
    running_ = pulled_ = 0;
    return stopped;
  }

  // -- what a lane has come to ----------------------------------------------------------------

  bool reached(int i) const { return courses_[i].reached; }
  int iterations(int i) const { return descents_.iterations(i); }
  const double* configuration(int i) const { return courses_[i].q; }
  const double* error(int i) const { return courses_[i].error; }

 private:
  enum class Phase { kDescent, kAfterPull, kSlackFromThere, kSlackFromStart };

  struct Course {
    Phase phase;
    bool is_new, has_room;
    const double* seed;
    double start[kMostJoints], before_pull[kMostJoints], pull[kMostJoints];
    bool reached;
    double q[kMostJoints], error[6];
  };

  // Whether the course has another phase. If not, its end has been noted.
  bool goes_on(int i) {
    Course& course = courses_[i];
    const Phase phase = course.phase;
    if (phase == Phase::kAfterPull && !descents_.reached(i)) {
      course.phase = Phase::kDescent;
      descents_.go_on(i, course.before_pull, false);
      return true;
    }
    settle(i);
    if (course.reached || !task_.use_slack) return false;
    if (phase == Phase::kDescent && has_room(i)) {
      course.phase = Phase::kSlackFromThere;
      descents_.go_on(i, course.q, true);
      return true;
    }
    if (phase != Phase::kSlackFromStart && course.has_room) {
      course.phase = Phase::kSlackFromStart;
      descents_.go_on(i, course.start, true);
      return true;
    }
    return false;
  }

  // Notes what the lane has come to.
  void settle(int i) {
    Course& course = courses_[i];
    descents_.configuration(i, course.q);
    descents_.error(i, course.error);
    course.reached = descents_.reached(i) || task_.accept(course.error);
  }

  // -- slack ----------------------------------------------------------------------------------

  bool has_room(int i) const { return descents_.cost(i) <= kRoomForSlack * task_.largest_cost(); }

  // Whether starts, at their first measurement, have a tolerance that may be met near them.
  void note_room() {
    for (int i = 0; running_ >> i; ++i) {
      if (!(running_ >> i & 1) || !courses_[i].is_new) continue;
      courses_[i].has_room = has_room(i);
      courses_[i].is_new = false;
    }
  }

  // -- the pull toward the seed ---------------------------------------------------------------

  // Unless the lane is near the seed already.
  void begin_pull(int i) {
    Course& course = courses_[i];
    unpulled_ &= ~(1u << i);
    descents_.configuration(i, course.before_pull);
    double farthest = 0.0;
    for (int j = 0; j < variables_; ++j) {
      // Of a joint that turns freely, the nearest copy of the seed.
      const double away = course.before_pull[j] - course.seed[j];
      const double turns = limits_.turns_freely[j] ? rounded(away / kTwoPi) : 0.0;
      course.pull[j] = turns * kTwoPi - away;
      farthest = std::max(farthest, std::fabs(course.pull[j]));
    }
    if (course.phase != Phase::kDescent || farthest <= kFarFromSeed) return;
    course.phase = Phase::kAfterPull;
    descents_.go_on(i, course.before_pull, false);
    pulled_ |= 1u << i;
  }

  // (m,) toward the seed, in the lanes that are pulled.
  const V* pull() {
    for (int j = 0; j < variables_; ++j) {
      pull_[j] = broadcast<V>(0.0);
      for (int i = 0; pulled_ >> i; ++i) {
        if (pulled_ >> i & 1) lane(pull_[j], i) = courses_[i].pull[j];
      }
    }
    return pull_;
  }

  const int variables_;
  const Task& task_;
  const Limits& limits_;
  const bool redundant_;
  unsigned running_ = 0;
  unsigned unpulled_ = 0;  // to be pulled as soon as they are near the target
  unsigned pulled_ = 0;    // by the next step
  Descents<W> descents_;
  Course courses_[W];
  V pull_[kMostJoints];
};

}  // namespace ik
