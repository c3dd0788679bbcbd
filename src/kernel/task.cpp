// SPDX-License-Identifier: Apache-2.0
#include "task.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "chain.hpp"

namespace ik {
namespace {

constexpr double kSharp = 5e-7;  // m or rad: sharper than asked for costs one iteration

}  // namespace

AxisBounds AxisBounds::from(const double* axes, double norm, double unit, const char* name) {
  if (!(norm > 0.0 && std::isfinite(norm))) {
    throw std::invalid_argument(std::string(name) + "_norm has to be positive and finite");
  }
  AxisBounds bounds{};
  bounds.norm = norm / unit;
  bounds.tightest = bounds.norm;
  for (int k = 0; k < 3; ++k) {
    const double bound = axes[k];
    if (!(bound >= 0.0)) {
      throw std::invalid_argument(std::string(name) + "_tolerance[" + std::to_string(k) +
                                  "] is negative or not a number");
    }
    bounds.bounded[k] = !std::isinf(bound);
    bounds.bounded_axes += bounds.bounded[k];
    bounds.own[k] = bound / unit;
    if (bound > 0.0) bounds.tightest = std::min(bounds.tightest, bounds.own[k]);
  }
  bounds.sharp = std::min(kSharp / unit, 0.5 * bounds.tightest);
  return bounds;
}

bool AxisBounds::accept(const double* error) const {
  double by_norm = 0.0;
  for (int k = 0; k < 3; ++k) {
    if (own[k] == 0.0) {
      by_norm += error[k] * error[k];
    } else if (!(std::fabs(error[k]) <= own[k])) {
      return false;
    }
  }
  return by_norm <= norm * norm;
}

double AxisBounds::largest_cost() const {
  double cost = norm * norm;
  for (int k = 0; k < 3; ++k) {
    if (bounded[k]) cost += own[k] * own[k];
  }
  return cost;
}

Task Task::from(const double* position, const double* rotation, double position_norm,
                double rotation_norm, bool use_slack) {
  Task task{};
  task.position = AxisBounds::from(position, position_norm, kMetresPerUnit, "position");
  task.rotation = AxisBounds::from(rotation, rotation_norm, 1.0, "rotation");
  task.use_slack = use_slack;
  if (task.constraints() == 0) throw std::invalid_argument("every axis is free: nothing to solve");
  for (int k = 0; k < 3; ++k) {
    if (task.rotation.bounded[k] == (task.rotation.bounded_axes == 1)) task.special_axis = k;
  }
  return task;
}

}  // namespace ik
