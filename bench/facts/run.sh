#!/usr/bin/env bash
# Time and memory of the facts about programs: ours of 1,000 to 50,000 lines (programs.py writes them), and the C files that
# bench/frontend.sh uses, each crate as one program with a `main` that does nothing. Prints the table of README.md.
#
#   bench/facts/run.sh [FOLDER]     FOLDER is one that bench/frontend.sh has kept; without it only our own programs are measured
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cargo build --release --quiet --manifest-path "$root/Cargo.toml" -p selvedge-analysis --example measure
measure="$root/target/release/examples/measure"
sizes="1000 2000 5000 10000 20000 40000 50000"
# shellcheck disable=SC2086
python3 "$here/programs.py" "$work" $sizes

echo "| program | lines | edges | front end | points-to | threads | parallel | sharing | conflicts | locksets | reach | cells | visible | MiB |"
echo "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
for size in $sizes; do "$measure" "ours, $size" "$work/program-$size.c"; done
[ $# -ge 1 ] || exit 0

cd "$1"
echo 'int main(void) { return 0; }' > "$work/main.c"
# The files of a crate that gcc accepts, as one program.
crate() {
  local name=$1 flags=$2 files=()
  shift 2
  while read -r file; do
    # shellcheck disable=SC2086
    if cc $flags -w -fsyntax-only "$file" 2> /dev/null && ! grep -q '^int main' "$file"; then files+=("$file"); fi
  done < <(find "$@" -name '*.c' | sort)
  # shellcheck disable=SC2086
  "$measure" "$name" $flags "${files[@]}" "$work/main.c" || echo "| $name | not one program: see above |"
}
zstd=vendor/zstd-sys/zstd/lib
crate zstd-sys "-I$zstd -I$zstd/common" $zstd/common $zstd/compress $zstd/decompress
lmdb=vendor/lmdb-master-sys/lmdb/libraries/liblmdb
crate lmdb-master-sys "-I$lmdb" $lmdb/mdb.c $lmdb/midl.c
sqlite=vendor/libsqlite3-sys/sqlite3
crate libsqlite3-sys "-I$sqlite -DSQLITE_THREADSAFE=1" $sqlite/sqlite3.c
