// SPDX-License-Identifier: Apache-2.0
//
// The whole course of a start, W of them in lockstep. First the descent. If it gets stuck, and the
// tolerance is wide, once more with slack from there, then with slack from the start itself,
// because the way to the exact pose may have led astray. If it reaches the target with joints to
// spare, one pull along the self-motion toward the seed; more hardly bring it nearer.
#pragma once

#include <algorithm>
#include <cmath>

#include "descents.hpp"

namespace ik {

// Slack is tried where the cost is at most so many times what the tolerance allows.
constexpr double kRoomForSlack = 4.0;
constexpr double kFarFromSeed = 0.2;  // rad or m of some joint; nearer ends are not pulled

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
  }

  // Lanes at work, a bit each.
  unsigned running() const { return running_; }

  // Returns the lanes whose course ends here. What they have come to can be asked until step().
  unsigned measure() {
    unsigned ended = descents_.measure() & running_;
    if (task_.use_slack) note_room();
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
  enum class Phase { kDescent, kSlackFromThere, kSlackFromStart, kAfterPull };

  struct Course {
    Phase phase;
    bool is_new, has_room;
    const double* seed;
    double start[kMostJoints], pull_to[kMostJoints];
    bool reached;
    double q[kMostJoints], error[6];
  };

  // Whether the course has another phase. If not, its end has been noted.
  bool goes_on(int i) {
    Course& course = courses_[i];
    const Phase phase = course.phase;
    settle(i);
    if (phase == Phase::kAfterPull) return false;
    if (course.reached) return redundant_ && begin_pull(i);
    if (!task_.use_slack) return false;
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

  // Notes what the lane has come to. After a pull, that is whichever is nearer to the seed in its
  // largest difference, if the target is still reached.
  void settle(int i) {
    Course& course = courses_[i];
    double q[kMostJoints], error[6];
    descents_.configuration(i, q);
    descents_.error(i, error);
    if (course.phase == Phase::kAfterPull) {
      if (!descents_.reached(i) || !(from_seed(course, q) < from_seed(course, course.q))) return;
    } else {
      course.reached = descents_.reached(i) || task_.accept(error);
    }
    std::copy(q, q + variables_, course.q);
    std::copy(error, error + 6, course.error);
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

  double from_seed(const Course& course, const double* q) const {
    double farthest = 0.0;
    for (int j = 0; j < variables_; ++j) {
      farthest = std::max(farthest, std::fabs(q[j] - course.pull_to[j]));
    }
    return farthest;
  }

  // Returns whether the end is far enough from the seed to be worth it.
  bool begin_pull(int i) {
    Course& course = courses_[i];
    for (int j = 0; j < variables_; ++j) {
      // Of a joint that turns freely, the nearest copy of the seed.
      const double away = course.q[j] - course.seed[j];
      const double turns = limits_.turns_freely[j] ? rounded(away / kTwoPi) : 0.0;
      course.pull_to[j] = course.seed[j] + turns * kTwoPi;
    }
    if (from_seed(course, course.q) <= kFarFromSeed) return false;
    const bool with_slack = course.phase != Phase::kDescent;
    course.phase = Phase::kAfterPull;
    descents_.go_on(i, course.q, with_slack);
    pulled_ |= 1u << i;
    return true;
  }

  // (m,) toward the seed, in the lanes that are pulled.
  const V* pull() {
    for (int j = 0; j < variables_; ++j) {
      pull_[j] = broadcast<V>(0.0);
      for (int i = 0; pulled_ >> i; ++i) {
        if (pulled_ >> i & 1) lane(pull_[j], i) = courses_[i].pull_to[j] - courses_[i].q[j];
      }
    }
    return pull_;
  }

  const int variables_;
  const Task& task_;
  const Limits& limits_;
  const bool redundant_;
  unsigned running_ = 0;
  unsigned pulled_ = 0;  // by the next step
  Descents<W> descents_;
  Course courses_[W];
  V pull_[kMostJoints];
};

}  // namespace ik
