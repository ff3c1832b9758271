#!/usr/bin/env bash
# D8: an offer that says only "48 GB GPU" is flagged, and never ranked among real cards.
. "$(dirname "$0")/common.sh"
show catalog validate shop.json
#> card_vague
show compare shop.json --model 7b --mode lora --run-hours 4 --disk 100GB --rejected -q
#> bolt/vague
#> 48 GB GPU
