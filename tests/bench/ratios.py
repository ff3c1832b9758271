#!/usr/bin/env python3
"""What gpuplan takes beside Python and jq, whole processes, all in one run: ratios.py BUILD [PART...]

BUILD is a release build, such as build/release. Parts: start, catalogs, rates; all without any.
Every command of a comparison runs in turn, so that a machine whose speed drifts treats all alike; of
each the fastest of several runs counts. The question to all over a catalog is the same: the ten
lowest prices of one card an hour. gpuplan does more for it: it reads strictly, sizes the job on every
card and makes whole bills.

GPUPLAN_SKYPILOT_CATALOGS names a folder with SkyPilot's aws.csv, azure.csv and so on; without it that
row is left out. GPUPLAN_BENCH_OFFERS="170000 1000000" are the sizes of the made catalogs.
"""
import importlib.util
import json
import math
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from catalogs import write_catalog  # noqa: E402

JOB = ["--model", "7b", "--mode", "lora", "-q"]

PYTHON_JSON = """
import heapq, json, sys
catalog = json.load(open(sys.argv[1]))
rows = ((o["price"]["on_demand"] / o.get("gpus", 1), p["id"], o.get("id", ""))
        for p in catalog["platforms"] for o in p.get("offers", []) if "on_demand" in (o.get("price") or {}))
for row in heapq.nsmallest(10, ((float(price), a, b) for price, a, b in rows)):
    print(*row)
"""
PYTHON_CSV = """
import csv, heapq, sys
def rows():
    for path in sys.argv[1:]:
        for row in csv.DictReader(open(path, newline="", encoding="utf-8")):
            if row["AcceleratorName"] and row["AcceleratorCount"] and row["Price"]:
                yield float(row["Price"]) / float(row["AcceleratorCount"]), row["InstanceType"], row["Region"]
for row in heapq.nsmallest(10, rows()):
    print(*row)
"""
JQ = ('[.platforms[] | .id as $p | .offers[]? | select(.price.on_demand) | '
      '[((.price.on_demand | tonumber) / (.gpus // 1)), $p, .id]] | sort | .[:10]')


def measure(commands, rounds):
    """The fastest run of each, and its peak of memory: {name: (seconds, MB, seconds of processor)}."""
    best = {}
    for _ in range(rounds):
        for name, command in commands.items():
            begin = time.monotonic()
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            _, status, usage = os.wait4(process.pid, 0)
            took = time.monotonic() - begin
            if status != 0:
                sys.exit(f"failed ({status}): {' '.join(command)}")
            row = (took, usage.ru_maxrss / 1000, usage.ru_utime + usage.ru_stime)
            best[name] = min(best.get(name, row), row)
    return best


def size(memory):
    """What a process holds before it becomes the program is this one's: less cannot be seen."""
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    return f"{memory:5.0f} MB" if memory > own + 1 else f"< {own:3.0f} MB"


def show(best, own="gpuplan"):
    for name, (took, memory, busy) in best.items():
        ratio = "" if name == own else f", gpuplan is {took / best[own][0]:.2f} times as fast"
        print(f"  {name:22} {took * 1e3:9.1f} ms ({busy * 1e3:9.1f} of processor) {size(memory)}{ratio}")


def start(program, config):
    print("Start (a row less /bin/true is what gpuplan adds)")
    best = measure({"/bin/true": ["/bin/true"], "gpuplan": [program, "--version"],
                    "estimate by name": [program, "estimate", *JOB],
                    "estimate config.json": [program, "estimate", "--model", config, "--mode", "lora", "-q"],
                    "compare, built in": [program, "compare", *JOB],
                    "Python, nothing": [sys.executable, "-c", ""]}, 40)
    base = best["/bin/true"][0]
    for name, (took, memory, _) in best.items():
        print(f"  {name:22} {took * 1e3:9.2f} ms {(took - base) * 1e3:+9.2f} {size(memory)}")


def others(path):
    commands = {"Python json, heapq": [sys.executable, "-c", PYTHON_JSON, path]}
    if shutil.which("jq"):
        commands["jq"] = ["jq", "-c", JQ, path]
    return commands


def one_catalog(program, title, path, more, rounds):
    print(f"{title} ({os.path.getsize(path) / 1e6:.1f} MB)")
    best = measure({"gpuplan": [program, "compare", path, *JOB], **others(path), **more}, rounds)
    show(best)
    return best["gpuplan"]


def exponent(small, large, offers):
    return math.log(large / small) / math.log(offers)


def catalogs(program, folder):
    if not shutil.which("jq"):
        print("jq is not installed: not measured")
    for name in ("sky", "gpuhunt"):
        if importlib.util.find_spec(name) is None:
            print(f"{name} is not installed for {sys.executable}: not measured")
        else:
            print(f"{name} is installed: its own query needs its own copy of the catalog, which is not this file; see README.md")
    root = pathlib.Path(__file__).resolve().parents[2]
    one_catalog(program, "Built-in catalog", str(root / "data/catalog.json"), {}, 15)
    sky = os.environ.get("GPUPLAN_SKYPILOT_CATALOGS")
    if sky:
        files = sorted(str(path) for path in pathlib.Path(sky).glob("*.csv"))
        path = os.path.join(folder, "skypilot.json")
        subprocess.run([program, "catalog", "import", "--from", "skypilot", *files, "-o", path], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        one_catalog(program, "SkyPilot's catalogs, imported", path,
                    {"Python csv, heapq": [sys.executable, "-c", PYTHON_CSV, *files]}, 5)
    else:
        print("GPUPLAN_SKYPILOT_CATALOGS is not set: SkyPilot's catalogs are not measured")
    sizes = [int(text) for text in os.environ.get("GPUPLAN_BENCH_OFFERS", "170000 1000000").split()]
    rows = []
    for offers in sizes:
        path = os.path.join(folder, "made.json")
        write_catalog(path, offers)
        rows.append(one_catalog(program, f"{offers:,} offers", path, {}, 3))
    for at in range(1, len(sizes)):
        factor = sizes[at] / sizes[0]
        print(f"From {sizes[0]:,} to {sizes[at]:,} offers: time grows as n^{exponent(rows[0][0], rows[at][0], factor):.2f}, "
              f"memory as n^{exponent(rows[0][1], rows[at][1], factor):.2f}")


def rates(build):
    print("Rates, one core")
    for name in ("bills_bench", "spot_bench"):
        out = subprocess.run([os.path.join(build, "tests/bench", name)], check=True, capture_output=True, text=True).stdout
        for line in out.splitlines():
            row = json.loads(line)
            rate = row.get("bills_per_second") or row.get("runs_per_second")
            if rate:
                kind = "bills" if "bills_per_second" in row else f"runs, {row['threads']} threads"
                print(f"  {row['name']:45} {rate:12,.0f} {kind} a second")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    build, parts = sys.argv[1], sys.argv[2:] or ["start", "catalogs", "rates"]
    program = os.path.abspath(os.path.join(build, "gpuplan"))
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        if "start" in parts:
            config = os.path.join(folder, "config.json")
            pathlib.Path(config).write_text(json.dumps({
                "model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "num_key_value_heads": 8,
                "num_hidden_layers": 32, "intermediate_size": 14336, "vocab_size": 128256}))
            start(program, config)
        if "catalogs" in parts:
            catalogs(program, folder)
        if "rates" in parts:
            rates(build)


if __name__ == "__main__":
    main()
