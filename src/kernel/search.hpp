// SPDX-License-Identifier: Apache-2.0
//
// One target: its starts run side by side in the lanes.
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
      read_end(courses, i, problem, end);
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
