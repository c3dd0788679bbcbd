// SPDX-License-Identifier: Apache-2.0
//
// W descents in lockstep, one per lane: damped least squares with a damping that follows the error
// (Chan and Lawrence 1988; Sugihara, "Solvability-unconcerned inverse kinematics by the
// Levenberg-Marquardt method", 2011).
//
// A descent that gets stuck may go on with slack: with errors that are shrunk by their tolerance. One
// that has reached its target with joints to spare is pulled along its self-motion toward the seed.
#pragma once

#include <algorithm>
#include <limits>

#include "damped_step.hpp"

namespace ik {

constexpr int kMostIterations = 60;     // of one descent
constexpr int kCheckEvery = 3;          // iterations between two looks at the progress
// A descent is given up when its squared error is still above this share of that at the last look.
// Near the target only little progress is asked for: singular targets are approached slowly.
constexpr double kLeastProgress = 0.7;
constexpr double kLeastProgressNear = 0.97;
constexpr double kNear = 1e-4;
constexpr double kSlackShare = 0.9;     // of the tolerance; the rest is for rounding
constexpr double kFarFromSeed = 0.2;    // rad or m of some joint; nearer ones are not pulled

template <int W>
class Descents {
 public:
  using V = Real<W>;

  Descents(const Chain& chain, const Task& task, const Limits& limits)
      : chain_(chain),
        task_(task),
        limits_(limits),
        redundant_(chain.variables > task.constraints()) {
    const V zero = broadcast<V>(0.0);
    for (int j = 0; j < chain.variables; ++j) q_[j] = zero;
    for (int k = 0; k < 3; ++k) first_.x[k] = first_.y[k] = first_.z[k] = first_.origin[k] = zero;
    age_ = next_check_ = last_age_ = last_cost_ = slack_share_ = zero;
  }

  // Lets a lane descend from q toward the target. `seed` is where joints to spare are pulled to.
  void begin(int i, const double* q, const double* seed, const Frame<double>& T_target_first) {
    for (int j = 0; j < chain_.variables; ++j) lane(q_[j], i) = q[j];
    for (int k = 0; k < 3; ++k) {
      lane(first_.x[k], i) = T_target_first.x[k];
      lane(first_.y[k], i) = T_target_first.y[k];
      lane(first_.z[k], i) = T_target_first.z[k];
      lane(first_.origin[k], i) = T_target_first.origin[k];
    }
    seeds_[i] = seed;
    phase_[i] = Phase::kDescending;
    lane(slack_share_, i) = 0.0;
    lane(age_, i) = 0.0;
    restart_clock(i, 0.0);
    running_ |= 1u << i;
  }

  // Lanes at work, a bit each.
  unsigned running() const { return running_; }

  // Ends all lanes where they are. After measure().
  unsigned stop() {
    const unsigned stopped = running_;
    for (int i = 0; i < W; ++i) {
      if (!(running_ >> i & 1)) continue;
      if (phase_[i] == Phase::kSettling) {
        go_back(i);
      } else if (accepted(i)) {
        reached_ |= 1u << i;
      }
    }
    running_ = pulled_ = 0;
    return stopped;
  }

  // Measures the errors at the present configurations. Returns the lanes whose descent ends here.
  // What they have come to can be asked until step().
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
    reached_ = bit_set<V>((position2 <= task_.position.sharp * task_.position.sharp) &
                          (rotation2 <= task_.rotation.sharp * task_.rotation.sharp));
    unsigned ended = (reached_ | without_progress()) & running_;
    if (ended != 0) ended &= ~with_another_phase(ended);
    running_ &= ~ended;
    return ended;
  }

  // One step of every lane, at work or not. After measure().
  void step() {
    Twist<V> jacobian[kMostJoints];
    tip_jacobian(chain_, joints_, tip_, jacobian);
    keep_task_rows(tip_, task_, jacobian, chain_.variables);
    take_step(limits_, jacobian, downhill_, cost_, pulled_ ? pull() : nullptr, q_);
    pulled_ = 0;
  }

  // -- what a lane has come to -------------------------------------------------------------------

  bool reached(int i) const { return reached_ >> i & 1; }
  int iterations(int i) const { return static_cast<int>(lane(age_, i)) - 1; }

  void configuration(int i, double* q) const {
    for (int j = 0; j < chain_.variables; ++j) q[j] = lane(q_[j], i);
  }

  // Error over the axes that are not free: position in units, then rotation in rad.
  void error(int i, double* error) const {
    for (int k = 0; k < 6; ++k) error[k] = lane(error_[k], i);
  }

 private:
  enum class Phase { kDescending, kWithSlack, kSettling };

  static V squared_norm(const V* v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

  void restart_clock(int i, double now) {
    lane(next_check_, i) = now;
    lane(last_age_, i) = now + kMostIterations;
    lane(last_cost_, i) = std::numeric_limits<double>::infinity();
  }

  unsigned without_progress() {
    const auto due = age_ >= next_check_;
    const V share = select<V>(cost_ < kNear, broadcast<V>(kLeastProgressNear),
                              broadcast<V>(kLeastProgress));
    const auto stuck = due & (opposite<V>(cost_ <= last_cost_ * share) | (age_ >= last_age_));
    last_cost_ = select<V>(due, cost_, last_cost_);
    next_check_ = select<V>(due, age_ + kCheckEvery, next_check_);
    age_ = age_ + 1.0;
    return bit_set<V>(stuck);
  }

  // Of the lanes whose descent has ended, those that go on in another way.
  unsigned with_another_phase(unsigned ended) {
    unsigned going_on = 0;
    for (int i = 0; ended >> i; ++i) {
      if (!(ended >> i & 1)) continue;
      const unsigned bit = 1u << i;
      if (phase_[i] == Phase::kSettling) {
        keep_the_nearer(i);
      } else if (reached(i) || accepted(i)) {
        reached_ |= bit;
        if (redundant_ && begin_pull(i)) going_on |= bit;
      } else if (task_.use_slack && phase_[i] == Phase::kDescending) {
        phase_[i] = Phase::kWithSlack;
        lane(slack_share_, i) = kSlackShare;
        restart_clock(i, lane(age_, i));
        going_on |= bit;
      }
    }
    return going_on;
  }

  bool accepted(int i) const {
    double e[6];
    error(i, e);
    return task_.position.accept(e) && task_.rotation.accept(e + 3);
  }

  // -- the pull toward the seed --------------------------------------------------------------------

  // Returns whether it is far enough from the seed to be worth it.
  bool begin_pull(int i) {
    double farthest = 0.0;
    for (int j = 0; j < chain_.variables; ++j) {
      const double q = lane(q_[j], i);
      // Of a joint that turns freely, the nearest copy of the seed.
      const double turns = limits_.turns_freely[j] ? std::nearbyint((q - seeds_[i][j]) / kTwoPi) : 0.0;
      lane(pull_to_[j], i) = seeds_[i][j] + turns * kTwoPi;
      lane(unpulled_q_[j], i) = q;
      farthest = std::max(farthest, std::fabs(lane(pull_to_[j], i) - q));
    }
    if (farthest <= kFarFromSeed) return false;
    for (int k = 0; k < 6; ++k) lane(unpulled_error_[k], i) = lane(error_[k], i);
    pulled_ |= 1u << i;
    phase_[i] = Phase::kSettling;
    restart_clock(i, lane(age_, i));
    return true;
  }

  // (m,) toward the seed, in the lanes that are pulled.
  const V* pull() {
    V share;
    for (int i = 0; i < W; ++i) lane(share, i) = pulled_ >> i & 1 ? 1.0 : 0.0;
    for (int j = 0; j < chain_.variables; ++j) pull_[j] = (pull_to_[j] - q_[j]) * share;
    return pull_;
  }

  // After the pull and the descent behind it: whichever is nearer to the seed in its largest
  // difference, if the target is still reached.
  void keep_the_nearer(int i) {
    double before = 0.0, after = 0.0;
    for (int j = 0; j < chain_.variables; ++j) {
      before = std::max(before, std::fabs(lane(unpulled_q_[j], i) - lane(pull_to_[j], i)));
      after = std::max(after, std::fabs(lane(q_[j], i) - lane(pull_to_[j], i)));
    }
    if (!reached(i) || !(after < before)) go_back(i);
  }

  void go_back(int i) {
    for (int j = 0; j < chain_.variables; ++j) lane(q_[j], i) = lane(unpulled_q_[j], i);
    for (int k = 0; k < 6; ++k) lane(error_[k], i) = lane(unpulled_error_[k], i);
    reached_ |= 1u << i;
  }

  const Chain& chain_;
  const Task& task_;
  const Limits& limits_;
  const bool redundant_;
  unsigned running_ = 0, reached_ = 0;
  unsigned pulled_ = 0;  // by the next step
  Phase phase_[W];

  V q_[kMostJoints];
  Frame<V> first_, tip_;  // where the chain begins and ends, seen from each lane's target
  JointAxis<V> joints_[kMostJoints];
  V error_[6], downhill_[6], cost_;
  V age_;                   // iterations so far
  V next_check_, last_age_;  // when the progress is looked at next, and when patience ends
  V last_cost_;             // at the last look
  V slack_share_;

  const double* seeds_[W];
  V pull_[kMostJoints], pull_to_[kMostJoints];
  V unpulled_q_[kMostJoints], unpulled_error_[6];
};

}  // namespace ik
