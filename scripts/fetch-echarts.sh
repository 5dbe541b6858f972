#!/bin/sh
# Fetches the chart library of reports, checks it against the recorded sums, and installs it in
# the tree, compressed, with its licences. For another version: change crates/report/assets/echarts.txt first.
#
#   scripts/fetch-echarts.sh          fetches, checks, replaces
#   scripts/fetch-echarts.sh --check  only checks the files in the tree
set -eu
cd "$(dirname "$0")/../crates/report/assets"

recorded() { awk -v name="$1" '$1 == name { print $2 }' echarts.txt; }
sum_of() { openssl dgst -sha512 -binary "$1" | base64 | tr -d '\n'; }

# check FILE SUM
check() {
    [ "$(sum_of "$1")" = "$2" ] && return
    echo "$1 is not what echarts.txt records: $(sum_of "$1")" >&2
    exit 1
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if [ "${1:-}" = --check ]; then
    zstd --quiet --decompress echarts.min.js.zst -o "$folder/echarts.min.js"
    check "$folder/echarts.min.js" "$(recorded sha512)"
    exit 0
fi
archive=$(cd "$folder" && npm pack --silent "echarts@$(recorded version)")
check "$folder/$archive" "$(recorded package | sed 's/^sha512-//')"
tar -xzf "$folder/$archive" -C "$folder"
check "$folder/package/$(recorded file)" "$(recorded sha512)"
zstd --quiet --force --ultra -22 "$folder/package/$(recorded file)" -o echarts.min.js.zst
cp "$folder/package/LICENSE" echarts.LICENSE
cp "$folder/package/NOTICE" echarts.NOTICE
cp "$folder/package/licenses/LICENSE-d3" echarts.LICENSE-d3
echo "echarts $(recorded version) is in its place"
