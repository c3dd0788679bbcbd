#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs every check that reads the sources without executing them.
set -eu

IK_ROOT=$(cd "$(dirname "$0")/.." && pwd -P)
# shellcheck source=tools/environment.sh
. "$IK_ROOT/tools/environment.sh"
_ik_choose
[ "$IK_MODE" = installed ] || _ik_enter_wheels
cd "$IK_ROOT"

ruff check --quiet .
ruff format --check --quiet .
mypy
if [ -d src ]; then find src -name '*.[ch]pp' -exec clang-format --dry-run --Werror {} +; fi
for script in env.sh .ci/run tools/*.sh; do bash -n "$script"; done
python3 tools/check_data_files.py
