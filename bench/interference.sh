#!/usr/bin/env bash
# The paper's table on the programs of bench/interference/: full instantiation against over, under and mixed.
# Arguments: the limit in seconds for each program and mode (60 if not given), and a part of the names of the programs to run.
set -euo pipefail
cd "$(dirname "$0")/.."
exec cargo run --quiet --release -p selvedge-interleaving --example table -- "$@"
