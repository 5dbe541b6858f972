#!/usr/bin/env bash
# Installs the tools that make packages (nfpm, wheel) and check what is published (actionlint, zizmor,
# cargo-deny), in fixed versions and outside the clone; prints the folder of their programs.
#
# Go's checksum database vouches for Go's modules, and tools.txt has the hashes of PyPI's files. Needs
# Go 1.25 or newer, and Python 3 with venv.
set -euo pipefail
cd "$(dirname "$0")"

modules=(github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.45.2 github.com/rhysd/actionlint/cmd/actionlint@v1.7.12)
PATH=$PATH:/usr/local/go/bin
cache=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/fathom-ci/tools
folder=$cache/$(cat tools.sh tools.txt | sha256sum | cut -c1-16)

install_tools() {
    local program module
    for program in go python3; do
        command -v "$program" >/dev/null || {
            echo "scripts/tools.sh: no $program here; install Go 1.25 or newer (https://go.dev/dl) and Python 3" >&2
            exit 1
        }
    done
    python3 -m venv "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check --no-deps --require-hashes -r tools.txt
    for module in "${modules[@]}"; do GOBIN=$folder/bin go install -ldflags=-s "$module"; done
    touch "$folder/complete"
}

mkdir -p "$cache"
(
    flock 9
    [ -e "$folder/complete" ] || install_tools >&2
) 9>"$cache/lock"
echo "$folder/bin"
