// SPDX-License-Identifier: Apache-2.0
#include "task_error.hpp"

namespace ik {

void measure_error(const Chain& chain, const Task& task, const Frame<double>& T_target_first,
                   const double* q, double* error) {
  JointAxis<double> joints[kMostJoints];
  Frame<double> tip;
  tip_pose(chain, T_target_first, q, joints, tip);
  position_error(tip, task, error);
  rotation_error(tip, task, error + 3);
}

}  // namespace ik
