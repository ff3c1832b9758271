#!/usr/bin/env bash
# E5: does the work need several machines, which range does each take, what do they cost, what does
# one range cost when it has to be done again; and, later, which cards idle.
. "$(dirname "$0")/common.sh"
show checklist shop.json --offer acme/l40s --mode inference --requests 100000 --run-hours 40 --deadline 12h -q
#> Several machines: needed
#> A shard done again
#> nvidia-smi --query-gpu=index,name,memory.used,memory.total,utilization.gpu
printf '\n$ cat pastes/hosts.csv | gpuplan check shop.json --offer acme/l40s --from -\n'
"$gpuplan" check shop.json --offer acme/l40s --from - < pastes/hosts.csv
#> machine_idle
#> 0.95
