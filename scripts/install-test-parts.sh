#!/bin/sh
# Installs the programs that Fathom's tests need, if they are missing: fio for comparison, tools for
# file systems, loop devices and mounts, sshd, a browser with Korean fonts and its driver. With --all
# also tools for packages and lints, compilers for Windows and arm64, Wine, an emulator of arm64 with
# Debian's kernel for it, valgrind, and cargo-fuzz from crates.io.
# For Debian and its derivatives; elsewhere it lists the programs to install. A second run does
# nothing.
set -eu

all=''
[ "${1:-}" != --all ] || all=yes
PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"

# Each program that a test calls, and its Debian package.
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
chromium-headless-shell chromium-headless-shell
node       nodejs
npm        npm
fc-list    fontconfig
sshd       openssh-server
ssh        openssh-client
ssh-keygen openssh-client
python3    python3
jq         jq
END
    [ -z "$all" ] || cat <<'END'
valgrind   valgrind
musl-gcc   musl-tools
rpm        rpm
curl       curl
shellcheck shellcheck
x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64-win32
x86_64-w64-mingw32-g++ g++-mingw-w64-x86-64-win32
/usr/lib/wine/wine64 wine64
aarch64-linux-gnu-gcc gcc-aarch64-linux-gnu
qemu-system-aarch64 qemu-system-arm
cpio       cpio
END
}

missing_packages() {
    parts | while read -r program package; do
        command -v "$program" >/dev/null 2>&1 || echo "$package"
    done | sort -u
    # The Python module for virtual environments is not a program either.
    if command -v python3 >/dev/null 2>&1 && ! python3 -c 'import ensurepip' 2>/dev/null; then
        echo python3-venv
    fi
    # Fonts are not programs: Korean pages need them.
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

# Rust's targets for Windows and arm64, which only rustup can add.
rust_target() {
    command -v rustc >/dev/null 2>&1 || return 0
    [ ! -d "$(rustc --print sysroot)/lib/rustlib/$1" ] || return 0
    if command -v rustup >/dev/null 2>&1; then
        echo "test parts: adding Rust's target $1"
        rustup target add "$1"
    else
        echo "test parts: this Rust was not installed by rustup, so nothing can be built for $1"
    fi
}

# The browser's driver: in the version of the lock file, outside the clone, checked against its sums.
browser_driver() {
    folder="${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/fathom-ci/npm"
    locked="$(dirname "$0")/../crates/report/tests/browser"
    cmp -s "$locked/package-lock.json" "$folder/package-lock.json" && [ -d "$folder/node_modules" ] && return
    echo "test parts: fetching playwright-core"
    mkdir -p "$folder"
    cp "$locked/package.json" "$locked/package-lock.json" "$folder"
    npm ci --prefix "$folder" --ignore-scripts --no-audit --no-fund --silent
}

# An independent NFS server, unpacked outside the clone and not installed, so that no service starts.
nfs_server() {
    "$(dirname "$0")/nfs-server.sh" built || {
        echo "test parts: fetching an NFS server"
        "$(dirname "$0")/nfs-server.sh" build
    }
}

# What is not a package.
other_parts() {
    nfs_server
    browser_driver
    [ -z "$all" ] || {
        fuzzer && rust_target x86_64-pc-windows-gnu && rust_target aarch64-unknown-linux-musl &&
            "$(dirname "$0")/arm64.sh" parts && "$(dirname "$0")/tools.sh" >/dev/null
    }
}

wanted=$(missing_packages | tr '\n' ' ')
wanted=${wanted% }
if [ -z "$wanted" ]; then
    other_parts
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
other_parts
echo "test parts: done"
