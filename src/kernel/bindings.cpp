// SPDX-License-Identifier: Apache-2.0
//
// The Python face, documented in ik_solver_ros/_kernel.pyi.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "batch.hpp"
#include "problem.hpp"
#include "widths.hpp"

namespace py = pybind11;

namespace {

template <class Number>
using Array = py::array_t<Number, py::array::c_style | py::array::forcecast>;
constexpr py::ssize_t kMostRows = 100'000'000;

using Doubles = py::array_t<double, py::array::c_style | py::array::forcecast>;
using Bools = py::array_t<bool, py::array::c_style | py::array::forcecast>;
using Integers = py::array_t<std::int32_t, py::array::c_style | py::array::forcecast>;

// The argument itself if it is an array of doubles without gaps, else a converted copy. This is what
// pybind11's own conversion of arguments does, without 100 ns for each that needs none.
template <class Number>
Array<Number> numbers(py::handle argument, const char* name) {
  constexpr int kPlain = py::detail::npy_api::NPY_ARRAY_C_CONTIGUOUS_ | py::detail::npy_api::NPY_ARRAY_ALIGNED_;
  if (py::isinstance<py::array>(argument)) {
    const auto array = py::reinterpret_borrow<py::array>(argument);
    if ((array.flags() & kPlain) == kPlain && array.dtype().num() == py::dtype::num_of<Number>()) {
      return py::reinterpret_borrow<Array<Number>>(argument);
    }
  }
  auto converted = Array<Number>::ensure(argument);
  if (!converted) throw std::invalid_argument(std::string(name) + " is not an array of numbers");
  return converted;
}

std::string shape_of(const py::array& array) {
  return py::str(array.attr("shape")).cast<std::string>();
}

// Refuses an array of the wrong shape; -1 stands for any length.
void check_shape(const py::array& array, std::initializer_list<py::ssize_t> shape, const char* name,
                 const char* wanted) {
  bool right = array.ndim() == static_cast<py::ssize_t>(shape.size());
  int axis = 0;
  for (const py::ssize_t length : shape) {
    right = right && (length < 0 || array.shape(axis) == length);
    ++axis;
  }
  if (!right) {
    throw std::invalid_argument(std::string(name) + " has shape " + shape_of(array) + ", not " + wanted);
  }
}

ik::Chain make_chain(const Doubles& placements, const Bools& prismatic, const Integers& variable,
                     const Doubles& multiplier, const Doubles& offset, const Doubles& T_last_tip,
                     const Bools& periodic) {
  check_shape(placements, {-1, 3, 4}, "placements", "(n, 3, 4)");
  const py::ssize_t columns = placements.shape(0);
  check_shape(prismatic, {columns}, "prismatic", "(n,), one per placement");
  check_shape(variable, {columns}, "variable", "(n,), one per placement");
  check_shape(multiplier, {columns}, "multiplier", "(n,), one per placement");
  check_shape(offset, {columns}, "offset", "(n,), one per placement");
  check_shape(T_last_tip, {3, 4}, "T_last_tip", "(3, 4)");
  check_shape(periodic, {-1}, "periodic", "(m,)");
  const auto count = [](py::ssize_t n) { return static_cast<int>(std::min<py::ssize_t>(n, 1000)); };
  return ik::Chain::from_placements(count(columns), count(periodic.shape(0)), placements.data(),
                                    prismatic.data(), variable.data(), multiplier.data(),
                                    offset.data(), T_last_tip.data(), periodic.data());
}

const ik::Width& width_of(int lanes) {
  const std::vector<ik::Width>& usable = ik::usable_widths();
  if (lanes == 0) return usable.back();
  for (const ik::Width& width : usable) {
    if (width.lanes == lanes) return width;
  }
  throw std::invalid_argument("this processor has no vectors of " + std::to_string(lanes) + " lanes");
}

ik::Task make_task(py::handle position_, py::handle rotation_, double position_norm,
                   double rotation_norm, bool use_slack) {
  const Doubles position = numbers<double>(position_, "position_tolerance");
  const Doubles rotation = numbers<double>(rotation_, "rotation_tolerance");
  check_shape(position, {3}, "position_tolerance", "(3,)");
  check_shape(rotation, {3}, "rotation_tolerance", "(3,)");
  return ik::Task::from(position.data(), rotation.data(), position_norm, rotation_norm, use_slack);
}

Doubles array_of(const double* values, py::ssize_t count) {
  Doubles array(count);
  std::copy(values, values + count, array.mutable_data());
  return array;
}

ik::Limits make_limits(const ik::Chain& chain, py::handle lower_, py::handle upper_) {
  const Doubles lower = numbers<double>(lower_, "lower"), upper = numbers<double>(upper_, "upper");
  check_shape(lower, {chain.variables}, "lower", "(m,)");
  check_shape(upper, {chain.variables}, "upper", "(m,)");
  return ik::Limits::from(chain, lower.data(), upper.data());
}

void check_positive(int number, const char* name) {
  if (number < 1) throw std::invalid_argument(std::string(name) + " has to be at least 1");
}

py::tuple search(const ik::Chain& chain, py::handle T_base_target_, py::handle seed_,
                 py::handle lower, py::handle upper, py::handle position_tolerance,
                 py::handle rotation_tolerance, double position_norm, double rotation_norm,
                 bool use_slack, int wanted, bool seed_suffices, int max_attempts,
                 double time_limit_s, int lanes) {
  const py::ssize_t variables = chain.variables;
  const Doubles T_base_target = numbers<double>(T_base_target_, "T_base_target");
  check_shape(T_base_target, {3, 4}, "T_base_target", "(3, 4)");
  ik::check_placement(T_base_target.data(), "T_base_target");
  const ik::Limits limits = make_limits(chain, lower, upper);
  const Doubles seed = numbers<double>(seed_, "seed");
  check_shape(seed, {variables}, "seed", "(m,)");
  ik::check_seed(limits, seed.data(), "seed");
  const ik::Task task =
      make_task(position_tolerance, rotation_tolerance, position_norm, rotation_norm, use_slack);
  check_positive(wanted, "wanted");
  check_positive(max_attempts, "max_attempts");
  if (!(time_limit_s >= 0.0)) throw std::invalid_argument("time_limit_s is negative or not a number");
  const ik::Width& width = width_of(lanes);

  ik::Outcome outcome;
  {
    py::gil_scoped_release release;
    const ik::Starts starts(chain, limits, seed.data());
    const auto T_target_first =
        ik::seen_from_target(ik::frame_from_rows(T_base_target.data()), chain);
    outcome = width.search(
        {chain, task, limits, starts, T_target_first, wanted, seed_suffices, max_attempts,
                            time_limit_s});
  }
  const py::ssize_t found = static_cast<py::ssize_t>(outcome.candidates.size()) / variables;
  py::tuple candidates(found);
  for (py::ssize_t i = 0; i < found; ++i) {
    candidates[i] = array_of(outcome.candidates.data() + i * variables, variables);
  }
  const py::object closest =
      found > 0 ? py::object(candidates[0]) : py::object(array_of(outcome.closest.data(), variables));
  return py::make_tuple(candidates, outcome.seed_converged, closest, outcome.closest_position_m,
                        outcome.closest_rotation_rad, outcome.iterations, outcome.attempts,
                        outcome.timed_out);
}

py::tuple solve_batch(const ik::Chain& chain, py::handle T_base_targets, py::handle seeds_,
                      py::handle lower, py::handle upper, py::handle position_tolerance,
                      py::handle rotation_tolerance, double position_norm, double rotation_norm,
                      bool use_slack, int max_attempts, bool chain_seeds, int threads, int lanes) {
  const py::ssize_t variables = chain.variables;
  const Doubles targets = numbers<double>(T_base_targets, "T_base_targets");
  check_shape(targets, {-1, 3, 4}, "T_base_targets", "(n, 3, 4)");
  const py::ssize_t rows = targets.shape(0);
  if (rows > kMostRows) throw std::invalid_argument("T_base_targets has more than 10^8 rows");
  for (py::ssize_t i = 0; i < rows; ++i) {
    ik::check_placement(targets.data() + 12 * i, "T_base_targets", i);
  }
  const ik::Limits limits = make_limits(chain, lower, upper);
  const Doubles seeds = numbers<double>(seeds_, "seeds");
  const bool common_seed = seeds.ndim() == 1;
  if (common_seed) {
    check_shape(seeds, {variables}, "seeds", "(m,) or (n, m)");
  } else {
    check_shape(seeds, {rows, variables}, "seeds", "(m,) or (n, m)");
    if (chain_seeds) throw std::invalid_argument("with chain_seeds, seeds has to be one seed (m,)");
  }
  for (py::ssize_t i = 0; i < (common_seed ? 1 : rows); ++i) {
    ik::check_seed(limits, seeds.data() + i * variables, "seeds");
  }
  const ik::Task task =
      make_task(position_tolerance, rotation_tolerance, position_norm, rotation_norm, use_slack);
  check_positive(max_attempts, "max_attempts");
  check_positive(threads, "threads");
  const ik::Width& width = width_of(lanes);

  Doubles q({rows, variables}), position_m(rows), rotation_rad(rows);
  py::array_t<bool> solved(rows);
  py::array_t<std::int32_t> iterations(rows), attempts(rows);
  std::fill_n(iterations.mutable_data(), rows, 0);
  std::fill_n(attempts.mutable_data(), rows, 0);
  const ik::Answers answers{chain.variables,
                            q.mutable_data(),
                            solved.mutable_data(),
                            position_m.mutable_data(),
                            rotation_rad.mutable_data(),
                            iterations.mutable_data(),
                            attempts.mutable_data()};
  const ik::Batch batch{chain, task, limits, static_cast<int>(rows), targets.data(), seeds.data(),
                        common_seed, max_attempts, answers};
  {
    py::gil_scoped_release release;
    if (chain_seeds) {
      ik::solve_path(batch, width);
    } else {
      ik::solve_cloud(batch, width, threads);
    }
  }
  return py::make_tuple(q, solved, position_m, rotation_rad, iterations, attempts);
}

}  // namespace

PYBIND11_MODULE(_kernel, module) {
  module.doc() = "The numeric inverse kinematics kernel.";
  module.def("simd_widths", [] {
    py::list lanes;
    for (const ik::Width& width : ik::usable_widths()) lanes.append(width.lanes);
    return py::tuple(lanes);
  });

  py::class_<ik::Chain>(module, "Chain")
      .def(py::init(&make_chain), py::arg("placements"), py::arg("prismatic"), py::arg("variable"),
           py::arg("multiplier"), py::arg("offset"), py::arg("T_last_tip"), py::arg("periodic"))
      .def("search", &search, py::arg("T_base_target"), py::arg("seed"), py::arg("lower"),
           py::arg("upper"), py::arg("position_tolerance"), py::arg("rotation_tolerance"),
           py::arg("position_norm"), py::arg("rotation_norm"), py::arg("use_slack"),
           py::arg("wanted"), py::arg("seed_suffices"), py::arg("max_attempts"), py::arg("time_limit_s"),
           py::arg("lanes") = 0)
      .def("solve_batch", &solve_batch, py::arg("T_base_targets"), py::arg("seeds"),
           py::arg("lower"), py::arg("upper"), py::arg("position_tolerance"),
           py::arg("rotation_tolerance"), py::arg("position_norm"), py::arg("rotation_norm"),
           py::arg("use_slack"), py::arg("max_attempts"), py::arg("chain_seeds"),
           py::arg("threads"), py::arg("lanes") = 0);
}
