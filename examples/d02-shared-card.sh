#!/usr/bin/env bash
# D2: is the card whole, exclusive, and the one that was rented? Memory, processes and a standard
# test tell: half of the published rate means that somebody else is on it.
. "$(dirname "$0")/common.sh"
expect 4 show check --card L40S --measured-tflops 170 --from pastes/shared.txt
#> rate_half
#> card_memory_smaller
#> (exit code 4)
show check --card "RTX 4090" --measured-tflops 140
#> rate_as_published
