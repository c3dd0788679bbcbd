// SPDX-License-Identifier: Apache-2.0
//
// W descents in lockstep, one per lane: damped least squares with a damping that follows the error
// (Chan and Lawrence 1988; Sugihara, "Solvability-unconcerned inverse kinematics by the
// Levenberg-Marquardt method", 2011), joints frozen while they push against their limit.
#pragma once

#include <limits>

#include "linear_solve.hpp"
#include "starts.hpp"
#include "task_error.hpp"

namespace ik {

constexpr int kMostIterations = 60;     // of one descent
constexpr int kCheckEvery = 3;          // iterations between two looks at the progress
constexpr double kLeastProgress = 0.7;  // given up when the squared error is still above this share
constexpr double kDamping = 0.05;
constexpr double kLeastDamping = 1e-8;
constexpr double kLargestStep = 1.0;    // rad or m
constexpr double kSlackShare = 0.9;     // of the tolerance; the rest is for rounding

template <int W>
class Descents {
 public:
  using V = Real<W>;

  Descents(const Chain& chain, const Task& task, const Limits& limits)
      : chain_(chain), task_(task), limits_(limits) {
    for (int j = 0; j < chain.variables; ++j) q_[j] = broadcast<V>(0.0);
    for (int k = 0; k < 3; ++k) {
      first_.x[k] = first_.y[k] = first_.z[k] = first_.origin[k] = broadcast<V>(0.0);
    }
    age_ = next_check_ = last_cost_ = slack_share_ = broadcast<V>(0.0);
  }

  // Lets a lane descend from q toward the target.
  void begin(int lane_index, const double* q, const Frame<double>& T_target_first) {
    for (int j = 0; j < chain_.variables; ++j) lane(q_[j], lane_index) = q[j];
    for (int k = 0; k < 3; ++k) {
      lane(first_.x[k], lane_index) = T_target_first.x[k];
      lane(first_.y[k], lane_index) = T_target_first.y[k];
      lane(first_.z[k], lane_index) = T_target_first.z[k];
      lane(first_.origin[k], lane_index) = T_target_first.origin[k];
    }
    restart_clock(lane_index);
    lane(slack_share_, lane_index) = 0.0;
    running_ |= 1u << lane_index;
  }

  // Lets a lane that got stuck go on with errors that are shrunk by their tolerance.
  void use_slack(int lane_index) {
    restart_clock(lane_index);
    lane(slack_share_, lane_index) = kSlackShare;
    running_ |= 1u << lane_index;
  }

  void stop(int lane_index) { running_ &= ~(1u << lane_index); }
  unsigned running() const { return running_; }

  // Measures the errors at the present configurations. Returns the running lanes that have ended
  // here, a bit each: converged or without progress.
  unsigned measure() {
    tip_pose(chain_, first_, q_, joints_, tip_);
    position_error(tip_, task_, error_);
    rotation_error(tip_, task_, error_ + 3);
    V rest[6];
    for (int k = 0; k < 6; ++k) rest[k] = error_[k];
    if (task_.use_slack) {
      use_up(task_.position, slack_share_, rest);
      use_up(task_.rotation, slack_share_, rest + 3);
    }
    for (int k = 0; k < 6; ++k) downhill_[k] = -rest[k];
    const V position2 = squared_norm(rest), rotation2 = squared_norm(rest + 3);
    cost_ = position2 + rotation2;
    converged_ = bit_set<V>((position2 <= task_.position.sharp * task_.position.sharp) &
                         (rotation2 <= task_.rotation.sharp * task_.rotation.sharp));
    return (converged_ | without_progress()) & running_;
  }

  // One step of every lane, whether it has ended or not. After measure().
  void step() {
    const int variables = chain_.variables;
    Twist<V> jacobian[kMostJoints];
    tip_jacobian(chain_, joints_, tip_, jacobian);
    keep_task_rows(tip_, task_, jacobian, variables);
    freeze_blocked(jacobian);

    V A[6][6], y[6];
    const V damping = cost_ * kDamping + kLeastDamping;
#pragma GCC unroll 6
    for (int r = 0; r < 6; ++r) {
      y[r] = downhill_[r];
#pragma GCC unroll 6
      for (int s = 0; s <= r; ++s) {
        V sum = r == s ? damping : broadcast<V>(0.0);
        for (int j = 0; j < variables; ++j) sum = sum + jacobian[j].rows[r] * jacobian[j].rows[s];
        A[r][s] = sum;
      }
    }
    solve_ldlt(A, y);

    V dq[kMostJoints], largest = broadcast<V>(kLargestStep);
    for (int j = 0; j < variables; ++j) {
      dq[j] = project(jacobian[j], y);
      largest = larger(largest, absolute(dq[j]));
    }
    const V scale = kLargestStep / largest;
    for (int j = 0; j < variables; ++j) {
      const V q = q_[j] + dq[j] * scale;
      q_[j] = smaller(larger(q, broadcast<V>(limits_.solve_lower[j])),
                      broadcast<V>(limits_.solve_upper[j]));
    }
  }

  // -- what a lane has come to; valid until step() ------------------------------------------------

  bool converged(int lane_index) const { return converged_ >> lane_index & 1; }
  bool uses_slack(int lane_index) const { return lane(slack_share_, lane_index) != 0.0; }
  int iterations(int lane_index) const { return static_cast<int>(lane(age_, lane_index)) - 1; }

  void configuration(int lane_index, double* q) const {
    for (int j = 0; j < chain_.variables; ++j) q[j] = lane(q_[j], lane_index);
  }

  // Error over the axes that are not free: position in units, then rotation in rad.
  void error(int lane_index, double* error) const {
    for (int k = 0; k < 6; ++k) error[k] = lane(error_[k], lane_index);
  }

 private:
  static V squared_norm(const V* v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

  static V project(const Twist<V>& column, const V* y) {
    const V* r = column.rows;
    return (r[0] * y[0] + r[1] * y[1] + r[2] * y[2]) + (r[3] * y[3] + r[4] * y[4] + r[5] * y[5]);
  }

  void restart_clock(int lane_index) {
    lane(age_, lane_index) = 0.0;
    lane(next_check_, lane_index) = 0.0;
    lane(last_cost_, lane_index) = std::numeric_limits<double>::infinity();
  }

  unsigned without_progress() {
    const auto due = age_ >= next_check_;
    const auto stuck = due & (opposite<V>(cost_ <= last_cost_ * kLeastProgress) |
                              (age_ >= static_cast<double>(kMostIterations)));
    last_cost_ = select<V>(due, cost_, last_cost_);
    next_check_ = select<V>(due, age_ + kCheckEvery, next_check_);
    age_ = age_ + 1.0;
    return bit_set<V>(stuck);
  }

  // Joints on a limit whose descent direction points outward lose their column for this step.
  void freeze_blocked(Twist<V>* jacobian) const {
    for (int j = 0; j < chain_.variables; ++j) {
      const V slope = project(jacobian[j], downhill_);
      const auto blocked = ((q_[j] >= limits_.solve_upper[j]) & (slope > 0.0)) |
                           ((q_[j] <= limits_.solve_lower[j]) & (slope < 0.0));
      for (V& row : jacobian[j].rows) row = select<V>(blocked, broadcast<V>(0.0), row);
    }
  }

  const Chain& chain_;
  const Task& task_;
  const Limits& limits_;
  unsigned running_ = 0, converged_ = 0;

  V q_[kMostJoints];
  Frame<V> first_, tip_;  // where the chain begins and ends, seen from each lane's target
  JointAxis<V> joints_[kMostJoints];
  V error_[6], downhill_[6], cost_;
  V age_, next_check_, last_cost_;  // iterations so far, of the next look at the progress; cost there
  V slack_share_;
};

}  // namespace ik
