// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "problem.hpp"

namespace ik {

// Where a search has failed, the best end of its descents is only about as close as the arm can
// come: they are given up early. From there, down to the least weighted error nearby, step by step
// with Levenberg and Marquardt's damping, which takes back every step that does not go down. Now
// and then that reaches the target after all.
void come_closer(const Problem& problem, End& end);

}  // namespace ik
