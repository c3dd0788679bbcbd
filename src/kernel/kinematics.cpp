// SPDX-License-Identifier: Apache-2.0
#include "kinematics.hpp"

namespace ik {

void forward_kinematics(const Chain& chain, const double* q, double* T_base_tip) {
  JointAxis<double> joints[kMostJoints];
  Frame<double> tip;
  tip_pose(chain, chain.T_base_first, q, joints, tip);
  for (int row = 0; row < 3; ++row) {
    const double numbers[4] = {tip.x[row], tip.y[row], tip.z[row],
                               tip.origin[row] * kMetresPerUnit};
    for (int k = 0; k < 4; ++k) T_base_tip[4 * row + k] = numbers[k];
  }
}

void base_jacobian(const Chain& chain, const double* q, double* jacobian) {
  JointAxis<double> joints[kMostJoints];
  Frame<double> tip;
  Twist<double> twists[kMostJoints];
  tip_pose(chain, chain.T_base_first, q, joints, tip);
  tip_jacobian(chain, joints, tip, twists);
  for (int row = 0; row < 6; ++row) {
    const double unit = row < 3 ? kMetresPerUnit : 1.0;
    for (int j = 0; j < chain.variables; ++j) {
      jacobian[row * chain.variables + j] = twists[j].rows[row] * unit;
    }
  }
}

}  // namespace ik
