#!/usr/bin/env bash
# An independent NFS server (nfs-ganesha) for the tests, in its own namespaces on this machine:
# it is invisible outside, and ending its first process ends all of it.
#
#   scripts/nfs-server.sh build        fetches its parts: Debian's packages, unpacked, not installed
#   scripts/nfs-server.sh built        whether they are built, as an exit code
#   scripts/nfs-server.sh hold DIR     starts it, prints "ready", and stops it when standard input ends
#   scripts/nfs-server.sh run DIR …    runs a program in its network (server and client share one)
#   scripts/nfs-server.sh see DIR …    runs a program that sees its files
#   scripts/nfs-server.sh counts DIR   its own counters: one "READ n", "WRITE n" … a line
#   scripts/nfs-server.sh kill DIR     ends the server process at once; connections break
#   scripts/nfs-server.sh again DIR    starts the server process again, with another write verifier
#   scripts/nfs-server.sh limit DIR LINK [EACH PORT COUNT]
#                                      limits the server's output to LINK Mbit/s in all and to EACH
#                                      on each of COUNT connections from PORT on; LINK 0 means no limit
#
# Exports of 127.0.0.1, NFS at port 20490 and MOUNT at 20491: /all (64 MiB in memory), /small (of
# 4 MiB), /readonly and /squashed (the files of /all), /trusted (to ports below 1024 only). DIR is an
# absolute path to a new folder. Needs root, util-linux, iproute2, dbus and systemd's busctl.
set -euo pipefail
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
parts=${FATHOM_NFS_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/fathom-ci/nfs}
root=$parts/debian
nfs_port=20490
mount_port=20491

fail() { echo "scripts/nfs-server.sh: $*" >&2; exit 1; }

# --- parts ---------------------------------------------------------------------------------------

build() {
    if [ -e "$parts/complete" ]; then return; fi
    command -v apt-get >/dev/null || fail "the server's packages are Debian's, and there is no apt-get"
    mkdir -p "$root"
    find /var/lib/apt/lists -name '*_Packages*' 2>/dev/null | grep -q . || apt-get update -qq
    # The server's packages in any case, and their missing dependencies.
    local wanted package
    wanted=$({ apt-get install -s --no-install-recommends nfs-ganesha nfs-ganesha-vfs 2>/dev/null |
        sed -n 's/^Inst \([^ ]*\).*/\1/p'; printf '%s\n' nfs-ganesha nfs-ganesha-vfs rpcbind; } | sort -u)
    # shellcheck disable=SC2086 # a list of names
    (cd "$parts" && apt-get download -qq $wanted)
    for package in "$parts"/*.deb; do dpkg-deb -x "$package" "$root"; done
    rm -f "$parts"/*.deb
    touch "$parts/complete"
}

# --- the server ----------------------------------------------------------------------------------

export_block() { # number, path, name, more
    echo "EXPORT { Export_Id = $1; Path = $2; Pseudo = /$3; $4 FSAL { Name = VFS; } }"
}

configuration() {
    local plugins
    plugins=$(find "$root" -type d -name ganesha -path '*-linux-gnu*' | head -1)
    cat <<END
NFS_CORE_PARAM {
    NFS_Port = $nfs_port; MNT_Port = $mount_port; Protocols = 3; mount_path_pseudo = true;
    Clustered = false; Enable_NLM = false; Enable_RQUOTA = false; Enable_UDP = false;
    Enable_FULLV3_Stats = true; Plugins_Dir = $plugins;
}
NFS_KRB5 { Active_krb5 = false; }
EXPORT_DEFAULTS {
    Access_Type = RW; Squash = No_Root_Squash; SecType = sys; Transports = TCP; Protocols = 3;
}
$(export_block 1 "$dir/all" all '')
$(export_block 2 "$dir/small" small '')
$(export_block 3 "$dir/all" readonly 'Access_Type = RO;')
$(export_block 4 "$dir/all" squashed 'Squash = All_Squash;')
$(export_block 5 "$dir/all" trusted 'PrivilegedPort = true;')
END
}

# The first process of the namespaces: it sets them up, and reaps orphans.
first_process() {
    ip link set lo up
    # The server needs an address besides lo's before it accepts connections.
    ip link add one type veth peer name other
    ip address add 10.78.0.1/24 dev one
    ip link set one up
    ip link set other up
    mount -t tmpfs none /run
    mkdir -p /run/rpcbind /run/dbus /run/ganesha "$dir/all" "$dir/small"
    mount -t tmpfs -o size=64m none "$dir/all"
    mount -t tmpfs -o size=4m none "$dir/small"
    # rpcbind changes to a user that only its package creates.
    { grep -v '^_rpc:' /etc/passwd; echo '_rpc:x:132:65534::/run/rpcbind:/usr/sbin/nologin'; } >"$dir/passwd"
    mount --bind "$dir/passwd" /etc/passwd
    bus_configuration >"$dir/bus.conf"
    "$(find "$root" -path '*/sbin/rpcbind' | head -1)" -f -w &
    dbus-daemon --config-file="$dir/bus.conf" --nofork --nopidfile &
    until [ -S /run/rpcbind.sock ] && [ -S /run/dbus/system_bus_socket ]; do sleep 0.02; done
    touch "$dir/begun"
    while :; do sleep 600 & wait $! || true; done
}

bus_configuration() {
    cat <<'END'
<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type><listen>unix:path=/run/dbus/system_bus_socket</listen><auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
  </policy>
</busconfig>
END
}

inside() { nsenter -t "$(cat "$dir/first")" -n -m -p "$@"; }

server_pids() { inside ps -eo pid=,comm= | awk '$2 == "ganesha.nfsd" { print $1 }'; }

# Whether a process listens at the NFS port: 500A in the kernel's list, in state 0A.
listens() { inside grep -q ':500A .* 0A ' /proc/net/tcp /proc/net/tcp6; }

start_server() {
    # The server's verifier is its start time in seconds: it gets a different one each time.
    local epoch
    epoch=$(($(cat "$dir/epoch" 2>/dev/null || date +%s) + 1))
    echo "$epoch" >"$dir/epoch"
    inside env LD_LIBRARY_PATH="$libraries" setsid --fork "$root/usr/bin/ganesha.nfsd" -F \
        -L "$dir/server.log" -f "$dir/server.conf" -p "$dir/server.pid" -E "$epoch" -N NIV_EVENT \
        </dev/null >>"$dir/server.out" 2>&1
    local try
    for try in $(seq 400); do
        if listens; then return; fi
        if [ "$try" -gt 20 ] && [ -z "$(server_pids)" ]; then break; fi
        sleep 0.05
    done
    tail -5 "$dir/server.log" "$dir/server.out" >&2 || true
    fail "the server did not start"
}

start() {
    [ "$(id -u)" = 0 ] || fail "needs root"
    [ -e "$parts/complete" ] || fail "its parts are not there; run scripts/nfs-server.sh build"
    mkdir -p "$dir"
    configuration >"$dir/server.conf"
    setsid unshare -n -m -p --fork --kill-child --mount-proc \
        bash "$0" first "$dir" </dev/null >"$dir/first.out" 2>&1 &
    unshared=$!
    trap 'kill -KILL "$unshared" 2>/dev/null || true' EXIT
    local child='' try
    for try in $(seq 500); do
        child=$(cat "/proc/$unshared/task/$unshared/children" 2>/dev/null || true)
        if [ -n "$child" ] && [ -e "$dir/begun" ]; then break; fi
        kill -0 "$unshared" 2>/dev/null || break
        sleep 0.02
    done
    [ -n "$child" ] && [ -e "$dir/begun" ] || { cat "$dir/first.out" >&2; fail "no namespaces"; }
    echo "${child% }" >"$dir/first"
    start_server
}

counts() {
    # The fields include name, count, errors, repeats, times.
    local said
    said=$(inside busctl --address=unix:path=/run/dbus/system_bus_socket call org.ganesha.nfsd \
        /org/ganesha/nfsd/ExportMgr org.ganesha.nfsd.exportstats GetFULLV3Stats)
    # Operations that never ran are missing from it.
    { grep -oE '"(READ|WRITE|COMMIT)" [0-9]+' || true; } <<<"$said" | tr -d '"'
}

# The server's output passes one queue with a class for each connection, like a cloud that limits
# the rate of each flow. A class may send one segment of the loopback at once.
limit() { # Mbit/s in all, of each connection, the first one's port, how many
    local link=$1 each=${2:-} port=${3:-} count=${4:-0} at
    inside tc qdisc del dev lo root 2>/dev/null || true
    if [ "$link" = 0 ]; then return; fi
    inside tc qdisc add dev lo root handle 1: htb default 0
    inside tc class add dev lo parent 1: classid 1:1 htb rate "${link}mbit" burst 64k cburst 64k
    inside tc class add dev lo parent 1:1 classid 1:2 htb \
        rate "${link}mbit" burst 64k cburst 64k quantum 60000
    for at in $(seq 0 $((count - 1))); do
        inside tc class add dev lo parent 1:1 classid "1:$((16 + at))" htb \
            rate 1mbit ceil "${each}mbit" burst 64k cburst 64k quantum 60000
        inside tc filter add dev lo parent 1: prio 1 u32 match ip sport $nfs_port 0xffff \
            match ip dport $((port + at)) 0xffff flowid "1:$((16 + at))"
    done
    inside tc filter add dev lo parent 1: prio 2 u32 match ip sport $nfs_port 0xffff flowid 1:2
}

command=${1:-}
dir=${2:-}
libraries=$(find "$root" -name '*.so*' -printf '%h\n' 2>/dev/null | sort -u | paste -sd: || true)
shift $(($# < 2 ? $# : 2))
case $command in
build) build ;;
built) [ -e "$parts/complete" ] ;;
first) first_process ;;
hold)
    start
    echo ready
    cat >/dev/null
    ;;
run) exec nsenter -t "$(cat "$dir/first")" -n "$@" ;;
see) inside "$@" ;;
counts) counts ;;
kill)
    pids=$(server_pids)
    # shellcheck disable=SC2086 # a list of numbers
    inside kill -KILL $pids
    while listens; do sleep 0.02; done
    ;;
again) start_server ;;
limit) limit "$@" ;;
*) sed -n '2,23p' "$0" >&2; exit 2 ;;
esac
