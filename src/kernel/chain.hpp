// SPDX-License-Identifier: Apache-2.0
//
// The arm as the kernel sees it: moving joints in a row, each reduced to the fewest numbers.
#pragma once

#include <cstdint>
#include <vector>

namespace ik {

constexpr int kMostJoints = 64;
constexpr double kLargestPosition = 1e6;          // rad or m
constexpr double kLargestColumnPosition = 1.5e6;  // sines lose digits beyond

// Lengths inside the kernel are in this unit, so that one unit weighs as much as one radian when
// position and orientation errors are compared.
constexpr double kMetresPerUnit = 0.3;

// A pose: the three columns of its rotation matrix, and its origin.
template <class V>
struct Frame {
  V x[3], y[3], z[3], origin[3];
};

// Most joint axes are parallel or at right angles to their neighbours, which takes less arithmetic.
enum class Tilt : std::uint8_t { kNone, kQuarterTurn, kOther };

// One moving joint and the constant placement behind it. Any rotation is Rz * Rx * Rz (z-x-z Euler
// angles), and turns about the joint axis can be added to the joint's own. So from one joint axis
// to the next it takes Rz(turn) * translate(shift) * Rx(tilt), with less arithmetic than a general
// placement and none of the singularities of Denavit-Hartenberg parameters.
struct Column {
  double multiplier, offset;  // motion = multiplier * q[variable] + offset; a slide in units
  double cos_turn, sin_turn;  // of a prismatic joint: its constant turn
  double shift[3];            // translation behind the joint, before the tilt
  Tilt tilt;
  double cos_tilt, sin_tilt;
  int variable;
  bool prismatic;
  bool first_of_variable;  // whether no earlier column has the same variable
};

struct Chain {
  int variables;
  std::vector<Column> columns;
  Frame<double> T_base_first;       // up to the first joint axis; origin in units
  double cos_roll, sin_roll;        // the last turn about z, behind the last tilt
  std::vector<int> idle_variables;  // those that move no column
  std::vector<bool> periodic;       // per variable: 2 pi more is the same pose
  std::vector<bool> prismatic;      // per variable: its number is a length

  // Flat arrays as documented in _kernel.pyi. Throws std::invalid_argument naming what is wrong.
  static Chain from_placements(long columns, long variables, const double* placements,
                               const bool* prismatic, const std::int32_t* variable,
                               const double* multiplier, const double* offset,
                               const double* T_last_tip, const bool* periodic);

  // Whether all columns are within +-kLargestColumnPosition at q.
  bool in_range(const double* q) const;
};

// The placement of one frame in another, from 3 x 4 numbers row by row; origin in metres.
Frame<double> frame_from_rows(const double* rows);

// T_target_first: where the chain begins, seen from the target. The kernel solves there, because
// errors are asked for in the target's axes and "tip on target" means "tip pose is the identity".
Frame<double> seen_from_target(const Frame<double>& T_base_target, const Chain& chain);

// Throws std::invalid_argument unless the 3 x 4 numbers are finite and hold a rotation.
// The placement is called name, or name[index].
void check_placement(const double* rows, const char* name, long index = -1);

// Throws std::invalid_argument unless the joint positions are within +-kLargestPosition.
void check_configuration(const double* q, long count, const char* name);

}  // namespace ik
