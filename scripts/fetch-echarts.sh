#!/bin/sh
# Builds the chart library of reports from npm's packages, checks it against the recorded sum, and installs it in
# the tree, compressed, with its licences. crates/report/echarts has what it is built of: package-lock.json has the
# sums of the packages. For another version: change package.json there, `npm install --package-lock-only`, and
# then crates/report/assets/echarts.txt.
#
#   scripts/fetch-echarts.sh          builds, checks, replaces
#   scripts/fetch-echarts.sh --check  only checks the file in the tree
set -eu
cd "$(dirname "$0")/../crates/report/assets"

recorded() { awk -v name="$1" '$1 == name { print $2 }' echarts.txt; }
sum_of() { openssl dgst -sha512 -binary "$1" | base64 | tr -d '\n'; }

# check FILE
check() {
    [ "$(sum_of "$1")" = "$(recorded sha512)" ] && return
    echo "$1 is not what echarts.txt records: $(sum_of "$1")" >&2
    exit 1
}

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if [ "${1:-}" = --check ]; then
    zstd --quiet --decompress echarts.min.js.zst -o "$folder/echarts.min.js"
    check "$folder/echarts.min.js"
    exit 0
fi
cp ../echarts/package.json ../echarts/package-lock.json ../echarts/entry.js "$folder"
(
    cd "$folder"
    npm ci --silent --ignore-scripts
    npx esbuild entry.js --bundle --minify --charset=utf8 --format=iife --global-name=echarts \
        --define:process.env.NODE_ENV='"production"' --outfile=echarts.min.js --log-level=warning
)
check "$folder/echarts.min.js"
zstd --quiet --force --ultra -22 "$folder/echarts.min.js" -o echarts.min.js.zst
cp "$folder/node_modules/echarts/LICENSE" echarts.LICENSE
cp "$folder/node_modules/echarts/NOTICE" echarts.NOTICE
cp "$folder/node_modules/echarts/licenses/LICENSE-d3" echarts.LICENSE-d3
echo "echarts $(recorded version) is in its place"
