#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the kernel's tests with AddressSanitizer and UndefinedBehaviorSanitizer: a read beyond an array
# or an undefined operation ends the run with its place in the sources.
set -eu

IK_ROOT=$(cd "$(dirname "$0")/.." && pwd -P)
# shellcheck source=tools/environment.sh
. "$IK_ROOT/tools/environment.sh"
_ik_choose
"$IK_ROOT/tools/set_up.sh" dev robots
python=${PYTHON:-python3}
if [ "$IK_MODE" = wheels ]; then
  _ik_enter_wheels
  python=$IK_VENV/bin/python
fi

flags="-O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all"
library=$IK_ROOT/.colcon/sanitized
rm -rf "$library"
CFLAGS=$flags CXXFLAGS=$flags LDFLAGS="-fsanitize=address,undefined" \
  "$python" -m pip install -q --disable-pip-version-check --no-build-isolation --no-deps \
  --target "$library" "$IK_ROOT"
compgen -G "$library/ik_solver_ros/_kernel*.so" > /dev/null || {
  _ik_say "the kernel could not be built with sanitizers; is this compiler's libasan installed?"
  exit 1
}

cd "$IK_ROOT"
# Python itself leaks at exit; only errors count.
ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONPATH=$library \
  LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)" \
  pytest test/core/test_kernel_*.py "$@"
