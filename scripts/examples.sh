#!/usr/bin/env bash
# Regenerates the reports of docs/examples: those of published figures from their .toml files. The
# measured one is not measured again: it shows the day and the disk that it names. All of them
# share one chart library (docs/examples/echarts.min.js) instead of a copy in each.
# scripts/picture.sh makes README's picture. Needs Node.
set -euo pipefail
cd "$(dirname "$0")/.."

[ -n "${FATHOM:-}" ] || cargo build --quiet --release --package fathom
for figures in docs/examples/*.toml; do
    "${FATHOM:-target/release/fathom}" report "$figures" --lang en --force -o "${figures%.toml}.html"
done
node scripts/share-charts.js docs/examples/*.html
