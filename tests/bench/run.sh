#!/usr/bin/env bash
# All figures of speed in one run: tests/bench/run.sh [PART...]; parts and variables stand in ratios.py.
set -euo pipefail
cd "$(dirname "$0")/../.."
cmake --preset release > /dev/null
cmake --build --preset release --target gpuplan_program bench | tail -n 1
exec python3 tests/bench/ratios.py build/release "$@"
