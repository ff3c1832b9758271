#!/usr/bin/env bash
# D11: a first choice and a second one on another platform.
. "$(dirname "$0")/common.sh"
show compare shop.json --model 7b --mode lora --run-hours 10 --disk 100GB -q
#> Take
#> Backup
