#!/bin/sh
# Installs the programs that Fathom's tests drive, where they are missing: fio as the one to
# compare with, file systems to make, loop devices and mounts, sshd as a way to other machines, a
# browser with Korean letters and what drives it, what packages are made with, what builds for Windows
# and runs the result, and cargo-fuzz from crates.io.
# For Debian and its kin; elsewhere it says what to install. Run again, it does nothing.
set -eu

PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"

# Each program that a test calls, and the Debian package it comes in.
parts() {
    cat <<'END'
cc         gcc
c++        g++
fio        fio
mkfs.ext4  e2fsprogs
mkfs.xfs   xfsprogs
mkfs.btrfs btrfs-progs
btrfs      btrfs-progs
mkswap     util-linux
losetup    mount
mount      mount
addpart    util-linux
sfdisk     fdisk
setpriv    util-linux
unshare    util-linux
blockdev   util-linux
nsenter    util-linux
ip         iproute2
ps         procps
dbus-daemon dbus-daemon
busctl     systemd
valgrind   valgrind
chromium   chromium
node       nodejs
npm        npm
fc-list    fontconfig
sshd       openssh-server
ssh        openssh-client
ssh-keygen openssh-client
musl-gcc   musl-tools
python3    python3
x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64-win32
x86_64-w64-mingw32-g++ g++-mingw-w64-x86-64-win32
/usr/lib/wine/wine64 wine64
END
}

missing_packages() {
    parts | while read -r program package; do
        command -v "$program" >/dev/null 2>&1 || echo "$package"
    done | sort -u
    # What makes an environment for a Python wheel to be installed in is no program either.
    if command -v python3 >/dev/null 2>&1 && ! python3 -c 'import ensurepip' 2>/dev/null; then
        echo python3-venv
    fi
    # Fonts are no program: Korean pages need letters.
    if command -v fc-list >/dev/null 2>&1 && [ -n "$(fc-list :lang=ko family)" ]; then return; fi
    echo fonts-noto-cjk
}

# The fuzzer of the job file and command line; any Rust builds it in half a minute.
fuzzer() {
    if command -v cargo >/dev/null 2>&1 && ! cargo fuzz --version >/dev/null 2>&1; then
        echo "test parts: building cargo-fuzz"
        cargo install cargo-fuzz --locked --quiet
    fi
}

# Rust's target for Windows, which only rustup can add.
windows_target() {
    command -v rustc >/dev/null 2>&1 || return 0
    [ ! -d "$(rustc --print sysroot)/lib/rustlib/x86_64-pc-windows-gnu" ] || return 0
    if command -v rustup >/dev/null 2>&1; then
        echo "test parts: adding Rust's target x86_64-pc-windows-gnu"
        rustup target add x86_64-pc-windows-gnu
    else
        echo "test parts: this Rust was not installed by rustup, so nothing can be built for Windows"
    fi
}

# What drives the browser: as the lock file says it, outside the clone, checked against its sums.
browser_driver() {
    folder="${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/fathom-ci/npm"
    locked="$(dirname "$0")/../crates/report/tests/browser"
    cmp -s "$locked/package-lock.json" "$folder/package-lock.json" && [ -d "$folder/node_modules" ] && return
    echo "test parts: fetching playwright-core"
    mkdir -p "$folder"
    cp "$locked/package.json" "$locked/package-lock.json" "$folder"
    npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund --silent
}

# An NFS server of another make, unpacked outside the clone and not installed: no service begins.
nfs_server() {
    "$(dirname "$0")/nfs-server.sh" built || {
        echo "test parts: fetching an NFS server"
        "$(dirname "$0")/nfs-server.sh" build
    }
}

wanted=$(missing_packages | tr '\n' ' ')
wanted=${wanted% }
if [ -z "$wanted" ]; then
    nfs_server
    fuzzer
    windows_target
    browser_driver
    echo "test parts: all there"
    exit 0
fi

if ! command -v apt-get >/dev/null 2>&1; then
    echo "test parts: this is not Debian. Install what gives these programs, then run again:" >&2
    parts | while read -r program package; do
        command -v "$program" >/dev/null 2>&1 ||
            echo "  $program (Debian's package: $package)" >&2
    done
    exit 1
fi

as_root() {
    if [ "$(id -u)" = 0 ]; then
        "$@"
    elif command -v sudo >/dev/null 2>&1; then
        sudo "$@"
    else
        echo "test parts: installing needs root or sudo. As root: apt-get install $wanted" >&2
        exit 1
    fi
}

echo "test parts: installing $wanted"
as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq
# shellcheck disable=SC2086 # a list of names
as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends $wanted

left=$(missing_packages | tr '\n' ' ')
if [ -n "$left" ]; then
    echo "test parts: still missing after the installation: $left" >&2
    exit 1
fi
nfs_server
fuzzer
windows_target
browser_driver
echo "test parts: done"
