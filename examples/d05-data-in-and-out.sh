#!/usr/bin/env bash
# D5: bandwidth in and out, object storage, a transfer that goes on where it was cut off.
. "$(dirname "$0")/common.sh"
show compare shop.json --model 7b --mode lora --run-hours 4 --upload 200GB --disk 300GB --line 1Gbps --require min_up_mbps=500 --require object_storage --rejected -q
#> bandwidth
#> object_storage
show transfer shop.json --offer acme/l40s --size 200GB --line 200Mbps --compression 0.6
#> object_storage
#> Rule
