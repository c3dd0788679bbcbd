// SPDX-License-Identifier: Apache-2.0
#include "prepared_search.hpp"

#include <memory>
#include <utility>

#include "search.hpp"

namespace ik {
namespace {

// The interpreter's lock is held while the seed's own start runs: most searches are over in the
// microseconds that this takes, and a thread that gets the lock meanwhile may keep it for
// milliseconds.
Outcome find(const Problem& problem, const Width& width) {
  Search search(problem);
  if (search.try_seed()) return search.take_outcome();
  const py::gil_scoped_release release;
  search.try_others(width);
  return search.take_outcome();
}

py::tuple as_tuple(const Outcome& outcome, py::ssize_t variables) {
  const py::ssize_t found = static_cast<py::ssize_t>(outcome.candidates.size()) / variables;
  py::tuple candidates(found);
  for (py::ssize_t i = 0; i < found; ++i) {
    candidates[i] = array_of(outcome.candidates.data() + i * variables, variables);
  }
  const py::object closest =
      found > 0 ? py::object(candidates[0]) : py::object(array_of(outcome.closest.q, variables));
  return py::make_tuple(candidates, outcome.seed_converged, closest, outcome.closest.position_m,
                        outcome.closest.rotation_rad, outcome.iterations, outcome.attempts,
                        outcome.timed_out);
}

double number(PyObject* argument) {
  const double value = PyFloat_AsDouble(argument);
  if (value == -1.0 && PyErr_Occurred()) throw py::error_already_set();
  return value;
}

PyObject* call(PyObject* capsule, PyObject* const* arguments, Py_ssize_t count) {
  const auto* prepared = static_cast<const PreparedSearch*>(PyCapsule_GetPointer(capsule, nullptr));
  try {
    if (count != 3) {
      throw py::type_error("search takes T_base_target, seed and time_limit_s, not " +
                           std::to_string(count) + " arguments");
    }
    return prepared->run(arguments[0], arguments[1], number(arguments[2])).release().ptr();
  } catch (py::error_already_set& error) {
    error.restore();
  } catch (const py::builtin_exception& error) {
    error.set_error();
  } catch (const std::invalid_argument& error) {
    PyErr_SetString(PyExc_ValueError, error.what());
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

PyMethodDef kMethod = {"search", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&call)),
                       METH_FASTCALL,
                       "search(T_base_target, seed, time_limit_s), see prepare_search"};

}  // namespace

py::tuple PreparedSearch::run(py::handle T_base_target_, py::handle seed_,
                              double time_limit_s) const {
  const auto T_base_target = numbers<double>(T_base_target_, "T_base_target");
  check_shape(T_base_target, {3, 4}, "T_base_target", "(3, 4)");
  check_placement(T_base_target.data(), "T_base_target");
  const auto seed = numbers<double>(seed_, "seed");
  check_shape(seed, {chain.variables}, "seed", "(m,)");
  check_configuration(seed.data(), chain.variables, "seed");
  if (!(time_limit_s >= 0.0)) {
    throw std::invalid_argument("time_limit_s is negative or not a number");
  }
  const Starts starts(chain, limits, seed.data());
  const auto T_target_first = seen_from_target(frame_from_rows(T_base_target.data()), chain);
  return as_tuple(find({chain, task, limits, starts, T_target_first, wanted, seed_suffices,
                        max_attempts, time_limit_s},
                       width),
                  chain.variables);
}

py::object function_of(PreparedSearch prepared) {
  auto owned = std::make_unique<PreparedSearch>(std::move(prepared));
  const py::capsule capsule(owned.get(),
                            [](void* memory) { delete static_cast<PreparedSearch*>(memory); });
  owned.release();
  return py::reinterpret_steal<py::object>(PyCFunction_New(&kMethod, capsule.ptr()));
}

}  // namespace ik
