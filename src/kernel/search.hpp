// SPDX-License-Identifier: Apache-2.0
//
// One target: its starts run side by side in the lanes.
#pragma once

#include <algorithm>
#include <chrono>

#include "descents.hpp"
#include "findings.hpp"

namespace ik {

constexpr int kRoundsPerLookAtTheClock = 16;  // some microseconds

// What the descent in a lane has come to.
template <int W>
inline End end_of(const Descents<W>& descents, int lane_index, const Problem& problem) {
  End end;
  double error[6];
  descents.error(lane_index, error);
  descents.configuration(lane_index, end.q);
  end.reached = descents.converged(lane_index) ||
                (problem.task.position.accept(error) && problem.task.rotation.accept(error + 3));
  end.iterations = descents.iterations(lane_index);
  const auto norm = [](const double* v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); };
  end.position_m = norm(error) * kMetresPerUnit;
  end.rotation_rad = norm(error + 3);
  return end;
}

template <int W>
Outcome search(const Problem& problem) {
  using Clock = std::chrono::steady_clock;
  const auto began = Clock::now();
  const auto late = [&] {
    return std::chrono::duration<double>(Clock::now() - began).count() >= problem.time_limit_s;
  };

  Descents<W> descents(problem.chain, problem.task, problem.limits);
  Findings findings(problem);
  int start_in_lane[W] = {};
  unsigned idle = (1u << W) - 1;
  for (unsigned round = 1;; ++round) {
    for (int i = 0; i < W; ++i) {
      if (!(idle >> i & 1) || !findings.wants_start()) continue;
      double q[kMostJoints];
      start_in_lane[i] = findings.begin_start();
      problem.starts.start(start_in_lane[i], q);
      descents.begin(i, q, problem.T_target_first);
      idle &= ~(1u << i);
    }

    const unsigned ended = descents.measure();
    const bool out_of_time = round % kRoundsPerLookAtTheClock == 0 && late();
    const unsigned leaving = out_of_time ? descents.running() : ended;
    for (int i = 0; leaving >> i; ++i) {
      if (!(leaving >> i & 1)) continue;
      End end = end_of(descents, i, problem);
      if (!end.reached && problem.task.use_slack && !descents.uses_slack(i) && !out_of_time) {
        descents.use_slack(i);
        continue;
      }
      descents.stop(i);
      end.start = start_in_lane[i];
      problem.starts.bring_home(end.q);
      findings.add(end);
      idle |= 1u << i;
    }
    if (findings.decided()) break;
    if (out_of_time) {
      findings.settle_late();
      break;
    }
    descents.step();
  }
  return findings.take_outcome();
}

}  // namespace ik
