#!/usr/bin/env bash
# Makes README's picture, docs/report.png: the first screen of the report from README's command
# `fathom measure /mnt/data --report report.html`, on ext4 over a loop device of this machine. Needs
# root and Chromium. FATHOM names an existing binary.
set -euo pipefail
cd "$(dirname "$0")/.."

[ -n "${FATHOM:-}" ] || cargo build --quiet --release --package fathom
fathom=$(realpath "${FATHOM:-target/release/fathom}")
picture=$PWD/docs/report.png
browser=$(command -v chromium-headless-shell || command -v chromium) ||
    { echo "scripts/picture.sh: no Chromium here; scripts/install-test-parts.sh installs it" >&2; exit 1; }
folder=$(mktemp -d)
mounted="" made="" loop=""
clean() {
    [ -z "$mounted" ] || umount /mnt/data
    [ -z "$made" ] || rmdir /mnt/data
    [ -z "$loop" ] || losetup --detach "$loop"
    rm -rf "$folder"
}
trap clean EXIT

[ ! -e /mnt/data ] || { echo "scripts/picture.sh: /mnt/data is there already" >&2; exit 1; }
truncate --size 4G "$folder/disk"
mkfs.ext4 -q "$folder/disk"
mkdir /mnt/data
made=yes
# Bypasses the page cache of the file below the device, which would speed up the figures.
loop=$(losetup --find --show --direct-io=on "$folder/disk")
mount "$loop" /mnt/data
mounted=yes
cd "$folder"
FATHOM_HOME=$folder/home "$fathom" measure /mnt/data --report report.html
"$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 \
    --window-size=1280,887 --virtual-time-budget=5000 --screenshot="$picture" \
    "file://$folder/report.html" >/dev/null 2>&1
echo "$picture"
