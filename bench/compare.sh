#!/usr/bin/env bash
# Two binaries side by side in one run: the CPU seconds that the front end and each engine take for all examples and for the programs
# of its benchmark. Old and new take turns; a program that takes less than a second is run three times, and the least counts.
# Prints the table of bench/README.md.
# Usage: bench/compare.sh OLD NEW [SECONDS PER PROGRAM]
set -euo pipefail
cd "$(dirname "$0")/.."
old=$1 new=$2 limit=${3:-10}

# CPU seconds of one run; a program that ends at the limit counts with what it took until then, on both sides.
seconds() {
    local TIMEFORMAT='%U'
    { time "$@" > /dev/null 2>&1 || true; } 2>&1
}

least() { awk -v a="$1" -v b="$2" 'BEGIN { print a < b ? a : b }'; }

# The arguments that the title's programs are run with, one line each, come from the standard input.
row() {
    local title=$1 sum_old=0 sum_new=0 count=0 a b line
    while read -r line; do
        count=$((count + 1))
        # shellcheck disable=SC2086
        a=$(seconds "$old" $line) b=$(seconds "$new" $line)
        for _ in 2 3; do
            if awk -v a="$a" -v b="$b" 'BEGIN { exit !(a < 1 && b < 1) }'; then
                # shellcheck disable=SC2086
                a=$(least "$a" "$(seconds "$old" $line)") b=$(least "$b" "$(seconds "$new" $line)")
            fi
        done
        sum_old=$(echo "$sum_old + $a" | bc) sum_new=$(echo "$sum_new + $b" | bc)
    done
    awk -v title="$title" -v count="$count" -v a="$sum_old" -v b="$sum_new" \
        'BEGIN { printf "| %s | %d | %.2f | %.2f | %.2f |\n", title, count, a, b, b / (a + 0.001) }'
}

# One line per file, after some words.
each() {
    local words=$1
    shift
    printf "$words %s\n" "$@"
}

check="check --timeout $limit --engine"
echo "| what | runs | old | new | new/old |"
echo "|---|---|---|---|---|"
each "dump --program -DN=3 -DK=2" examples/*.c bench/*/*.c | row "front end: examples and programs of the benchmarks"
each "$check explicit" examples/*.c | row "explicit: examples"
{
    for n in 5 6 7 8; do
        echo "$check explicit -DN=$n bench/explicit/lock.c"
        echo "$check explicit -DN=$((n - 2)) bench/explicit/bluetooth.c"
        echo "$check explicit -DN=$n --exclusive critical1 bench/cartesian/sections.c"
    done
} | row "explicit: bench/explicit, and sections.c"
each "$check interference" examples/*.c | row "interference: examples"
{ each "$check interference -DN=3 -DK=2" bench/interference/*.c; each "$check interference -DBUG -DN=3 -DK=2" bench/interference/*.c; } | row "interference: bench/interference"
{
    echo "$check cartesian --exclusive D bench/cartesian/peterson.c"
    each "$check cartesian --exclusive critical" bench/cartesian/{dekker,szymanski,bakery,owned}.c
    echo "$check cartesian bench/cartesian/readers_writers.c"
    each "$check cartesian --exclusive critical1" "-DM=5 bench/cartesian/sections.c" "bench/cartesian/sections.c"
} | row "cartesian: bench/cartesian"

# Since then an exploration is made again before it counts, which the rows above contain; this is what the engine itself took, by its own clock.
own() {
    local json
    json=$("$@" --json 2> /dev/null || true)
    python3 -c 'import json, sys; print(json.load(sys.stdin)["statistics"]["engines"]["explicit"]["seconds"])' <<< "$json"
}
sum_old=0 sum_new=0 count=0
for n in 5 6 7 8; do
    for line in "-DN=$n bench/explicit/lock.c" "-DN=$((n - 2)) bench/explicit/bluetooth.c" \
        "-DN=$n --exclusive critical1 bench/cartesian/sections.c"; do
        a=9 b=9 count=$((count + 1))
        for _ in 1 2 3 4 5; do
            # shellcheck disable=SC2086
            a=$(least "$a" "$(own "$old" $check explicit $line)") b=$(least "$b" "$(own "$new" $check explicit $line)")
        done
        sum_old=$(echo "$sum_old + $a" | bc) sum_new=$(echo "$sum_new + $b" | bc)
    done
done
awk -v count="$count" -v a="$sum_old" -v b="$sum_new" 'BEGIN {
    printf "| explicit: bench/explicit, and sections.c, the engine alone | %d | %.3f | %.3f | %.2f |\n", count, a, b, b / a }'
