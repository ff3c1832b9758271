#!/usr/bin/env bash
# D1: card first, then environment, price and service; every offer that is out has its reasons.
. "$(dirname "$0")/common.sh"
show compare shop.json --model 7b --mode lora --tokens 20M --disk 100GB --require compliance=iso27001 --rejected -q
#> bolt/rtx4090
#> memory
#> compliance
#> Take
