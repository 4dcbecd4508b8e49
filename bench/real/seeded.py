#!/usr/bin/env python3
"""Seeded bugs: in programs of manifest.json one pair of lock and unlock is taken away, or one access is moved out of its
section, and the changed program is checked as the unchanged one is.

usage: bench/real/seeded.py [--selvedge BINARY] [--cache DIR] [--timeout SECONDS] [NAME...]

seeded.json says what is changed: of which program, in which file, in the function that a line matching "within" begins
(up to the next line that is a closing brace), which lines are deleted ("delete"), or what is put in the place of a
pattern ("replace"). A bug counts as found if a violation with a schedule has a place in that function or in one of the
file that it calls, and the unchanged program has none with these two places.
"""
import argparse
import json
import re
import shutil
import tempfile
from pathlib import Path

from run import HERE, checked, fetched


def changed(lines, seed):
    """The lines after the change, and the numbers of the first and the last line of the function."""
    most = 0
    for first in (i for i, line in enumerate(lines) if re.search(seed["within"], line)):
        last = next((i for i in range(first, len(lines)) if lines[i].startswith("}")), first)
        result, touched = list(lines), 0
        for i in range(first, last):
            if "delete" in seed and re.search(seed["delete"], lines[i]):
                result[i] = "\n"
                touched += 1
            if "replace" in seed:
                result[i], count = re.subn(*seed["replace"], lines[i])
                touched += count
        if touched >= seed["changes"]:
            return result, first + 1, last + 1
        most = max(most, touched)
    raise SystemExit(f"{seed['program']}: {most} of {seed['changes']} places to change are there")


def concerned(lines, first, last):
    """The lines of a function and of those that it calls, as ranges: a definition begins at the left margin with a name
    and a parenthesis, and ends with the next closing brace there."""
    functions = {}
    for begin, line in enumerate(lines, 1):
        name = re.match(r"[A-Za-z_][^=;]*?(\w+)\s*\([^;]*$", line)
        if name:
            end = next((i for i in range(begin, len(lines)) if lines[i].startswith("}")), None)
            if end is not None and not any(text.rstrip().endswith(");") for text in lines[begin - 1:begin]):
                functions.setdefault(name[1], (begin, end + 1))
    ranges, pending = set(), [(first, last)]
    while pending:
        begin, end = pending.pop()
        if (begin, end) not in ranges:
            ranges.add((begin, end))
            called = set(re.findall(r"(\w+)\s*\(", "".join(lines[begin:end])))
            pending.extend(functions[name] for name in sorted(called & functions.keys()))
    return ranges


def within(report, file, ranges):
    """The violations that have a place in some lines: their places, who found them, and the lengths of their schedules."""
    found = {}
    for check in report.get("checks", []):
        for marks in [check.get("marks", []), *check.get("further", [])]:
            places = [mark["location"] for mark in marks if mark.get("location")]
            there = [place for place in places if place["file"].endswith(file)]
            if check["verdict"] == "unsafe" and any(a <= place["line"] <= b for place in there for a, b in ranges):
                key = tuple(sorted((place["file"], place["line"], place["column"]) for place in places))
                found.setdefault((check["property"], key), (check["engine"], len(check.get("trace", []))))
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--selvedge", default="target/release/selvedge")
    parser.add_argument("--cache", default="target/real-programs")
    parser.add_argument("--timeout", type=int, default=60)
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    binary = str(Path(given.selvedge).resolve())
    programs = {entry["name"]: entry for entry in json.loads((HERE / "manifest.json").read_text())}
    print("| program | changed | found | by | steps | s |")
    print("|---|---|---|---|---|---|")
    hits = total = 0
    for seed in json.loads((HERE / "seeded.json").read_text()):
        if given.names and not any(name in seed["program"] for name in given.names):
            continue
        entry = programs[seed["program"]]
        source = fetched(entry, Path(given.cache))
        entry = {**entry, "flags": seed.get("flags", entry["flags"])}
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "program"
            shutil.copytree(source, copy, ignore=shutil.ignore_patterns(".git"))
            path = copy / seed["file"]
            text = path.read_text(errors="surrogateescape").splitlines(keepends=True)
            before, _, _ = checked(entry, copy, binary, given.timeout)
            lines, first, last = changed(text, seed)
            path.write_text("".join(lines), errors="surrogateescape")
            report, seconds, _ = checked(entry, copy, binary, given.timeout)
        name = Path(seed["file"]).name
        ranges = concerned(lines, first, last)
        found, known = within(report, name, ranges), within(before, name, ranges)
        new = [found[key] for key in found if key not in known]
        hits, total = hits + bool(new), total + 1
        word = "yes" if new else "before, too" if found else "no"
        engine, steps = new[0] if new else ("", "")
        print(f"| {seed['program']} | {seed['what']} | {word} | {engine} | {steps} | {seconds:.1f} |", flush=True)
    print(f"\nFound: {hits} of {total}.")


if __name__ == "__main__":
    main()
