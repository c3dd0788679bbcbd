// SPDX-License-Identifier: Apache-2.0
//
// The search for configurations that bring the tip to one target.
#pragma once

#include "deadline.hpp"
#include "findings.hpp"
#include "widths.hpp"

namespace ik {

// In two parts, because most searches end with the first one, after a few microseconds.
class Search {
 public:
  explicit Search(const Problem& problem);

  // The seed's own start, alone: so it is fastest. Returns whether it answers the search.
  bool try_seed();
  // Other starts side by side, until the search is decided.
  void try_others(const Width& width);
  Outcome take_outcome() { return findings_.take_outcome(); }

 private:
  const Problem& problem_;
  Deadline deadline_;
  Findings findings_;
};

Outcome search(const Problem& problem, const Width& width);

}  // namespace ik
