#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs benchmarks/run.py with the arguments $@ in a venv of its own: the library as `pip install .`
# builds it, beside the solvers it is compared with.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd -P)
venv=$root/.venv-bench
"$root/tools/make_venv.sh" "$venv" runtime robots bench

sources() {
  cd "$root"
  cat setup.py setup.cfg pyproject.toml
  find ik_solver_ros src urdf -name __pycache__ -prune -o -type f -print -exec cat {} + 2>/dev/null | cat
}
wanted=$(sources | sha256sum)
if [ "$wanted" != "$(cat "$venv/.made-by-make/library" 2>/dev/null)" ]; then
  "$venv/bin/python" -m pip install -qq --disable-pip-version-check --no-deps --force-reinstall "$root"
  echo "$wanted" > "$venv/.made-by-make/library"
fi
cd "$root"
exec "$venv/bin/python" benchmarks/run.py "$@"
