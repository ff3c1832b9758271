#!/usr/bin/env bash
# Instructions of the hot paths, counted by callgrind: tests/bench/instructions.sh [--update]
#
# Compares with instructions.txt: more than TOLERANCE percent (15 by default) above a row is a failure.
# Counts do not depend on the load of a machine, but on compiler and library: those of another
# compiler than the file names are told and not judged. --update writes the file.
set -euo pipefail
cd "$(dirname "$0")/../.."
command -v valgrind > /dev/null || { echo "skipped: valgrind is not there (Debian: apt-get install valgrind)"; exit 77; }
tolerance=${TOLERANCE:-15} kept=tests/bench/instructions.txt program=build/release/gpuplan
cmake --preset release > /dev/null
cmake --build --preset release --target gpuplan_program | tail -n 1

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 - "$scratch/catalog.json" << 'PYTHON'
import sys
sys.path.insert(0, "tests/bench")
from catalogs import write_catalog
write_catalog(sys.argv[1], 2000)
PYTHON
spot=tests/determinism/spot.json
# name|command
paths="version|--version
estimate|estimate --model 7b --mode lora
compare|compare --model 7b --mode lora --samples 50k
compare_2000_offers|compare $scratch/catalog.json --model 7b --mode lora
simulate|simulate --offer compshare/RTX-4090-x1 --model 7b --mode lora --run-hours 200
spot_20000_runs|simulate $spot --offer l40s --plan spot --job tests/determinism/job.json --trials 20000 --seed 7
validate_2000_offers|catalog validate $scratch/catalog.json"

compiler=$(c++ --version | head -n 1)
: > "$scratch/counts"
while IFS='|' read -r name command; do
  # shellcheck disable=SC2086
  valgrind --tool=callgrind --callgrind-out-file="$scratch/out" "$program" $command -q > /dev/null 2> "$scratch/log" || true
  count=$(sed -n 's/^summary: *//p;s/^totals: *//p' "$scratch/out" | head -n 1)
  [ -n "$count" ] || { cat "$scratch/log"; echo "$name was not counted"; exit 1; }
  echo "$name $count" >> "$scratch/counts"
done <<< "$paths"

if [ "${1:-}" != --update ] && [ ! -f "$kept" ]; then
  cat "$scratch/counts"
  echo "$kept is not there: --update writes it; nothing was compared"
  exit
fi
if [ "${1:-}" = --update ]; then
  { echo "# Instructions by callgrind, release build; written by instructions.sh --update"
    echo "# $compiler"
    cat "$scratch/counts"; } > "$kept"
  cat "$kept"
  exit
fi
awk -v tolerance="$tolerance" -v same="$(grep -qxF "# $compiler" "$kept" && echo 1 || echo 0)" '
  FNR == NR { if ($0 !~ /^#/) kept[$1] = $2; next }
  { change = kept[$1] > 0 ? 100 * ($2 / kept[$1] - 1) : 0
    worse = same && change > tolerance
    printf "%-22s %13d, kept %13d, %+6.1f %%%s\n", $1, $2, kept[$1], change, worse ? "  TOO MANY" : ""
    failed = failed || worse || !kept[$1] }
  END { if (!same) print "counted with another compiler than the file names: not judged"
        exit failed ? 1 : 0 }' "$kept" "$scratch/counts"
