#!/usr/bin/env bash
# Two binaries side by side in one run: the CPU seconds that each engine takes for all examples and for the programs of its benchmark.
# Usage: bench/compare.sh OLD NEW [SECONDS PER PROGRAM]
set -euo pipefail
cd "$(dirname "$0")/.."
old=$1 new=$2 limit=${3:-10}

# CPU seconds of one run; programs that end at the limit count with it on both sides.
seconds() {
    local TIMEFORMAT='%U'
    { time "$1" check --engine "$2" --timeout "$limit" "$3" > /dev/null 2>&1 || true; } 2>&1
}

printf '%-14s %-28s %9s %9s %7s\n' engine programs old new new/old
row() {
    local engine=$1 title=$2 a=0 b=0
    shift 2
    for file in "$@"; do
        a=$(echo "$a + $(seconds "$old" "$engine" "$file")" | bc)
        b=$(echo "$b + $(seconds "$new" "$engine" "$file")" | bc)
    done
    printf '%-14s %-28s %9.2f %9.2f %7.2f\n' "$engine" "$title" "$a" "$b" "$(echo "scale=3; $b / ($a + 0.001)" | bc)"
}
row explicit "examples ($(ls examples/*.c | wc -l))" examples/*.c
row interference "examples ($(ls examples/*.c | wc -l))" examples/*.c
row cartesian "bench/cartesian ($(ls bench/cartesian/*.c | wc -l))" bench/cartesian/*.c
