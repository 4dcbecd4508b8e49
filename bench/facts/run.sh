#!/usr/bin/env bash
# Time and memory of the facts about programs: ours of 1,000 to 50,000 lines (programs.py writes them), and the C files that
# bench/frontend.sh uses, each crate as one program with a `main` that may call every external function of it. Prints the table of README.md.
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
# A `main` that calls any of the functions that some object files define: what nobody can reach is left out of the program.
write_main() {
  local names symbol
  names=$(nm --defined-only --extern-only "$@" | awk '$2 == "T" { print $3 }' | sort -u)
  for symbol in $names; do echo "extern int $symbol();"; done
  echo 'int (*all[])() = {'
  for symbol in $names; do echo "  (int (*)())$symbol,"; done
  echo '}; extern int __VERIFIER_nondet_int(void);'
  echo 'int main(void) { for (;;) all[__VERIFIER_nondet_int()](); }'
}
# The files of a crate that gcc accepts, as one program.
crate() {
  local name=$1 flags=$2 files=() objects=()
  shift 2
  while read -r file; do
    # shellcheck disable=SC2086
    local object="$work/$name-${#files[@]}.o"
    if ! grep -q '^int main' "$file" && cc $flags -w -c "$file" -o "$object" 2> /dev/null; then
      files+=("$file")
      objects+=("$object")
    fi
  done < <(find "$@" -name '*.c' | sort)
  write_main "${objects[@]}" > "$work/main.c"
  # shellcheck disable=SC2086
  "$measure" "$name" $flags "${files[@]}" "$work/main.c" || echo "| $name | not measured: see above |"
}
zstd=vendor/zstd-sys/zstd/lib
crate zstd-sys "-I$zstd -I$zstd/common" $zstd/common $zstd/compress $zstd/decompress
lmdb=vendor/lmdb-master-sys/lmdb/libraries/liblmdb
crate lmdb-master-sys "-I$lmdb" $lmdb/mdb.c $lmdb/midl.c
sqlite=vendor/libsqlite3-sys/sqlite3
crate libsqlite3-sys "-I$sqlite -DSQLITE_THREADSAFE=1" $sqlite/sqlite3.c
