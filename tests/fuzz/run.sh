#!/usr/bin/env bash
# Every reader by libFuzzer, with the address and undefined-behaviour sanitizers:
#   tests/fuzz/run.sh SECONDS [READER...]
# Builds the preset `fuzz` (clang), gives each reader (all, when none is named; see readers.hpp) so many
# seconds, as many at a time as the machine has cores, and prints what was executed. What broke a
# reader is kept in build/fuzz/found; the texts that led somewhere in build/fuzz/corpus, for the next run.
# FUZZ_RUNS=N ends a reader after N executions if that is sooner.
set -euo pipefail
cd "$(dirname "$0")/../.."

if [[ ! ${1:-} =~ ^[1-9][0-9]*$ ]]; then
  sed -n '2,7s/^# //p' "$0" >&2
  exit 2
fi
# What costs most is not the readers: libFuzzer's weights for inputs (-entropic) took more than half of
# the time where an input reaches many branches, and the stacks of all allocations a part. Read an input
# once more without the option for the whole stack of a memory that was freed.
export ASAN_OPTIONS=malloc_context_size=1
export seconds=$1 build=build/fuzz runs=${FUZZ_RUNS:--1}
shift
probe=$(mktemp -d)
trap 'rm -rf "$probe"' EXIT
echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' > "$probe/probe.cpp"
if ! clang++ -fsanitize=fuzzer,address,undefined "$probe/probe.cpp" -o "$probe/probe" 2>/dev/null; then
  echo "skipped: clang++ with libFuzzer is not there (Debian: apt-get install clang libclang-rt-14-dev)"
  exit 77
fi

readers=("$@")
if [ ${#readers[@]} -eq 0 ]; then
  mapfile -t readers < <(grep -o 'X([a-z_0-9]*)' tests/fuzz/readers.hpp | sed 's/X(\(.*\))/\1/')
fi
cmake --preset fuzz > /dev/null
cmake --build --preset fuzz --target "${readers[@]/#/fuzz_}" | tail -n 1
python3 tests/fuzz/seeds.py "$build/corpus"
mkdir -p "$build/found" "$build/logs"

fuzz() {
  local name=$1 log=$build/logs/$1.txt state=fine longest=4000
  [ "$name" != against ] || longest=20000  # an answer is long
  nice -n 19 "$build/tests/fuzz/fuzz_$name" -max_total_time="$seconds" -runs="$runs" -timeout=60 -entropic=0 \
    -rss_limit_mb=2500 -max_len="$longest" -print_final_stats=1 -artifact_prefix="$build/found/$name-" \
    "$build/corpus/$name" > "$log" 2>&1 || state="BROKEN, see $log"
  local executions covered took
  took=$(sed -n 's/^Done [0-9]* runs in \([0-9]*\) second.*/\1/p' "$log")
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  covered=$(grep -o 'cov: [0-9]*' "$log" | tail -n 1 || true)
  printf '%-16s %9s executions in %5s s, %s, %s\n' "$name" "${executions:-0}" "${took:-?}" "${covered:-no cov}" "$state"
  [ "$state" = fine ]
}
export -f fuzz
printf '%s\n' "${readers[@]}" | xargs -P "${FUZZ_JOBS:-$(nproc)}" -I{} bash -c 'fuzz {}' ||
  { echo "Some readers broke. To see one again: $build/tests/fuzz/fuzz_READER $build/found/READER-crash-..."; exit 1; }
