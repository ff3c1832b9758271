#!/usr/bin/env bash
# E2: what to do before the start, while it runs, before stopping and the day after, by the rules of
# this platform, with what each item costs when it is forgotten.
. "$(dirname "$0")/common.sh"
show checklist shop.json --offer acme/l40s --run-hours 10 --upload 50GB --line 50Mbps --disk 200GB -q
#> Before the start
#> a night of 12 h forgotten
#> delete the disk of 200 GB
#> The day after
show checklist shop.json --offer bolt/rtx5090 --run-hours 10 --disk 200GB -q
#> "stop" keeps the card, and its price, here
