#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs benchmarks/run.py with the arguments $@ in a venv of its own: the library as `pip install .`
# builds it, beside the solvers it is compared with.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd -P)
venv=$root/.venv-bench
mark=$venv/.made-by-make
pip() { "$venv/bin/python" -m pip "$@" --disable-pip-version-check; }
changed() { [ "$2" != "$(cat "$mark/$1" 2>/dev/null)" ]; }

"$root/tools/make_venv.sh" "$venv" runtime robots bench

# One after the other: a solver without a wheel for this Python must not keep the others away.
install_peers() {
  local peer
  : > "$venv/not-installed.tsv"
  while read -r peer; do
    echo "ik_solver_ros: installing $peer into $venv"
    pip install -qq -c "$root/requirements/runtime.txt" "$peer" 2> "$venv/pip.log" < /dev/null ||
      printf '%s\t%s\n' "${peer%%==*}" "$(grep ^ERROR "$venv/pip.log" | tail -n 1)" >> "$venv/not-installed.tsv"
  done < <(grep -v '^#' "$root/requirements/peers.txt")
}

library() {
  cd "$root"
  cat setup.py setup.cfg pyproject.toml
  find ik_solver_ros src urdf -name __pycache__ -prune -o -type f -print -exec cat {} +
}

wanted=$(sha256sum < "$root/requirements/peers.txt")
if changed peers "$wanted"; then
  install_peers
  echo "$wanted" > "$mark/peers"
fi
wanted=$(library | sha256sum)
if changed library "$wanted"; then
  echo "ik_solver_ros: installing this library into $venv"
  pip install -qq --no-deps --force-reinstall "$root"
  echo "$wanted" > "$mark/library"
fi
cd "$root"
exec "$venv/bin/python" benchmarks/run.py "$@"
