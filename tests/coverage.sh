#!/usr/bin/env bash
# Which lines and branches the tests run: tests/coverage.sh [--lines] [ctest options]
# Builds the preset `coverage` (g++ --coverage), runs the tests, and prints a row for each module;
# --lines adds the lines that nothing ran. LEAST=95 makes less than so many percent of the lines of
# core, billing, rank, catalog, memory or speed a failure.
set -euo pipefail
cd "$(dirname "$0")/.."

lines=
if [ "${1:-}" = --lines ]; then
  lines=--lines
  shift
fi
cmake --preset coverage > /dev/null
cmake --build --preset coverage | tail -n 1
find build/coverage -name '*.gcda' -delete
# A test that fails here fails in the other builds as well; what it ran still counts.
ctest --preset coverage -j "$(nproc)" --timeout 600 "$@" | tail -n 5 || true
python3 tests/coverage.py build/coverage "${LEAST:-0}" $lines
