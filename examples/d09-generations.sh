#!/usr/bin/env bash
# D9: which precisions a generation computes natively, and what happens to an offer without them.
. "$(dirname "$0")/common.sh"
show cards "V100 PCIe 32GB" L40S
#> bf16
#> fp8
show compare shop.json --model 7b --mode inference --precision fp8 --requests 10k --disk 100GB --rejected -q
#> campus/v100
#> precision_not_native
