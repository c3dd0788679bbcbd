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
inline void tilt_about_x(Frame<V>& frame, const Column& column) {
  if (column.tilt == Tilt::kNone) return;
  for (int k = 0; k < 3; ++k) {
    const V y = frame.y[k], z = frame.z[k];
    if (column.tilt == Tilt::kQuarterTurn) {
      frame.y[k] = z;
      frame.z[k] = -y;
    } else {
      frame.y[k] = y * column.cos_tilt + z * column.sin_tilt;
      frame.z[k] = z * column.cos_tilt - y * column.sin_tilt;
    }
  }
}

template <class V, class Number>
inline void move_along(const V* axis, Number length, V* origin) {
  for (int k = 0; k < 3; ++k) origin[k] = origin[k] + axis[k] * length;
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

// Sine and cosine of each turning column. A single configuration has them computed two by two: the
// bits are the same, and it is nearly twice as fast.
template <class V>
inline void sines_cosines(const Chain& chain, const V* q, V* sine, V* cosine) {
  const int count = static_cast<int>(chain.columns.size());
  V angles[kMostJoints + 1];
  for (int i = 0; i < count; ++i) {
    const Column& column = chain.columns[i];
    angles[i] = q[column.variable] * column.multiplier + column.offset;
  }
  if constexpr (lanes_of<V> == 1) {
    angles[count] = 0.0;
    for (int i = 0; i < count; i += 2) {
      Real<2> pair, s, c;
      std::memcpy(&pair, angles + i, sizeof pair);
      sine_cosine<Real<2>>(pair, s, c);
      std::memcpy(sine + i, &s, sizeof s);
      std::memcpy(cosine + i, &c, sizeof c);
    }
  } else {
    for (int i = 0; i < count; ++i) {
      if (!chain.columns[i].prismatic) sine_cosine<V>(angles[i], sine[i], cosine[i]);
    }
  }
}

// Pose of the tip at q; `first` is the pose where the chain begins. `joints` receives each column's
// axis on the way.
template <class V>
inline void tip_pose(const Chain& chain, const Frame<V>& first, const V* q, JointAxis<V>* joints,
                     Frame<V>& tip) {
  V sine[kMostJoints + 1], cosine[kMostJoints + 1];
  sines_cosines(chain, q, sine, cosine);
  const int count = static_cast<int>(chain.columns.size());

  Frame<V> frame;
  copy_frame(first, frame);
  for (int i = 0; i < count; ++i) {
    const Column& column = chain.columns[i];
    copy_axis(frame.z, joints[i].axis);
    copy_axis(frame.origin, joints[i].origin);
    if (column.prismatic) {
      move_along(frame.z, q[column.variable] * column.multiplier + column.offset, frame.origin);
      turn_about_z(frame, column.cos_turn, column.sin_turn);
    } else {
      turn_about_z(frame, cosine[i], sine[i]);
    }
    if (column.shift[0] != 0.0) move_along(frame.x, column.shift[0], frame.origin);
    if (column.shift[1] != 0.0) move_along(frame.y, column.shift[1], frame.origin);
    if (column.shift[2] != 0.0) move_along(frame.z, column.shift[2], frame.origin);
    tilt_about_x(frame, column);
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
