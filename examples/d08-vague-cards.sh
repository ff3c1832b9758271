#!/usr/bin/env bash
# D8: an offer that says only "48 GB GPU" is flagged, counted as the slowest card of that size, and never
# recommended.
. "$(dirname "$0")/common.sh"
show catalog validate shop.json
#> card_name_vague
show compare shop.json --model 7b --mode lora --run-hours 4 --disk 100GB -q
#> card not named
#> "48 GB GPU" says how much memory the card has, not which card it is
