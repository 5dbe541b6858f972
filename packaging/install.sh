#!/bin/sh
# Installs the released fathom of this machine's architecture, if it has the checksum that the release
# lists:
#
#   curl -fsSL URL/install.sh | sh
#
# FATHOM_DIR is the folder of the program (~/.local/bin). FATHOM_AGENTS=aarch64 (or x86_64) also puts the
# program of that architecture there, as fathom-aarch64, for hosts and nodes that have it.
# FATHOM_RELEASE_URL is where the release is; the install.sh of a release knows it. Exit codes: 1 nothing
# was installed, 3 the checksum does not match.
set -eu

fail() {
    echo "install.sh: $1" >&2
    exit "${2:-1}"
}

fetch() {
    if command -v curl >/dev/null; then curl -fsSL -o "$2" "$1"; else wget -qO "$2" "$1"; fi ||
        fail "cannot fetch $1"
}

# take MACHINE FILE: fetches the program for MACHINE as FILE.
take() {
    target=$1-unknown-linux-musl
    file=$(grep -oE "fathom-storage-$target-v[0-9][0-9A-Za-z.+-]*\.tar\.gz\$" "$work/sums") ||
        fail "$url/SHA256SUMS lists no file for $target"
    fetch "$url/$file" "$work/$file"
    grep "  $file\$" "$work/sums" >"$work/sum"
    (cd "$work" && sha256sum -c sum >/dev/null 2>&1) ||
        fail "$url/$file does not have the checksum of the release; nothing was installed" 3
    tar -xzf "$work/$file" -C "$work"
    cp "$work/${file%.tar.gz}/bin/fathom" "$2"
}

# All of it is read before any of it runs: a connection can break.
main() {
    url=${FATHOM_RELEASE_URL:-@URL@}
    folder=${FATHOM_DIR:-$HOME/.local/bin}
    case $url in @*) fail "set FATHOM_RELEASE_URL to the address of a release" ;; esac
    case $(uname -s)-$(uname -m) in
        Linux-x86_64 | Linux-aarch64) machine=$(uname -m) ;;
        *) fail "no binary is released for $(uname -s) on $(uname -m); build it from source" ;;
    esac
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    fetch "$url/SHA256SUMS" "$work/sums"
    mkdir "$work/bin"
    take "$machine" "$work/bin/fathom"
    for agent in ${FATHOM_AGENTS:-}; do take "$agent" "$work/bin/fathom-$agent"; done
    mkdir -p "$folder"
    for program in "$work"/bin/*; do
        # Under another name first: a running fathom cannot be overwritten.
        cp "$program" "$folder/.fathom.new"
        mv "$folder/.fathom.new" "$folder/${program##*/}"
    done
    echo "$("$folder/fathom" --version) is in $folder"
    case :$PATH: in *":$folder:"*) ;; *) echo "Add it to PATH: export PATH=\"$folder:\$PATH\"" ;; esac
}
main
