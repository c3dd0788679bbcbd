// SPDX-License-Identifier: Apache-2.0
//
// From Python objects to the numbers of the kernel. Everything here throws std::invalid_argument,
// which Python sees as ValueError, with a sentence that names the argument.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <initializer_list>
#include <stdexcept>
#include <string>

#include "starts.hpp"
#include "task.hpp"

namespace ik {

namespace py = pybind11;

template <class Number>
using Array = py::array_t<Number, py::array::c_style | py::array::forcecast>;
using Doubles = Array<double>;

// Refuses an array of the wrong shape; -1 stands for any length.
void check_shape(const py::array& array, std::initializer_list<py::ssize_t> shape, const char* name,
                 const char* wanted);

void check_positive(int number, const char* name);

// Whether the array's entries are such numbers in this processor's order of bytes. Comparing type
// numbers takes a few ns; NumPy's own comparison of descriptions took half the time of a call.
template <class Number>
bool holds(const py::array& array) {
  const py::dtype type = array.dtype();
  return type.num() == py::detail::npy_format_descriptor<Number>::value &&
         (type.byteorder() == '=' || type.byteorder() == '|');
}

// The argument itself if it is an array of such numbers without gaps, else a converted copy. This
// is what pybind11's own conversion of arguments does, without 100 ns for each that needs none.
template <class Number>
Array<Number> numbers(py::handle argument, const char* name) {
  using Api = py::detail::npy_api;
  constexpr int kPlain = Api::NPY_ARRAY_C_CONTIGUOUS_ | Api::NPY_ARRAY_ALIGNED_;
  if (py::isinstance<py::array>(argument)) {
    const auto array = py::reinterpret_borrow<py::array>(argument);
    if ((array.flags() & kPlain) == kPlain && holds<Number>(array)) {
      return py::reinterpret_borrow<Array<Number>>(argument);
    }
  }
  auto converted = Array<Number>::ensure(argument);
  if (!converted) throw std::invalid_argument(std::string(name) + " is not an array of numbers");
  return converted;
}

// A new array of these numbers.
Doubles array_of(const double* values, py::ssize_t count);

}  // namespace ik
