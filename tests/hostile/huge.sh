#!/usr/bin/env bash
# A catalog of a gigabyte, made here and removed again, within a limit of memory:
#   tests/hostile/huge.sh [BUILD] [OFFERS] [MOST_MB]
# 9,000,000 offers are about a gigabyte. It is answered or refused with exit code 3; the machine goes on.
set -euo pipefail
cd "$(dirname "$0")/../.."
build=build/${1:-release}
folder=$(mktemp -d "${TMPDIR:-/tmp}/gpuplan-huge.XXXX")
trap 'rm -rf "$folder"' EXIT
cmake --build "$build" --target gpuplan_program hostile_limits | tail -n 1
nice -n 19 "$build/tests/hostile/hostile_limits" "$build/gpuplan" "$folder" "${2:-9000000}" "$(( ${3:-6000} * 1000 ))"
