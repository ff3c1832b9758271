# Sourced by the examples: where the program is, and how a run is shown.
# Lines that begin with "#>" are what the output of a script must contain; a test looks for them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
gpuplan=${GPUPLAN:-../build/release/gpuplan}
export NO_COLOR=1

show() {
  printf '\n$ gpuplan'
  printf ' %q' "$@"
  printf '\n'
  "$gpuplan" "$@"
}
# expect CODE show ...: the same, for a run that ends with that exit code.
expect() {
  local wanted=$1 code=0
  shift
  "$@" || code=$?
  [ "$code" = "$wanted" ] || { echo "exit code $code instead of $wanted"; exit 1; }
  echo "(exit code $code)"
}
