#!/usr/bin/env bash
# Builds and runs all tests. A second run builds nothing and takes seconds.
# tests/run.sh [PRESET] [ctest options]; PRESET is release (default), dev or asan.
set -euo pipefail
cd "$(dirname "$0")/.."
. src/cmake/setup.sh

preset=${1:-release}
shift || true
say "1. What the build needs"
install_packages
say "2. Build ($preset)"
build_preset "$preset"
say "3. Tests"
ctest --preset "$preset" -j "$(nproc)" "$@"
