# SPDX-License-Identifier: Apache-2.0
#
# Defines the target _kernel, the solver in C++, where its sources and pybind11 are at hand.
# Without it everything works, with the slower `reference` solver.

if(NOT EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/src/kernel/bindings.cpp)
  message(STATUS "No C++ kernel in this source tree: the `reference` solver is used")
  return()
endif()

# pybind11 from PyPI lies inside site-packages and has to be asked where.
find_package(Python3 REQUIRED COMPONENTS Interpreter Development.Module)
execute_process(
  COMMAND ${Python3_EXECUTABLE} -m pybind11 --cmakedir
  OUTPUT_VARIABLE pybind11_from_pypi
  OUTPUT_STRIP_TRAILING_WHITESPACE
  ERROR_QUIET
)
set(PYBIND11_FINDPYTHON ON)
set(Python_EXECUTABLE ${Python3_EXECUTABLE})
find_package(pybind11 CONFIG QUIET HINTS "${pybind11_from_pypi}")
if(NOT pybind11_FOUND)
  message(WARNING
    "pybind11 was not found, so the C++ kernel is not built and the slower `reference` solver is "
    "used; install it with `rosdep install --from-paths . --ignore-src` or `pip install pybind11`")
  return()
endif()

file(GLOB kernel_sources CONFIGURE_DEPENDS src/kernel/*.cpp)
# NO_EXTRAS: no link-time optimisation, as in setup.py, so that both builds compute the same bits.
pybind11_add_module(_kernel NO_EXTRAS ${kernel_sources})
target_compile_features(_kernel PRIVATE cxx_std_17)
target_compile_options(_kernel PRIVATE -Wall -Wextra -Wpedantic $<$<CONFIG:Release>:-O3>)
