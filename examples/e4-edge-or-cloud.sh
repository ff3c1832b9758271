#!/usr/bin/env bash
# E4: 500 GB a day: send it raw, or a tenth of it after work at the edge? The bill of a month.
. "$(dirname "$0")/common.sh"
show edge shop.json --offer acme/l40s --per-day 500GB --keep-share 0.1 --retention-days 30 --edge-cost 150
#> Verdict  edge
show edge shop.json --offer acme/l40s --per-day 500GB --keep-share 0.1 --retention-days 30 --edge-cost 150 --edge-compute-cost 900 --compute-hours 10
#> Verdict  two-stage
show edge shop.json --offer acme/l40s --per-day 5GB --keep-share 0.1 --retention-days 30 --edge-cost 150
#> Verdict  cloud
show edge shop.json --offer acme/l40s --per-day 5GB --keep-share 0.1 --retention-days 30 --edge-cost 150 --latency-ms 20 --round-trip-ms 45 --private
#> Verdict  edge
#> privacy
