// SPDX-License-Identifier: Apache-2.0
//
// How far the tip is from its target, over the axes that are not free, and the rows of the Jacobian
// that go with it. Everything is seen from the target: there, the tip pose is the error.
#pragma once

#include "kinematics.hpp"
#include "task.hpp"

namespace ik {

template <class V>
struct Quaternion {
  V w, v[3];
};

// Unit quaternion of a rotation, with w >= 0. Its products 4 q q^T are sums of matrix entries; the
// row of the largest component, divided by its length, is the quaternion (Shepperd 1978).
template <class V>
inline Quaternion<V> quaternion_of(const Frame<V>& R) {
  const V ww = 1.0 + R.x[0] + R.y[1] + R.z[2];
  const V wx = R.y[2] - R.z[1], wy = R.z[0] - R.x[2], wz = R.x[1] - R.y[0];
  V largest = ww, w = ww, x = wx, y = wy, z = wz;
  const auto far = ww < 1.0;  // beyond 120 degrees w need not be the largest
  if (bit_set<V>(far) != 0) {
    const V xx = 1.0 + R.x[0] - R.y[1] - R.z[2];
    const V yy = 1.0 - R.x[0] + R.y[1] - R.z[2];
    const V zz = 1.0 - R.x[0] - R.y[1] + R.z[2];
    const V xy = R.x[1] + R.y[0], xz = R.z[0] + R.x[2], yz = R.y[2] + R.z[1];
    const auto use = [&](V square, V w_, V x_, V y_, V z_) {
      const auto better = far & (square > largest);
      largest = select<V>(better, square, largest);
      w = select<V>(better, w_, w);
      x = select<V>(better, x_, x);
      y = select<V>(better, y_, y);
      z = select<V>(better, z_, z);
    };
    use(xx, wx, xx, xy, xz);
    use(yy, wy, xy, yy, yz);
    use(zz, wz, xz, yz, zz);
  }
  const V scale = 0.5 / square_root(largest);
  const V sign = select<V>(w < 0.0, -scale, scale);
  return {w * sign, {x * sign, y * sign, z * sign}};
}

// Rotation vector of the swing that is left of R when the turn about a free axis is taken out: what
// turns that axis onto its image (swing-twist decomposition, Dobrowolski 2015).
template <class V>
inline void swing_error(const Frame<V>& R, int axis, V* error) {
  const int b = (axis + 1) % 3, c = (axis + 2) % 3;
  const V* columns[3] = {R.x, R.y, R.z};
  const V* image = columns[axis];
  // axis x image is the swing axis times the sine of its angle; image[axis] is the cosine.
  const V cross_b = -image[c], cross_c = image[b];
  const V sine2 = cross_b * cross_b + cross_c * cross_c;
  const V cosine = image[axis];
  const V half_cosine = square_root(larger(0.5 + 0.5 * cosine, broadcast<V>(0.0)));
  const V half_sine = square_root(larger(0.5 - 0.5 * cosine, broadcast<V>(0.0)));
  const V sine = square_root(sine2);
  const auto opposite_axis = sine < 1e-12;  // with cosine < 0: any swing axis will do
  const V safe = larger(sine, broadcast<V>(1e-12));
  const V near = 0.5 / larger(half_cosine, broadcast<V>(0.5));
  const auto acute = cosine > 0.0;
  const V angle = angle_per_half_sine(half_cosine);
  const V scale = angle * select<V>(acute, near, half_sine / safe);
  error[axis] = broadcast<V>(0.0);
  error[b] = select<V>(opposite_axis & opposite<V>(acute), angle * half_sine, cross_b * scale);
  error[c] = cross_c * scale;
}

// Turn about the only bounded axis (the twist of the decomposition), in (-pi, pi].
template <class V>
inline void twist_error(const Quaternion<V>& q, int axis, V* error) {
  const V norm = square_root(q.w * q.w + q.v[axis] * q.v[axis]);
  const V scale = 1.0 / larger(norm, broadcast<V>(1e-12));
  for (int k = 0; k < 3; ++k) error[k] = broadcast<V>(0.0);
  error[axis] = q.v[axis] * scale * angle_per_half_sine(smaller(q.w * scale, broadcast<V>(1.0)));
}

template <class V>
inline void rotation_error(const Frame<V>& R, const Task& task, V* error) {
  switch (task.rotation.bounded_axes) {
    case 3: {
      const Quaternion<V> q = quaternion_of(R);
      const V scale = angle_per_half_sine(q.w);
      for (int k = 0; k < 3; ++k) error[k] = q.v[k] * scale;
      return;
    }
    case 2:
      return swing_error(R, task.special_axis, error);
    case 1:
      return twist_error(quaternion_of(R), task.special_axis, error);
    default:
      for (int k = 0; k < 3; ++k) error[k] = broadcast<V>(0.0);
  }
}

template <class V>
inline void position_error(const Frame<V>& tip, const Task& task, V* error) {
  for (int k = 0; k < 3; ++k) {
    error[k] = task.position.bounded[k] ? tip.origin[k] : broadcast<V>(0.0);
  }
}

// d(twist about `axis`)/dt = rate . angular velocity. From twist = 2 atan2(v_axis, w) and the
// quaternion's rate w' = -(v . omega) / 2, v' = (w omega + omega x v) / 2.
template <class V>
inline void twist_rate(const Quaternion<V>& q, int axis, V* rate) {
  const int b = (axis + 1) % 3, c = (axis + 2) % 3;
  const V scale = 1.0 / larger(q.w * q.w + q.v[axis] * q.v[axis], broadcast<V>(1e-12));
  rate[axis] = broadcast<V>(1.0);
  rate[b] = (q.w * q.v[c] + q.v[b] * q.v[axis]) * scale;
  rate[c] = (q.v[c] * q.v[axis] - q.w * q.v[b]) * scale;
}

// Turns the rows of the geometric Jacobian into those of the task: free rows are dropped.
template <class V>
inline void keep_task_rows(const Frame<V>& tip, const Task& task, Twist<V>* jacobian,
                           int variables) {
  if (task.constraints() == 6) return;
  V rate[3];
  const bool twist_only = task.rotation.bounded_axes == 1;
  if (twist_only) twist_rate(quaternion_of(tip), task.special_axis, rate);
  for (int j = 0; j < variables; ++j) {
    V* linear = jacobian[j].rows;
    V* angular = linear + 3;
    if (twist_only) {
      angular[task.special_axis] =
          angular[0] * rate[0] + angular[1] * rate[1] + angular[2] * rate[2];
    }
    for (int k = 0; k < 3; ++k) {
      if (!task.position.bounded[k]) linear[k] = broadcast<V>(0.0);
      if (!task.rotation.bounded[k]) angular[k] = broadcast<V>(0.0);
    }
  }
}

// Of one configuration: position error in units, then rotation error in rad.
void measure_error(const Chain& chain, const Task& task, const Frame<double>& T_target_first,
                   const double* q, double* error);

}  // namespace ik
