#!/usr/bin/env bash
# The checks that a change must pass.
#
#   scripts/test.sh       format, lints, house rules, and all tests on Linux
#   scripts/test.sh --all also the tests in a Kubernetes cluster, on Windows (under Wine) and on an
#                         emulated arm64, packages, workflows and scripts, licences, fuzzing and instruction counts; CI runs this
#
# Both install what their tests need; with --no-install they install nothing. A test that lacks a
# program or a right says `SKIP: …` and passes; with CI=true or FATHOM_TESTS_REQUIRE=1 it fails
# instead. FATHOM_FUZZ_SECONDS (default 20) bounds each fuzz target.
set -uo pipefail

# A command that a script starts with `&`, or nohup, ignores some signals, and its children inherit
# that. The tests send these signals and wait for the end, so all are set to their defaults first.
if [ -z "${FATHOM_TEST_SIGNALS:-}" ] && env --default-signal true 2>/dev/null; then
    FATHOM_TEST_SIGNALS=default exec env --default-signal "$BASH" "$0" "$@"
fi
cd "$(dirname "$0")/.." || exit

if ! command -v cargo >/dev/null 2>&1 && [ -x "$HOME/.cargo/bin/cargo" ]; then
    PATH="$HOME/.cargo/bin:$PATH"
fi
if ! command -v cargo >/dev/null 2>&1; then
    echo "scripts/test.sh: no cargo here. Rust 1.90 or newer is needed: https://rustup.rs says how" >&2
    echo "to get it (with rustfmt and clippy: rustup component add rustfmt clippy)." >&2
    exit 1
fi

all='' install=yes
for argument in "$@"; do
    case $argument in
        --all) all=yes ;;
        --no-install) install='' ;;
        *)
            echo "scripts/test.sh: it takes --all and --no-install, and no $argument" >&2
            exit 2
            ;;
    esac
done

# in_kept_tree FOLDER: checks this clone's commit out into FOLDER, which it makes. Fails if this clone
# has uncommitted changes, or if another run uses FOLDER.
in_kept_tree() {
    [ -z "${FATHOM_TEST_TREE:-}" ] && mkdir -p "$1" && exec 9>"$1.lock" && flock --nonblock 9 || return 1
    local changes
    changes=$(git status --porcelain) && [ -z "$changes" ] || return 1
    { [ -d "$1/.git" ] || git init --quiet "$1"; } &&
        git -C "$1" fetch --quiet "$PWD" HEAD &&
        git -C "$1" checkout --quiet --force --detach FETCH_HEAD &&
        git -C "$1" clean --quiet -ffdx
}

if [ "${CI:-}" = true ]; then
    export FATHOM_TESTS_REQUIRE=1
    export CARGO_TERM_COLOR=never
    # The commit is checked out into one folder that stays, beside what was built from it, so that the
    # next run builds only what changed. No other folder shares that build: cargo names what it builds
    # by the path within the workspace, and would take what was built later from another folder as new.
    cache="${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/fathom-ci"
    if in_kept_tree "$cache/tree"; then
        export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$cache/target}"
        # Its children do not inherit the lock: one that outlives a killed run would keep it.
        FATHOM_TEST_TREE=kept "$BASH" "$cache/tree/scripts/test.sh" "$@" 9>&-
        exit
    fi
fi

# Packages are built with these, and so are the tests.
features=fathom/kube

log=$(mktemp)
trap 'rm -f "$log" "$log".*' EXIT
summary=()
failures=0
default_signals=()
# Tests that failed, and passed when they were repeated: those that scripts/unsteady.txt excuses, and
# all others.
excused=()
unsteady=()
# The modules of tests that need a cluster.
cluster_tests=(kube:: kube_check:: kube_faults:: kube_rights::)
# Process of the tests in the background, by name.
declare -A background=()

# step NAME COMMAND…: runs it, records the outcome, and continues: one run shows all failures.
step() {
    local name=$1 start=$SECONDS verdict=ok
    shift
    printf '\n== %s: %s\n' "$name" "$*"
    "$@" || verdict=FAILED
    [ "$verdict" = ok ] || failures=$((failures + 1))
    summary+=("$(printf '%-8s %-7s %4ds' "$name" "$verdict" $((SECONDS - start)))")
}

# cargo_tests TARGETS… -- FILTERS…: always of the whole workspace, so that each crate is built once.
# Output of passed tests goes only to the log, which is searched for skips: some tests panic on
# purpose, and a reader would take that for a failure.
cargo_tests() {
    "${default_signals[@]}" cargo test --workspace --features "$features" --locked --no-fail-fast "$@" --show-output 2>&1 | tee -a "$log" |
        awk '/^(failures:|test result: .*)$/ { hidden = 0 } /^successes:$/ { hidden = 1 }
            !hidden { print; fflush() }'
}

# The output of each failed test: cargo prints each section of failures with `failures:`
# before it, and again before the names alone.
printed_by_failed_tests() {
    awk '/^test result: / { sections = 0 } /^failures:$/ { sections++ } sections == 1' "$log"
}

# in_threads NUMBER COMMAND…: runs COMMAND, whose tests use NUMBER threads.
in_threads() {
    local -x RUST_TEST_THREADS=$1
    shift
    "$@"
}

# behind NAME COMMAND…: runs COMMAND in the background. What it prints goes to a file, because the
# outputs of two commands must not mix.
behind() {
    local name=$1
    shift
    : >"$log.$name"
    (
        # See above: what is started with `&` ignores some signals.
        env --default-signal true 2>/dev/null && default_signals=(env --default-signal)
        shown=$log.$name.shown log=$log.$name
        "$@" >"$shown" 2>&1
    ) &
    background[$name]=$!
}

# wait_for NAME: waits for it, shows what it printed, and gives its verdict.
wait_for() {
    local verdict
    [ -n "${background[$1]:-}" ] || return 1
    wait "${background[$1]}"
    verdict=$?
    cat "$log.$1.shown"
    cat "$log.$1" >>"$log"
    return "$verdict"
}

# or_anew COMMAND…: a build. A run that was killed, or an error of the compiler, can leave files behind
# that no build can use, and the folder stays for all later runs. So if a build in that folder fails, it
# starts once more, without what was built of this workspace.
or_anew() {
    "$@" && return
    [ "${FATHOM_TEST_TREE:-}" = kept ] || return 1
    printf '\n== anew, in case what was built before is damaged: %s\n' "$*"
    : >"$log"
    { cargo clean --workspace || cargo clean; } && "$@"
}

# The tests of Kubernetes wait longest, for a cluster of their own, so they run in the background from
# here on.
build() {
    or_anew cargo_tests --no-run -- || return 1
    [ -z "$all" ] || behind cluster in_threads $((2 * $(nproc))) cargo_tests --test fathom -- "${cluster_tests[@]}"
}

# The reason of each failed test, at most 20 lines of it, without its backtrace.
reasons_of_failed_tests() {
    awk -v most=20 'NR == FNR { if ($1 == "test" && $NF == "FAILED") failed[$2]; next }
        /^---- .* stdout ----$/ { test = $2; left = 0 }
        /panicked at / && test in failed { print "-- " test; left = most; delete failed[test] }
        /^stack backtrace:$/ { left = 0 }
        left-- > 0' "$log" "$log"
}

# The names of the tests that failed, a line each.
failed_tests() { sed -n 's/^test \(.*\) \.\.\. FAILED$/\1/p' "$log" | sed 's/ - should panic$//' | sort -u; }

# A test can fail because of what runs beside it, here or on other machines of the same host. What
# failed is repeated alone, once, to know. A test that passes only then has failed all the same, unless
# scripts/unsteady.txt names it. Nothing is repeated after many failures, nor after a crash or an error
# of the compiler.
repeat_failed() {
    local names name
    mapfile -t names < <(failed_tests)
    [ ${#names[@]} -gt 0 ] && [ ${#names[@]} -le 8 ] || return 1
    ! grep -qE "process didn't exit successfully|^error: could not compile" "$log" || return 1
    printf '\n== repeated alone: %s\n' "${names[*]}"
    RUST_TEST_THREADS=1 log=$log.repeated cargo_tests --tests -- --exact "${names[@]}" || return 1
    # All that ran have passed, and each must have run. The line of a test may not end in `ok`: one that
    # was disturbed prints `BUSY:` there before its next attempt.
    for name in "${names[@]}"; do
        grep -qF -e "test $name ... " -e "test $name - should panic ... " "$log.repeated" || return 1
        if awk '!/^#/ { print $2 }' scripts/unsteady.txt | grep -qxF "$name"; then
            excused+=("$name")
        else
            unsteady+=("$name")
        fi
    done
    [ ${#unsteady[@]} -eq 0 ]
}

# Tests of the finished binary wait for a third of their time, so more of them run at once than there
# are CPUs, except those whose figures other tests would change.
all_tests() {
    local failed=0 skips=("${cluster_tests[@]/#/--skip=}")
    [ -n "$all" ] || skips+=(--skip=windows::)
    in_threads $((3 * $(nproc))) cargo_tests --test fathom -- --skip=figures:: --skip=arm64:: "${skips[@]}" || failed=1
    # The browser mostly waits for downloads.
    behind browser in_threads 2 cargo_tests --test browser --
    [ -z "$all" ] || wait_for cluster || failed=1
    # The tests of all other targets; no crate has any in its documentation.
    cargo_tests --lib --bins --test '[!bf]*' --test 'fl*' -- || failed=1
    wait_for browser || failed=1
    # Most of them wait for a throttle.
    in_threads $(($(nproc) + 1)) cargo_tests --test fathom -- figures:: || failed=1
    # An emulated machine beside other tests is too slow for the coordinator's patience.
    [ -z "$all" ] || in_threads 1 cargo_tests --test fathom -- arm64:: || failed=1
    return "$failed"
}
tests() { all_tests || repeat_failed; }

# The campaign tests again, with each call to a machine and each answer encoded as bytes. For this
# package alone cargo would rebuild it and its dependencies with other features.
encoded() {
    local binary
    binary=$(cargo test --workspace --features "$features" --lib --locked --no-run --message-format=json 2>/dev/null |
        sed -n 's/.*"name":"fathom_campaign".*"executable":"\([^"]*\)".*/\1/p')
    (cd crates/campaign && FATHOM_TEST_MACHINE=encoded "$binary" --quiet)
}

# The fuzzers' lock file must name the crates that they use; cargo-fuzz would update it silently.
fuzz_lock() {
    cargo metadata --manifest-path fuzz/Cargo.toml --locked --format-version 1 >/dev/null
}

# What a release rests on: scripts, workflows with fixed actions and few rights, and dependencies whose licences
# and sources deny.toml accepts. The database of advisories needs a network: the workflow `test` asks it.
release_lints() {
    local tools
    tools=$(scripts/tools.sh) &&
        shellcheck --severity=warning --external-sources .ci/run packaging/install.sh scripts/*.sh &&
        "$tools/actionlint" && "$tools/zizmor" --quiet --offline .github action.yml &&
        "$tools/cargo-deny" --locked check licenses sources bans
}

# The parsers are safe Rust, so no sanitizer is needed, and without one the stable compiler does:
# it only needs permission for the flags that guide the fuzzer.
fuzz() {
    local -x RUSTC_BOOTSTRAP=1
    # Some dependencies are built anew when that variable changes, and with them all that needs them: in
    # a folder shared with other builds, each would undo the other's.
    local -x CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}/fuzz
    # As a development build a change is compiled in parts; the speed is the same.
    cargo fuzz build --dev --sanitizer none || return 1
    # A target uses one CPU, so as many run at once as there are CPUs.
    printf '%s\n' job_file command_line frames nfs_reply |
        xargs -P "$(nproc)" -I{} cargo fuzz run --dev --sanitizer none {} -- \
            -max_total_time="${FATHOM_FUZZ_SECONDS:-20}" -verbosity=0 -print_funcs=0 -print_final_stats=1
}

# Tests of the next step run the Windows binary under Wine and find it by its variable. The unit tests
# of crates that need no changes run under Wine too.
windows() {
    scripts/windows.sh units && FATHOM_WINDOWS_EXE=$(scripts/windows.sh exe) && export FATHOM_WINDOWS_EXE
}

# can_run STEP REASON COMMAND…: whether COMMAND succeeds. If not, the summary says that STEP does not run,
# and why; where a skip is an error, it has failed.
can_run() {
    local name=$1 reason=$2 verdict='not run'
    shift 2
    "$@" >/dev/null 2>&1 && return
    if [ "${FATHOM_TESTS_REQUIRE:-}" = 1 ]; then
        verdict='FAILED, a skip is an error'
        failures=$((failures + 1))
    fi
    summary+=("$(printf '%-8s %s: %s' "$name" "$verdict" "$reason")")
    return 1
}
has_lints() { command -v shellcheck && scripts/tools.sh; }
has_arm64_parts() { [ -z "$(scripts/arm64.sh missing)" ]; }
has_windows_parts() { [ -z "$(scripts/windows.sh missing)" ]; }

# The core's tests on an emulated arm64, and a binary for the tests that drive an agent there.
arm64() {
    scripts/arm64.sh units && FATHOM_ARM64_BINARY=$(scripts/arm64.sh binary) && export FATHOM_ARM64_BINARY
}

# Packages for arm64, with another program in place of Fathom: they are looked at and not run, and to
# compress a Fathom for tests takes minutes.
arm64_packages() {
    FATHOM_MACHINE=aarch64 FATHOM_BINARY=$(scripts/arm64.sh sample) FATHOM_NATIVE=$1 scripts/package.sh test
}

# The checks of --all after the tests.
packages_and_costs() {
    # Users run the packaged binary, so its instructions are counted, if it can be built.
    local target release
    target=$(scripts/package.sh target) || target=
    release="${CARGO_TARGET_DIR:-target}/${target:+$target/}release"
    step release cargo build --release --locked ${target:+--target "$target"} \
        --features "$features" --package fathom --package fathom-bench
    # Instructions are counted while packages are made: each uses one CPU, and neither measures time.
    if can_run cost 'valgrind is missing' command -v valgrind; then
        behind cost "$release/fathom-bench" --instructions --check --dir "${CARGO_TARGET_DIR:-target}"
    fi
    if can_run packages 'no static binary can be built here; see above' test -n "$target"; then
        step packages env FATHOM_BINARY="$release/fathom" scripts/package.sh test
        [ -z "${FATHOM_ARM64_BINARY:-}" ] || step arm64-packages arm64_packages "$release/fathom"
    fi
    [ -z "${background[cost]:-}" ] || step cost wait_for cost
    ! can_run fuzz 'cargo install cargo-fuzz brings what it needs' cargo fuzz --version || step fuzz fuzz
}

[ -z "$install" ] || step parts scripts/install-test-parts.sh ${all:+--all}
[ -z "$install" ] || [ -z "$all" ] || step cluster scripts/cluster.sh build
step format cargo fmt --all --check
step clippy cargo clippy --workspace --features "$features" --all-targets --locked -- -D warnings
# What `cargo build` alone makes.
[ -z "$all" ] || step plain cargo check --quiet --locked --package fathom
step tidy cargo run --quiet --locked --package xtask -- tidy
[ -z "$all" ] || step locks fuzz_lock
if [ -n "$all" ] && can_run lints 'shellcheck, Go or Python is missing' has_lints; then step lints release_lints; fi
step build build
if [ -n "$all" ] && can_run windows "missing: $(scripts/windows.sh missing)" has_windows_parts; then
    step windows windows
fi
if [ -n "$all" ] && can_run arm64 "missing: $(scripts/arm64.sh missing)" has_arm64_parts; then
    step arm64 arm64
fi
step test tests
step encoded encoded
[ -z "$all" ] || packages_and_costs

if [ "$(grep -cv '^#' scripts/unsteady.txt)" -gt 10 ]; then
    summary+=("unsteady FAILED: scripts/unsteady.txt excuses more than ten tests; mend some")
    failures=$((failures + 1))
fi
if [ -n "$(failed_tests)" ]; then
    printf '\n== tests that failed\n'
    printed_by_failed_tests
    printf '\n== why they failed\n'
    reasons_of_failed_tests
    printf '\n'
    grep '^test .* \.\.\. FAILED$' "$log"
fi
printf '\n== summary\n'
printf '%s\n' "${summary[@]}"
if grep -q 'SKIP: ' "$log"; then
    echo 'skipped:'
    grep 'SKIP: ' "$log" | sort | uniq -c
fi
[ ${#excused[@]} -eq 0 ] || printf 'passed only when repeated, excused by scripts/unsteady.txt: %s\n' "${excused[@]}"
[ ${#unsteady[@]} -eq 0 ] || printf 'FAILED: passed only when repeated; mend it: %s\n' "${unsteady[@]}"
# The totals of all test binaries in the format of one, so that the last line describes the whole
# run. An excused test has passed.
awk -v steps="$failures" -v time="$SECONDS" -v repeated="${#excused[@]}" '
    /^test result: / {
        for (i = 2; i <= NF; i++) {
            if ($i ~ /^passed/) passed += $(i - 1)
            if ($i ~ /^failed/) failed += $(i - 1)
            if ($i ~ /^ignored/) ignored += $(i - 1)
        }
    }
    END {
        passed += repeated
        failed -= repeated
        printf "test result: %s. %d passed; %d failed; %d ignored; 0 measured; 0 filtered out; " \
            "finished in %ds\n", steps ? "FAILED" : "ok", passed, failed, ignored, time
    }' "$log"
[ "$failures" -eq 0 ]
