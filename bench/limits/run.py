#!/usr/bin/env python3
"""Every engine alone and the portfolio on programs that are too large for them: how far over the limits they go, worst first.

    cargo build --release && bench/limits/run.py [--timeout 5] [--memory 1024] [NAME…]
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
BINARY = HERE.parent.parent / "target" / "release" / "selvedge"
ENGINES = ["explicit", "interference", "cartesian", "modular", "all"]


def run(program, engine, timeout, memory):
    """The time and the most memory that a run took, its exit status and the last line that it said."""
    command = [str(BINARY), "check", "--quiet", "--timeout", str(timeout), "--memory", str(memory)]
    command += [] if engine == "all" else ["--engine", engine]
    with tempfile.TemporaryFile() as said:
        begin = time.monotonic()
        child = subprocess.Popen(command + [str(program)], stdout=said, stderr=said)
        deadline = begin + 6 * timeout + 30
        pid = 0
        while pid == 0:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid == 0 and time.monotonic() > deadline:
                child.kill()
                _, status, usage = os.wait4(child.pid, 0)
                break
            time.sleep(0.005)
        seconds = time.monotonic() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        lines = said.read().decode(errors="replace").splitlines()
    complaints = [line for line in lines if "internal error" in line]
    return seconds, usage.ru_maxrss / 1024, child.returncode, (complaints or lines or [""])[-1]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--timeout", type=int, default=5)
    parser.add_argument("--memory", type=int, default=1024)
    parser.add_argument("names", nargs="*")
    asked = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, HERE / "programs.py", folder], check=True, stdout=subprocess.DEVNULL)
        programs = sorted(pathlib.Path(folder).glob("*.c"))
        for program in programs:
            if asked.names and program.stem not in asked.names:
                continue
            for engine in ENGINES:
                seconds, mebibytes, status, word = run(program, engine, asked.timeout, asked.memory)
                late, more = seconds - asked.timeout, mebibytes / asked.memory - 1
                worst = max(late, 5 * more)
                rows.append((worst, program.stem, engine, seconds, late, mebibytes, more, status, word))
                print(f"{program.stem} {engine}: {seconds:.2f} s, {mebibytes:.0f} MiB, {status} {word}", file=sys.stderr)
    rows.sort(key=lambda row: -row[0])
    over = [row for row in rows if row[4] > 1 or row[6] > 0.2]
    print(f"{len(rows)} runs with --timeout {asked.timeout} --memory {asked.memory}; {len(over)} more than a second or 20% over")
    print()
    print("| program | engine | seconds | over | MiB | over | exit status |")
    print("|---|---|---|---|---|---|---|")
    for _, name, engine, seconds, late, mebibytes, more, status, _ in rows:
        print(f"| {name} | {engine} | {seconds:.2f} | {max(late, 0):.2f} s | {mebibytes:.0f} | {max(more, 0):.0%} | {status} |")


main()
