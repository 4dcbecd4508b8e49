#!/usr/bin/env bash
# The table of paper 003, Section 4.1: the composition of one thread that unloads the Bluetooth driver and n workers, n = 1 to
# 11, by SPIN on the model that `selvedge compose --promela` writes and by `selvedge compose` itself, one after the other; then
# rows for any number of threads. Needs spin and gcc, and the binary that `cargo build --release` makes.
# Usage: bench/contracts/run.sh [LARGEST_N] [SECONDS]
set -euo pipefail
cd "$(dirname "$0")/../.."
largest=${1:-11}
limit=${2:-60}
selvedge=$PWD/target/release/selvedge
spec=$PWD/examples/contracts/bluetooth.threads
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The paper's seconds: SPIN on the concrete program and on the abstract one.
concrete=(0 0 0 0.0225 0.1833 1.56 19.26 158.66 n/a n/a n/a)
abstract=(0 0 0 0 0.018 0.12 0.314 1.246 5.812 39.04 190.6)

# Runs a command and leaves what it says in $said and the seconds it took in $took.
measured() {
    local before after
    before=$(date +%s.%N)
    said=$("$@" 2>&1) || true
    after=$(date +%s.%N)
    took=$(awk -v a="$before" -v b="$after" 'BEGIN { printf "%.2f", b - a }')
}

# The last verdict in $said, in one word.
verdict() { grep -oE "^(safe on trust|safe|unsafe|bounded|unknown)" <<< "$said" | tail -1; }

# How many states the engine explicit has seen, in $said.
states() { sed -nE 's/^explicit: ([0-9]+) states.*/\1/p' <<< "$said"; }

echo "| n | paper, concrete | paper, abstract | SPIN: states | SPIN: s | Selvedge: verdict | explicit alone: states | explicit alone: s | portfolio: s |"
echo "|---|---|---|---|---|---|---|---|---|"
for n in $(seq 1 "$largest"); do
    "$selvedge" compose --threads "$n" --promela "$work/model.pml" "$spec"
    (cd "$work" && spin -a model.pml > spin.log && gcc -O2 -DSAFETY -DMEMLIM=2048 -o pan pan.c)
    measured timeout "$limit" "$work/pan" -m1000000
    spin_states=$(sed -nE 's/^ *([0-9.e+]+) states, stored.*/\1/p' <<< "$said")
    grep -q "errors: 0" <<< "$said" || spin_states="no answer"
    spin_took=$took
    measured "$selvedge" compose --timeout "$limit" --statistics --engine explicit --threads "$n" "$spec"
    explicit="$(states) | $took"
    measured "$selvedge" compose --timeout "$limit" --threads "$n" "$spec"
    echo "| $n | ${concrete[n - 1]} | ${abstract[n - 1]} | $spin_states | $spin_took | $(verdict) | $explicit | $took |"
done
echo
echo "| any number of threads | asked | Selvedge | s |"
echo "|---|---|---|---|"
measured "$selvedge" compose --timeout "$limit" --threads any "$spec"
echo "| bluetooth.threads | assertions, deadlock | $(verdict) | $took |"
battery=$PWD/examples/contracts/battery.threads
measured "$selvedge" compose --timeout "$limit" --property assertion "$battery"
echo "| battery.threads | assertions | $(verdict) | $took |"
account=$PWD/examples/contracts/account.threads
measured "$selvedge" compose --timeout "$limit" --property assertion "$account"
echo "| account.threads | assertions | $(verdict) | $took |"
measured "$selvedge" compose --timeout "$limit" "$account"
echo "| account.threads | assertions, deadlock | $(verdict) | $took |"
