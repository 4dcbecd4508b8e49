#!/usr/bin/env bash
# Lines of the sources (crates/*/src) at two commits: by crate, then each part that is new since the first, and the sum without these.
# What was only moved or renamed is on both sides. Prints the table of bench/README.md.
# Usage: bench/lines.sh OLD [NEW]     commits; without NEW the last one
set -euo pipefail
cd "$(dirname "$0")/.."
old=$1 new=${2:-HEAD}

# What there was nothing like before, with the paths of its files.
parts() {
    cat << 'LIST'
engine modular and its checker|^crates/(abstraction|modular)/src/|^crates/evidence/src/modular
engine symmetric, its checker, broadcast programs|^crates/(symmetric|templates|broadcast)/src/|^crates/evidence/src/symmetric
engine sampling|^crates/sampling/src/
protection and its checker|^crates/evidence/src/protection|^crates/analysis/src/protection
contracts and their checker|^crates/contracts/src/|^crates/evidence/src/conformance
certificates as files, their checkers|^crates/evidence/src/(file|digest|certificate|certify|exploration|cartesian)
schedules as files, replay, short schedules|^crates/replay/src/|^crates/evidence/src/shorten
report model, SARIF, pages, witnesses|^crates/report/src/(model|html|sarif|witness|schedule|words|history|violation)
commands and files that are new|^crates/selvedge/src/(svcomp|commands|certificates|accept|board)
programs as one thread sees them|^crates/symbolic/src/(threads|tally)
effects of actions, predicates|^crates/symbolic/src/(effect|predicate)
locks, cells, visible steps, reach|^crates/analysis/src/(locks|cells|visible|reach)
cycles of points-to|^crates/analysis/src/points_to/(cycles|collapse|sets)
marks, types of ghosts, call strings|^crates/program/src/(action/(operation|ghost)|whereabouts)
the language and the library|^crates/frontend/src/|^crates/program/src/addresses|/(arrays|floats|opaque)[./]
programs for tests|^crates/generate/src/
LIST
}

# `LINES FILE` of every source file at a commit.
lines() { git grep -c '' "$1" -- 'crates/*/src/*.rs' | sed -E 's/^[^:]*:(.*):([0-9]+)$/\2 \1/'; }
# Lines of the files whose paths match an expression, or do not.
sum() {
    awk -v want="$2" -v pattern="$3" '{ if (($2 ~ pattern) == want) s += $1 } END { print s + 0 }' "$1"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
lines "$old" > "$work/old"
lines "$new" > "$work/new"
row() {
    local a b
    a=$(sum "$work/old" "$2" "$3") b=$(sum "$work/new" "$2" "$3")
    printf '| %s | %d | %d | %+d |\n' "$1" "$a" "$b" $((b - a))
}
printf '| | old | new | |\n|---|---|---|---|\n'
for crate in crates/*; do row "\`$(basename "$crate")\`" 1 "^$crate/"; done
row "all" 1 "."
while read -r line; do row "new: ${line%%|*}" 1 "${line#*|}"; done < <(parts)
row "all without the new parts" 0 "$(parts | cut -d'|' -f2- | paste -sd'|')"
