#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Chromium for the browser tests, from the system's packages, where that needs no password: as root on
# Debian and its like. Elsewhere one line says what to install, and those tests are skipped.
set -eu

for name in chromium chromium-browser google-chrome; do
  ! command -v "$name" > /dev/null || exit 0
done
say() { printf 'ik_solver_ros: %s\n' "$*" >&2; }
hint='the browser tests are skipped: install Chromium for them (apt-get install chromium)'

if ! command -v apt-get > /dev/null || [ "$(id -u)" != 0 ]; then
  say "$hint"
  exit 0
fi
say 'installing chromium for the browser tests'
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
# Lists may be missing or out of date; without any font a page has no text.
if ! { apt-get install -y -q --no-install-recommends chromium fonts-liberation ||
  { apt-get update -q && apt-get install -y -q --no-install-recommends chromium fonts-liberation; }; } > "$log" 2>&1; then
  say "apt-get could not install it ($(grep -m 1 '^E: ' "$log" || tail -n 1 "$log")); $hint"
fi
