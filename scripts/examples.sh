#!/usr/bin/env bash
# Makes the reports of docs/examples again: those of published figures from their .toml files, and
# README's picture of one of them where Chromium is here. The one that was measured is left alone:
# it shows the day and the disk that it names.
set -euo pipefail
cd "$(dirname "$0")/.."

for figures in docs/examples/*.toml; do
    cargo run --quiet --release --package fathom -- \
        report "$figures" --lang en --force -o "${figures%.toml}.html"
done

chromium=$(command -v chromium || command -v chromium-browser || true)
if [ -z "$chromium" ]; then
    echo "scripts/examples.sh: no Chromium here, so docs/report.png stays as it is" >&2
    exit 0
fi
"$chromium" --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 \
    --window-size=1280,1400 --virtual-time-budget=5000 --screenshot="$PWD/docs/report.png" \
    "file://$PWD/docs/examples/case-a.html" >/dev/null 2>&1
echo "docs/report.png"
