// SPDX-License-Identifier: Apache-2.0
//
// The solver is compiled once per vector width; which one runs is decided when the program runs.
#pragma once

#include <vector>

#include "problem.hpp"

namespace ik {

struct Width {
  int lanes;
  Outcome (*search)(const Problem&);
};

// Widths that this processor can run, narrow to wide. Lanes = 1 is plain scalar code.
const std::vector<Width>& usable_widths();

}  // namespace ik
