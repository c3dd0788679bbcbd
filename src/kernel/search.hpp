// SPDX-License-Identifier: Apache-2.0
//
// One target: its starts run side by side in the lanes.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>

#include "courses.hpp"
#include "findings.hpp"

namespace ik {

// What the start in a lane has come to.
template <int W>
inline void read_end(const Courses<W>& courses, int lane_index, const Chain& chain,
                     const Starts& starts, End& end) {
  const double* q = courses.configuration(lane_index);
  const double* error = courses.error(lane_index);
  std::copy(q, q + chain.variables, end.q);
  starts.bring_home(end.q);
  end.reached = courses.reached(lane_index) && chain.in_range(end.q);
  end.iterations = courses.iterations(lane_index);
  const auto norm = [](const double* v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); };
  end.position_m = norm(error) * kMetresPerUnit;
  end.rotation_rad = norm(error + 3);
}

// Looks at the clock now and then.
class Deadline {
 public:
  explicit Deadline(double time_limit_s) : began_(Clock::now()), time_limit_s_(time_limit_s) {}

  bool passed() {
    if (++rounds_ % kRoundsPerLook != 0) return false;
    return std::chrono::duration<double>(Clock::now() - began_).count() >= time_limit_s_;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr unsigned kRoundsPerLook = 16;  // some microseconds
  Clock::time_point began_;
  double time_limit_s_;
  unsigned rounds_ = 0;
};

template <int W>
Outcome search(const Problem& problem) {
  Deadline deadline(problem.time_limit_s);
  Courses<W> courses(problem.chain, problem.task, problem.limits);
  Findings findings(problem);
  int start_in_lane[W] = {};
  for (;;) {
    for (int i = 0; i < W && findings.wants_start(); ++i) {
      if (courses.running() >> i & 1) continue;
      double q[kMostJoints];
      start_in_lane[i] = findings.begin_start();
      problem.starts.start(start_in_lane[i], q);
      courses.begin(i, q, problem.starts.seed(), problem.T_target_first);
    }
    unsigned ended = courses.measure();
    const bool late = deadline.passed();
    if (late) ended |= courses.stop();
    for (int i = 0; ended >> i; ++i) {
      if (!(ended >> i & 1)) continue;
      End end;
      end.start = start_in_lane[i];
      read_end(courses, i, problem.chain, problem.starts, end);
      findings.add(end);
    }
    if (findings.decided()) break;
    if (late) {
      findings.settle_late();
      break;
    }
    courses.step();
  }
  return findings.take_outcome();
}

}  // namespace ik
