// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include <algorithm>

namespace ik {

void check_shape(const py::array& array, std::initializer_list<py::ssize_t> shape, const char* name,
                 const char* wanted) {
  bool right = array.ndim() == static_cast<py::ssize_t>(shape.size());
  py::ssize_t axis = 0;
  for (const py::ssize_t length : shape) {
    right = right && (length < 0 || array.shape(axis) == length);
    ++axis;
  }
  if (!right) {
    const auto has = py::str(array.attr("shape")).cast<std::string>();
    throw std::invalid_argument(std::string(name) + " has shape " + has + ", not " + wanted);
  }
}

void check_positive(int number, const char* name) {
  if (number < 1) throw std::invalid_argument(std::string(name) + " has to be at least 1");
}

Doubles array_of(const double* values, py::ssize_t count) {
  Doubles array(count);
  std::copy(values, values + count, array.mutable_data());
  return array;
}

}  // namespace ik
