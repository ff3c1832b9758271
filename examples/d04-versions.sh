#!/usr/bin/env bash
# D4: driver, CUDA, framework and generation of the card fit each other, or not; the fix is named.
. "$(dirname "$0")/common.sh"
expect 4 show check --driver 580.95.05 --framework torch=2.9+cu130 --card "V100 SXM2 16GB"
#> build_lacks_card
#> whl/cu128
expect 4 show check --driver 570.124.06 --framework torch=2.7 --card "RTX 5090"
#> whl/cu128
show check --driver 550.127.08 --framework torch=2.7.1+cu128 --card A10
#> minor_version_compatibility
show compare shop.json --model 7b --mode lora --run-hours 4 --require framework=torch=2.9 --require cuda=12.8 --rejected -q
#> driver_cuda
#> framework_image
