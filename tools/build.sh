#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the package with colcon in the workspace of the chosen ROS 2; a no-op when nothing changed.
# Arguments: requirement lists beyond those of the build (dev, robots).
set -eu

IK_ROOT=$(cd "$(dirname "$0")/.." && pwd -P)
# shellcheck source=tools/environment.sh
. "$IK_ROOT/tools/environment.sh"
_ik_choose
if [ "$IK_MODE" = wheels ] && [ ! -f "$IK_WS/built" ]; then "$IK_ROOT/tools/check_machine.sh" build; fi
"$IK_ROOT/tools/set_up.sh" "$@"

# What the compiled parts stand on.
foundation() {
  if [ "$IK_MODE" = wheels ]; then
    cat "$IK_VENV/.made-by-make/"{python-version,ros-*,build,runtime*}
  else
    echo "$IK_ROOT $AMENT_PREFIX_PATH" && "${PYTHON:-python3}" --version
  fi
}

# What is compiled or generated from, by content; what the install space only links to, by name.
sources() {
  cd "$IK_ROOT"
  cat CMakeLists.txt package.xml
  find cmake src srv -type f -print -exec cat {} + 2>/dev/null | cat
  find config ik_solver_ros launch scripts urdf -name __pycache__ -prune -o -type f -print 2>/dev/null | sort
}

wanted=$(foundation | sha256sum)$'\n'$(sources | sha256sum)
[ "$wanted" != "$(cat "$IK_WS/built" 2>/dev/null)" ] || exit 0

mkdir -p "$IK_WS"
exec 9>"$IK_ROOT/.colcon/lock"
flock 9 # one build at a time
rm -f "$IK_WS/built"
if [ "$(head -n 1 <<< "$wanted")" != "$(head -n 1 "$IK_WS/begun" 2>/dev/null)" ]; then
  rm -rf "$IK_WS/build" "$IK_WS/install" # CMake remembers the paths of another foundation
fi
echo "$wanted" > "$IK_WS/begun"

python=${PYTHON:-python3}
if [ "$IK_MODE" = wheels ]; then
  _ik_enter_wheels
  python=$IK_VENV/bin/python
fi
unset MAKEFLAGS MFLAGS MAKELEVEL # colcon's make is no part of ours
echo "ik_solver_ros: building for $IK_KEY"
colcon --log-base "$IK_WS/log" build --symlink-install --paths "$IK_ROOT" --build-base "$IK_WS/build" \
  --install-base "$IK_WS/install" --cmake-args -DPython3_EXECUTABLE="$(command -v "$python")" \
  > "$IK_WS/build.log" 2>&1 || { cat "$IK_WS/build.log" >&2; exit 1; }
grep -A 3 -E "($IK_ROOT/src/.*|CMake )[Ww]arning" "$IK_WS/build.log" || true
if compgen -G "$IK_WS/install/ik_solver_ros/lib/python3*/*-packages/ik_solver_ros/_kernel*.so" > /dev/null; then
  echo "ik_solver_ros: built, with the C++ kernel"
else
  echo "ik_solver_ros: built without the C++ kernel: the slower \`reference\` solver is used"
fi
mv "$IK_WS/begun" "$IK_WS/built"
