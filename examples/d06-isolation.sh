#!/usr/bin/env bash
# D6: isolation, wiped disks and compliance are demands; what is not stated is no yes.
. "$(dirname "$0")/common.sh"
show compare shop.json --model 7b --mode lora --run-hours 4 --disk 100GB --require data_wiped --require "isolation=virtual machine" --rejected -q
#> isolation = virtual machine is asked for, the offer says: container
#> data_wiped = true is asked for, the offer says: false
#> Take
