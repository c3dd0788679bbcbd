// SPDX-License-Identifier: Apache-2.0
//
// Starts of one target, side by side in the lanes.
#pragma once

#include <algorithm>

#include "courses.hpp"
#include "deadline.hpp"
#include "findings.hpp"

namespace ik {

// What the start in a lane has come to.
template <int W>
inline void read_end(const Courses<W>& courses, int lane_index, const Problem& problem, End& end) {
  const Task& task = problem.task;
  double error[6];
  std::copy(courses.error(lane_index), courses.error(lane_index) + 6, error);
  std::copy(courses.configuration(lane_index),
            courses.configuration(lane_index) + problem.chain.variables, end.q);
  const bool moved = problem.starts.bring_home(end.q);
  end.reached = courses.reached(lane_index) && problem.chain.in_range(end.q);
  if (moved) {
    measure_error(problem.chain, task, problem.T_target_first, end.q, error);
    end.reached = end.reached && task.accept(error);
  }
  end.iterations = courses.iterations(lane_index);
  end.set_errors(error);
}

// Works on starts, W side by side, until the search is decided, or so many have been begun and
// ended.
template <int W>
void run_starts(const Problem& problem, int most_starts, Deadline& deadline, Findings& findings) {
  Courses<W> courses(problem.chain, problem.task, problem.limits);
  int start_in_lane[W] = {};
  for (;;) {
    for (int i = 0; i < W && findings.begun() < most_starts && findings.wants_start(); ++i) {
      if (courses.running() >> i & 1) continue;
      double q[kMostJoints];
      start_in_lane[i] = findings.begin_start();
      problem.starts.start(start_in_lane[i], q);
      courses.begin(i, q, problem.starts.seed(), problem.T_target_first);
    }
    if (courses.running() == 0) return;
    unsigned ended = courses.measure();
    const bool late = deadline.passed();
    if (late) ended |= courses.stop();
    for (int i = 0; ended >> i; ++i) {
      if (!(ended >> i & 1)) continue;
      End end;
      end.start = start_in_lane[i];
      read_end(courses, i, problem, end);
      findings.add(end);
    }
    if (findings.decided()) return;
    if (late) return findings.settle_late();
    courses.step();
  }
}

}  // namespace ik
