# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Which ROS 2 is this checkout built against, where do its files lie, how does a shell enter it?
# Sourced by env.sh (bash or zsh) and by the other tools (bash), with IK_ROOT set to the checkout.

_ik_say() { printf 'ik_solver_ros: %s\n' "$*" >&2; }

# Drops from the list named $1 ("PATH", …) what an earlier `source env.sh` of this checkout put there,
# so that sourcing twice changes nothing and another combination can be chosen from inside.
_ik_forget() {
  local rest entry kept=
  eval "rest=\${$1:-}"
  [ -n "$rest" ] || return 0
  rest=$rest:
  while [ -n "$rest" ]; do
    entry=${rest%%:*}
    rest=${rest#*:}
    case $entry in
      "$IK_ROOT"/.venv* | "$IK_ROOT"/.colcon/* | '') ;;
      *) kept=$kept${kept:+:}$entry ;;
    esac
  done
  if [ -n "$kept" ]; then export "$1=$kept"; else unset "$1"; fi
}

_ik_forget_all() {
  local list
  for list in PATH LD_LIBRARY_PATH PYTHONPATH AMENT_PREFIX_PATH CMAKE_PREFIX_PATH COLCON_PREFIX_PATH \
    PKG_CONFIG_PATH; do
    _ik_forget "$list"
  done
  case ${VIRTUAL_ENV:-} in "$IK_ROOT"/.venv*) unset VIRTUAL_ENV ;; esac
}

# Sets, or says in one sentence why not and fails:
#   IK_MODE  installed (a ROS 2 is sourced) or wheels (ROS 2 from PyPI in a venv of ours)
#   IK_KEY   names the combination: jazzy, kilted, jazzy-pin3.8, installed-jazzy, …
#   IK_VENV  the venv of the wheels; empty with an installed ROS 2
#   IK_WS    the workspace: build, install and log of this combination
_ik_choose() {
  local python=${PYTHON:-python3} distro=${ROS_DISTRO:-jazzy} pin=${PIN:+-pin$PIN}
  case $IK_ROOT in
    *' '*)
      _ik_say "colcon's set-up files fail where a path holds a space: move the checkout out of \"$IK_ROOT\"."
      return 1
      ;;
  esac
  _ik_forget_all
  if [ -n "${ROS_DISTRO:-}" ] && "$python" -c 'import rclpy' 2>/dev/null; then
    if [ -n "$pin" ]; then
      _ik_say "PIN chooses among wheels, but ROS 2 $distro is sourced and brings its own Pinocchio: leave" \
        "PIN out, or start from a shell in which no ROS is sourced."
      return 1
    fi
    IK_MODE=installed IK_KEY=installed-$distro IK_VENV=
  elif [ -n "${AMENT_PREFIX_PATH:-}" ]; then
    _ik_say "a ROS 2 is sourced ($AMENT_PREFIX_PATH), but $python can't import rclpy: name the Python that" \
      "this ROS was built for (PYTHON=/usr/bin/python3), or start from a shell in which no ROS is sourced."
    return 1
  elif [ ! -f "$IK_ROOT/requirements/ros-$distro.txt" ]; then
    _ik_say "there are no ROS 2 wheels for ROS_DISTRO=$distro: choose jazzy or kilted, or source the set-up" \
      "file of an installed ROS 2 first."
    return 1
  elif [ ! -f "$IK_ROOT/requirements/runtime$pin.txt" ]; then
    _ik_say "PIN=$PIN is not among the tested choices: 3.8, or none for the newest."
    return 1
  else
    IK_MODE=wheels IK_KEY=$distro$pin IK_VENV=$IK_ROOT/.venv-$distro$pin
    # The default combination has the short name, which editors look for.
    [ "$distro" != jazzy ] || IK_VENV=$IK_ROOT/.venv$pin
  fi
  IK_WS=$IK_ROOT/.colcon/$IK_KEY
}

# What the wheels need to be told; an installed ROS 2 has said it already.
_ik_enter_wheels() {
  local libs=$IK_VENV/lib directory
  for directory in "$IK_VENV"/lib/python3.*/site-packages/ros_*.libs; do libs=$libs:$directory; done
  export VIRTUAL_ENV=$IK_VENV PATH=$IK_VENV/bin:$PATH
  export LD_LIBRARY_PATH=$libs${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  export AMENT_PREFIX_PATH=$IK_VENV CMAKE_PREFIX_PATH=$IK_VENV${CMAKE_PREFIX_PATH:+:$CMAKE_PREFIX_PATH}
  export ROS_DISTRO=${ROS_DISTRO:-jazzy} ROS_VERSION=2 ROS_PYTHON_VERSION=3
  # Without it every Python process would start a second time to set LD_LIBRARY_PATH.
  export _ROS_WHEELS_BOOTSTRAP_COMPLETE=1
  # Nothing leaves this machine unless someone asks for it.
  export ROS_AUTOMATIC_DISCOVERY_RANGE=${ROS_AUTOMATIC_DISCOVERY_RANGE:-LOCALHOST}
}

# Reads the workspace's own set-up file, which does not bear `set -u`.
_ik_enter_workspace() {
  local shell=bash nounset=
  [ -z "${ZSH_VERSION:-}" ] || shell=zsh
  case $- in *u*) nounset=yes && set +u ;; esac
  # shellcheck source=/dev/null
  . "$IK_WS/install/local_setup.$shell"
  [ -z "$nounset" ] || set -u
}

# Puts the shell into the built environment.
_ik_enter() {
  _ik_choose || return 1
  if [ ! -f "$IK_WS/built" ]; then
    _ik_say "nothing is built for $IK_KEY yet: \`make build\` in $IK_ROOT does it."
    return 1
  fi
  [ "$IK_MODE" = installed ] || _ik_enter_wheels
  _ik_enter_workspace
  # The executables by name, for there may be no `ros2 run`.
  export PATH=$IK_WS/install/ik_solver_ros/lib/ik_solver_ros:$PATH
}
