#!/usr/bin/env bash
# E1: what nvidia-smi and torch print, pasted into one file or piped in: verdict, findings, fixes.
. "$(dirname "$0")/common.sh"
expect 4 show check --from pastes/new-card.txt
#> build_lacks_card
#> whl/cu128
printf '\n$ cat pastes/table.txt | gpuplan check --framework torch=2.9+cu128 --from -\n'
"$gpuplan" check --framework torch=2.9+cu128 --from - < pastes/table.txt
#> card_in_use
#> card_modified
