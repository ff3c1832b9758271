#!/usr/bin/env bash
# D12: the smallest run that goes through everything on a platform that one does not know, and its
# price: half an hour of work, a gigabyte up, some megabytes back.
. "$(dirname "$0")/common.sh"
show checklist shop.json --offer campus/l40s --run-hours 10 --upload 12GB --line 100Mbps --disk 100GB -q
#> Trial of a platform that you do not know: 1.10 USD
#> run the job on a small part of the data for 30 min
