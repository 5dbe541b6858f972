#!/usr/bin/env bash
# Makes the reports of docs/examples again: those of published figures from their .toml files. The one
# that was measured is not measured again: it shows the day and the disk that it names. All of them
# share the chart library of this tree (crates/report/assets) in place of a copy in each. README's
# picture comes of scripts/picture.sh. Needs Node.
set -euo pipefail
cd "$(dirname "$0")/.."

[ -n "${FATHOM:-}" ] || cargo build --quiet --release --package fathom
for figures in docs/examples/*.toml; do
    "${FATHOM:-target/release/fathom}" report "$figures" --lang en --force -o "${figures%.toml}.html"
done
node scripts/share-charts.js docs/examples/*.html
