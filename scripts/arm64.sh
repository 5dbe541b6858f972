#!/usr/bin/env bash
# Fathom for arm64, built on Debian for x86-64, and tested on an emulated machine with Debian's kernel:
#
#   scripts/arm64.sh parts             fetches what no package of this machine brings: Debian's kernel
#                                      for arm64, busybox and musl's headers, unpacked, not installed
#   scripts/arm64.sh missing           prints what is missing; nothing if nothing is
#   scripts/arm64.sh binary [PROFILE]  builds the static binary (dev), and prints its path
#   scripts/arm64.sh units             runs the unit tests of the core on the emulated machine
#   scripts/arm64.sh test              both, and the tests that drive an agent there
#                                      (crates/cli/tests/arm64.rs)
#   scripts/arm64.sh hold              starts the machine, prints its port on 127.0.0.1, and stops it
#                                      when standard input ends
#   scripts/arm64.sh sample            prints the path of a small static program for arm64
#   scripts/arm64.sh run PORT WORD…    runs a command there, with its exit code; in the folder /disk
#   scripts/arm64.sh pipe PORT HOST WORD…
#                                      the same with an input, and without errors: for --via
#
# FATHOM_ARM64_BINARY names an existing binary. The machine is fast enough for counts and contents. Its
# speed says nothing. It has a disk of 512 MiB, which is empty at each start.
set -euo pipefail
cd "$(dirname "$0")/.."

target=aarch64-unknown-linux-musl
output=${CARGO_TARGET_DIR:-$PWD/target}
parts=${FATHOM_ARM64_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/fathom-ci/arm64}
root=$parts/debian
# The crates that choose, send and count I/Os.
PACKAGES=(fathom-vocab fathom-stats fathom-workload fathom-engine fathom-run)
# In the order in which they need each other.
MODULES=(virtio_mmio failover net_failover virtio_net virtio_blk crc32c_generic libcrc32c crc16 mbcache jbd2
    ext4)

fail() { echo "scripts/arm64.sh: $*" >&2; exit 1; }

# --- parts ---------------------------------------------------------------------------------------

# apt for another architecture, in a folder of its own: this machine's packages stay as they are.
apt_there() {
    local program=$1 state=$parts/apt
    shift
    mkdir -p "$state"/{lists/partial,archives/partial}
    touch "$state/status"
    "$program" -qq -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o Dir::State="$state" \
        -o Dir::State::lists="$state/lists" -o Dir::State::status="$state/status" -o Dir::Cache="$state" \
        -o APT::Sandbox::User="$(id -un)" "$@"
}

fetch_parts() {
    [ ! -e "$parts/complete" ] || return 0
    command -v apt-get >/dev/null || fail "the machine's kernel is Debian's, and there is no apt-get"
    mkdir -p "$root"
    apt_there apt-get update
    local kernel package
    kernel=$(apt_there apt-cache depends linux-image-arm64 | sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p')
    (cd "$parts" && apt_there apt-get download "${kernel%:arm64}" busybox-static musl-dev)
    for package in "$parts"/*.deb; do dpkg-deb -x "$package" "$root"; done
    # shellcheck disable=SC2046 # names
    find "$root/lib/modules" -name '*.ko' $(printf '! -name %s.ko ' "${MODULES[@]}") -delete
    rm -rf "$parts"/*.deb "$parts/apt"
    touch "$parts/complete"
}

missing() {
    command -v aarch64-linux-gnu-gcc >/dev/null || echo "gcc-aarch64-linux-gnu (apt-get install)"
    command -v qemu-system-aarch64 >/dev/null || echo "qemu-system-arm (apt-get install)"
    command -v cpio >/dev/null || echo "cpio (apt-get install)"
    command -v mke2fs >/dev/null || echo "e2fsprogs (apt-get install)"
    [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ] || echo "Rust's target $target (rustup target add $target)"
    [ -e "$parts/complete" ] || echo "a kernel for arm64 (scripts/arm64.sh parts)"
}

needs_parts() {
    local lacking
    lacking=$(missing)
    [ -z "$lacking" ] || fail "missing: $lacking"
}

# --- build ---------------------------------------------------------------------------------------

# musl's headers are another architecture's, Rust brings the library itself.
export_compiler() {
    local own
    own=$(aarch64-linux-gnu-gcc -print-file-name=include)
    export CC_aarch64_unknown_linux_musl=aarch64-linux-gnu-gcc AR_aarch64_unknown_linux_musl=aarch64-linux-gnu-ar
    export CFLAGS_aarch64_unknown_linux_musl="-nostdinc -isystem $root/usr/include/aarch64-linux-musl -isystem $own"
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER=aarch64-linux-gnu-gcc
}

# The binary of a profile. For tests it is compiled quickly, without optimisation; it is an agent and drives no
# cluster.
built() {
    local profile=$1 features=(--features kube)
    needs_parts
    export_compiler
    if [ "$profile" = dev ]; then
        features=()
        export CARGO_PROFILE_DEV_OPT_LEVEL=0 CARGO_PROFILE_DEV_DEBUG=0
    fi
    cargo build --locked --profile "$profile" --target "$target" --package fathom "${features[@]}" >&2
    local binary=$output/$target/${profile/#dev/debug}/fathom
    # Symbols are half of it, and it is sent to the machine and into pods.
    aarch64-linux-gnu-strip -o "$binary-aarch64" "$binary"
    echo "$binary-aarch64"
}

# --- the machine ---------------------------------------------------------------------------------

first_process() {
    cat <<'END'
#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin HOME=/disk
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
mount -t tmpfs none /tmp
for module in $(cat /modules/order); do insmod /modules/$module.ko; done
ip link set lo up
ip address add 10.0.2.15/24 dev eth0
ip link set eth0 up
mount -t ext4 /dev/vda /disk
echo ready
nc -ll -p 7000 -e /bin/sh /serve
END
}

# A connection has a name and a command in its first line; the exit code is kept under the name.
server() {
    cat <<'END'
IFS=' ' read -r name line
cd /disk
sh -c "$line" 2>/tmp/errors.$name
echo $? >/tmp/code.$name.new
mv /tmp/code.$name.new /tmp/code.$name
END
}

# What the kernel starts from, as an archive in its memory.
first_files() {
    local folder=$1 module kernel
    mkdir -p "$folder"/{bin,proc,sys,dev,tmp,disk,modules}
    cp "$root/bin/busybox" "$folder/bin"
    for module in "${MODULES[@]}"; do
        kernel=$(find "$root/lib/modules" -name "$module.ko" | head -1)
        [ -n "$kernel" ] || fail "the kernel has no module $module"
        cp "$kernel" "$folder/modules"
    done
    echo "${MODULES[@]}" >"$folder/modules/order"
    first_process >"$folder/init"
    server >"$folder/serve"
    chmod +x "$folder/init"
    (cd "$folder" && find . | cpio --quiet -o -H newc)
}

# Starts the machine, and prints its port once it answers.
hold() {
    needs_parts
    local folder port machine
    folder=$(mktemp -d)
    # shellcheck disable=SC2064 # as it is now
    trap "rm -rf '$folder'" EXIT
    first_files "$folder/first" >"$folder/initrd"
    truncate -s 512M "$folder/disk"
    mke2fs -q -t ext4 "$folder/disk"
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    qemu-system-aarch64 -M virt -cpu cortex-a72 -smp 2 -m 1024 -nodefaults -display none -no-reboot \
        -kernel "$(echo "$root"/boot/vmlinuz-*)" -initrd "$folder/initrd" \
        -append 'console=ttyAMA0 quiet panic=-1' -serial "file:$folder/console" \
        -netdev "user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:$port-:7000" -device virtio-net-device,netdev=net \
        -drive "file=$folder/disk,if=none,id=disk,format=raw,cache=unsafe" -device virtio-blk-device,drive=disk \
        </dev/null >"$folder/qemu" 2>&1 &
    machine=$!
    # shellcheck disable=SC2064
    trap "kill $machine 2>/dev/null || :; wait $machine || :; rm -rf '$folder'" EXIT
    local tries
    for ((tries = 0; tries < 600; tries++)); do
        ! grep -q ready "$folder/console" 2>/dev/null || break
        kill -0 "$machine" 2>/dev/null || fail "the machine ended: $(cat "$folder/qemu" "$folder/console")"
        sleep 0.2
    done
    [ "$tries" -lt 600 ] || fail "the machine does not start: $(cat "$folder/console")"
    echo "$port"
    cat >/dev/null
}

# client PORT MODE WORD…: a command there, with our standard input as its input.
client() {
    python3 -c '
import os, shlex, socket, sys, threading, time
port, mode, words = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
name = f"{os.getpid()}-{time.time_ns()}"

def connection(line):
    there = socket.create_connection(("127.0.0.1", port))
    there.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    there.sendall((line + "\n").encode())
    return there

def asked(line):
    there = connection(f"{name}-asked {line}")
    there.shutdown(socket.SHUT_WR)
    return b"".join(iter(lambda: there.recv(1 << 16), b""))

def send(there):
    while chunk := os.read(0, 1 << 18):
        there.sendall(chunk)
    there.shutdown(socket.SHUT_WR)

there = connection(f"{name} {shlex.join(words)}")
if mode == "pipe":
    threading.Thread(target=send, args=[there], daemon=True).start()
else:
    send(there)
while chunk := there.recv(1 << 18):
    while chunk:
        chunk = chunk[os.write(1, chunk):]
while not (code := asked(f"cat /tmp/code.{name}").strip()):
    time.sleep(0.05)
sys.stderr.buffer.write(asked(f"cat /tmp/errors.{name}; rm /tmp/code.{name} /tmp/errors.{name}"))
sys.stderr.flush()
os._exit(int(code))
' "$@"
}

# --- tests ---------------------------------------------------------------------------------------

# What cargo calls for each test program: it is sent there, and runs in an empty folder.
runner() {
    local port=${FATHOM_ARM64_PORT:?} program=$1
    shift
    aarch64-linux-gnu-strip -o "$program.stripped" "$program"
    client "$port" run sh -c 'cat >/disk/program && chmod 755 /disk/program' <"$program.stripped"
    # One line, as a command there is.
    local settings='TMPDIR=/disk/w PROPTEST_CASES=16 RUST_TEST_THREADS=2'
    client "$port" run sh -c "rm -rf /disk/w && mkdir -p /disk/w && cd /disk/w && $settings"' exec /disk/program "$@"' \
        test "$@" </dev/null
}

units() {
    local package packages=() machine
    needs_parts
    export_compiler
    export CARGO_PROFILE_DEV_OPT_LEVEL=0 CARGO_PROFILE_DEV_DEBUG=0
    for package in "${PACKAGES[@]}"; do packages+=(--package "$package"); done
    cargo test --locked --target "$target" --lib "${packages[@]}" --no-run
    coproc machine { "$BASH" "$PWD/scripts/arm64.sh" hold; }
    # shellcheck disable=SC2154 # coproc sets it
    read -r FATHOM_ARM64_PORT <&"${machine[0]}"
    export FATHOM_ARM64_PORT CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_RUNNER="$PWD/scripts/arm64.sh runner"
    # The texts of errors are glibc's, and this is musl; the other test takes a minute here.
    cargo test --locked --target "$target" --lib "${packages[@]}" -- --skip texts_are_those_of_the_c_library \
        --skip zeros_are_written_where_they_are_asked_for
}

case ${1:-} in
    parts) fetch_parts ;;
    missing) missing ;;
    binary) built "${2:-dev}" ;;
    units) units ;;
    test)
        units
        FATHOM_ARM64_BINARY=${FATHOM_ARM64_BINARY:-$(built dev)}
        export FATHOM_ARM64_BINARY
        cargo test --locked --package fathom --features kube --test fathom arm64:: -- --show-output
        ;;
    hold) hold ;;
    sample) echo "$root/bin/busybox" ;;
    run) shift && client "$1" run "${@:2}" ;;
    pipe) shift && client "$1" pipe "${@:3}" ;;
    runner) shift && runner "$@" ;;
    *) fail "say parts, missing, binary, units, test, hold, run or pipe" ;;
esac
