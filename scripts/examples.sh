#!/usr/bin/env bash
# Makes the reports of docs/examples again: those of published figures from their .toml files. The one
# that was measured is left alone: it shows the day and the disk that it names. README's picture comes
# of scripts/picture.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

[ -n "${FATHOM:-}" ] || cargo build --quiet --release --package fathom
for figures in docs/examples/*.toml; do
    "${FATHOM:-target/release/fathom}" report "$figures" --lang en --force -o "${figures%.toml}.html"
done
