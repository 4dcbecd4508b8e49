#!/usr/bin/env bash
# The benchmarks of the logic crate: questions per second beside z3, the order theory beside the naive encoding, gates per second.
# Arguments choose among `implications`, `order` and `blasting`; without any, all three.
set -euo pipefail
cd "$(dirname "$0")/.."
exec cargo run --quiet --release -p selvedge-logic --example logic_bench -- "$@"
