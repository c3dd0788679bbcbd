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

// Written out, because compilers turn loops that copy vectors into a copy of bytes, in pieces that
// are narrower than the vectors, and the processor then waits when a vector is read back.
template <class V>
inline void copy_axis(const V* from, V* to) {
  to[0] = from[0];
  to[1] = from[1];
  to[2] = from[2];
}

template <class V>
inline void copy_frame(const Frame<V>& from, Frame<V>& to) {
  copy_axis(from.x, to.x);
  copy_axis(from.y, to.y);
  copy_axis(from.z, to.z);
  copy_axis(from.origin, to.origin);
}

// Pose of the tip at q; `first` is the pose where the chain begins. `joints` receives each column's
// axis on the way.
template <class V>
inline void tip_pose(const Chain& chain, const Frame<V>& first, const V* q, JointAxis<V>* joints,
                     Frame<V>& tip) {
  V sine[kMostJoints], cosine[kMostJoints];
  const int count = static_cast<int>(chain.columns.size());
  for (int i = 0; i < count; ++i) {
    const Column& column = chain.columns[i];
    if (column.prismatic) continue;
    sine_cosine<V>(q[column.variable] * column.multiplier + column.offset, sine[i], cosine[i]);
  }

  Frame<V> frame;
  copy_frame(first, frame);
  for (int i = 0; i < count; ++i) {
    const Column& column = chain.columns[i];
    V along_z = broadcast<V>(column.shift[2]);
    copy_axis(frame.z, joints[i].axis);
    copy_axis(frame.origin, joints[i].origin);
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
  copy_frame(frame, tip);
}

// Adds a column's share to the twist of its variable, or begins it.
template <class V>
inline void add_column(const Column& column, const JointAxis<V>& joint, const V* tip,
                       Twist<V>& twist) {
  const V* a = joint.axis;
  V rows[6] = {a[0], a[1], a[2], broadcast<V>(0.0), broadcast<V>(0.0), broadcast<V>(0.0)};
  if (!column.prismatic) {
    const V lever[3] = {tip[0] - joint.origin[0], tip[1] - joint.origin[1],
                        tip[2] - joint.origin[2]};
    rows[0] = a[1] * lever[2] - a[2] * lever[1];
    rows[1] = a[2] * lever[0] - a[0] * lever[2];
    rows[2] = a[0] * lever[1] - a[1] * lever[0];
    for (int k = 0; k < 3; ++k) rows[3 + k] = a[k];
  }
  if (column.multiplier != 1.0) {
    for (V& row : rows) row = row * column.multiplier;
  }
  if (column.first_of_variable) {
    for (int r = 0; r < 6; ++r) twist.rows[r] = rows[r];
  } else {
    for (int r = 0; r < 6; ++r) twist.rows[r] = twist.rows[r] + rows[r];
  }
}

// The geometric Jacobian, one twist per variable.
template <class V>
inline void tip_jacobian(const Chain& chain, const JointAxis<V>* joints, const Frame<V>& tip,
                         Twist<V>* jacobian) {
  for (int j : chain.idle_variables) {
    for (V& row : jacobian[j].rows) row = broadcast<V>(0.0);
  }
  const int count = static_cast<int>(chain.columns.size());
  for (int i = 0; i < count; ++i) {
    const Column& column = chain.columns[i];
    add_column(column, joints[i], tip.origin, jacobian[column.variable]);
  }
}

// For one configuration, seen from the base, in metres: T_base_tip as 3 x 4 numbers row by row, and
// the geometric Jacobian (linear rows, then angular) as 6 x variables.
void forward_kinematics(const Chain& chain, const double* q, double* T_base_tip);
void base_jacobian(const Chain& chain, const double* q, double* jacobian);

}  // namespace ik
