#!/usr/bin/env bash
# D10: a student counts credit and looks at cost, a team at stability, an enterprise at isolation.
. "$(dirname "$0")/common.sh"
for profile in student team enterprise; do
  show compare shop.json --model 7b --mode lora --run-hours 10 --disk 100GB --profile "$profile" --who student --who new -q
done
#> --profile student
#> --profile enterprise
#> Take
