#!/usr/bin/env bash
# The same bytes from every build and in all surroundings: tests/determinism/run.sh [BUILD...]
#
# Builds the program with g++ (Release, Debug) and clang (Release), presets release, dev and clang,
# runs every line of commands.txt with one thread in the locale C at UTC, and compares what it prints
# and its exit code with the same run by the other builds, with four threads, in the locales de_DE,
# zh_CN and tr_TR, and in other time zones. BUILD names other presets instead of these three.
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
presets=("$@")
[ ${#presets[@]} -gt 0 ] || presets=(release dev clang)
command -v clang++ > /dev/null || { echo "clang++ is not there: only g++ is looked at"; presets=(release dev); }

for preset in "${presets[@]}"; do
  cmake --preset "$preset" > /dev/null
  cmake --build --preset "$preset" --target gpuplan_program | tail -n 1
done

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# Locales are made where the system has their sources; without them the program would run in C.
locales=()
for locale in de_DE zh_CN tr_TR; do
  if localedef -i "$locale" -f UTF-8 "$scratch/$locale.UTF-8" 2> /dev/null; then
    locales+=("$locale.UTF-8")
  else
    echo "the locale $locale cannot be made here (Debian: apt-get install locales): not looked at"
  fi
done

# one FILE PRESET THREADS [VARIABLE=VALUE...]: all runs, each with its exit code.
one() {
  local file=$1 program=$root/build/$2/gpuplan threads=$3 line
  shift 3
  while read -r line; do
    eval "words=($line)"
    printf '=== %s\n' "$line"
    env -i PATH="$PATH" "$@" "$program" "${words[@]}" --threads "$threads" -q 2>&1 && echo "exit 0" || echo "exit $?"
  done < <(grep -v '^#' "$root/tests/determinism/commands.txt") > "$file"
}

cd tests/determinism
first=${presets[0]}
one "$scratch/wanted" "$first" 1 LC_ALL=C TZ=UTC
if grep -q '^exit [123]' "$scratch/wanted"; then
  grep -B3 '^exit [123]' "$scratch/wanted"
  echo "a run that should answer does not"
  exit 1
fi
runs=0 faults=0
same() {
  local name=$1
  shift
  one "$scratch/got" "$@"
  runs=$((runs + 1))
  cmp -s "$scratch/wanted" "$scratch/got" && return
  faults=$((faults + 1))
  echo "$name: other bytes"
  diff "$scratch/wanted" "$scratch/got" | head -n 5 || true
}
for preset in "${presets[@]}"; do
  for threads in 1 4; do
    same "$preset, $threads threads" "$preset" "$threads" LC_ALL=C TZ=UTC
    for locale in "${locales[@]}"; do
      same "$preset, $threads threads, $locale" "$preset" "$threads" LOCPATH="$scratch" LC_ALL="$locale" TZ=UTC
    done
    for zone in Asia/Shanghai America/St_Johns Pacific/Kiritimati; do
      same "$preset, $threads threads, $zone" "$preset" "$threads" LC_ALL=C TZ="$zone"
    done
  done
done
lines=$(grep -c '^===' "$scratch/wanted")
echo "$lines commands, $runs surroundings (builds: ${presets[*]}; locales: ${locales[*]:-none}): $faults with other bytes"
[ "$faults" -eq 0 ]
