// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kinematics.hpp"

namespace ik {

// Solves A x = b for a symmetric positive definite 6 x 6 matrix, of which the lower triangle is
// read and overwritten: A = L D L^T without square roots (Golub and Van Loan, Matrix Computations,
// 4.1). b becomes x.
template <class V>
inline void solve_ldlt(V A[6][6], V b[6]) {
  V inverse_d[6];
  for (int j = 0; j < 6; ++j) {
    V scaled[6];  // row j of L, times D
    for (int k = 0; k < j; ++k) {
      scaled[k] = A[j][k];
      A[j][k] = scaled[k] * inverse_d[k];
    }
    for (int k = 0; k < j; ++k) A[j][j] = A[j][j] - scaled[k] * A[j][k];
    inverse_d[j] = 1.0 / A[j][j];
    for (int i = j + 1; i < 6; ++i) {
      for (int k = 0; k < j; ++k) A[i][j] = A[i][j] - A[i][k] * A[j][k];
    }
  }
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < i; ++k) b[i] = b[i] - A[i][k] * b[k];
  }
  for (int i = 5; i >= 0; --i) {
    b[i] = b[i] * inverse_d[i];
    for (int k = i + 1; k < 6; ++k) b[i] = b[i] - A[k][i] * b[k];
  }
}

}  // namespace ik
