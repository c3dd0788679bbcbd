#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes sure that the chosen ROS 2 is at hand, together with the requirement lists $1… (dev, robots).
# Wheels are installed into their venv; to an installed ROS 2 nothing is added: what it lacks is named.
set -eu

IK_ROOT=$(cd "$(dirname "$0")/.." && pwd -P)
# shellcheck source=tools/environment.sh
. "$IK_ROOT/tools/environment.sh"
_ik_choose

if [ "$IK_MODE" = wheels ]; then
  exec "$IK_ROOT/tools/make_venv.sh" "$IK_VENV" "ros-${ROS_DISTRO:-jazzy}" build "runtime${PIN:+-pin$PIN}" "$@"
fi
exec "${PYTHON:-python3}" "$IK_ROOT/tools/check_installed.py" "$@"
