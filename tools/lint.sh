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

failed=0
check() { "$@" || failed=1; }
check ruff check --quiet .
check ruff format --check --quiet .
check mypy --no-error-summary
check find src -name '*.[ch]pp' -exec clang-format --dry-run --Werror {} +
for script in env.sh .ci/run tools/*.sh; do check bash -n "$script"; done
check python3 tools/check_data_files.py
exit $failed
