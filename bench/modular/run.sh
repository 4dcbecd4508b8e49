#!/usr/bin/env bash
# The engine `modular` alone on the benchmarks of paper 000's Table 2 in our own words, beside the paper's figures, and on all programs of
# tests/programs/modular that it is to prove. Usage: bench/modular/run.sh [SELVEDGE]
set -euo pipefail
cd "$(dirname "$0")/../.."
selvedge=${1:-target/release/selvedge}
[ -x "$selvedge" ] || cargo build --release --quiet

# What the engine says of a program, and its figures: verdict, iterations, predicates, queries, seconds.
figures() {
    "$selvedge" check --engine modular --timeout 120 "${@:2}" --statistics "$1" 2> /dev/null |
        awk '/^(safe|unsafe|unknown|bounded)/ { verdict = $1; sub(":", "", verdict) }
             /^modular:/ { for (i = 2; i <= NF; i++) { if ($i ~ /outer/) outer = $(i - 1); if ($i ~ /predicates/) predicates = $(i - 1)
                           if ($i ~ /queries/) queries = $(i - 1); if ($i == "s") seconds = $(i - 1) } }
             END { printf "%s %s %s %s %s\n", verdict, outer, predicates, queries, seconds }'
}

printf '%-26s %-8s %6s %11s %8s %8s %14s\n' program verdict outer predicates queries seconds "paper's queries"
print_row() {
    read -r verdict outer predicates queries seconds < <(figures "$2" "${@:4}")
    printf '%-26s %-8s %6s %11s %8s %8s %14s\n' "$1" "$verdict" "$outer" "$predicates" "$queries" "$seconds" "$3"
}
row() {
    print_row "$1" "tests/programs/modular/$1.c" "$2" --property race --property assertion
}
# The paper's drivers were checked for races alone.
driver() {
    print_row "$1" "bench/modular/drivers/$1.c" "$2" --property race
}
row simple 693
row simple_bug 466
row producer_consumer 4349
row producer_consumer_bug 331
row time_varying 11219
row time_varying_bug 190
driver radio 227735
driver packet 4336
for file in tests/programs/modular/*.c; do
    name=$(basename "$file" .c)
    case $name in
    *_bug | simple | producer_consumer | time_varying) ;;
    # What is known not to be decided would only take its time.
    *) head -n 1 "$file" | grep -q 'safe?' || row "$name" - ;;
    esac
done
