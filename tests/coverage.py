#!/usr/bin/env python3
"""Sums up what gcov counted: coverage.py BUILD LEAST_PERCENT [--lines]; see coverage.sh."""
import collections
import json
import pathlib
import subprocess
import sys

WANTED = ("core", "billing", "rank", "catalog", "memory", "speed")
ROOT = pathlib.Path(__file__).resolve().parents[1]


def documents(build):
    """What gcov says of each object that ran."""
    data = sorted(str(path) for path in pathlib.Path(build, "src").rglob("*.gcda"))
    for at in range(0, len(data), 50):
        out = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", *data[at:at + 50]],
                             capture_output=True, check=True, text=True, cwd=build).stdout
        for line in out.splitlines():
            yield json.loads(line)


def module_of(name, build):
    path = pathlib.Path(build, name).resolve()
    if not path.is_relative_to(ROOT):
        return None, None
    parts = path.relative_to(ROOT).parts
    if parts[0] == "src" and len(parts) > 2:
        return parts[1], path.relative_to(ROOT)
    return ("include", path.relative_to(ROOT)) if parts[0] == "include" else (None, None)


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    build, least = pathlib.Path(sys.argv[1]).resolve(), float(sys.argv[2])
    lines = collections.defaultdict(lambda: collections.defaultdict(int))  # file -> line -> count
    branches = collections.defaultdict(dict)  # file -> (line, index) -> taken
    modules = {}
    for document in documents(build):
        for entry in document["files"]:
            module, path = module_of(entry["file"], build)
            if module is None:
                continue
            modules[path] = module
            for line in entry["lines"]:
                number = line["line_number"]
                lines[path][number] += line["count"]
                # What an exception might do is no branch that anyone wrote.
                own = [branch for branch in line["branches"] if not branch["throw"]]
                for index, branch in enumerate(own):
                    key = (number, index)
                    branches[path][key] = branches[path].get(key, 0) + branch["count"]
    total = collections.defaultdict(lambda: [0, 0, 0, 0])
    for path, module in modules.items():
        row = total[module]
        row[0] += sum(count > 0 for count in lines[path].values())
        row[1] += len(lines[path])
        row[2] += sum(count > 0 for count in branches[path].values())
        row[3] += len(branches[path])
    print(f"{'module':10} {'lines':>14} {'branches':>16}")
    failed = []
    for module in sorted(total):
        ran, all_lines, taken, all_branches = total[module]
        percent = 100 * ran / max(all_lines, 1)
        print(f"{module:10} {ran:6}/{all_lines:<6}{percent:5.1f} % {taken:6}/{all_branches:<6}{100 * taken / max(all_branches, 1):5.1f} %")
        if module in WANTED and percent < least:
            failed.append(module)
    if "--lines" in sys.argv:
        for path in sorted(lines):
            missed = sorted(number for number, count in lines[path].items() if count == 0)
            if missed:
                print(f"{path}: {', '.join(map(str, missed))}")
    if failed:
        sys.exit(f"less than {least:g} % of the lines: {', '.join(failed)}")


if __name__ == "__main__":
    main()
