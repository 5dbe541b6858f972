#!/usr/bin/env bash
# fio with its nfs engine, for the benchmark's comparison with ours: Debian's package
# is built without it. The sources are Debian's, libnfs is linked in, nothing is installed.
#
#   scripts/fio-nfs.sh build    fetches and builds it, once
#   scripts/fio-nfs.sh path     prints its path; exit code 1 if it is not built
#
# Needs apt-get, make and a C compiler.
set -euo pipefail
folder=${FATHOM_FIO_NFS_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/fathom-ci/fio-nfs}
program=$folder/fio

fail() { echo "scripts/fio-nfs.sh: $*" >&2; exit 1; }

# apt's lists of sources, in a separate folder: most machines have only those of packages.
sources() {
    local release
    release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
    [ -n "$release" ] || fail "/etc/os-release names no release of Debian"
    mkdir -p "$work/lists/partial"
    echo "deb-src http://deb.debian.org/debian $release main" >"$work/sources.list"
    local own=(-o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=/dev/null
        -o "Dir::State::Lists=$work/lists" -o APT::Sandbox::User=root)
    apt-get "${own[@]}" update -qq
    (cd "$work" && apt-get "${own[@]}" source -qq --download-only fio)
    mkdir "$work/fio"
    tar -xf "$work"/fio_*.orig.tar.?z -C "$work/fio" --strip-components=1
}

libraries() {
    (cd "$work" && apt-get -o APT::Sandbox::User=root download -qq libnfs13 libnfs-dev)
    local package
    for package in "$work"/*.deb; do dpkg-deb -x "$package" "$work/root"; done
    # The static archive alone, so that the program needs no shared libnfs.
    find "$work/root" -name 'libnfs.so*' -delete
}

build() {
    if [ -x "$program" ]; then return; fi
    command -v apt-get >/dev/null || fail "the sources are Debian's, and there is no apt-get"
    mkdir -p "$folder"
    work=$(mktemp -d "$folder/work.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    sources
    libraries
    local found
    found=$(dirname "$(find "$work/root" -name libnfs.pc)")
    (
        cd "$work/fio"
        export PKG_CONFIG_PATH=$found PKG_CONFIG_SYSROOT_DIR=$work/root
        ./configure --disable-native --extra-cflags="-I$work/root/usr/include -L$(dirname "$found")"
        make -j"$(nproc)"
    ) >"$folder/build.log" 2>&1 || { tail -5 "$folder/build.log" >&2; fail "see $folder/build.log"; }
    "$work/fio/fio" --enghelp | grep -qw nfs || fail "it was built without nfs; see $folder/build.log"
    mv "$work/fio/fio" "$program"
}

case ${1:-} in
build) build ;;
path) [ -x "$program" ] && echo "$program" ;;
*) sed -n '2,9p' "$0" >&2; exit 2 ;;
esac
