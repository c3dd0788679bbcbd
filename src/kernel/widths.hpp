// SPDX-License-Identifier: Apache-2.0
//
// The solver is compiled once per vector width; which one runs is decided when the program runs.
#pragma once

#include <atomic>
#include <vector>

#include "problem.hpp"

namespace ik {

struct Batch;
class Deadline;
class Findings;

struct Width {
  int lanes;
  void (*run_starts)(const Problem&, int most_starts, Deadline&, Findings&);
  void (*work_on_batch)(const Batch&, std::atomic<int>& next_row);
};

// Widths that this processor can run, narrow to wide. Lanes = 1 is plain scalar code.
const std::vector<Width>& usable_widths();

constexpr int kMostLanes = 8;
// More starts side by side than this make a single search slower, not faster.
constexpr int kMostSearchLanes = 4;

// The widest usable one with at most so many lanes.
const Width& widest(int most_lanes);

}  // namespace ik
