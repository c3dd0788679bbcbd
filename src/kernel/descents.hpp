// SPDX-License-Identifier: Apache-2.0
//
// W descents in lockstep, one per lane: damped least squares with a damping that follows the error
// (Chan and Lawrence 1988; Sugihara, "Solvability-unconcerned inverse kinematics by the
// Levenberg-Marquardt method", 2011).
#pragma once

#include <limits>

#include "damped_step.hpp"
#include "slack.hpp"
#include "task_error.hpp"

namespace ik {

constexpr double kDamping = 0.05;    // relative to the squared error
constexpr int kMostIterations = 60;  // of one descent
constexpr int kCheckEvery = 3;       // iterations between two looks at the progress
// A descent is given up when its squared error is still above this share of that at the last look.
// Near the target only little progress is asked for: singular targets are approached slowly.
constexpr double kLeastProgress = 0.7;
constexpr double kLeastProgressNear = 0.97;
constexpr double kNear = 1e-4;       // the squared error
constexpr double kSlackShare = 0.9;  // of the tolerance; the rest is for rounding

template <int W>
class Descents {
 public:
  using V = Real<W>;

  Descents(const Chain& chain, const Task& task, const Limits& limits)
      : chain_(chain), task_(task), limits_(limits) {
    const V zero = broadcast<V>(0.0);
    for (int j = 0; j < chain.variables; ++j) q_[j] = zero;
    for (int k = 0; k < 3; ++k) first_.x[k] = first_.y[k] = first_.z[k] = first_.origin[k] = zero;
    age_ = next_check_ = last_age_ = last_cost_ = slack_share_ = zero;
  }

  // Lets a lane descend from q toward the target.
  void begin(int i, const double* q, const Frame<double>& T_target_first) {
    for (int k = 0; k < 3; ++k) {
      lane(first_.x[k], i) = T_target_first.x[k];
      lane(first_.y[k], i) = T_target_first.y[k];
      lane(first_.z[k], i) = T_target_first.z[k];
      lane(first_.origin[k], i) = T_target_first.origin[k];
    }
    lane(age_, i) = 0.0;
    go_on(i, q, false);
  }

  // Lets it descend to the same target once more, with slack: with errors that are shrunk by their
  // tolerance.
  void go_on(int i, const double* q, bool with_slack) {
    for (int j = 0; j < chain_.variables; ++j) lane(q_[j], i) = q[j];
    const double now = lane(age_, i);
    lane(slack_share_, i) = with_slack ? kSlackShare : 0.0;
    lane(next_check_, i) = now;
    lane(last_age_, i) = now + kMostIterations;
    lane(last_cost_, i) = std::numeric_limits<double>::infinity();
  }

  // Measures the errors at the present configurations. Returns the lanes whose descent ends here, a
  // bit each. What they have come to can be asked until step().
  unsigned measure() {
    tip_pose(chain_, first_, q_, joints_, tip_);
    position_error(tip_, task_, error_);
    rotation_error(tip_, task_, error_ + 3);
    for (int k = 0; k < 6; ++k) downhill_[k] = -error_[k];
    V sharp_position2 = broadcast<V>(task_.position.sharp * task_.position.sharp);
    V sharp_rotation2 = broadcast<V>(task_.rotation.sharp * task_.rotation.sharp);
    if (task_.use_slack) {
      use_up(task_.position, slack_share_, downhill_, sharp_position2);
      use_up(task_.rotation, slack_share_, downhill_ + 3, sharp_rotation2);
    }
    const V position2 = squared_norm(downhill_), rotation2 = squared_norm(downhill_ + 3);
    cost_ = position2 + rotation2;
    reached_ = bit_set<V>((position2 <= sharp_position2) & (rotation2 <= sharp_rotation2));
    return reached_ | without_progress();
  }

  // One step of every lane, whether its descent has ended or not; with `pull` (m,), toward where it
  // points as far as the tip stays. After measure().
  void step(const V* pull) {
    Twist<V> jacobian[kMostJoints];
    tip_jacobian(chain_, joints_, tip_, jacobian);
    keep_task_rows(tip_, task_, jacobian, chain_.variables);
    if (task_.use_slack) {
      keep_missing_rows(task_.position, slack_share_, error_, 0, jacobian, chain_.variables);
      keep_missing_rows(task_.rotation, slack_share_, error_ + 3, 3, jacobian, chain_.variables);
    }
    take_step(limits_, jacobian, downhill_, cost_ * kDamping, pull, q_);
  }

  // -- what a lane has come to ----------------------------------------------------------------

  // Lanes that are near the target, a bit each.
  unsigned near() const { return bit_set<V>(cost_ < kNear); }
  bool reached(int i) const { return reached_ >> i & 1; }
  int iterations(int i) const { return static_cast<int>(lane(age_, i)) - 1; }
  double cost(int i) const { return lane(cost_, i); }

  void configuration(int i, double* q) const {
    for (int j = 0; j < chain_.variables; ++j) q[j] = lane(q_[j], i);
  }

  // Error over the axes that are not free: position in units, then rotation in rad.
  void error(int i, double* error) const {
    for (int k = 0; k < 6; ++k) error[k] = lane(error_[k], i);
  }

 private:
  static V squared_norm(const V* v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

  unsigned without_progress() {
    const auto due = age_ >= next_check_;
    const V share =
        select<V>(cost_ < kNear, broadcast<V>(kLeastProgressNear), broadcast<V>(kLeastProgress));
    const auto stuck = due & (opposite<V>(cost_ <= last_cost_ * share) | (age_ >= last_age_));
    last_cost_ = select<V>(due, cost_, last_cost_);
    next_check_ = select<V>(due, age_ + kCheckEvery, next_check_);
    age_ = age_ + 1.0;
    return bit_set<V>(stuck);
  }

  const Chain& chain_;
  const Task& task_;
  const Limits& limits_;
  unsigned reached_ = 0;  // a bit per lane

  V q_[kMostJoints];
  Frame<V> first_, tip_;  // where the chain begins and ends, seen from each lane's target
  JointAxis<V> joints_[kMostJoints];
  V error_[6], downhill_[6], cost_;
  V age_;                    // iterations so far
  V next_check_, last_age_;  // when the progress is looked at next, and when patience ends
  V last_cost_;              // at the last look
  V slack_share_;
};

}  // namespace ik
