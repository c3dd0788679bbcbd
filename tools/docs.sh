#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds the documentation into site/; a warning is an error. Further arguments go to mkdocs.
set -eu

IK_ROOT=$(cd "$(dirname "$0")/.." && pwd -P)
# shellcheck source=tools/environment.sh
. "$IK_ROOT/tools/environment.sh"
_ik_enter
cd "$IK_ROOT"
export NO_MKDOCS_2_WARNING=1 # an advertisement of the theme
python3 -m mkdocs build --strict --quiet "$@"
echo "ik_solver_ros: wrote site/index.html; with the search: python3 -m http.server -b 127.0.0.1 -d site"
