#!/usr/bin/env bash
# For CI: writes gpu-cost.md (a table for the pull request) and gpu-cost.json, and ends with exit
# code 5 when the budget is not met. Both CI examples of this folder call it.
# ci-report.sh [OUTPUT FOLDER] [BUDGET]
. "$(dirname "$0")/common.sh"
out=${1:-.} budget=${2:-20}
job=(shop.json --model 7b --mode lora --samples 50k --epochs 1 --upload 12GB --disk 100GB --budget "$budget" -q)
code=0
"$gpuplan" compare "${job[@]}" --json -o "$out/gpu-cost.json" || code=$?
{
  echo "### GPU cost of this run, at most $budget USD"
  echo
  "$gpuplan" compare "${job[@]}" --top 5 --format markdown || true
} > "$out/gpu-cost.md"
cat "$out/gpu-cost.md"
exit "$code"
