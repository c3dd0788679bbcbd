# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Puts a shell into the built environment: ROS 2, this package and its executables.
#
#   source env.sh                             bash or zsh, from any directory, as often as you like
#   export ROS_DISTRO=kilted; source env.sh   another combination; PIN as for make

if [ -n "${ZSH_VERSION:-}" ]; then
  eval 'IK_ROOT=${${(%):-%x}:A:h}'
elif [ -z "${BASH_VERSION:-}" ]; then
  echo "ik_solver_ros: env.sh works in bash and zsh." >&2
  return 1
elif [ "${BASH_SOURCE[0]}" = "$0" ]; then
  echo "ik_solver_ros: env.sh changes the shell that reads it: type \`source env.sh\`." >&2
  exit 1
else
  IK_ROOT=$(CDPATH='' cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
fi

# shellcheck source=tools/environment.sh
. "$IK_ROOT/tools/environment.sh" && _ik_enter
