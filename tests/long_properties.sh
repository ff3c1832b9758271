#!/bin/sh
# The properties of every bill over many more random offers and jobs than a test run has time for:
#   tests/long_properties.sh [PROGRAM] [TIMES]
# PROGRAM is the built unit tests, TIMES how often the usual number of rounds (10 by default).
set -eu
program=${1:-build/release/tests/unit/gpuplan_tests}
GPUPLAN_ROUNDS=${2:-10} "$program" '[property]' --durations yes
