#!/usr/bin/env bash
# D3: a queue of eight hours counts against the deadline like the work itself.
. "$(dirname "$0")/common.sh"
show compare shop.json --model 7b --mode lora --run-hours 4 --disk 100GB --deadline 6h --rejected -q
#> campus/l40s
#> done after 12 h
#> Take
