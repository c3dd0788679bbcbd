#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs pytest with the arguments $@ against the built package.
set -eu

IK_ROOT=$(cd "$(dirname "$0")/.." && pwd -P)
# shellcheck source=tools/environment.sh
. "$IK_ROOT/tools/environment.sh"
_ik_enter
# Nothing leaves this machine and nothing of other runs comes in. Above 101 the ports of a domain
# would meet those that Linux gives to clients.
export ROS_AUTOMATIC_DISCOVERY_RANGE=LOCALHOST
export ROS_DOMAIN_ID=$((RANDOM % 101 + 1))
# A wrong type in a message is an error here; by default it silently becomes another number.
export ROS_PYTHON_CHECK_FIELDS=1
cd "$IK_ROOT"
# The command and not `python3 -m pytest`, which would put the sources before the installed package.
exec pytest "$@"
