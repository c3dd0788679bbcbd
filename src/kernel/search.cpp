// SPDX-License-Identifier: Apache-2.0
#include "deadline.hpp"
#include "findings.hpp"
#include "widths.hpp"

namespace ik {

Outcome search(const Problem& problem, const Width& width) {
  Deadline deadline(problem.time_limit_s);
  Findings findings(problem);
  // Most searches end where the seed's own start ends, and a start is faster alone.
  usable_widths().front().run_starts(problem, 1, deadline, findings);
  if (!findings.decided()) width.run_starts(problem, problem.max_attempts, deadline, findings);
  return findings.take_outcome();
}

}  // namespace ik
