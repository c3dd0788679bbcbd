// SPDX-License-Identifier: Apache-2.0
//
// The Python face, documented in ik_solver_ros/_kernel.pyi.
#include <algorithm>

#include "arguments.hpp"
#include "batch.hpp"
#include "kinematics.hpp"
#include "prepared_search.hpp"
#include "widths.hpp"

namespace {

using namespace ik;

constexpr py::ssize_t kMostRows = 100'000'000;

Chain make_chain(py::handle placements_, py::handle prismatic_, py::handle variable_,
                 py::handle multiplier_, py::handle offset_, py::handle T_last_tip_,
                 py::handle periodic_) {
  const auto placements = numbers<double>(placements_, "placements");
  const auto prismatic = numbers<bool>(prismatic_, "prismatic");
  const auto variable = numbers<std::int32_t>(variable_, "variable");
  const auto multiplier = numbers<double>(multiplier_, "multiplier");
  const auto offset = numbers<double>(offset_, "offset");
  const auto T_last_tip = numbers<double>(T_last_tip_, "T_last_tip");
  const auto periodic = numbers<bool>(periodic_, "periodic");
  check_shape(placements, {-1, 3, 4}, "placements", "(n, 3, 4)");
  const py::ssize_t columns = placements.shape(0);
  check_shape(prismatic, {columns}, "prismatic", "(n,), one for each placement");
  check_shape(variable, {columns}, "variable", "(n,), one for each placement");
  check_shape(multiplier, {columns}, "multiplier", "(n,), one for each placement");
  check_shape(offset, {columns}, "offset", "(n,), one for each placement");
  check_shape(T_last_tip, {3, 4}, "T_last_tip", "(3, 4)");
  check_shape(periodic, {-1}, "periodic", "(m,)");
  return Chain::from_placements(columns, periodic.shape(0), placements.data(), prismatic.data(),
                                variable.data(), multiplier.data(), offset.data(),
                                T_last_tip.data(), periodic.data());
}

const Width& width_of(int lanes, int most_lanes) {
  if (lanes == 0) return widest(most_lanes);
  for (const Width& width : usable_widths()) {
    if (width.lanes == lanes) return width;
  }
  throw std::invalid_argument("this processor has no vectors of " + std::to_string(lanes) +
                              " lanes");
}

Task make_task(py::handle position_, py::handle rotation_, double position_norm,
               double rotation_norm, bool use_slack) {
  const auto position = numbers<double>(position_, "position_tolerance");
  const auto rotation = numbers<double>(rotation_, "rotation_tolerance");
  check_shape(position, {3}, "position_tolerance", "(3,)");
  check_shape(rotation, {3}, "rotation_tolerance", "(3,)");
  return Task::from(position.data(), rotation.data(), position_norm, rotation_norm, use_slack);
}

Limits make_limits(const Chain& chain, py::handle lower_, py::handle upper_) {
  const auto lower = numbers<double>(lower_, "lower"), upper = numbers<double>(upper_, "upper");
  check_shape(lower, {chain.variables}, "lower", "(m,)");
  check_shape(upper, {chain.variables}, "upper", "(m,)");
  return Limits::from(chain, lower.data(), upper.data());
}

Doubles configuration(const Chain& chain, py::handle q_, const char* name) {
  const auto q = numbers<double>(q_, name);
  check_shape(q, {chain.variables}, name, "(m,)");
  check_configuration(q.data(), chain.variables, name);
  return q;
}

Doubles configuration_in_range(const Chain& chain, py::handle q_) {
  Doubles q = configuration(chain, q_, "q");
  if (!chain.in_range(q.data()))
    throw std::invalid_argument("q moves a joint farther than 1.5e6 rad or m");
  return q;
}

Doubles forward(const Chain& chain, py::handle q) {
  Doubles T_base_tip({3, 4});
  forward_kinematics(chain, configuration_in_range(chain, q).data(), T_base_tip.mutable_data());
  return T_base_tip;
}

Doubles jacobian(const Chain& chain, py::handle q) {
  Doubles rows({6, chain.variables});
  base_jacobian(chain, configuration_in_range(chain, q).data(), rows.mutable_data());
  return rows;
}

Doubles start(const Chain& chain, int number, py::handle seed_, py::handle lower,
              py::handle upper) {
  const Doubles seed = configuration(chain, seed_, "seed");
  const Limits limits = make_limits(chain, lower, upper);
  if (number < 0) throw std::invalid_argument("number is negative");
  Doubles q(chain.variables);
  Starts(chain, limits, seed.data()).start(number, q.mutable_data());
  return q;
}

py::object prepare_search(const Chain& chain, py::handle lower, py::handle upper,
                          py::handle position_tolerance, py::handle rotation_tolerance,
                          double position_norm, double rotation_norm, bool use_slack, int wanted,
                          bool seed_suffices, int max_attempts, int lanes) {
  const py::object owner = py::cast(chain, py::return_value_policy::reference);  // as it is there
  check_positive(wanted, "wanted");
  check_positive(max_attempts, "max_attempts");
  return function_of(
      {owner, chain, make_limits(chain, lower, upper),
       make_task(position_tolerance, rotation_tolerance, position_norm, rotation_norm, use_slack),
       wanted, seed_suffices, max_attempts, width_of(lanes, kMostSearchLanes)});
}

py::tuple solve_batch(const Chain& chain, py::handle T_base_targets, py::handle seeds_,
                      py::handle lower, py::handle upper, py::handle position_tolerance,
                      py::handle rotation_tolerance, double position_norm, double rotation_norm,
                      bool use_slack, int max_attempts, bool chain_seeds, int threads, int lanes) {
  const py::ssize_t variables = chain.variables;
  const auto targets = numbers<double>(T_base_targets, "T_base_targets");
  check_shape(targets, {-1, 3, 4}, "T_base_targets", "(n, 3, 4)");
  const py::ssize_t rows = targets.shape(0);
  if (rows > kMostRows) throw std::invalid_argument("T_base_targets has more than 1e8 rows");
  for (py::ssize_t i = 0; i < rows; ++i) {
    check_placement(targets.data() + 12 * i, "T_base_targets", i);
  }
  const auto seeds = numbers<double>(seeds_, "seeds");
  const bool common_seed = seeds.ndim() == 1;
  if (!common_seed && chain_seeds) {
    throw std::invalid_argument("with chain_seeds, seeds has to be one seed of shape (m,)");
  }
  if (common_seed) {
    check_shape(seeds, {variables}, "seeds", "(m,) or (n, m)");
  } else {
    check_shape(seeds, {rows, variables}, "seeds", "(m,) or (n, m)");
  }
  check_configuration(seeds.data(), seeds.size(), "seeds");
  const Limits limits = make_limits(chain, lower, upper);
  const Task task =
      make_task(position_tolerance, rotation_tolerance, position_norm, rotation_norm, use_slack);
  check_positive(max_attempts, "max_attempts");
  check_positive(threads, "threads");

  Doubles q({rows, variables}), position_m(rows), rotation_rad(rows);
  Array<bool> solved(rows);
  Array<std::int64_t> iterations(rows);
  Array<std::int32_t> attempts(rows);
  std::fill_n(iterations.mutable_data(), rows, 0);
  std::fill_n(attempts.mutable_data(), rows, 0);
  const Answers answers{chain.variables,
                        q.mutable_data(),
                        solved.mutable_data(),
                        position_m.mutable_data(),
                        rotation_rad.mutable_data(),
                        iterations.mutable_data(),
                        attempts.mutable_data()};
  const Batch batch{chain,          task,         limits,      static_cast<int>(rows),
                    targets.data(), seeds.data(), common_seed, max_attempts,
                    answers};
  const Width& width = width_of(lanes, chain_seeds ? kMostSearchLanes : kMostLanes);
  {
    py::gil_scoped_release release;
    if (chain_seeds) {
      solve_path(batch, width);
    } else {
      solve_cloud(batch, width, threads);
    }
  }
  return py::make_tuple(q, solved, position_m, rotation_rad, iterations, attempts);
}

py::tuple simd_widths() {
  py::list lanes;
  for (const Width& width : usable_widths()) lanes.append(width.lanes);
  return py::tuple(lanes);
}

}  // namespace

#if PYBIND11_VERSION_HEX >= 0x020D0000
PYBIND11_MODULE(_kernel, module, py::mod_gil_not_used()) {
#else
PYBIND11_MODULE(_kernel, module) {
#endif
  using py::arg;
  module.doc() = "Numeric inverse kinematics over flat chains; see _kernel.pyi.";
  module.def("simd_widths", &simd_widths);
  py::class_<Chain>(module, "Chain")
      .def(py::init(&make_chain), arg("placements"), arg("prismatic"), arg("variable"),
           arg("multiplier"), arg("offset"), arg("T_last_tip"), arg("periodic"))
      .def("forward", &forward, arg("q"))
      .def("jacobian", &jacobian, arg("q"))
      .def("start", &start, arg("number"), arg("seed"), arg("lower"), arg("upper"))
      .def("prepare_search", &prepare_search, arg("lower"), arg("upper"), arg("position_tolerance"),
           arg("rotation_tolerance"), arg("position_norm"), arg("rotation_norm"), arg("use_slack"),
           arg("wanted"), arg("seed_suffices"), arg("max_attempts"), arg("lanes") = 0)
      .def("solve_batch", &solve_batch, arg("T_base_targets"), arg("seeds"), arg("lower"),
           arg("upper"), arg("position_tolerance"), arg("rotation_tolerance"), arg("position_norm"),
           arg("rotation_norm"), arg("use_slack"), arg("max_attempts"), arg("chain_seeds"),
           arg("threads"), arg("lanes") = 0);
}
