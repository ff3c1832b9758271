#!/usr/bin/env bash
# Installs what is missing, builds gpuplan and runs the main job over the built-in catalog.
set -euo pipefail
cd "$(dirname "$0")/.."
. src/cmake/setup.sh

say "1. What the build needs"
install_packages

say "2. Build (release)"
build_preset release --target gpuplan_program

gpuplan=build/release/gpuplan
say "3. How much memory does LoRA fine-tuning of a 7B model need, and which cards hold it?"
run "$gpuplan" estimate --model 7b --mode lora

say "4. Which real offer to take for 50,000 samples, 3 epochs, 12 GB of data?"
run "$gpuplan" compare --model 7b --mode lora --samples 50k --epochs 3 --upload 12GB --disk 100GB
say "Done. More: $gpuplan --help, README.md"
