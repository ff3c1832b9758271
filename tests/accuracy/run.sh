#!/usr/bin/env bash
# Prints the error of the memory estimates by source, and what the range holds.
# tests/accuracy/run.sh [--worst N] [--check]
set -euo pipefail
cd "$(dirname "$0")/../.."
. src/cmake/setup.sh
build_preset release
exec build/release/tests/accuracy/gpuplan_accuracy "$@"
