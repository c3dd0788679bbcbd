// SPDX-License-Identifier: Apache-2.0
//
// What a search is asked and what it answers.
#pragma once

#include <vector>

#include "chain.hpp"
#include "starts.hpp"
#include "task.hpp"

namespace ik {

struct Problem {
  const Chain& chain;
  const Task& task;
  const Limits& limits;
  const Starts& starts;
  Frame<double> T_target_first;
  int wanted;  // distinct candidates to gather
  // Stop at once if the seed's own start converges, and after the first other candidate look for
  // more of them only as long again as that one took.
  bool seed_suffices;
  int max_attempts;  // how many starts may be made
  double time_limit_s;
};

// How one start ended.
struct End {
  int start;
  int iterations;
  bool reached;
  double position_m, rotation_rad;  // errors over the axes that are not free
  double q[kMostJoints];            // inside the limits

  // From a position error in units and a rotation error.
  void set_errors(const double* error);

  // One radian weighs as much as kMetresPerUnit.
  double weighted_error() const;
};

struct Outcome {
  std::vector<double> candidates;  // k x variables, in the order of their starts
  bool seed_converged = false;     // the first candidate comes from the seed's own start
  End closest;                     // the first candidate, or the best end of all starts
  long iterations = 0;
  int attempts = 0;
  bool timed_out = false;
};

}  // namespace ik
