#!/usr/bin/env bash
# Makes Fathom's packages, for this machine's architecture or that of FATHOM_MACHINE (aarch64):
#
#   scripts/package.sh [FOLDER]        builds a static binary and puts into FOLDER (target/packages):
#     fathom-storage-TARGET-vVERSION.tar.gz      binary, man pages, completions, READMEs and the
#                                                guide, in bin and share
#     fathom-storage_VERSION_ARCH.deb, fathom-storage-VERSION-1.ARCH.rpm
#                                                the same, in /usr
#     fathom_storage-VERSION-….whl               the binary as a Python wheel: pip install FILE
#     fathom-storage-image-ARCH.tar              an image with only the binary, for docker load,
#                                                podman load and ctr images import; an OCI layout too
#     SHA256SUMS
#   scripts/package.sh test [FOLDER]   installs each package of FOLDER, and runs it; without FOLDER it
#                                      makes them first, from the release build
#   scripts/package.sh release FOLDER  adds what a release has once: install.sh, manifests for winget
#                                      and scoop, and the sums of all files. FATHOM_RELEASE_URL is the
#                                      address that the files will have
#   scripts/package.sh target          adds Rust's target for static binaries; prints its name
#
# The program is `fathom`. Packages are named `fathom-storage`, because Debian, PyPI and crates.io have
# another `fathom` each. FATHOM_BINARY names an existing static binary. Packages are the same for the
# same binary: all times are 1 January 1980, the earliest that a wheel can hold. Needs Rust's musl
# target (added by rustup), musl-tools, dpkg, and what scripts/tools.sh needs. For another architecture
# scripts/arm64.sh builds, and FATHOM_NATIVE names a Fathom of this machine, which prints man pages and
# completions; such packages are made and looked at, and not run.
set -euo pipefail
cd "$(dirname "$0")/.."

machine=${FATHOM_MACHINE:-$(uname -m)}
target=$machine-unknown-linux-musl
arch=$(dpkg --print-architecture)
is_foreign=''
if [ "$machine" != "$(uname -m)" ]; then
    is_foreign=yes arch=arm64
    [ "$machine" = aarch64 ] || { echo "scripts/package.sh: FATHOM_MACHINE is aarch64, or not given" >&2; exit 2; }
fi
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
name=fathom-storage
export SOURCE_DATE_EPOCH=315532800
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() { echo "scripts/package.sh: $*" >&2; exit 1; }

add_target() {
    command -v musl-gcc >/dev/null || fail "no musl-gcc here: apt-get install musl-tools"
    command -v rustup >/dev/null || fail "no rustup here to add the target $target"
    rustup target list --installed | grep -qx "$target" || rustup target add "$target" >&2
}

# The static binary of a profile.
built() {
    local profile=$1 output=${CARGO_TARGET_DIR:-target} flags
    if [ -n "$is_foreign" ]; then
        scripts/arm64.sh binary "$profile"
        return
    fi
    add_target
    # Packed relocations take 8 kB in place of 1.5 MB; the C library of this target reads them.
    flags=$(tr a-z- A-Z_ <<<"CARGO_TARGET_${target}_RUSTFLAGS")
    export "$flags=${!flags:-} -C link-arg=-Wl,-z,pack-relative-relocs"
    cargo build --locked --profile "$profile" --target "$target" --package fathom \
        --features kube >&2
    echo "$output/$target/$profile/fathom"
}

# What is below /usr in a package: the program, man pages, completions, licences and documents.
tree() {
    local binary=$1 root=$2 share=$2/share doc=$2/share/doc/$name native=${FATHOM_NATIVE:-$1}
    mkdir -p "$root/bin" "$share"/man/{man1,ko/man1} "$share/bash-completion/completions" \
        "$share"/zsh/{vendor-completions,site-functions} "$share/fish/vendor_completions.d" "$doc/docs"
    install -m 755 "$binary" "$root/bin/fathom"
    "$native" --lang en man-pages "$share/man/man1"
    "$native" --lang ko man-pages "$share/man/ko/man1"
    gzip -n9 "$share"/man/{,ko/}man1/*
    "$native" --lang en completions bash >"$share/bash-completion/completions/fathom"
    "$native" --lang en completions fish >"$share/fish/vendor_completions.d/fathom.fish"
    # Debian reads the one, others the other.
    "$native" --lang en completions zsh |
        tee "$share/zsh/vendor-completions/_fathom" >"$share/zsh/site-functions/_fathom"
    scripts/notices.py "$target" >"$doc/copyright"
    # What a user reads without a network, in both languages; links between the pages work there.
    cp README*.md GLOSSARY*.md CHANGELOG.md ARCHITECTURE.md CONTRIBUTING.md "$doc"
    cp -r docs/*.md docs/*.png docs/*.svg docs/*.json docs/guide "$doc/docs"
}

# packed FOLDER NAME…: a reproducible tar file, without owner and time, on standard output.
packed() {
    local folder=$1
    shift
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$folder" -cf - "$@"
}

tarball() {
    packed "$(dirname "$1")" "$(basename "$1")" | gzip -n9 >"$out/$(basename "$1").tar.gz"
}

deb_and_rpm() {
    local packager
    for packager in deb rpm; do
        TREE=$1 ARCH=$arch VERSION=$version "$tools/nfpm" package --packager "$packager" \
            --config packaging/nfpm.yaml --target "$out" >/dev/null
    done
}

# A wheel with one program in it.
wheel() {
    local folder=$work/wheel info=$work/wheel/fathom_storage-$version.dist-info
    mkdir -p "$info/licenses" "$folder/fathom_storage-$version.data/scripts"
    install -m 755 "$1/bin/fathom" "$folder/fathom_storage-$version.data/scripts/fathom"
    cp "$1/share/doc/$name/copyright" "$info/licenses"
    cat >"$info/METADATA" <<END
Metadata-Version: 2.4
Name: $name
Version: $version
Summary: Measure storage and know what the figures mean; runs fio's jobs
License-Expression: MIT OR Apache-2.0
License-File: copyright
END
    cat >"$info/WHEEL" <<END
Wheel-Version: 1.0
Generator: package.sh
Root-Is-Purelib: false
$(printf "Tag: py3-none-%s_$machine\n" manylinux2014 manylinux_2_17 musllinux_1_1)
END
    "$tools/wheel" pack "$folder" --dest-dir "$out" >/dev/null
}

# blob FILE: adds it to the OCI layout; prints its digest.
blob() {
    local sum
    sum=$(sha256sum <"$1" | cut -d' ' -f1)
    mkdir -p "$work/image/blobs/sha256"
    cp "$1" "$work/image/blobs/sha256/$sum"
    echo "$sum"
}

size() { stat -c %s "$work/image/blobs/sha256/$1"; }

# An OCI layout with the manifest list that `docker load` needs. Its user is an unprivileged number.
image() {
    local root=$1 folder=$work/image layer config manifest
    mkdir -p "$work"/layer/{usr/bin,usr/share/doc,tmp} "$folder"
    chmod 1777 "$work/layer/tmp"
    cp "$root/share/doc/$name/copyright" "$work/layer/usr/share/doc"
    install -m 755 "$root/bin/fathom" "$work/layer/usr/bin/fathom"
    packed "$work/layer" . >"$work/layer.tar"
    layer=$(blob "$work/layer.tar")
    cat >"$work/config.json" <<END
{"created":"1980-01-01T00:00:00Z","architecture":"$arch","os":"linux",
 "config":{"User":"65532:65532","Env":["PATH=/usr/bin","HOME=/tmp"],"Entrypoint":["/usr/bin/fathom"]},
 "rootfs":{"type":"layers","diff_ids":["sha256:$layer"]}}
END
    config=$(blob "$work/config.json")
    local media=application/vnd.oci.image
    cat >"$work/manifest" <<END
{"schemaVersion":2,"mediaType":"$media.manifest.v1+json",
 "config":{"mediaType":"$media.config.v1+json","digest":"sha256:$config","size":$(size "$config")},
 "layers":[{"mediaType":"$media.layer.v1.tar","digest":"sha256:$layer","size":$(size "$layer")}]}
END
    manifest=$(blob "$work/manifest")
    echo '{"imageLayoutVersion":"1.0.0"}' >"$folder/oci-layout"
    cat >"$folder/index.json" <<END
{"schemaVersion":2,"manifests":[{"mediaType":"$media.manifest.v1+json","digest":"sha256:$manifest",
 "size":$(size "$manifest"),"platform":{"architecture":"$arch","os":"linux"},
 "annotations":{"org.opencontainers.image.ref.name":"$version","io.containerd.image.name":"docker.io/library/$name:$version"}}]}
END
    cat >"$folder/manifest.json" <<END
[{"Config":"blobs/sha256/$config","RepoTags":["$name:$version"],"Layers":["blobs/sha256/$layer"]}]
END
    packed "$folder" oci-layout index.json manifest.json blobs >"$out/$name-image-$arch.tar"
}

packages() {
    local binary=$1 root=$work/$name-$target-v$version
    [ -z "$is_foreign" ] || [ -n "${FATHOM_NATIVE:-}" ] || fail "FATHOM_NATIVE names no Fathom of this machine"
    readelf --program-headers "$binary" >"$work/segments" && ! grep -q INTERP "$work/segments" ||
        fail "$binary is not static"
    tools=$(scripts/tools.sh)
    mkdir -p "$out"
    tree "$binary" "$root"
    tarball "$root"
    deb_and_rpm "$root"
    wheel "$root"
    image "$root"
    sums
}

sums() {
    (cd "$out" && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%P\0' | sort -z | xargs -0 sha256sum >SHA256SUMS)
}

# What has the address of a release in it: install.sh, and manifests if there is a program for Windows.
release_files() {
    local url=${FATHOM_RELEASE_URL:?} zip=$out/$name-x86_64-pc-windows-gnu-v$version.zip sum='' source
    local sources=(packaging/install.sh)
    if [ -e "$zip" ]; then
        sum=$(sha256sum "$zip" | cut -d' ' -f1)
        sources+=(packaging/winget/* packaging/scoop/*)
    fi
    for source in "${sources[@]}"; do
        sed -e "s/@VERSION@/$version/g" -e "s/@SHA256@/$sum/g" -e "s|@URL@|${url%/}|g" "$source" \
            >"$out/${source##*/}"
    done
    sums
}

# --- install and run ------------------------------------------------------------------------------

# runs WHAT COMMAND…: the program prints its version, and measures.
runs() {
    local what=$1
    shift
    if [ -n "$is_foreign" ]; then
        readelf --file-header "${@: -1}" | grep -q 'Machine: *AArch64' || fail "$what: it is not for $machine"
        echo "$what: made for $machine, and not run"
        return
    fi
    "$@" --version | grep -q "^fathom $version" || fail "$what: wrong version: $("$@" --version)"
    (cd "$work" && "$@" fio --name=j --ioengine=null --size=1m --rw=randread --output-format=json) |
        python3 -c 'import json, sys; assert json.load(sys.stdin)["jobs"][0]["read"]["total_ios"] == 256' ||
        fail "$what: its first job"
    echo "$what: installed, runs"
}

install_each() {
    local root=$work/installed file=$name-$target-v$version
    mkdir -p "$root"/{tar,image}
    tar -C "$root/tar" -xzf "$out/$file.tar.gz"
    tree_is_whole "tar file" "$root/tar/$file"
    links_lead_somewhere "$root/tar/$file"
    if [ -n "$is_foreign" ]; then
        foreign_packages "$root"
        return
    fi
    deb_installs "$root/deb"
    rpm_installs "$root/rpm"
    python3 -m venv "$root/python"
    "$root/python/bin/pip" install --quiet --no-index --disable-pip-version-check "$out"/*.whl
    runs "wheel" "$root/python/bin/fathom"
    image_runs "$root/image"
    (cd "$out" && sha256sum --quiet --check SHA256SUMS)
    installer_checks
    readme_names_them
}

# Packages for another machine: what they say they are for, and the program in them.
foreign_packages() {
    local root=$1 deb=$out/${name}_${version}_$arch.deb
    [ "$(dpkg-deb --field "$deb" Architecture)" = "$arch" ] || fail "deb: it is not for $arch"
    dpkg-deb --extract "$deb" "$root/deb"
    tree_is_whole deb "$root/deb/usr"
    [ -e "$out/$name-$version-1.$machine.rpm" ] || fail "no rpm for $machine"
    python3 -m zipfile --extract "$out"/*"_$machine.whl" "$root/wheel"
    runs wheel "$root/wheel/fathom_storage-$version.data/scripts/fathom"
    image_runs "$root/image"
    (cd "$out" && sha256sum --quiet --check SHA256SUMS)
}

# tree_is_whole WHAT FOLDER: FOLDER has what a package puts into /usr.
tree_is_whole() {
    local what=$1 share=$2/share file
    runs "$what" "$2/bin/fathom"
    for file in README.ko.md GLOSSARY.ko.md copyright docs/guide/README.md docs/report.png; do
        [ -s "$share/doc/$name/$file" ] || fail "$what: no $file"
    done
    zcat "$share/man/man1/fathom-measure.1.gz" | grep -q '^.SH DESCRIPTION' || fail "$what: no man pages"
    zcat "$share/man/ko/man1/fathom-measure.1.gz" | grep -q '^.SH 설명' || fail "$what: no Korean man pages"
    bash -c "source $share/bash-completion/completions/fathom && complete -p fathom" >/dev/null ||
        fail "$what: no completions"
}

# Into a root of its own, so that this machine is not changed.
deb_installs() {
    local root=$1
    mkdir -p "$root/var/lib/dpkg"
    touch "$root/var/lib/dpkg/status"
    dpkg --root="$root" --log=/dev/null --install "$out/${name}_${version}_$arch.deb" >/dev/null 2>&1 ||
        fail "dpkg does not install the package"
    tree_is_whole deb "$root/usr"
    upgrade_leaves_it "$root"
    dpkg --root="$root" --log=/dev/null --purge $name >/dev/null 2>&1 || fail "dpkg does not remove the package"
    [ ! -e "$root/usr/bin/fathom" ] || fail "deb: the program is left after its removal"
}

# Debian's package `fathom` 1.0 is a chess program. Where apt knows it, and a later one of ours, an upgrade
# takes only ours; both can be installed.
upgrade_leaves_it() {
    local root=$1 package taken
    mkdir -p "$root"/{repository,etc/apt/preferences.d,var/lib/apt/lists/partial,var/cache/apt/archives/partial}
    for package in 'fathom 1.0+git.20190811.97fb5c-1' "$name 99"; do
        printf 'Package: %s\nVersion: %s\nArchitecture: %s\nMaintainer: x\nDescription: x\nFilename: ./x\nSize: 1\n\n' \
            $package "$arch"
    done >"$root/repository/Packages"
    echo "deb [trusted=yes] file:$root/repository ./" >"$root/etc/apt/sources.list"
    apt_there() { apt-get -qq -o Dir="$root" -o Dir::Bin::methods=/usr/lib/apt/methods -o APT::Sandbox::User=root "$@"; }
    apt_there update
    taken=$(apt_there --simulate upgrade | sed -n 's/^Inst //p')
    [[ $taken == "$name [$version] (99 "* && $taken != *$'\n'* ]] || fail "an upgrade takes: ${taken:-nothing}"
    taken=$(apt_there --simulate install fathom)
    [[ $taken == *'Inst fathom (1.0'* && $taken != *Remv* ]] || fail "Debian's fathom beside ours: $taken"
    echo "deb: an upgrade leaves it alone, where Debian's fathom is known"
}

rpm_installs() {
    if [ "$(id -u)" != 0 ] || ! command -v rpm >/dev/null; then
        echo "SKIP: the rpm was made and not installed: it needs root and rpm"
        return
    fi
    rpm --root "$1" --install "$out/$name-$version-1.$machine.rpm" 2>"$work/said" || fail "rpm: $(cat "$work/said")"
    tree_is_whole rpm "$1/usr"
}

# installer CODE TEXT FOLDER [NAME=VALUE…]: install.sh, with FOLDER's files and this environment, ends with
# CODE, says TEXT, and installs something only if CODE is 0.
installer() {
    local wanted=$1 text=$2 url=$3 code=0
    shift 3
    rm -rf "${work:?}/bin"
    env FATHOM_RELEASE_URL="file://$url" FATHOM_DIR="$work/bin" "$@" sh packaging/install.sh >"$work/said" 2>&1 || code=$?
    [ "$code" = "$wanted" ] && grep -qF "$text" "$work/said" || fail "install.sh ends with $code: $(cat "$work/said")"
    [ "$code" = 0 ] || [ ! -e "$work/bin" ] || fail "install.sh failed, and installed something"
}

installer_checks() {
    local copy=$work/release file=$name-$target-v$version.tar.gz
    installer 0 "fathom $version" "$out"
    runs install.sh "$work/bin/fathom"
    # One of each architecture: here the same files stand for both.
    installer 0 "fathom $version" "$out" FATHOM_AGENTS="$machine"
    runs "install.sh: an agent" "$work/bin/fathom-$machine"
    installer 1 'lists no file for riscv64' "$out" FATHOM_AGENTS=riscv64
    mkdir -p "$copy" "$work/other"
    printf '#!/bin/sh\n[ "$1" = -s ] && echo Linux || echo riscv64\n' >"$work/other/uname"
    chmod +x "$work/other/uname"
    installer 1 'Linux on riscv64' "$out" PATH="$work/other:$PATH"
    installer 1 'cannot fetch' "$copy"
    cp "$out/$file" "$out/SHA256SUMS" "$copy"
    echo >>"$copy/$file"
    installer 3 'does not have the checksum' "$copy"
    sed -i "/$file/d" "$copy/SHA256SUMS"
    installer 1 'lists no file' "$copy"
    # The copy in a release knows its address.
    cp "$out/$file" "$copy"
    (out=$copy FATHOM_RELEASE_URL=file://$copy release_files)
    FATHOM_DIR=$work/bin sh "$copy/install.sh" >/dev/null || fail "the install.sh of a release"
    echo "install.sh: refuses what a release does not list"
}

# links_lead_somewhere FOLDER: every page there has the files that it links to.
links_lead_somewhere() {
    local page link
    while IFS= read -r page; do
        while IFS= read -r link; do
            [ -e "$(dirname "$page")/$link" ] || fail "$page links to $link, which is not packed"
        done < <(grep -oP '\]\((?!https?:)\K[^)#]+' "$page")
    done < <(find "$1" -name '*.md')
}

# The commands of both READMEs are for the files that were made here. They are those of x86_64.
readme_names_them() {
    [ "$machine" = x86_64 ] || return 0
    local file readme
    for readme in README.md README.ko.md; do
        for file in "$out"/*.{tar.gz,deb,rpm,tar}; do
            grep -qF "${file##*/}" "$readme" || fail "$readme does not name ${file##*/}"
        done
        compgen -G "$out/$(grep -oE 'fathom_storage-[0-9.]+-\*\.whl' "$readme")" >/dev/null ||
            fail "$readme names another wheel"
    done
}

# As in a container: its root contains nothing else.
image_runs() {
    local root=$1 layer
    tar -C "$work" -xf "$out/$name-image-$arch.tar" --one-top-level=unpacked
    layer=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[0]["Layers"][0])' \
        "$work/unpacked/manifest.json")
    tar -C "$root" -xf "$work/unpacked/$layer"
    grep -q "\"architecture\":\"$arch\"" "$work/unpacked/index.json" || fail "image: it is not for $arch"
    if [ -n "$is_foreign" ]; then
        runs image "$root/usr/bin/fathom"
    elif [ "$(id -u)" = 0 ]; then
        runs "image" chroot --userspec=65532:65532 "$root" /usr/bin/fathom
    else
        echo "SKIP: the image was made and not run: chroot needs root"
    fi
}

# made PROFILE: the packages of FATHOM_BINARY, or of a build.
made() {
    local binary=${FATHOM_BINARY:-}
    [ -n "$binary" ] || binary=$(built "$1")
    packages "$binary"
}

case ${1:-} in
-h | --help)
    sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0"
    exit
    ;;
target)
    add_target && echo "$target"
    exit
    ;;
test | release) command=$1 && shift ;;
*) command='' ;;
esac
out=${1:-target/packages}
[ "$command-$#" != test-0 ] || out=$work/packages
mkdir -p "$out"
out=$(cd "$out" && pwd)
case $command in
test)
    [ $# != 0 ] || made release
    install_each
    ;;
release) release_files ;;
*)
    made dist
    ls -l "$out"
    ;;
esac
