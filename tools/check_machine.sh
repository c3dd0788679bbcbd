#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Names in one sentence what this machine lacks for the wheels and the build, with the command that
# installs it. Usage: check_machine.sh [build]: without `build` no compiler is asked for.
set -eu

python=${PYTHON:-python3}
fail() { printf 'ik_solver_ros: %s\n' "$*" >&2; exit 1; }

if command -v apt-get >/dev/null; then
  install='apt-get install'
elif command -v dnf >/dev/null; then
  install='dnf install'
elif command -v pacman >/dev/null; then
  install='pacman -S'
else
  install=
fi
[ "$(id -u)" = 0 ] || install=${install:+sudo $install}

missing=() packages=()
# lacks WHAT APT_PACKAGE DNF_PACKAGE PACMAN_PACKAGE
lacks() {
  missing+=("$1")
  case $install in *apt-get*) packages+=("$2") ;; *dnf*) packages+=("$3") ;; *pacman*) packages+=("$4") ;; esac
}

report() {
  [ ${#missing[@]} -gt 0 ] || return 0
  local list
  list=$(printf ', %s' "${missing[@]}")
  if [ -n "$install" ]; then
    fail "missing on this machine: ${list:2}; install with:" \
      "$install$(printf '%s\n' "${packages[@]}" | sort -u | tr '\n' ' ' | sed -E 's/^/ /; s/ $//')"
  fi
  fail "missing on this machine: ${list:2}; install with the package manager of your system."
}

if ! command -v "$python" >/dev/null; then
  [ -z "${PYTHON:-}" ] || fail "there is no PYTHON=$PYTHON: name a Python 3.10 to 3.13 that is installed."
  lacks 'Python 3' 'python3 python3-dev python3-venv' 'python3 python3-devel' python
  report
fi

version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
case $version in
  3.10 | 3.11 | 3.12 | 3.13) ;;
  *) fail "$python is Python $version, and the wheels of ROS 2 exist for Python 3.10 to 3.13: name another" \
    "one, as in \`make PYTHON=python3.12 …\`" ;;
esac
platform=$("$python" -c 'import sysconfig; print(sysconfig.get_platform())')
[ "$platform" = linux-x86_64 ] || fail "the wheels of ROS 2 exist for 64-bit x86 Linux and this is $platform:" \
  "install ROS 2, source its set-up file, and make builds on top of it."

"$python" -c 'import ensurepip, venv' 2>/dev/null ||
  lacks 'the venv module of Python' "python$version-venv" python3-libs python
if [ "${1:-}" = build ]; then
  command -v "${CC:-cc}" >/dev/null || lacks 'a C compiler' gcc gcc gcc
  command -v "${CXX:-c++}" >/dev/null || lacks 'a C++ compiler' g++ gcc-c++ gcc
  [ -f "$("$python" -c 'import sysconfig; print(sysconfig.get_paths()["include"])')/Python.h" ] ||
    lacks 'the C headers of Python' "python$version-dev" python3-devel python
fi
command -v flock >/dev/null || lacks flock util-linux util-linux-core util-linux
command -v find >/dev/null || lacks find findutils findutils findutils
report
