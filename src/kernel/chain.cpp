// SPDX-License-Identifier: Apache-2.0
#include "chain.hpp"

#include <cmath>
#include <stdexcept>
#include <string>

#include "trigonometry.hpp"

namespace ik {
namespace {

void turn_about_z(Frame<double>& frame, double c, double s) {
  for (int k = 0; k < 3; ++k) {
    const double x = frame.x[k], y = frame.y[k];
    frame.x[k] = c * x + s * y;
    frame.y[k] = c * y - s * x;
  }
}

// Angles of the rotation Rz(before) * Rx(tilt) * Rz(after) of a placement.
struct ZXZ {
  double before, cos_tilt, sin_tilt, after;
};

ZXZ zxz_angles(const Frame<double>& frame) {
  // The third column is (sin(before) sin(tilt), -cos(before) sin(tilt), cos(tilt)).
  const double sine = std::hypot(frame.z[0], frame.z[1]);
  const double length = std::hypot(sine, frame.z[2]);
  const double before = sine > 0.0 ? std::atan2(frame.z[0], -frame.z[1]) : 0.0;
  // Undo the first turn; what then lies along the new x axis shows the last one.
  const double c = std::cos(before), s = std::sin(before);
  const double after =
      std::atan2(-(c * frame.y[0] + s * frame.y[1]), c * frame.x[0] + s * frame.x[1]);
  return {before, frame.z[2] / length, sine / length, after};
}

// Sums of products of exact zeros and ones with sines and cosines of right angles end a few 1e-16
// from zero.
double without_rounding(double x) { return std::fabs(x) < 1e-15 ? 0.0 : x; }

Tilt kind_of_tilt(double c, double s) {
  if (c == 1.0 && s == 0.0) return Tilt::kNone;
  return c == 0.0 && s == 1.0 ? Tilt::kQuarterTurn : Tilt::kOther;
}

[[noreturn]] void refuse(const std::string& reason) { throw std::invalid_argument(reason); }

void check_counts(long columns, long variables) {
  if (columns < 1 || variables < 1) refuse("a chain needs at least one moving joint");
  if (columns > kMostJoints || variables > kMostJoints) {
    refuse("a chain may have at most " + std::to_string(kMostJoints) + " moving joints, not " +
           std::to_string(columns > variables ? columns : variables));
  }
}

void check_column(const Column& column, int index, int variables) {
  const std::string place = "[" + std::to_string(index) + "]";
  if (column.variable < 0 || column.variable >= variables) {
    refuse("variable" + place + " is " + std::to_string(column.variable) + ", but there are " +
           std::to_string(variables) + " variables");
  }
  if (!(std::fabs(column.multiplier) <= kLargestPosition)) {
    refuse("multiplier" + place + " is not within 1e6");
  }
  if (!(std::fabs(column.offset) <= kLargestPosition)) {
    refuse("offset" + place + " is not within 1e6 rad or m");
  }
}

}  // namespace

Frame<double> frame_from_rows(const double* rows) {
  Frame<double> frame;
  for (int k = 0; k < 3; ++k) {
    frame.x[k] = rows[4 * k];
    frame.y[k] = rows[4 * k + 1];
    frame.z[k] = rows[4 * k + 2];
    frame.origin[k] = rows[4 * k + 3];
  }
  return frame;
}

Frame<double> seen_from_target(const Frame<double>& T_base_target, const Chain& chain) {
  const Frame<double>& first = chain.T_base_first;
  const double* axes[3] = {T_base_target.x, T_base_target.y, T_base_target.z};
  Frame<double> seen;
  for (int row = 0; row < 3; ++row) {
    const double* a = axes[row];
    seen.x[row] = a[0] * first.x[0] + a[1] * first.x[1] + a[2] * first.x[2];
    seen.y[row] = a[0] * first.y[0] + a[1] * first.y[1] + a[2] * first.y[2];
    seen.z[row] = a[0] * first.z[0] + a[1] * first.z[1] + a[2] * first.z[2];
    seen.origin[row] = 0.0;
    for (int k = 0; k < 3; ++k) {
      seen.origin[row] += a[k] * (first.origin[k] - T_base_target.origin[k] / kMetresPerUnit);
    }
  }
  return seen;
}

void check_placement(const double* rows, const char* name, long index) {
  const auto called = [&] { return index < 0 ? name : name + ("[" + std::to_string(index) + "]"); };
  constexpr double kRounding = 1e-6;
  constexpr double kFarthest = 1e6;  // m
  const Frame<double> T = frame_from_rows(rows);
  const double* axes[3] = {T.x, T.y, T.z};
  bool rotation = true;
  for (int i = 0; i < 3; ++i) {
    for (int j = i; j < 3; ++j) {
      const double dot =
          axes[i][0] * axes[j][0] + axes[i][1] * axes[j][1] + axes[i][2] * axes[j][2];
      rotation = rotation && std::fabs(dot - (i == j ? 1.0 : 0.0)) <= kRounding;
    }
  }
  const double determinant = T.x[0] * (T.y[1] * T.z[2] - T.y[2] * T.z[1]) +
                             T.x[1] * (T.y[2] * T.z[0] - T.y[0] * T.z[2]) +
                             T.x[2] * (T.y[0] * T.z[1] - T.y[1] * T.z[0]);
  if (!rotation || !(determinant > 0.0)) refuse(called() + ": the left 3 x 3 is no rotation");
  for (double coordinate : T.origin) {
    if (!(std::fabs(coordinate) <= kFarthest))
      refuse(called() + ": the origin is not within 1e6 m");
  }
}

void check_configuration(const double* q, long count, const char* name) {
  for (long i = 0; i < count; ++i) {
    if (!(std::fabs(q[i]) <= kLargestPosition)) {
      refuse(name + ("[" + std::to_string(i) + "] is not within 1e6 rad or m"));
    }
  }
}

Chain Chain::from_placements(long columns, long variables, const double* placements,
                             const bool* prismatic, const std::int32_t* variable,
                             const double* multiplier, const double* offset,
                             const double* T_last_tip, const bool* periodic) {
  check_counts(columns, variables);
  for (int i = 0; i < columns; ++i) {
    check_placement(placements + 12 * i, "placements", i);
  }
  check_placement(T_last_tip, "T_last_tip");

  Chain chain;
  chain.variables = static_cast<int>(variables);
  chain.periodic.assign(periodic, periodic + variables);
  chain.prismatic.assign(variables, false);

  ZXZ angles = zxz_angles(frame_from_rows(placements));
  Frame<double>& first = chain.T_base_first;
  first = frame_from_rows(placements);
  turn_about_z(first, std::cos(angles.after), -std::sin(angles.after));
  for (double& coordinate : first.origin) coordinate /= kMetresPerUnit;

  std::vector<bool> seen(variables, false);
  for (int i = 0; i < columns; ++i) {
    Column column{};
    column.variable = variable[i];
    column.prismatic = prismatic[i];
    column.multiplier = multiplier[i];
    column.offset = offset[i];
    check_column(column, i, chain.variables);
    column.first_of_variable = !seen[column.variable];
    seen[column.variable] = true;

    const Frame<double> next =
        frame_from_rows(i + 1 < columns ? placements + 12 * (i + 1) : T_last_tip);
    const ZXZ ahead = zxz_angles(next);
    const double turn = std::remainder(angles.after + ahead.before, kTwoPi);
    const double c = std::cos(ahead.before), s = std::sin(ahead.before);
    column.shift[0] = (c * next.origin[0] + s * next.origin[1]) / kMetresPerUnit;
    column.shift[1] = (c * next.origin[1] - s * next.origin[0]) / kMetresPerUnit;
    column.shift[2] = next.origin[2] / kMetresPerUnit;
    for (double& along : column.shift) along = without_rounding(along);
    column.cos_tilt = without_rounding(ahead.cos_tilt);
    column.sin_tilt = without_rounding(ahead.sin_tilt);
    column.tilt = kind_of_tilt(column.cos_tilt, column.sin_tilt);
    if (column.prismatic) {
      column.cos_turn = std::cos(turn);
      column.sin_turn = std::sin(turn);
      column.multiplier /= kMetresPerUnit;
      column.offset /= kMetresPerUnit;
      chain.prismatic[column.variable] = true;
    } else {
      column.offset += turn;
    }
    chain.columns.push_back(column);
    angles = ahead;
  }
  for (int j = 0; j < variables; ++j) {
    if (!seen[j]) chain.idle_variables.push_back(j);
  }
  chain.cos_roll = std::cos(angles.after);
  chain.sin_roll = std::sin(angles.after);
  return chain;
}

bool Chain::in_range(const double* q) const {
  for (const Column& column : columns) {
    const double position = column.multiplier * q[column.variable] + column.offset;
    if (!(std::fabs(position) <= kLargestColumnPosition)) return false;
  }
  return true;
}

}  // namespace ik
