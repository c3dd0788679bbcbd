// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "arguments.hpp"
#include "widths.hpp"

namespace ik {

// A search of which all is fixed but target, seed and time limit. It never changes, so threads may
// share it.
struct PreparedSearch {
  py::object chain_owner;
  const Chain& chain;
  Limits limits;
  Task task;
  int wanted;
  bool seed_suffices;
  int max_attempts;
  const Width& width;

  py::tuple run(py::handle T_base_target, py::handle seed, double time_limit_s) const;
};

// What Python calls: a built-in function (T_base_target, seed, time_limit_s), without pybind11's
// dispatch, which takes a tenth of the time of a search.
py::object function_of(PreparedSearch prepared);

}  // namespace ik
