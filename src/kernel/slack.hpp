// SPDX-License-Identifier: Apache-2.0
//
// Slack: a descent that cannot meet the exact pose goes on with errors that are shrunk by most of
// their tolerance.
#pragma once

#include "kinematics.hpp"
#include "task.hpp"

namespace ik {

// What to multiply the errors under one norm with, so that it shrinks by a share of its bound: 0
// where the norm is inside that share, 1 where the share is 0.
template <class V>
inline V kept_by_norm(const AxisBounds& bounds, V share, const V* error) {
  V norm2 = broadcast<V>(0.0);
  for (int k = 0; k < 3; ++k) {
    if (bounds.own[k] == 0.0) norm2 = norm2 + error[k] * error[k];
  }
  const V norm = square_root(larger(norm2, broadcast<V>(1e-300)));
  return larger(1.0 - share * bounds.norm / norm, broadcast<V>(0.0));
}

// What is left of an error, or its opposite, when a share of the tolerance is used up: 0 inside,
// errors under one norm together, the others each. `sharp2` becomes as small as it has to be for
// the rest of the tolerance to cover it.
template <class V>
inline void use_up(const AxisBounds& bounds, V share, V* error, V& sharp2) {
  const V kept = kept_by_norm(bounds, share, error);
  for (int k = 0; k < 3; ++k) {
    if (bounds.own[k] == 0.0) {
      error[k] = error[k] * kept;
    } else if (bounds.bounded[k]) {
      const V slack = share * bounds.own[k];
      error[k] = error[k] - larger(smaller(error[k], slack), -slack);
    }
  }
  const V rest = (1.0 - share) * bounds.tightest;
  sharp2 = smaller(sharp2, rest * rest);
}

// The rows of the Jacobian of what use_up() leaves. An axis with slack left asks for nothing: it
// must not hold the arm still. With r the direction of the error under the norm, and e its length,
// d((1 - slack / e) error) = (kept + (1 - kept) r r^T) d(error), or 0 inside.
template <class V>
inline void keep_missing_rows(const AxisBounds& bounds, V share, const V* error, int first_row,
                              Twist<V>* jacobian, int variables) {
  const V zero = broadcast<V>(0.0);
  const V kept = kept_by_norm(bounds, share, error);
  V norm2 = broadcast<V>(1e-300), missing[3];
  for (int k = 0; k < 3; ++k) {
    if (bounds.own[k] == 0.0) norm2 = norm2 + error[k] * error[k];
    const auto inside = (share > 0.0) & (absolute(error[k]) <= share * bounds.own[k]);
    missing[k] = select<V>(inside, zero, broadcast<V>(1.0));
  }
  const V along = select<V>(kept > 0.0, (1.0 - kept) / norm2, zero);
  for (int j = 0; j < variables; ++j) {
    V* rows = jacobian[j].rows + first_row;
    V approach = zero;
    for (int k = 0; k < 3; ++k) {
      if (bounds.own[k] == 0.0) approach = approach + error[k] * rows[k];
    }
    for (int k = 0; k < 3; ++k) {
      rows[k] = bounds.own[k] == 0.0 ? rows[k] * kept + error[k] * (approach * along)
                                     : rows[k] * missing[k];
    }
  }
}

}  // namespace ik
