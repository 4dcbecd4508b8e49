#!/bin/sh
# Prints the tables of bench/cartesian/README.md. Run from anywhere; SPIN and a C compiler are used if they are there.
set -e
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cd "$root"
cargo build --release --quiet -p selvedge
cargo run --release --quiet -p selvedge-cartesian --example section5
selvedge="$root/target/release/selvedge"

echo
echo "The C programs (verdict; shared states, local states, exception products, time):"
while read -r file options; do
    verdict=$("$selvedge" check --engine cartesian --quiet $options "$here/$file" | tail -1)
    statistics=$("$selvedge" check --engine cartesian --statistics $options "$here/$file" | grep '^cartesian:' || true)
    echo "$file $options: $verdict; $statistics"
done <<'LIST'
peterson.c --exclusive D
dekker.c --exclusive critical
szymanski.c --exclusive critical
bakery.c --exclusive critical
readers_writers.c --property assertion --property race --property memory
owned.c --exclusive critical
sections.c --exclusive critical1
sections.c -DM=9 --exclusive critical1,critical2,critical3,critical4,critical5,critical6,critical7,critical8,critical9
LIST

echo
echo "One critical section, few threads: states and seconds of the engine explicit and of SPIN"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for n in 2 3 4 5 6 7 8; do
    line=$("$selvedge" check --engine explicit --property race --statistics --timeout 60 -DN=$n \
        --exclusive critical1 "$here/sections.c" | grep '^explicit:' || echo "explicit: nothing within 60 s")
    spin="no SPIN"
    if command -v spin >/dev/null && command -v cc >/dev/null; then
        (cd "$work" && spin -a -DN=$n "$here/sections.pml" >/dev/null && cc -O2 -DSAFETY -DMEMLIM=2048 -o pan pan.c 2>/dev/null)
        spin=$("$work/pan" -m1000000 | awk '/states, stored/ { s = $1 } /elapsed time/ { t = $4 } END { print s " states, " t " s" }')
    fi
    echo "n = $n: $line; SPIN: $spin"
done
