#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs benchmarks/run.py with the arguments $@ in a venv of its own: the library as `pip install .`
# builds it, beside the solvers it is compared with.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd -P)
venv=$root/.venv-bench
mark=$venv/.made-by-make
"$root/tools/make_venv.sh" "$venv" runtime robots
pip() { "$venv/bin/python" -m pip --disable-pip-version-check "$@"; }

# Not every solver has wheels for every Python: those that do not install are left out, and the
# page says why.
install_peers() {
  local list=$root/requirements/bench.txt runtime=$root/requirements/runtime.txt peer
  rm -f "$venv/not-installed.tsv"
  echo "ik_solver_ros: installing the solvers to compare with, which can take minutes"
  if pip install -qq -r "$runtime" -r "$list"; then return; fi
  grep -v '^ *#' "$list" | while read -r peer; do
    if ! pip install -qq -r "$runtime" "$peer" 2> "$venv/pip-errors.txt"; then
      printf '%s\t%s\n' "${peer%%[=; ]*}" "$(grep '^ERROR' "$venv/pip-errors.txt" | tail -n 1)" \
        >> "$venv/not-installed.tsv"
    fi
  done
}
wanted=$(cat "$root"/requirements/{runtime,bench}.txt | sha256sum)
if [ "$wanted" != "$(cat "$mark/peers" 2>/dev/null)" ]; then
  install_peers
  echo "$wanted" > "$mark/peers"
fi

sources() {
  cd "$root"
  cat setup.py setup.cfg pyproject.toml
  find ik_solver_ros src urdf -name __pycache__ -prune -o -type f -print -exec cat {} + 2>/dev/null | cat
}
wanted=$(sources | sha256sum)
if [ "$wanted" != "$(cat "$mark/library" 2>/dev/null)" ]; then
  pip install -qq --no-deps --force-reinstall "$root"
  echo "$wanted" > "$mark/library"
fi
cd "$root"
exec "$venv/bin/python" benchmarks/run.py "$@"
