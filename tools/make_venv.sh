#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes the venv $1, or brings it up to date, with the requirement lists $2…: names of files in
# requirements/. What is installed already costs one checksum. Interrupted anywhere, the next run
# finishes the venv.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd -P)
venv=$1
shift
mark=$venv/.made-by-make # holds the checksum of every installed list
python=${PYTHON:-python3}
export _ROS_WHEELS_BOOTSTRAP_COMPLETE=1 # the wheels' start-up hook has nothing to do here
fail() { printf 'ik_solver_ros: %s\n' "$*" >&2; exit 1; }

checksum() { { echo "$venv"; cat "$root/requirements/$1.txt"; } | sha256sum; }
installed() { [ -f "$mark/$1" ] && [ "$(checksum "$1")" = "$(cat "$mark/$1")" ]; }

# False: the venv has to be made anew.
usable() {
  [ -d "$mark" ] && [ ! -e "$mark/unfinished" ] && "$venv/bin/python" -I -S -c '' 2>/dev/null || return 1
  if [ -n "${PYTHON:-}" ]; then # asked for by name: the venv has to be of that version
    [ "$("$python" -c 'import sys; print(sys.version)')" = "$(cat "$mark/python-version")" ] || return 1
  fi
  local list
  for list in "$@"; do
    case $list in
      # Compiled parts depend on these: a changed version starts from scratch, …
      ros-* | build | runtime*) [ ! -f "$mark/$list" ] || installed "$list" || return 1 ;;
      *) ;; # … the others are changed in place.
    esac
  done
}

find_todo() {
  todo=()
  local list
  for list in "$@"; do installed "$list" || todo+=("$list"); done
}

find_todo "$@"
if usable "$@" && [ ${#todo[@]} = 0 ]; then exit 0; fi

mkdir -p "$root/.colcon"
exec 9>"$root/.colcon/lock"
flock 9 # two makes at once: the second finds the work done
find_todo "$@"

if [ -e "$venv" ] && [ ! -d "$mark" ]; then
  fail "$venv exists but was not made by make: move it away or delete it, then try again."
fi
if ! usable "$@"; then
  "$root/tools/check_machine.sh"
  echo "ik_solver_ros: making $venv with $("$python" --version)"
  rm -rf "$venv"
  mkdir -p "$mark"
  touch "$mark/unfinished"
  "$python" -m venv "$venv"
  "$venv/bin/python" -c 'import sys; print(sys.version)' > "$mark/python-version"
  rm "$mark/unfinished"
  todo=("$@")
fi
[ ${#todo[@]} != 0 ] || exit 0

echo "ik_solver_ros: installing ${todo[*]} into $venv, which can take minutes"
"$venv/bin/python" "$root/tools/drop_torn_packages.py"
# What was installed before stays part of the question, so that no answer moves its versions.
arguments=()
for list in $({ printf '%s\n' "$@"; ls "$mark"; } | sort -u); do
  [ ! -f "$root/requirements/$list.txt" ] || arguments+=(-r "$root/requirements/$list.txt")
done
if ! "$venv/bin/python" -m pip install --disable-pip-version-check --progress-bar off "${arguments[@]}" \
  > "$venv/pip.log" 2>&1; then
  tail -n 20 "$venv/pip.log" >&2
  fail "pip could not install ${todo[*]}: its last words are above, all of them in $venv/pip.log; once the" \
    "cause is gone, run the same command again."
fi
"$venv/bin/python" "$root/tools/repair_wheels.py"
# colcon looks for these in every prefix; what they would do, tools/environment.sh does.
touch "$venv"/local_setup.{sh,bash,zsh}
for list in "${todo[@]}"; do checksum "$list" > "$mark/$list"; done
