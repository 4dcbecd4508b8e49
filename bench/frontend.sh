#!/usr/bin/env bash
# How much real C the front end accepts, and how fast: the C sources inside five well-known crates, fetched by cargo into a
# temporary folder. A file counts if gcc accepts it with the flags below. Prints the table of docs/frontend.md.
#
#   bench/frontend.sh [FOLDER]     FOLDER is kept and used again; without it a temporary one is removed at the end
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
if [ $# -ge 1 ]; then
  work=$(mkdir -p "$1" && cd "$1" && pwd)
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi

cargo build --release --quiet --manifest-path "$root/Cargo.toml" -p selvedge-frontend --example accept
accept="$root/target/release/examples/accept"

cd "$work"
if [ ! -d vendor ]; then
  mkdir -p src && : > src/lib.rs
  cat > Cargo.toml <<'TOML'
[package]
name = "corpus"
version = "0.0.0"
edition = "2021"
[workspace]
[dependencies]
zstd-sys = "2"
lmdb-master-sys = "0.2"
libmimalloc-sys = "0.1"
libsqlite3-sys = { version = "0.39", features = ["bundled"] }
rdkafka-sys = "4"
TOML
  cargo vendor --quiet > /dev/null
fi

kafka=vendor/rdkafka-sys/librdkafka
if [ ! -f $kafka/config.h ]; then
  (cd $kafka && bash ./configure --disable-ssl --disable-gssapi --disable-zlib --disable-curl --disable-zstd --disable-lz4-ext) \
    > configure.log 2>&1 || { echo "configuring librdkafka failed: see $work/configure.log" >&2; exit 1; }
fi

# The files of one crate, one per line with its flags, if gcc accepts it.
files() {
  local flags=$1
  shift
  find "$@" -name '*.c' | sort | while read -r file; do
    # shellcheck disable=SC2086
    if cc $flags -w -fsyntax-only "$file" 2> /dev/null; then echo "$flags $file"; fi
  done
}

report() {
  cat > "$1.list"
  "$accept" "$1" < "$1.list"
}

echo "| crate | files | accepted | lines after preprocessing | seconds per 100,000 lines |"
echo "|---|---|---|---|---|"
zstd=vendor/zstd-sys/zstd/lib
files "-I$zstd -I$zstd/common" $zstd | report zstd-sys
files "-Ivendor/lmdb-master-sys/lmdb/libraries/liblmdb" vendor/lmdb-master-sys | report lmdb-master-sys
mimalloc=vendor/libmimalloc-sys/c_src/mimalloc
{ files "-I$mimalloc/v2/include" $mimalloc/v2; files "-I$mimalloc/v3/include" $mimalloc/v3; } | report libmimalloc-sys
sqlite=vendor/libsqlite3-sys/sqlite3
files "-I$sqlite -DSQLITE_THREADSAFE=1 -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_RTREE" $sqlite | report libsqlite3-sys
files "-I$kafka -I$kafka/src -D_GNU_SOURCE" $kafka | report rdkafka-sys
