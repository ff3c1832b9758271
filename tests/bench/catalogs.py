#!/usr/bin/env python3
"""Large catalogs: how long `gpuplan compare` takes, beside Python's json.load plus heapq.

    tests/bench/catalogs.py build/release/gpuplan [OFFERS ...]

Writes a catalog of so many offers (170,000 and 1,000,000 by default) to a temporary folder, made
from a fixed seed, and prints for each size both times, their ratio, the peak of memory of both, and
at last how the times grow. Every time is the best of three runs.
"""
import json
import os
import random
import subprocess
import sys
import tempfile
import time

CARDS = [
    ("H100 SXM5 80GB", 8, 27.92, 208, 1800), ("H100 PCIe 80GB", 1, 2.39, 24, 188),
    ("A100 SXM4 80GB", 8, 14.32, 240, 1800), ("A100 SXM4 40GB", 8, 21.9576, 96, 1152),
    ("A100 PCIe 80GB", 1, 1.64, 8, 117), ("L40S", 1, 0.86, 16, 62), ("L4", 1, 0.8048, 4, 16),
    ("RTX 4090", 1, 0.69, 6, 30), ("RTX 3090", 2, 0.44, 16, 64), ("A10G", 4, 5.672, 48, 192),
    ("T4", 1, 0.526, 4, 16), ("V100 SXM2 16GB", 8, 24.48, 64, 488), ("RTX A6000", 4, 3.2, 56, 400),
    ("A40", 1, 0.39, 9, 50), ("B200 SXM 180GB", 8, 32.0, 208, 2900), ("H200 SXM 141GB", 8, 28.0, 192, 2000),
]
PLATFORMS = ["north", "east", "south", "west", "cloud-a", "cloud-b", "market", "campus"]
REGIONS = [f"{area}-{side}-{n}" for area in ("us", "eu", "ap", "sa") for side in ("east", "west") for n in (1, 2, 3)]


def write_catalog(path, offers, seed=7):
    rng = random.Random(seed)
    with open(path, "w", encoding="utf-8") as out:
        out.write('{"schema":"gpuplan.catalog/1","as_of":"2026-11-01","currency":"USD","platforms":[\n')
        for at, platform in enumerate(PLATFORMS):
            out.write(("," if at else "") + f'{{"id":"{platform}","stop":"released","meter":{{"quantum_s":1}},"offers":[\n')
            count = offers // len(PLATFORMS) + (1 if at < offers % len(PLATFORMS) else 0)
            for n in range(count):
                card, gpus, price, vcpus, ram = rng.choice(CARDS)
                on_demand = round(price * rng.uniform(0.8, 1.6), 4)
                spot = f',"spot":{round(on_demand * rng.uniform(0.2, 0.9), 4)}' if rng.random() < 0.5 else ""
                out.write(("," if n else "") + f'{{"id":"machine-{n:07}","card":"{card}","gpus":{gpus},"vcpus":{vcpus},'
                          f'"ram_gb":{ram},"region":"{rng.choice(REGIONS)}","zone":"zone-{rng.randint(1, 4)}","price":{{"on_demand":{on_demand}{spot}}}}}\n')
            out.write("]}\n")
        out.write("]}\n")


PYTHON = """
import heapq, json, sys
catalog = json.load(open(sys.argv[1]))
best = heapq.nsmallest(10, ((o["price"]["on_demand"] / o.get("gpus", 1), p["id"], o["id"])
                            for p in catalog["platforms"] for o in p["offers"]))
print(best[0])
"""


def best_of(command, runs=3):
    """Seconds and peak memory (MB) of the fastest run."""
    best = None
    for _ in range(runs):
        begin = time.monotonic()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.monotonic() - begin
        if status != 0:
            sys.exit(f"failed: {' '.join(command)}")
        if best is None or seconds < best[0]:
            best = (seconds, usage.ru_maxrss / 1000, usage.ru_utime + usage.ru_stime)
    return best


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program = sys.argv[1]
    sizes = [int(size) for size in sys.argv[2:]] or [170_000, 1_000_000]
    times = []
    with tempfile.TemporaryDirectory() as folder:
        for size in sizes:
            path = os.path.join(folder, "catalog.json")
            write_catalog(path, size)
            ours = best_of([program, "compare", path, "-q"])
            python = best_of([sys.executable, "-c", PYTHON, path])
            times.append(ours[0])
            print(f"{size:>9} offers, {os.path.getsize(path) / 1e6:6.1f} MB: gpuplan {ours[0]:6.3f} s "
                  f"({ours[2]:.3f} s of processor) {ours[1]:5.0f} MB, Python {python[0]:6.3f} s "
                  f"({python[2]:.3f} s) {python[1]:5.0f} MB, ratio {ours[0] / python[0]:.3f} (of processor time "
                  f"{ours[2] / python[2]:.3f})")
    for at in range(1, len(sizes)):
        print(f"{sizes[at] / sizes[0]:.2f} times the offers take {times[at] / times[0]:.2f} times as long")


if __name__ == "__main__":
    main()
