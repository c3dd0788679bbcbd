// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kinematics.hpp"

namespace ik {

// Solves A x = b for a symmetric positive definite 6 x 6 matrix, of which the lower triangle is
// read and overwritten: A = L D L^T without square roots (Golub and Van Loan, Matrix Computations,
// 4.1). b becomes x. Column j of A is left as column j of L D.
template <class V>
inline void solve_ldlt(V A[6][6], V b[6]) {
  V inverse_d[6];
#pragma GCC unroll 6
  for (int j = 0; j < 6; ++j) {
    inverse_d[j] = 1.0 / A[j][j];
#pragma GCC unroll 6
    for (int i = j + 1; i < 6; ++i) {
      const V l = A[i][j] * inverse_d[j];
#pragma GCC unroll 6
      for (int k = j + 1; k <= i; ++k) A[i][k] = A[i][k] - l * A[k][j];
      b[i] = b[i] - l * b[j];
    }
  }
#pragma GCC unroll 6
  for (int i = 5; i >= 0; --i) {
#pragma GCC unroll 6
    for (int k = i + 1; k < 6; ++k) b[i] = b[i] - A[k][i] * b[k];
    b[i] = b[i] * inverse_d[i];
  }
}

}  // namespace ik
