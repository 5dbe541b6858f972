#!/usr/bin/env bash
# The cost of a report: making a page of a document, and opening and scrolling it in Chromium.
#
#   scripts/report-speed.sh DOCUMENT [INTERVALS]
#
# DOCUMENT is the JSON of `fathom sweep --json`; INTERVALS extends its series to that length. Needs the
# programs of scripts/install-test-parts.sh. FATHOM names another binary than the release build,
# ROUNDS how often the page is opened (5). Instructions are the same in each run; times depend on
# the machine and its other load.
set -euo pipefail
if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    sed -n '2,4p' "$0" >&2
    exit 2
fi
document=$(realpath "$1")
cd "$(dirname "$0")/.."
fathom=${FATHOM:-target/release/fathom}
[ -x "$fathom" ] || cargo build --release --package fathom
speed=crates/report/tests/browser/speed.js
export NODE_PATH="${XDG_CACHE_HOME:-$HOME/.cache}/fathom-ci/npm/node_modules"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ $# -eq 2 ]; then
    node "$speed" --grow "$document" "$2" >"$work/document.json"
    document=$work/document.json
fi

report=("$fathom" report "$document" --force -o "$work/page.html")
echo "document: $(stat -c %s "$document") bytes"
TIMEFORMAT='making it: %R s (%U s of CPU)'
for _ in 1 2 3; do
    { time "${report[@]}" >/dev/null; } 2>&1
done
echo "page: $(stat -c %s "$work/page.html") bytes"
if command -v valgrind >/dev/null; then
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "${report[@]}" 2>&1 >/dev/null |
        sed -n 's/^.*Collected : /instructions: /p'
fi
echo "opening it, in ms, median (least to most):"
node "$speed" "$work/page.html" "${ROUNDS:-5}"
