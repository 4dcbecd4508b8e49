#!/usr/bin/env python3
"""Real programs: fetches what manifest.json names at its commits, checks each as a user would, and prints a table.

usage: bench/real/run.py [--selvedge BINARY] [--cache DIR] [--timeout SECONDS] [--reports DIR] [NAME...]

What is fetched stays in the cache (./target/real-programs unless --cache says otherwise) and is never committed. A folder
in the cache that is named as the repository (owner+name) is used as it is, so that no network is needed where one is there.
"""
import argparse
import json
import os
import subprocess
import time
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent


def fetched(entry, cache):
    """The folder with the program's files."""
    folder = cache / "+".join(entry["repository"].rstrip("/").split("/")[-2:])
    if not folder.exists():
        git = ["git", "-C", str(folder)]
        folder.mkdir(parents=True)
        subprocess.run([*git, "init", "--quiet"], check=True)
        subprocess.run([*git, "fetch", "--quiet", "--depth", "1", entry["repository"], entry["commit"]], check=True)
        subprocess.run([*git, "checkout", "--quiet", "FETCH_HEAD"], check=True)
    return folder


def checked(entry, folder, binary, timeout):
    """The report, the seconds and the memory in MiB of one check."""
    command = [binary, "check", "--json", "--timeout", str(timeout), *entry["flags"], *entry["files"]]
    start = time.monotonic()
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        output = process.stdout.read()
        _, _, usage = os.wait4(process.pid, 0)
    seconds = time.monotonic() - start
    try:
        report = json.loads(output)
    except ValueError:
        report = {}
    return report, seconds, usage.ru_maxrss / 1024


def row(entry, report, seconds, memory):
    """A line of the table."""
    checks = report.get("checks")
    if checks is None:
        return f"| {entry['name']} | no answer | | | | | {seconds:.1f} | {memory:.0f} |", Counter()
    words = Counter(check["verdict"] for check in checks)
    objects = Counter(check["verdict"] for check in checks if check["property"] == "race")
    open_checks = words["unknown"] + words["bounded"]
    decided = objects["safe"] + objects["unsafe"]
    fields = Counter(field["verdict"] for check in checks for field in check.get("fields", []))
    by_field = fields["safe"] + fields["unsafe"]
    shared = f"{decided} of {sum(objects.values())}"
    of_fields = f"{by_field} of {sum(fields.values())}"
    counts = f"{words['safe']} | {words['unsafe']} | {open_checks} | {shared} | {of_fields}"
    line = f"| {entry['name']} | {counts} | {seconds:.1f} | {memory:.0f} |"
    counted = Counter(decided=decided, shared=sum(objects.values()), by_field=by_field, fields=sum(fields.values()))
    return line, counted


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--selvedge", default="target/release/selvedge")
    parser.add_argument("--cache", default="target/real-programs")
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("--reports", type=Path, help="a folder for the reports in JSON")
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    binary = str(Path(given.selvedge).resolve())
    total = Counter()
    print("| program | proved | violated | undecided | shared objects decided | fields of the others | s | MiB |")
    print("|---|---|---|---|---|---|---|---|")
    for entry in json.loads((HERE / "manifest.json").read_text()):
        if given.names and not any(name in entry["name"] for name in given.names):
            continue
        folder = fetched(entry, Path(given.cache))
        report, seconds, memory = checked(entry, folder, binary, given.timeout)
        if given.reports:
            given.reports.mkdir(parents=True, exist_ok=True)
            (given.reports / f"{entry['name']}.json").write_text(json.dumps(report, indent=1))
        line, counted = row(entry, report, seconds, memory)
        total.update(counted)
        print(line, flush=True)
    objects, fields = f"{total['decided']} of {total['shared']}", f"{total['by_field']} of {total['fields']}"
    print(f"\nShared objects decided over all: {objects}; fields of structs that are not safe as a whole: {fields}.")


if __name__ == "__main__":
    main()
