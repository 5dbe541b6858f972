#!/usr/bin/env bash
# Fathom for Windows, built on Debian with mingw and tested with Wine:
#
#   scripts/windows.sh build          builds fathom.exe (release) and prints its path
#   scripts/windows.sh zip [FOLDER]   builds it for packages, small and fast, and puts into
#                                     FOLDER (target/packages):
#     fathom-storage-x86_64-pc-windows-gnu-vVERSION.zip   fathom.exe, README, changelog, licences
#   scripts/windows.sh exe            builds fathom.exe for tests, and prints its path
#   scripts/windows.sh units          runs the unit and property tests of most crates under Wine
#   scripts/windows.sh test           both, and the tests of the finished binary under Wine
#                                     (crates/cli/tests/windows.rs)
#   scripts/windows.sh prefix         makes a prefix folder for Wine and prints its path
#   scripts/windows.sh missing        prints the missing programs; nothing if none is missing
#
# FATHOM_WINDOWS_EXE names an existing fathom.exe. Wine's figures say nothing about Windows:
# every I/O goes through a server, unbuffered I/O is buffered, and no queue is deep.
set -euo pipefail
cd "$(dirname "$0")/.."

target=x86_64-pc-windows-gnu
output=${CARGO_TARGET_DIR:-target}
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
wine=/usr/lib/wine/wine64
server=/usr/lib/wine/wineserver
[ -x "$server" ] || server=/usr/lib/wine/wineserver64
prefix=${WINEPREFIX:-$PWD/$output/wine}
case $output in /*) prefix=${WINEPREFIX:-$output/wine} ;; esac

fail() { echo "scripts/windows.sh: $*" >&2; exit 1; }

# The programs that a build or a run under Wine lacks.
missing_to_build() {
    command -v x86_64-w64-mingw32-gcc >/dev/null || echo "gcc-mingw-w64-x86-64-win32 (apt-get install)"
    command -v x86_64-w64-mingw32-g++ >/dev/null || echo "g++-mingw-w64-x86-64-win32 (apt-get install)"
    [ -d "$(rustc --print sysroot)/lib/rustlib/$target" ] || echo "Rust's target $target (rustup target add $target)"
}
missing() {
    missing_to_build
    [ -x "$wine" ] || echo "wine64 (apt-get install)"
}

built() {
    local lacking
    lacking=$(missing_to_build)
    [ -z "$lacking" ] || fail "cannot build for Windows without: $lacking"
    cargo build --locked --target "$target" --package fathom --features kube "$@" >&2
}

# Ends the server of the prefix, if one runs, and waits for that: beside it no other can start.
ended_server() { "$server" -k 2>/dev/null || true; }

# A Wine prefix with the library that Wine lacks; made once, also if several tests ask for it at once.
make_prefix() {
    export WINEPREFIX=$prefix WINEDEBUG=-all,err+module WINEDLLOVERRIDES='mscoree,mshtml='
    local library=$prefix/drive_c/windows/system32/bcryptprimitives.dll
    [ ! -e "$library" ] || return 0
    [ -x "$wine" ] || fail "no Wine here: apt-get install wine64"
    mkdir -p "$prefix/z"
    (
        flock 8
        [ ! -e "$library" ] || exit 0
        # Wine's server may outlive this, and would keep the lock.
        "$wine" wineboot -i >&2 8>&-
        ended_server
        # Z: is a folder for tests and not the whole machine, which is Y:.
        ln -sfn / "$prefix/dosdevices/y:"
        ln -sfn ../z "$prefix/dosdevices/z:"
        x86_64-w64-mingw32-gcc -O2 -s -shared -o "$library.new" scripts/bcryptprimitives.c -ladvapi32
        mv "$library.new" "$library"
    ) 8>"$prefix.lock"
}

zipped() {
    local out=$1 exe=${FATHOM_WINDOWS_EXE:-} name=fathom-storage-$target-v$version
    if [ -z "$exe" ]; then
        built --profile dist
        exe=$output/$target/dist/fathom.exe
    fi
    mkdir -p "$out" "$output"
    rm -f "$out/$name.zip"
    scripts/notices.py "$target" >"$output/NOTICES.txt"
    # The earliest time that a zip can hold, so that the same binary gives the same file.
    python3 - "$out/$name.zip" "$exe" README.md CHANGELOG.md "$output/NOTICES.txt" <<'END'
import pathlib, sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    for path in map(pathlib.Path, sys.argv[2:]):
        archive.writestr(zipfile.ZipInfo(path.name, (1980, 1, 1, 0, 0, 0)), path.read_bytes(), zipfile.ZIP_DEFLATED)
END
    echo "$out/$name.zip"
}

# Crates whose tests run unchanged and touch files, threads, sockets, clocks or C code. Those that only
# compute (vocab, workload, analysis, output, kube) are not worth another minute of each run; the tests
# of the finished binary cover them. Tests of `campaign` and `files` need features of Linux.
PACKAGES=(fathom-stats fathom-job fathom-message fathom-engine fathom-host fathom-nfs fathom-run
    fathom-fleet fathom-document fathom-report fathom-store fathom-web)

# Compiled quickly, without optimisation: Wine is slower anyway.
export_quick() { export CARGO_PROFILE_DEV_OPT_LEVEL=0 CARGO_PROFILE_DEV_DEBUG=0; }

test_exe() {
    export_quick
    built
    realpath "$output/$target/debug/fathom.exe"
}

units() {
    local lacking package packages=()
    lacking=$(missing)
    [ -z "$lacking" ] || fail "cannot test for Windows without: $lacking"
    export_quick
    make_prefix
    for package in "${PACKAGES[@]}"; do packages+=(--package "$package"); done
    # One server for all: it would end a few seconds after each test program, and the next one may
    # find it ending.
    ended_server
    "$server" -p
    # Full and read-only disks (store's tests::places) need mounts of Linux.
    # Property tests get fewer cases than on Linux: few suffice to show differences. Insta cannot run
    # `cargo metadata` here and needs the folder.
    PROPTEST_CASES=${PROPTEST_CASES:-32} INSTA_WORKSPACE_ROOT=$PWD \
        CARGO_TARGET_X86_64_PC_WINDOWS_GNU_RUNNER=$wine \
        cargo test --locked --target "$target" --lib "${packages[@]}" -- --skip tests::places::
    ended_server
}

tested() {
    units
    FATHOM_WINDOWS_EXE=$(test_exe) \
        cargo test --locked --package fathom --test fathom windows:: -- --show-output
}

case ${1:-} in
    build)
        built --release
        echo "$output/$target/release/fathom.exe"
        ;;
    zip) zipped "${2:-$output/packages}" ;;
    exe) test_exe ;;
    units) units ;;
    test) (tested) ;;
    prefix)
        make_prefix
        echo "$prefix"
        ;;
    missing) missing ;;
    *) fail "say build, zip, exe, units, test, prefix or missing" ;;
esac
