#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the command $1… inside the built environment.
set -eu

IK_ROOT=$(cd "$(dirname "$0")/.." && pwd -P)
# shellcheck source=tools/environment.sh
. "$IK_ROOT/tools/environment.sh"
_ik_enter
exec "$@"
