// SPDX-License-Identifier: Apache-2.0
#include "search.hpp"

namespace ik {

Search::Search(const Problem& problem)
    : problem_(problem), deadline_(problem.time_limit_s), findings_(problem) {}

bool Search::try_seed() {
  usable_widths().front().run_starts(problem_, 1, deadline_, findings_);
  return findings_.decided() && findings_.any();
}

void Search::try_others(const Width& width) {
  if (findings_.decided()) return;
  width.run_starts(problem_, problem_.max_attempts, deadline_, findings_);
}

Outcome search(const Problem& problem, const Width& width) {
  Search search(problem);
  if (!search.try_seed()) search.try_others(width);
  return search.take_outcome();
}

}  // namespace ik
