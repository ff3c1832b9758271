#!/usr/bin/env bash
# D7: support, an itemised bill, sub-accounts and quotas; what comes back when a term ends early.
. "$(dirname "$0")/common.sh"
show compare shop.json --model 7b --mode lora --run-hours 4 --disk 100GB --require itemised_bill --require sub_accounts --require support_hours=24x7 --rejected -q
#> itemised_bill = true is asked for, the offer says: not stated
#> Take
show checklist shop.json --offer acme/l40s --plan week --run-hours 100 -q
#> nothing comes back for the rest of a term here
#> claim what the platform owes
