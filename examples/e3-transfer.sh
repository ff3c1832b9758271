#!/usr/bin/env bash
# E3: which way data go, how long it takes, what it costs, with the commands.
. "$(dirname "$0")/common.sh"
show transfer shop.json --offer acme/l40s --size 500GB --files 2M --line 40Mbps --compression 0.6
#> Take object_storage
#> rclone copy
#> compress first when
show transfer shop.json --offer acme/l40s --size 10MB --line 40Mbps -q
#> Take web_page
show transfer shop.json --offer bolt/rtx5090 --size 14GB --line 40Mbps --public meta-llama/Llama-2-7b-hf -q
#> hf download meta-llama/Llama-2-7b-hf
