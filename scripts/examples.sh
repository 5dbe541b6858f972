#!/usr/bin/env bash
# Writes sample reports to examples/: one of each command that measures, of the file system that
# this repository is on. Takes two minutes. FATHOM names an existing binary, and a folder as first
# argument is measured instead.
set -euo pipefail
cd "$(dirname "$0")/.."

[ -n "${FATHOM:-}" ] || cargo build --quiet --release --package fathom
fathom=$(realpath "${FATHOM:-target/release/fathom}")
volume=$(realpath "${1:-.}")
mkdir -p examples
cd examples

# report NAME COMMAND…: a limit that is missed or cannot be judged (exit codes 3 and 5) has a report as well.
report() {
    local name=$1 code=0
    shift
    "$fathom" "$@" --no-record --quiet --report "$name.html" || code=$?
    case $code in 0 | 3 | 5) ;; *) exit "$code" ;; esac
}
report measure measure "$volume"
report sweep sweep "$volume" --rw randread,randwrite --iodepth 1..64 --time-per-run 1s
report compare compare "$volume" "$volume" --rw randread --repeat 3 --time 12s
report check check "$volume" --iops 3000 --time-per-run 5s
report limit limit "$volume" --p99 1ms --rw randread --time-per-run 1s
report flush measure --for etcd "$volume"
