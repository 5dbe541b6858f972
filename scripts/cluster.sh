#!/usr/bin/env bash
# A Kubernetes cluster of three nodes for the tests, in its own namespaces on this machine.
#
#   scripts/cluster.sh build   fetches and builds its parts (six minutes the first time)
#   scripts/cluster.sh up      starts it in ten seconds; prints the path of its kubeconfig
#   scripts/cluster.sh hold    the same, and stops it when standard input ends; a cluster that was
#                              started by hand is used, and continues
#   scripts/cluster.sh down    stops it; only the built parts are left
#   scripts/cluster.sh stop PART    kills a part, such as apiserver or node2-kubelet, and keeps it stopped
#   scripts/cluster.sh resume PART  starts it again
#   scripts/cluster.sh built   whether its parts are built, as an exit code
#   scripts/cluster.sh kubectl …
#
# All parts run below one process in its own namespaces, so that ending it ends all of them. The
# first node and the control plane share namespaces; each other node has its own, at the other end
# of a wire. The API server is reached at 10.233.0.1. There is no registry: images are made here, of
# busybox, and a missing image fails at once. A folder of this machine is the same folder on
# every node, except /opt, /var/log and /var/lib/kubelet. Parts are stored outside the clone, under a
# hash of their sources. Needs root, Go, iproute2, util-linux, openssl and curl.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
me=$here/cluster.sh
PATH=$PATH:/usr/local/go/bin:/usr/local/sbin:/usr/sbin:/sbin
cache=${FATHOM_CLUSTER_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/fathom-ci/cluster}
key=$({ go version; cat "$here"/cluster/go.mod "$here"/cluster/go.sum "$here"/cluster/*.go; } 2>/dev/null |
    sha256sum | cut -c1-16)
parts=$cache/$key          # built parts: bin, debian
# The storage driver and its controllers are another module, which is built separately.
csi_key=$({ go version; cat "$here"/cluster/csi/go.mod "$here"/cluster/csi/go.sum "$here"/cluster/csi/*.go; } \
    2>/dev/null | sha256sum | cut -c1-16)
csi=$cache/csi-$csi_key    # built from it: bin, crd
state=$cache/run           # the running cluster
kube=$parts/bin/kube
net=fathom-cluster         # name of the network namespace and of the cgroups
wire=fathom-kube
server=10.233.0.1
nodes=3
config=$state/admin.kubeconfig
version=v1.33.13
PATH=$PATH:$parts/debian/usr/bin:$parts/debian/usr/sbin

fail() { echo "scripts/cluster.sh: $*" >&2; exit 1; }

# --- parts ---------------------------------------------------------------------------------------

build() {
    command -v go >/dev/null || fail "no Go here; install Go 1.24 or newer (https://go.dev/dl)"
    if [ ! -e "$parts/complete" ]; then
        mkdir -p "$parts/bin"
        fetch_packages
        compile
        touch "$parts/complete"
    fi
    if [ ! -e "$csi/complete" ]; then
        mkdir -p "$csi/bin"
        compile_csi
        touch "$csi/complete"
    fi
}

# Debian's packages, unpacked but not installed.
fetch_packages() {
    local packages=(containerd runc containernetworking-plugins busybox-static)
    find /var/lib/apt/lists -name '*_Packages*' 2>/dev/null | grep -q . || apt-get update -q
    (cd "$parts" && apt-get download -q "${packages[@]}")
    local package
    for package in "$parts"/*.deb; do dpkg-deb -x "$package" "$parts/debian"; done
    rm -f "$parts"/*.deb
}

compile() {
    local component=k8s.io/component-base/version client=k8s.io/client-go/pkg/version flags="-s -w"
    local of
    for of in $component $client; do
        flags+=" -X $of.gitVersion=$version -X $of.gitMajor=1 -X $of.gitMinor=33"
    done
    flags+=" -X $component.gitTreeState=clean -X $component.buildDate=2026-01-01T00:00:00Z"
    go_settings
    # These are not debugged: without DWARF they compile a tenth faster.
    (cd "$here/cluster" &&
        go build -gcflags=all=-dwarf=false -ldflags "$flags" -o "$kube" . &&
        go build -gcflags=all=-dwarf=false -ldflags "-s -w" \
            -o "$parts/bin/local-path-provisioner" github.com/rancher/local-path-provisioner)
}

compile_csi() {
    local project=github.com/kubernetes-csi snapshots
    go_settings
    cd "$here/cluster/csi"
    go build -gcflags=all=-dwarf=false -ldflags "-s -w" -o "$csi/bin/" . \
        $project/external-provisioner/v5/cmd/csi-provisioner \
        $project/external-resizer/cmd/csi-resizer \
        $project/external-snapshotter/v8/cmd/csi-snapshotter \
        $project/external-snapshotter/v8/cmd/snapshot-controller
    snapshots=$(go list -m -f '{{.Dir}}' $project/external-snapshotter/client/v8)/config/crd
    rm -rf "$csi/crd"
    mkdir "$csi/crd"
    cp "$snapshots"/snapshot.storage.k8s.io_*.yaml "$csi/crd"
    cd "$here"
}

go_settings() {
    export CGO_ENABLED=0 GOTOOLCHAIN=local GOFLAGS="-buildvcs=false -trimpath -mod=readonly"
}

# image NAME COMMAND REFERENCE: an archive for containerd, with one layer of busybox.
image() {
    local tree applet busybox=$parts/debian/bin/busybox layer sum
    tree=$(mktemp -d)
    mkdir -p "$tree"/root/{bin,etc,proc,sys,dev,tmp,root}
    chmod 1777 "$tree/root/tmp"
    cp "$busybox" "$tree/root/bin/busybox"
    for applet in $("$busybox" --list); do
        [ "$applet" = busybox ] || ln -s busybox "$tree/root/bin/$applet"
    done
    echo 'root:x:0:0:root:/root:/bin/sh' >"$tree/root/etc/passwd"
    layer=$tree/layer.tar
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -C "$tree/root" -cf "$layer" .
    sum=$(sha256sum <"$layer" | cut -d' ' -f1)
    cat >"$tree/config.json" <<END
{"architecture":"$(dpkg --print-architecture)","os":"linux",
 "config":{"Env":["PATH=/bin"],"Cmd":$2},
 "rootfs":{"type":"layers","diff_ids":["sha256:$sum"]}}
END
    echo "[{\"Config\":\"config.json\",\"RepoTags\":[\"$3\"],\"Layers\":[\"layer.tar\"]}]" \
        >"$tree/manifest.json"
    tar -C "$tree" -cf "$state/images/$1.tar" config.json layer.tar manifest.json
    rm -rf "$tree"
}

# --- outside the namespaces: network, start and stop -----------------------------------------------

up() {
    [ "$(id -u)" = 0 ] || fail "needs root, for namespaces, mounts and control groups"
    build
    down
    mkdir -p "$state"/{log,images,held}
    image pause '["/bin/busybox","sleep","2147483647"]' localhost/pause:1
    image busybox '["/bin/sh"]' docker.io/library/busybox:1.37
    credentials
    ip netns add $net
    ip -n $net link set lo up
    ip link add $wire type veth peer name eth0 netns $net
    ip -n $net link add nodes0 type bridge
    ip -n $net link set eth0 master nodes0 up
    ip -n $net addr add $server/24 dev nodes0
    ip -n $net link set nodes0 up
    ip addr add 10.233.0.254/24 dev $wire
    ip link set $wire up
    # A kubelet takes its own address from the route.
    ip -n $net route add default via 10.233.0.254
    setsid nsenter --net=/run/netns/$net unshare --mount --pid --ipc --uts --fork --kill-child \
        --mount-proc "$me" machine </dev/null >"$state/log/machine.log" 2>&1 &
    echo $! >"$state/pid"
    await "a node is not ready" nodes_are_ready
    await "there is no StorageClass" kubectl get storageclass local-path
    await "the storage driver is not on each node" drivers_are_known
    echo "$config"
}

nodes_are_ready() { [ "$(kubectl get nodes --no-headers | grep -cw Ready)" = $nodes ]; }

drivers_are_known() {
    local names
    names=$(kubectl get csinodes -o 'jsonpath={.items[*].spec.drivers[*].name}')
    [ "$(wc -w <<<"$names")" = $nodes ] && kubectl get volumesnapshotclass snapclass
}

# await COMPLAINT COMMAND…: waits until the command succeeds, at most five minutes; a busy machine takes one.
await() {
    local complaint=$1 end=$((SECONDS + 300))
    shift
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $end ] || fail "$complaint; see $state/log"
        kill -0 "$(cat "$state/pid")" 2>/dev/null || fail "$complaint: it ended; see $state/log"
        sleep .2
    done
}

is_running() {
    local pid
    pid=$(cat "$state/pid" 2>/dev/null || true)
    [ -n "$pid" ] && grep -qz cluster.sh "/proc/$pid/cmdline" 2>/dev/null
}

down() {
    local pid group
    if is_running; then
        pid=$(cat "$state/pid")
        kill -KILL "$pid" 2>/dev/null || true
        for _ in $(seq 100); do [ -e "/proc/$pid" ] || break; sleep .1; done
    fi
    if ip netns list 2>/dev/null | grep -qw $net; then ip netns del $net; fi
    ip link del $wire 2>/dev/null || true
    for _ in $(seq 50); do
        own_groups | while read -r group; do
            find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || true
        done
        own_groups | grep -q . || break
        sleep .1
    done
    rm -rf "$state"
}

own_groups() { find /sys/fs/cgroup -maxdepth 2 -type d -name $net; }

stop_part() {
    touch "$state/held/$1"
    kill -KILL "$(part "$1")"
}

# The process of a part. Its children have the same environment, and are younger.
part() {
    local file pid found=
    for file in /proc/[0-9]*/environ; do
        if grep -qzx "FATHOM_PART=$1" "$file" 2>/dev/null; then
            pid=${file#/proc/} pid=${pid%/environ}
            if [ -z "$found" ] || [ "$pid" -lt "$found" ]; then found=$pid; fi
        fi
    done
    [ -n "$found" ] || fail "$1 does not run; parts are called as the files in $state/log"
    echo "$found"
}

hold() {
    if is_running && nodes_are_ready; then
        echo "$config"
        cat >/dev/null
        return
    fi
    trap down EXIT
    trap 'exit 1' INT TERM HUP
    up
    cat >/dev/null
}

# Tokens instead of certificates: anyone who reaches this network may know them.
credentials() {
    openssl genrsa -out "$state/accounts.key" 2048 2>/dev/null
    local who
    echo 'fathom-admin,admin,admin,system:masters' >"$state/tokens.csv"
    for who in $(node_names); do
        echo "fathom-$who,system:node:$who,$who,system:nodes" >>"$state/tokens.csv"
    done
    for who in admin $(node_names); do
        cat >"$state/$who.kubeconfig" <<END
apiVersion: v1
kind: Config
clusters: [{name: test, cluster: {server: "https://$server:443", insecure-skip-tls-verify: true}}]
users: [{name: $who, user: {token: fathom-$who}}]
contexts: [{name: test, context: {cluster: test, user: $who}}]
current-context: test
END
    done
}

node_names() { seq -f node%g $nodes; }

# Through the environment: kubectl takes no option before the name of a plugin.
kubectl() { KUBECONFIG=$config "$kube" kubectl "$@"; }

# --- inside the namespaces: the first process of the machine ---------------------------------------

machine() {
    mount --make-rprivate /
    local name
    for name in $(node_names); do groups "$name"; done
    for name in $(node_names | tail -n +2); do another_node "$name"; done
    prepare node1
    start etcd "$kube" etcd --data-dir "$state/etcd" --unsafe-no-fsync --log-level warn
    start apiserver "$kube" kube-apiserver --etcd-servers=http://127.0.0.1:2379 \
        --bind-address=$server --secure-port=443 --advertise-address=$server \
        --service-cluster-ip-range=10.97.0.0/16 --cert-dir="$state/certificates" \
        --token-auth-file="$state/tokens.csv" --authorization-mode=Node,RBAC \
        --service-account-issuer=https://kubernetes.default.svc \
        --service-account-key-file="$state/accounts.key" \
        --service-account-signing-key-file="$state/accounts.key" \
        --kubelet-preferred-address-types=InternalIP --allow-privileged=true \
        --enable-priority-and-fairness=false --profiling=false
    until kubectl get --raw /readyz >/dev/null 2>&1; do sleep .1; done
    local common=(--kubeconfig="$config" --leader-elect=false --bind-address=127.0.0.1)
    start controllers "$kube" kube-controller-manager "${common[@]}" \
        --service-account-private-key-file="$state/accounts.key" \
        --root-ca-file="$state/certificates/apiserver.crt" --pvclaimbinder-sync-period=1s
    start scheduler "$kube" kube-scheduler "${common[@]}"
    # Tells the other nodes that the server is ready, with its admin's role.
    touch "$state/served"
    kubelet node1 $server
    provisioner
    storage_driver
    stay
}

# The first process reaps orphans.
stay() { while :; do wait -n 2>/dev/null || sleep 1; done; }

# another_node NAME: starts it in its own namespaces, and connects it to the network.
another_node() {
    local name=$1 pid
    unshare --net --mount --pid --ipc --uts --fork --kill-child --mount-proc "$me" node "$name" &
    pid=$!
    until [ "$(readlink "/proc/$pid/ns/net")" != "$(readlink /proc/self/ns/net)" ]; do sleep .05; done
    ip link add "$name" type veth peer name eth0 netns "$pid"
    ip link set "$name" master nodes0 up
}

# node NAME: the first process of another node.
node() {
    local name=$1 address=${server%.*}.${1#node}
    until ip link show eth0 >/dev/null 2>&1; do sleep .05; done
    ip link set lo up
    ip addr add "$address/24" dev eth0
    ip link set eth0 up
    ip route add default via $server
    prepare "$name"
    until [ -e "$state/served" ]; do sleep .1; done
    kubelet "$name" "$address"
    stay
}

# prepare NAME: the prerequisites of a node's kubelet.
prepare() {
    mount --make-rshared /
    hostname "$1"
    folders "$1"
    hide_sysctls "$1"
    # Pods have no network: they only need an address.
    echo 1 >/proc/sys/net/ipv4/ip_forward
    containerd_config "$1" >"$state/$1/containerd.toml"
    kubelet_config "$1" >"$state/$1/kubelet.yaml"
    start "$1-containerd" containerd -c "$state/$1/containerd.toml"
}

# kubelet NAME ADDRESS
kubelet() {
    until ctr -a /run/containerd/containerd.sock version >/dev/null 2>&1; do sleep .1; done
    local archive
    for archive in "$state"/images/*.tar; do
        ctr -a /run/containerd/containerd.sock -n k8s.io images import "$archive" >/dev/null
    done
    local attaches=()
    [ "$1" != node1 ] || attaches=(-attach "$config")
    start "$1-csi" "$csi/bin/csi" -node "$1" -folder "$state/csi" "${attaches[@]}"
    start "$1-kubelet" "$kube" kubelet --config="$state/$1/kubelet.yaml" \
        --kubeconfig="$state/$1.kubeconfig" --hostname-override="$1" --node-ip="$2" \
        --root-dir=/var/lib/kubelet --cert-dir="$state/$1/kubelet-certificates"
}

# start NAME COMMAND…: restarts the part when it ends, unless it was stopped on purpose.
start() {
    local name=$1
    shift
    while :; do
        FATHOM_PART=$name "$@" >>"$state/log/$name.log" 2>&1 || true
        while [ -e "$state/held/$name" ]; do sleep .1; done
        sleep .2
    done &
}

folders() {
    mount -t tmpfs -o mode=755 tmpfs /run
    local folder own=$state/$1
    for folder in /var/lib/kubelet /var/log /opt; do
        mkdir -p "$folder" "$own$folder"
        mount --bind "$own$folder" "$folder"
    done
    mkdir -p /opt/local-path
    # Nothing here resolves names: a query fails at once.
    echo 'nameserver 127.0.0.1' >"$own/resolv.conf"
    mount --bind "$own/resolv.conf" /etc/resolv.conf
}

# A kubelet sets kernel values of the whole machine. It sees files that have these values already.
hide_sysctls() {
    local pair file
    for pair in vm/overcommit_memory=1 vm/panic_on_oom=0 kernel/panic=10 kernel/panic_on_oops=1 \
        kernel/keys/root_maxkeys=1000000 kernel/keys/root_maxbytes=25000000; do
        file=$state/$1/${pair%%=*}
        mkdir -p "${file%/*}"
        echo "${pair#*=}" >"$file"
        mount --bind "$file" "/proc/sys/${pair%%=*}"
    done
}

# groups NAME: the control groups of a node.
groups() {
    local controller group
    if [ "$(stat -fc %T /sys/fs/cgroup)" = cgroup2fs ]; then
        mkdir -p "/sys/fs/cgroup/$net/$1"
        for controller in cpuset cpu io memory pids; do
            for group in . $net "$net/$1"; do
                echo +$controller >"/sys/fs/cgroup/$group/cgroup.subtree_control" || true
            done
        done 2>/dev/null
        return
    fi
    for controller in cpu cpuacct cpuset memory devices freezer blkio pids systemd; do
        mkdir -p "/sys/fs/cgroup/$controller/$net/$1"
    done
    local file
    for group in $net "$net/$1"; do
        for file in cpuset.cpus cpuset.mems; do
            cat /sys/fs/cgroup/cpuset/$file >"/sys/fs/cgroup/cpuset/$group/$file"
        done
    done
}

containerd_config() {
    mkdir -p "$state/registries/_default" "$state/cni"
    # No image is fetched: a port without a listener refuses at once.
    echo 'server = "http://127.0.0.1:9"' >"$state/registries/_default/hosts.toml"
    cat >"$state/cni/10-test.conflist" <<'END'
{"cniVersion": "0.4.0", "name": "test", "plugins": [{
  "type": "bridge", "bridge": "pods0", "isGateway": true,
  "ipam": {"type": "host-local", "dataDir": "/run/cni", "ranges": [[{"subnet": "10.234.0.0/24"}]]}
}]}
END
    cat <<END
version = 2
root = "$state/$1/containerd"
state = "/run/containerd"
disabled_plugins = ["io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.btrfs",
  "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.zfs",
  "io.containerd.internal.v1.opt"]
[grpc]
  address = "/run/containerd/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "localhost/pause:1"
  restrict_oom_score_adj = true
  disable_apparmor = true
[plugins."io.containerd.grpc.v1.cri".registry]
  config_path = "$state/registries"
[plugins."io.containerd.grpc.v1.cri".cni]
  bin_dir = "$parts/debian/usr/lib/cni"
  conf_dir = "$state/cni"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
  runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
  BinaryName = "$parts/debian/usr/sbin/runc"
END
}

kubelet_config() {
    cat <<END
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication: {anonymous: {enabled: true}, webhook: {enabled: false}}
authorization: {mode: AlwaysAllow}
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
cgroupDriver: cgroupfs
cgroupRoot: /$net/$1
failSwapOn: false
failCgroupV1: false
maxOpenFiles: 20000
oomScoreAdj: 0
featureGates: {KubeletInUserNamespace: true}
evictionHard: {memory.available: 50Mi, nodefs.available: 1%, nodefs.inodesFree: 1%, imagefs.available: 1%}
imageGCHighThresholdPercent: 100
imageGCLowThresholdPercent: 99
clusterDNS: [10.97.0.10]
syncFrequency: 1s
nodeStatusUpdateFrequency: 1s
END
}

# local-path, outside any pod: only the pods that create and remove folders are in the cluster.
provisioner() {
    kubectl apply -f "$here/cluster/objects.yaml"
    mkdir -p "$state/local-path"
    echo '{"nodePathMap": [{"node": "DEFAULT_PATH_FOR_NON_LISTED_NODES", "paths": ["/opt/local-path"]}]}' \
        >"$state/local-path/config.json"
    start local-path "$parts/bin/local-path-provisioner" --debug start --kubeconfig "$config" \
        --config "$state/local-path/config.json" --namespace local-path \
        --service-account-name default --configmap-name local-path-config \
        --helper-image docker.io/library/busybox:1.37 --helper-pod-file "$here/cluster/helper.yaml"
}

# The class csi: volumes that can grow, their snapshots, and volumes restored from snapshots.
storage_driver() {
    local socket=/var/lib/kubelet/plugins/csi.test.fathom/csi.sock of
    kubectl apply --server-side -f "$csi/crd"
    for of in volumesnapshots volumesnapshotclasses volumesnapshotcontents; do
        kubectl wait --for=condition=Established "crd/$of.snapshot.storage.k8s.io" --timeout=60s
    done
    kubectl apply -f "$here/cluster/csi.yaml"
    local common=(--kubeconfig "$config" --kube-api-qps=100 --kube-api-burst=200)
    start csi-provisioner "$csi/bin/csi-provisioner" "${common[@]}" --csi-address="$socket" \
        --retry-interval-start=200ms
    start csi-resizer "$csi/bin/csi-resizer" "${common[@]}" --csi-address="$socket" \
        --retry-interval-start=200ms
    start csi-snapshotter "$csi/bin/csi-snapshotter" "${common[@]}" --csi-address="$socket" \
        --retry-interval-start=200ms
    start snapshot-controller "$csi/bin/snapshot-controller" "${common[@]}" \
        --retry-interval-start=200ms
}

case ${1:-} in
build) build ;;
built) [ -e "$parts/complete" ] && [ -e "$csi/complete" ] ;;
up) up ;;
hold) hold ;;
down) down ;;
machine) machine ;;
node) node "$2" ;;
stop) stop_part "$2" ;;
resume) rm -f "$state/held/$2" ;;
kubectl) shift && kubectl "$@" ;;
*) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$me" && exit 2 ;;
esac
