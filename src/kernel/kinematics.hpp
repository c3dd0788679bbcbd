// SPDX-License-Identifier: Apache-2.0
//
// Forward kinematics and the geometric Jacobian of a chain, for any number of lanes.
#pragma once

#include <algorithm>

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

// Sine and cosine of each turning column. A single configuration has them computed two by two: the
// bits are the same, and it is nearly twice as fast.
template <class V>
inline void sines_cosines(const Chain& chain, const V* q, V* sine, V* cosine) {
  const int count = static_cast<int>(chain.columns.size());
  const auto angle = [&](int i) {
    const Column& column = chain.columns[i];
    return q[column.variable] * column.multiplier + column.offset;
  };
  if constexpr (lanes_of<V> == 1) {
    for (int i = 0; i < count; i += 2) {
      const Real<2> pair = {angle(i), angle(std::min(i + 1, count - 1))};
      Real<2> s, c;
      sine_cosine<Real<2>>(pair, s, c);
      std::memcpy(sine + i, &s, sizeof s);
      std::memcpy(cosine + i, &c, sizeof c);
    }
  } else {
    for (int i = 0; i < count; ++i) {
      if (!chain.columns[i].prismatic) sine_cosine<V>(angle(i), sine[i], cosine[i]);
    }
  }
}

// Three numbers that go through the same arithmetic. Written out: compilers turn loops that copy
// vectors into a copy of bytes, in pieces that are narrower than the vectors, and the processor
// then waits when a vector is read back.
template <class V, int W = lanes_of<V>>
struct Triple {
  V a, b, c;

  static Triple from(const V* numbers) { return {numbers[0], numbers[1], numbers[2]}; }
  void to(V* numbers) const {
    numbers[0] = a;
    numbers[1] = b;
    numbers[2] = c;
  }
  template <class Number>
  Triple operator*(Number factor) const {
    return {a * factor, b * factor, c * factor};
  }
  Triple operator+(const Triple& other) const { return {a + other.a, b + other.b, c + other.c}; }
  Triple operator-(const Triple& other) const { return {a - other.a, b - other.b, c - other.c}; }
  Triple operator-() const { return {-a, -b, -c}; }
};

// Of a single configuration, two of the three go side by side: a frame then fits into registers.
template <class V>
struct Triple<V, 1> {
  Real<2> ab, c;

  static Triple from(const V* numbers) {
    return {Real<2>{numbers[0], numbers[1]}, Real<2>{numbers[2], 0.0}};
  }
  void to(V* numbers) const {
    std::memcpy(numbers, &ab, sizeof ab);
    numbers[2] = c[0];
  }
  Triple operator*(V factor) const { return {ab * factor, c * factor}; }
  Triple operator+(const Triple& other) const { return {ab + other.ab, c + other.c}; }
  Triple operator-(const Triple& other) const { return {ab - other.ab, c - other.c}; }
  Triple operator-() const { return {-ab, -c}; }
};

// A frame on its way along the chain.
template <class V>
struct MovingFrame {
  Triple<V> x, y, z, origin;

  template <class Number>
  void turn_about_z(Number c, Number s) {
    const Triple<V> old = x;
    x = x * c + y * s;
    y = y * c - old * s;
  }

  void place_behind(const Column& column) {
    if (column.shift[0] != 0.0) origin = origin + x * column.shift[0];
    if (column.shift[1] != 0.0) origin = origin + y * column.shift[1];
    if (column.shift[2] != 0.0) origin = origin + z * column.shift[2];
    if (column.tilt == Tilt::kNone) return;
    const Triple<V> old = y;
    if (column.tilt == Tilt::kQuarterTurn) {
      y = z;
      z = -old;
    } else {
      y = y * column.cos_tilt + z * column.sin_tilt;
      z = z * column.cos_tilt - old * column.sin_tilt;
    }
  }
};

// Pose of the tip at q; `first` is the pose where the chain begins. `joints` receives each column's
// axis on the way.
template <class V>
inline void tip_pose(const Chain& chain, const Frame<V>& first, const V* q, JointAxis<V>* joints,
                     Frame<V>& tip) {
  V sine[kMostJoints + 1], cosine[kMostJoints + 1];
  sines_cosines(chain, q, sine, cosine);
  const int count = static_cast<int>(chain.columns.size());
  using Axis = Triple<V>;
  MovingFrame<V> frame = {Axis::from(first.x), Axis::from(first.y), Axis::from(first.z),
                          Axis::from(first.origin)};
  for (int i = 0; i < count; ++i) {
    const Column& column = chain.columns[i];
    frame.z.to(joints[i].axis);
    frame.origin.to(joints[i].origin);
    if (column.prismatic) {
      const V length = q[column.variable] * column.multiplier + column.offset;
      frame.origin = frame.origin + frame.z * length;
      frame.turn_about_z(column.cos_turn, column.sin_turn);
    } else {
      frame.turn_about_z(cosine[i], sine[i]);
    }
    frame.place_behind(column);
  }
  frame.turn_about_z(chain.cos_roll, chain.sin_roll);
  frame.x.to(tip.x);
  frame.y.to(tip.y);
  frame.z.to(tip.z);
  frame.origin.to(tip.origin);
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
