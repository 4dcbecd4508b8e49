#!/usr/bin/env bash
# The engine `symmetric` alone on our versions of the 24 programs of paper 004's Table 1, beside the paper's figures; and how its cost grows
# with a given number of threads. Usage: [TIME=SECONDS] bench/symmetric/run.sh [SELVEDGE]
set -euo pipefail
cd "$(dirname "$0")/../.."
selvedge=${1:-target/release/selvedge}
[ -x "$selvedge" ] || cargo build --release --quiet -p selvedge

# The verdict and the figures of the engine on a program: predicates (local, mixed, shared), iterations, levels, most threads of
# a configuration, seconds (preparing, searching, refining, looking for schedules, all).
figures() {
    "$selvedge" check --engine symmetric --timeout "${TIME:-60}" --property assertion --json "$@" 2> /dev/null | python3 -c '
import json, sys
report = json.load(sys.stdin)
figures = report["statistics"]["engines"]["symmetric"]
names = ["local", "mixed", "shared", "iterations", "levels", "threads"]
times = ["preparing_seconds", "searching_seconds", "refining_seconds", "simulating_seconds", "seconds"]
print(report["verdict"], *(figures[name] for name in names), *("%.2f" % figures[name] for name in times))'
}

format='%-15s %-7s %3s %3s %3s %4s %4s %3s %6s %6s %6s %6s %7s | %2s %3s %3s %3s %4s %4s %6s\n'
printf "%85s | the paper, fastest of c0, c1, c2\n" ""
# shellcheck disable=SC2059
printf "$format" program verdict L M S It. lev. k prep. search refine sched. seconds n L M S It. T.r. seconds
row() {
    # shellcheck disable=SC2059,SC2046
    printf "$format" "$1" $(figures "tests/programs/symmetric/$1.c") "${@:2}"
}
row inc_lock 4 2 2 5 7 12 1
row inc_cas 4 4 2 0 6 9 2
row inc_dec_lock 4 4 3 9 10 17 10
row inc_dec_cas 4 8 4 2 24 108 908
row test_and_set 4 1 1 4 2 0 1
row ticket 3 2 5 9 9 44 15
row random_lock 4 8 0 3 3 0 '<1'
row random_cas 3 15 1 2 15 60 834
row max_lock 4 6 7 2 3 2 8
row max_cas 4 2 4 0 13 45 1515
row max_local_lock 4 2 1 2 2 0 5
row max_local_cas 4 3 4 0 11 45 1460
row mixed 4 0 3 5 3 0 2
row spin 4 0 0 3 2 0 '<1'
row dekker 2 0 0 5 2 0 '<1'
row peterson 2 0 0 6 2 0 '<1'
row szymanski 2 0 0 7 2 0 '<1'
row readers_writer 2 0 0 7 3 0 '<1'
row time_varying 2 0 0 7 2 0 '<1'
row lamport 2 0 0 11 5 3 '<1'
row qrcu_2 2 10 2 13 11 40 6
row qrcu_3 3 10 2 13 11 40 6
row created 2 0 0 5 3 0 '<1'
row scull 3 9 0 5 6 6 1

echo
echo "The same for a given number of threads: questions to the solver and seconds"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '%-12s' threads
numbers=(2 4 8 16 32 64)
printf '%16s' "${numbers[@]}" any
echo
for name in inc_cas max_lock test_and_set; do
    printf '%-12s' "$name"
    for n in "${numbers[@]}" any; do
        file=$work/$name.$n.c
        if [ "$n" = any ]; then
            cp "tests/programs/symmetric/$name.c" "$file"
        else
            sed "/^int main/,\$ s/for (;;)/for (int i = 0; i < $n; i++)/" "tests/programs/symmetric/$name.c" > "$file"
        fi
        cell=$("$selvedge" check --engine symmetric --timeout "${TIME:-60}" --property assertion --json "$file" 2> /dev/null | python3 -c '
import json, sys
report = json.load(sys.stdin)
figures = report["statistics"]["engines"]["symmetric"]
print("%d/%.2f" % (figures["prover_queries"], figures["seconds"]) if report["verdict"] == "safe" else report["verdict"])')
        printf '%16s' "$cell"
    done
    echo
done
