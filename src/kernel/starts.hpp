// SPDX-License-Identifier: Apache-2.0
//
// Where searches start, and how their ends are brought back to the seed's turn.
#pragma once

#include "chain.hpp"

namespace ik {

// Joint limits as the search uses them; per variable.
struct Limits {
  int variables;
  double lower[kMostJoints], upper[kMostJoints];
  // Periodic, with a range of a turn or more: solved as if it had no limits.
  bool turns_freely[kMostJoints];
  double solve_lower[kMostJoints], solve_upper[kMostJoints];

  // Throws std::invalid_argument for NaN or lower > upper.
  static Limits from(const Chain& chain, const double* lower, const double* upper);
};

// Start configurations of one problem: the seed, then a fixed low-discrepancy sequence, some of it
// drawn near to the seed. It is the sequence of Richtmyer (1951; Niederreiter, "Random Number
// Generation and Quasi-Monte Carlo Methods", 1992, ch. 3): u_j(k) = frac(1/2 + k sqrt(p_j)), p_j
// prime. It needs no random state, so the same request has the same starts everywhere.
class Starts {
 public:
  Starts(const Chain& chain, const Limits& limits, const double* seed);

  void start(int k, double* q) const;
  const double* seed() const { return first_; }  // start 0

  // Free turns become the copy nearest the seed that is inside the limits, to a hair. Returns
  // whether a joint had to be moved by that hair.
  bool bring_home(double* q) const;

 private:
  const Chain& chain_;
  const Limits& limits_;
  double seed_[kMostJoints];   // as given
  double first_[kMostJoints];  // start 0: the seed, inside the limits, free turns near 0
  double low_[kMostJoints], range_[kMostJoints];  // where the other starts are sampled
};

}  // namespace ik
