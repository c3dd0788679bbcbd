// SPDX-License-Identifier: Apache-2.0
#include "closest.hpp"

#include <algorithm>

#include "damped_step.hpp"
#include "task_error.hpp"

namespace ik {
namespace {

constexpr int kMostSteps = 40;
constexpr double kFirstDamping = 0.1;
constexpr double kHighestDamping = 1e8;
constexpr double kHardlyLess = 1.0 - 1e-4;  // of the squared error

double squared(const double* error) {
  double sum = 0.0;
  for (int k = 0; k < 6; ++k) sum += error[k] * error[k];
  return sum;
}

// q after one step downhill.
void step_down(const Problem& problem, double damping, double* q) {
  JointAxis<double> joints[kMostJoints];
  Twist<double> jacobian[kMostJoints];
  Frame<double> tip;
  double downhill[6];
  tip_pose(problem.chain, problem.T_target_first, q, joints, tip);
  position_error(tip, problem.task, downhill);
  rotation_error(tip, problem.task, downhill + 3);
  for (double& error : downhill) error = -error;
  tip_jacobian(problem.chain, joints, tip, jacobian);
  keep_task_rows(tip, problem.task, jacobian, problem.chain.variables);
  take_step<double>(problem.limits, jacobian, downhill, damping, nullptr, q);
}

}  // namespace

void come_closer(const Problem& problem, End& end) {
  const int variables = problem.chain.variables;
  double error[6], q[kMostJoints], next_error[6];
  measure_error(problem.chain, problem.task, problem.T_target_first, end.q, error);
  double cost = squared(error);
  double damping = kFirstDamping;
  for (int i = 0; i < kMostSteps && damping < kHighestDamping; ++i) {
    std::copy(end.q, end.q + variables, q);
    step_down(problem, damping, q);
    measure_error(problem.chain, problem.task, problem.T_target_first, q, next_error);
    const double next_cost = squared(next_error);
    if (!(next_cost < cost)) {
      damping *= 5.0;
      continue;
    }
    const bool hardly_less = next_cost > cost * kHardlyLess;
    std::copy(q, q + variables, end.q);
    std::copy(next_error, next_error + 6, error);
    cost = next_cost;
    damping *= 0.2;
    if (hardly_less) break;
  }
  if (problem.starts.bring_home(end.q)) {
    measure_error(problem.chain, problem.task, problem.T_target_first, end.q, error);
  }
  end.set_errors(error);
  end.reached = problem.task.accept(error) && problem.chain.in_range(end.q);
}

}  // namespace ik
