// SPDX-License-Identifier: Apache-2.0
//
// One step of damped least squares with joint limits.
#pragma once

#include "linear_solve.hpp"
#include "starts.hpp"

namespace ik {

constexpr double kLeastDamping = 1e-13;  // relative to J J^T; more would slow singular targets down
constexpr double kLargestStep = 1.0;     // rad or m

template <class V>
inline V dot(const Twist<V>& twist, const V* y) {
  const V* r = twist.rows;
  return (r[0] * y[0] + r[1] * y[1] + r[2] * y[2]) + (r[3] * y[3] + r[4] * y[4] + r[5] * y[5]);
}

// Joints on a limit whose descent direction points outward lose their column for this step.
// Clipping alone would let them take part in steps that they then cannot make.
template <class V>
inline void freeze_blocked(const Limits& limits, const V* q, const V* downhill,
                           Twist<V>* jacobian) {
  for (int j = 0; j < limits.variables; ++j) {
    const auto at_upper = q[j] >= limits.solve_upper[j];
    const auto at_lower = q[j] <= limits.solve_lower[j];
    if (bit_set<V>(at_upper | at_lower) == 0) continue;
    const V slope = dot(jacobian[j], downhill);
    const auto blocked = (at_upper & (slope > 0.0)) | (at_lower & (slope < 0.0));
    for (V& row : jacobian[j].rows) row = select<V>(blocked, broadcast<V>(0.0), row);
  }
}

// Rows first_row.. against rows first_column.. of J J^T, a 3 x 3 block of it.
template <class V>
inline void product_block(const Twist<V>* jacobian, int variables, int first_row, int first_column,
                          V A[6][6]) {
  V sum[3][3];
#pragma GCC unroll 3
  for (int r = 0; r < 3; ++r) {
#pragma GCC unroll 3
    for (int s = 0; s < 3; ++s) sum[r][s] = broadcast<V>(0.0);
  }
  for (int j = 0; j < variables; ++j) {
    const V* rows = jacobian[j].rows;
#pragma GCC unroll 3
    for (int r = 0; r < 3; ++r) {
#pragma GCC unroll 3
      for (int s = 0; s < 3; ++s) {
        if (first_row == first_column && s > r) continue;
        sum[r][s] = sum[r][s] + rows[first_row + r] * rows[first_column + s];
      }
    }
  }
#pragma GCC unroll 3
  for (int r = 0; r < 3; ++r) {
#pragma GCC unroll 3
    for (int s = 0; s < 3; ++s) A[first_row + r][first_column + s] = sum[r][s];
  }
}

// (J J^T + damping I)^-1 y in place of y.
template <class V>
inline void solve_damped(const Twist<V>* jacobian, int variables, V damping, V* y) {
  V A[6][6];
  product_block(jacobian, variables, 0, 0, A);
  product_block(jacobian, variables, 3, 0, A);
  product_block(jacobian, variables, 3, 3, A);
  const V trace = (A[0][0] + A[1][1] + A[2][2]) + (A[3][3] + A[4][4] + A[5][5]);
  const V added = damping + (trace + 1.0) * kLeastDamping;
#pragma GCC unroll 6
  for (int r = 0; r < 6; ++r) A[r][r] = A[r][r] + added;
  solve_ldlt(A, y);
}

// q + dq, with dq = J^T (J J^T + damping I)^-1 downhill, shortened to kLargestStep and clipped to
// the limits. With `pull`, the part of it that does not move the tip is added.
template <class V>
inline void take_step(const Limits& limits, Twist<V>* jacobian, const V* downhill, V damping,
                      const V* pull, V* q) {
  const int variables = limits.variables;
  freeze_blocked(limits, q, downhill, jacobian);
  V y[6];
  for (int r = 0; r < 6; ++r) {
    y[r] = downhill[r];
    for (int j = 0; pull && j < variables; ++j) y[r] = y[r] - jacobian[j].rows[r] * pull[j];
  }
  solve_damped(jacobian, variables, damping, y);

  V dq[kMostJoints], largest = broadcast<V>(kLargestStep);
  for (int j = 0; j < variables; ++j) {
    dq[j] = dot(jacobian[j], y);
    if (pull) dq[j] = dq[j] + pull[j];
    largest = larger(largest, absolute(dq[j]));
  }
  const V scale = kLargestStep / largest;
  for (int j = 0; j < variables; ++j) {
    const V next = q[j] + dq[j] * scale;
    q[j] = smaller(larger(next, broadcast<V>(limits.solve_lower[j])),
                   broadcast<V>(limits.solve_upper[j]));
  }
}

}  // namespace ik
