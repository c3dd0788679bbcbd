// SPDX-License-Identifier: Apache-2.0
//
// The Python face, documented in ik_solver_ros/_kernel.pyi.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "problem.hpp"
#include "widths.hpp"

namespace py = pybind11;

namespace {

template <class Number>
using Array = py::array_t<Number, py::array::c_style | py::array::forcecast>;
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

ik::Tolerance make_tolerance(const Doubles& position, const Doubles& rotation, double position_norm,
                             double rotation_norm) {
  check_shape(position, {3}, "position_tolerance", "(3,)");
  check_shape(rotation, {3}, "rotation_tolerance", "(3,)");
  ik::Tolerance tolerance{};
  std::copy(position.data(), position.data() + 3, tolerance.position);
  std::copy(rotation.data(), rotation.data() + 3, tolerance.rotation);
  tolerance.position_norm = position_norm;
  tolerance.rotation_norm = rotation_norm;
  return tolerance;
}

Doubles array_of(const double* values, py::ssize_t count) {
  Doubles array(count);
  std::copy(values, values + count, array.mutable_data());
  return array;
}

py::tuple search(const ik::Chain& chain, py::handle T_base_target_, py::handle seed_,
                 py::handle lower_, py::handle upper_, py::handle position_tolerance_,
                 py::handle rotation_tolerance_, double position_norm, double rotation_norm,
                 bool use_slack, int wanted, int max_attempts, double time_limit_s, int lanes) {
  const py::ssize_t variables = chain.variables;
  const Doubles T_base_target = numbers<double>(T_base_target_, "T_base_target");
  const Doubles seed = numbers<double>(seed_, "seed");
  const Doubles lower = numbers<double>(lower_, "lower");
  const Doubles upper = numbers<double>(upper_, "upper");
  const Doubles position_tolerance = numbers<double>(position_tolerance_, "position_tolerance");
  const Doubles rotation_tolerance = numbers<double>(rotation_tolerance_, "rotation_tolerance");
  check_shape(T_base_target, {3, 4}, "T_base_target", "(3, 4)");
  check_shape(seed, {variables}, "seed", "(m,)");
  check_shape(lower, {variables}, "lower", "(m,)");
  check_shape(upper, {variables}, "upper", "(m,)");
  ik::check_placement(T_base_target.data(), "T_base_target");
  if (wanted < 1) throw std::invalid_argument("wanted has to be at least 1");
  if (max_attempts < 1) throw std::invalid_argument("max_attempts has to be at least 1");
  if (!(time_limit_s >= 0.0)) throw std::invalid_argument("time_limit_s is negative or not a number");

  const ik::Task task = ik::Task::from(
      make_tolerance(position_tolerance, rotation_tolerance, position_norm, rotation_norm), use_slack);
  const ik::Limits limits = ik::Limits::from(chain, lower.data(), upper.data());
  const ik::Starts starts(chain, limits, seed.data());
  const ik::Problem problem{chain,
                            task,
                            limits,
                            starts,
                            ik::seen_from_target(ik::frame_from_rows(T_base_target.data()), chain),
                            wanted,
                            max_attempts,
                            time_limit_s};
  const ik::Width& width = width_of(lanes);
  ik::Outcome outcome;
  {
    py::gil_scoped_release release;
    outcome = width.search(problem);
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
           py::arg("wanted"), py::arg("max_attempts"), py::arg("time_limit_s"),
           py::arg("lanes") = 0);
}
