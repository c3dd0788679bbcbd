// SPDX-License-Identifier: Apache-2.0
//
// Forward kinematics and the geometric Jacobian of a chain, for any number of lanes.
#pragma once

#include "chain.hpp"
#include "trigonometry.hpp"

namespace ik {

// Axis and origin of one joint, in the frame where the chain begins.
template <class V>
struct JointAxis {
  V axis[3], origin[3];
};

// How the tip moves with one variable: linear velocity (0 to 2), angular velocity (3 to 5).
template <class V>
struct Twist {
  V rows[6];
};

template <class V, class Number>
inline void turn_about_z(Frame<V>& frame, Number c, Number s) {
  for (int k = 0; k < 3; ++k) {
    const V x = frame.x[k], y = frame.y[k];
    frame.x[k] = x * c + y * s;
    frame.y[k] = y * c - x * s;
  }
}

template <class V>
inline void tilt_about_x(Frame<V>& frame, double c, double s) {
  for (int k = 0; k < 3; ++k) {
    const V y = frame.y[k], z = frame.z[k];
    frame.y[k] = y * c + z * s;
    frame.z[k] = z * c - y * s;
  }
}

// Pose of the tip at q; `first` is the pose where the chain begins. `joints` receives each column's
// axis on the way.
template <class V>
inline Frame<V> tip_pose(const Chain& chain, const Frame<V>& first, const V* q,
                         JointAxis<V>* joints) {
  V sine[kMostJoints], cosine[kMostJoints];
  const int count = static_cast<int>(chain.columns.size());
  for (int i = 0; i < count; ++i) {
    const Column& column = chain.columns[i];
    if (column.prismatic) continue;
    sine_cosine<V>(q[column.variable] * column.multiplier + column.offset, sine[i], cosine[i]);
  }

  Frame<V> frame = first;
  for (int i = 0; i < count; ++i) {
    const Column& column = chain.columns[i];
    V along_z = broadcast<V>(column.shift[2]);
    for (int k = 0; k < 3; ++k) {
      joints[i].axis[k] = frame.z[k];
      joints[i].origin[k] = frame.origin[k];
    }
    if (column.prismatic) {
      turn_about_z(frame, column.cos_turn, column.sin_turn);
      along_z = along_z + (q[column.variable] * column.multiplier + column.offset);
    } else {
      turn_about_z(frame, cosine[i], sine[i]);
    }
    for (int k = 0; k < 3; ++k) {
      frame.origin[k] = frame.origin[k] + (frame.x[k] * column.shift[0] +
                                           (frame.y[k] * column.shift[1] + frame.z[k] * along_z));
    }
    tilt_about_x(frame, column.cos_tilt, column.sin_tilt);
  }
  turn_about_z(frame, chain.cos_roll, chain.sin_roll);
  return frame;
}

template <class V>
inline Twist<V> column_twist(const Column& column, const JointAxis<V>& joint, const V* tip) {
  const V* a = joint.axis;
  const V zero = broadcast<V>(0.0);
  Twist<V> twist{{a[0], a[1], a[2], zero, zero, zero}};
  if (!column.prismatic) {
    const V lever[3] = {tip[0] - joint.origin[0], tip[1] - joint.origin[1], tip[2] - joint.origin[2]};
    twist = {{a[1] * lever[2] - a[2] * lever[1], a[2] * lever[0] - a[0] * lever[2],
              a[0] * lever[1] - a[1] * lever[0], a[0], a[1], a[2]}};
  }
  if (column.multiplier != 1.0) {
    for (int r = 0; r < 6; ++r) twist.rows[r] = twist.rows[r] * column.multiplier;
  }
  return twist;
}

// The geometric Jacobian, one twist per variable: the sum over the columns that it moves.
template <class V>
inline void tip_jacobian(const Chain& chain, const JointAxis<V>* joints, const V* tip,
                         Twist<V>* jacobian) {
  for (int j : chain.idle_variables) jacobian[j] = Twist<V>{};
  const int count = static_cast<int>(chain.columns.size());
  for (int i = 0; i < count; ++i) {
    const Column& column = chain.columns[i];
    const Twist<V> twist = column_twist(column, joints[i], tip);
    Twist<V>& sum = jacobian[column.variable];
    if (column.first_of_variable) {
      sum = twist;
    } else {
      for (int r = 0; r < 6; ++r) sum.rows[r] = sum.rows[r] + twist.rows[r];
    }
  }
}

}  // namespace ik
