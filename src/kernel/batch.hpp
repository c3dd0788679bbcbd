// SPDX-License-Identifier: Apache-2.0
//
// Many targets for one chain, one task and one set of limits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "problem.hpp"
#include "widths.hpp"

namespace ik {

// Where the answers go: arrays of one entry, or `variables` entries, per row.
struct Answers {
  int variables;
  double* q;
  bool* solved;
  double* position_m;
  double* rotation_rad;
  std::int64_t* iterations;
  std::int32_t* attempts;

  void set(int row, const End& end) const;
  void count(int row, long more_iterations, int more_attempts) const;
};

struct Batch {
  const Chain& chain;
  const Task& task;
  const Limits& limits;
  int rows;
  const double* targets;  // rows x 3 x 4, T_base_target
  const double* seeds;    // rows x variables, or variables for all of them
  bool common_seed;
  int max_attempts;
  Answers answers;

  std::ptrdiff_t offset(int row) const {
    return static_cast<std::ptrdiff_t>(row) * chain.variables;
  }
  const double* seed(int row) const { return common_seed ? seeds : seeds + offset(row); }
  Frame<double> T_target_first(int row) const;
  Problem problem(const Starts& starts, const Frame<double>& T_target_first) const;
};

// Every row is answered independently of the others.
void solve_cloud(const Batch& batch, const Width& width, int threads);

// Each row starts where the last solved one ended; the first one at the seed.
void solve_path(const Batch& batch, const Width& width);

}  // namespace ik
