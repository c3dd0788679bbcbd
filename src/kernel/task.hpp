// SPDX-License-Identifier: Apache-2.0
//
// What counts as reached, prepared for the solver.
#pragma once

namespace ik {

// One kind of error, position or rotation: which axes count, and how small they have to become.
struct AxisBounds {
  double own[3];  // 0 = by the norm
  double norm;
  bool bounded[3];  // false = free
  int bounded_axes;
  double tightest;  // of these
  double sharp;     // a descent goes on until the error is below this

  // `unit` converts metres or radians to the kernel's units.
  static AxisBounds from(const double* axes, double norm, double unit, const char* name);
  bool accept(const double* error) const;
  double largest_cost() const;  // no error inside the bounds has a larger squared norm
};

struct Task {
  AxisBounds position, rotation;
  int special_axis;  // the free rotation axis if there is one, the bounded one if two are free
  bool use_slack;

  // Tolerances per axis of the target frame: 0 = bounded by the norm, inf = free, any other number
  // bounds that axis by itself; metres and radians. Throws std::invalid_argument naming what is
  // wrong.
  static Task from(const double* position, const double* rotation, double position_norm,
                   double rotation_norm, bool use_slack);
  // Of an error in position, in units, and rotation, in rad.
  bool accept(const double* error) const {
    return position.accept(error) && rotation.accept(error + 3);
  }
  double largest_cost() const { return position.largest_cost() + rotation.largest_cost(); }
  int constraints() const { return position.bounded_axes + rotation.bounded_axes; }
};

}  // namespace ik
