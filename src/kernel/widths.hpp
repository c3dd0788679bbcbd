// SPDX-License-Identifier: Apache-2.0
//
// The solver is compiled once per vector width; which one runs is decided when the program runs.
#pragma once

#include <atomic>
#include <vector>

#include "problem.hpp"

namespace ik {

struct Batch;

struct Width {
  int lanes;
  Outcome (*search)(const Problem&);
  void (*work_on_batch)(const Batch&, std::atomic<int>& next_row);
};

// Widths that this processor can run, narrow to wide. Lanes = 1 is plain scalar code.
const std::vector<Width>& usable_widths();

}  // namespace ik
