#!/usr/bin/env bash
# Makes Fathom's packages, for this machine's architecture:
#
#   scripts/package.sh [FOLDER]        builds a static binary and puts into FOLDER (target/packages):
#     fathom-TARGET-vVERSION.tar.gz      binary, man pages, completions, READMEs and the
#                                        guide; under cargo-binstall's name
#     fathom_VERSION_ARCH.deb            the same for Debian and its derivatives
#     fathom-VERSION-….whl               the binary as a Python wheel: pip install FILE
#     fathom-image-ARCH.tar              an image with only the binary, for docker load,
#                                        podman load and ctr images import; it is an OCI layout too
#     SHA256SUMS
#   scripts/package.sh test            makes them from the release build, installs each, and runs it
#   scripts/package.sh target          adds Rust's target for static binaries; prints its name
#
# FATHOM_BINARY names an existing static binary. Packages are the same for the same binary: all
# times are 1 January 1980, the earliest that a wheel can hold. Needs Rust's
# musl target (added by rustup), musl-tools, dpkg-deb and python3.
set -euo pipefail
cd "$(dirname "$0")/.."

machine=$(uname -m)
target=$machine-unknown-linux-musl
arch=$(dpkg --print-architecture)
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
epoch=315532800
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
    add_target
    # Packed relocations take 8 kB in place of 1.5 MB; the C library of this target reads them.
    flags=$(tr a-z- A-Z_ <<<"CARGO_TARGET_${target}_RUSTFLAGS")
    export "$flags=${!flags:-} -C link-arg=-Wl,-z,pack-relative-relocs"
    cargo build --locked --profile "$profile" --target "$target" --package fathom \
        --features kube >&2
    echo "$output/$target/$profile/fathom"
}

# Binary, man pages, completions, licences and documents, as in the tar file.
tree() {
    local binary=$1 root=$2
    mkdir -p "$root"/{man/man1,man/ko/man1,completions}
    install -m 755 "$binary" "$root/fathom"
    "$root/fathom" --lang en man-pages "$root/man/man1"
    "$root/fathom" --lang ko man-pages "$root/man/ko/man1"
    "$root/fathom" --lang en completions bash >"$root/completions/fathom.bash"
    "$root/fathom" --lang en completions zsh >"$root/completions/_fathom"
    "$root/fathom" --lang en completions fish >"$root/completions/fathom.fish"
    cp LICENSE-APACHE LICENSE-MIT "$root"
    pages "$root"
}

# What a user reads without a network, in both languages; links between the pages work there.
pages() {
    cp README*.md GLOSSARY*.md CHANGELOG.md ARCHITECTURE.md CONTRIBUTING.md "$1"
    mkdir -p "$1/docs"
    cp -r docs/*.md docs/*.png docs/*.svg docs/*.json docs/guide "$1/docs"
}

# packed FOLDER NAME…: a reproducible tar file, without owner and time, on standard output.
packed() {
    local folder=$1
    shift
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" -C "$folder" -cf - "$@"
}

tarball() {
    local root=$1 name=fathom-$target-v$version
    cp -r "$root" "$work/$name"
    packed "$work" "$name" | gzip -n9 >"$out/$name.tar.gz"
}

deb() {
    local root=$1 package=$work/deb share=$work/deb/usr/share
    mkdir -p "$package/DEBIAN" "$package/usr/bin" "$share/doc/fathom" \
        "$share/bash-completion/completions" "$share/zsh/vendor-completions" \
        "$share/fish/vendor_completions.d"
    install -m 755 "$root/fathom" "$package/usr/bin/fathom"
    cp -r "$root/man" "$share"
    gzip -n9 "$share"/man/{,ko/}man1/*
    cp "$root/completions/fathom.bash" "$share/bash-completion/completions/fathom"
    cp "$root/completions/_fathom" "$share/zsh/vendor-completions/_fathom"
    cp "$root/completions/fathom.fish" "$share/fish/vendor_completions.d/fathom.fish"
    cat LICENSE-MIT LICENSE-APACHE >"$share/doc/fathom/copyright"
    pages "$share/doc/fathom"
    cat >"$package/DEBIAN/control" <<END
Package: fathom
Version: $version
Architecture: $arch
Maintainer: The Fathom developers <fathom@localhost>
Installed-Size: $(du -sk "$package/usr" | cut -f1)
Section: utils
Priority: optional
Description: measure storage and know what the figures mean
 Measures latency, IOPS and throughput of volumes, checks them against what
 was promised, and runs fio's job files.
END
    find "$package" -exec touch --date="@$epoch" {} +
    SOURCE_DATE_EPOCH=$epoch dpkg-deb --root-owner-group --build "$package" \
        "$out/fathom_${version}_$arch.deb" >/dev/null
}

wheel() {
    python3 - "$1/fathom" "$out" "$version" "$machine" <<'END'
"""A wheel with one program in it, as PEP 427 describes it."""
import base64, hashlib, pathlib, sys, zipfile

binary, folder, version, machine = sys.argv[1:]
tag = f"py3-none-manylinux_2_17_{machine}.manylinux2014_{machine}.musllinux_1_1_{machine}"
info = f"fathom-{version}.dist-info"
tags = "".join(f"Tag: py3-none-{of}\n" for of in tag.removeprefix("py3-none-").split("."))
files = {
    f"fathom-{version}.data/scripts/fathom": pathlib.Path(binary).read_bytes(),
    f"{info}/METADATA": (
        f"Metadata-Version: 2.1\nName: fathom\nVersion: {version}\n"
        "Summary: Measure storage and know what the figures mean; runs fio's jobs\n"
        "License: MIT OR Apache-2.0\n"
    ).encode(),
    f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: package.sh\nRoot-Is-Purelib: false\n{tags}".encode(),
}
def digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
record = "".join(f"{name},sha256={digest(of)},{len(of)}\n" for name, of in files.items())
files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
with zipfile.ZipFile(f"{folder}/fathom-{version}-{tag}.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
    for name, content in files.items():
        entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
        wheel.writestr(entry, content)
END
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
    local root=$1 folder=$work/image name=fathom:$version layer config manifest
    mkdir -p "$work"/layer/{usr/bin,tmp} "$folder"
    chmod 1777 "$work/layer/tmp"
    install -m 755 "$root/fathom" "$work/layer/usr/bin/fathom"
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
 "annotations":{"org.opencontainers.image.ref.name":"$version","io.containerd.image.name":"docker.io/library/$name"}}]}
END
    cat >"$folder/manifest.json" <<END
[{"Config":"blobs/sha256/$config","RepoTags":["$name"],"Layers":["blobs/sha256/$layer"]}]
END
    packed "$folder" oci-layout index.json manifest.json blobs >"$out/fathom-image-$arch.tar"
}

packages() {
    local binary=$1 root=$work/tree
    ldd "$binary" 2>&1 | grep -qE "statically linked|not a dynamic executable" ||
        fail "$binary is not static"
    mkdir -p "$out"
    tree "$binary" "$root"
    tarball "$root"
    deb "$root"
    wheel "$root"
    image "$root"
    (cd "$out" && sha256sum ./*.tar.gz ./*.deb ./*.whl ./*.tar >SHA256SUMS)
}

# --- install and run ------------------------------------------------------------------------------

# runs WHAT COMMAND…: the program prints its version, and measures.
runs() {
    local what=$1
    shift
    "$@" --version | grep -q "^fathom $version" || fail "$what: wrong version: $("$@" --version)"
    (cd "$work" && "$@" fio --name=j --ioengine=null --size=1m --rw=randread --output-format=json) |
        python3 -c 'import json, sys; assert json.load(sys.stdin)["jobs"][0]["read"]["total_ios"] == 256' ||
        fail "$what: its first job"
    echo "$what: installed, runs"
}

install_each() {
    local name=fathom-$target-v$version root=$work/installed
    mkdir -p "$root"/{tar,deb/var/lib/dpkg,image}
    tar -C "$root/tar" -xzf "$out/$name.tar.gz"
    runs "tar file" "$root/tar/$name/fathom"
    touch "$root/deb/var/lib/dpkg/status"
    # Into a separate root, so that this machine is not changed.
    dpkg --root="$root/deb" --log=/dev/null --install "$out/fathom_${version}_$arch.deb" >/dev/null 2>&1 ||
        fail "dpkg does not install the package"
    runs "deb" "$root/deb/usr/bin/fathom"
    local page=man1/fathom-measure.1.gz
    [ -s "$root/deb/usr/share/man/$page" ] || fail "deb: no man pages"
    local linked
    # `man -M man fathom-measure` finds them in the folder of the tar file.
    [ -s "$root/tar/$name/man/ko/${page%.gz}" ] || fail "tar file: no man pages"
    for linked in README.ko.md GLOSSARY.ko.md docs/guide/README.md docs/report.png; do
        [ -s "$root/deb/usr/share/doc/fathom/$linked" ] && [ -s "$root/tar/$name/$linked" ] ||
            fail "the packages have no $linked"
    done
    links_lead_somewhere "$root/tar/$name"
    zcat "$root/deb/usr/share/man/ko/$page" | grep -q '^.SH 설명' || fail "deb: no Korean man pages"
    bash -c "source $root/deb/usr/share/bash-completion/completions/fathom && complete -p fathom" >/dev/null ||
        fail "deb: no completions"
    python3 -m venv "$root/python"
    "$root/python/bin/pip" install --quiet --no-index --disable-pip-version-check "$out"/*.whl
    runs "wheel" "$root/python/bin/fathom"
    image_runs "$root/image"
    (cd "$out" && sha256sum --quiet --check SHA256SUMS)
    readme_names_them
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
        for file in "$out"/*.{tar.gz,deb,tar}; do
            grep -qF "${file##*/}" "$readme" || fail "$readme does not name ${file##*/}"
        done
        compgen -G "$out/$(grep -oE 'fathom-[0-9.]+-\*\.whl' "$readme")" >/dev/null ||
            fail "$readme names another wheel"
    done
}

# As in a container: its root contains nothing else.
image_runs() {
    local root=$1 layer
    tar -C "$work" -xf "$out/fathom-image-$arch.tar" --one-top-level=unpacked
    layer=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))[0]["Layers"][0])' \
        "$work/unpacked/manifest.json")
    tar -C "$root" -xf "$work/unpacked/$layer"
    if [ "$(id -u)" = 0 ]; then
        runs "image" chroot --userspec=65532:65532 "$root" /usr/bin/fathom
    else
        echo "SKIP: the image was made and not run: chroot needs root"
    fi
}

case ${1:-} in
-h | --help) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0" ;;
target) add_target && echo "$target" ;;
test)
    out=$work/packages
    binary=${FATHOM_BINARY:-}
    [ -n "$binary" ] || binary=$(built release)
    packages "$binary"
    install_each
    ;;
*)
    mkdir -p "${1:-target/packages}"
    out=$(cd "${1:-target/packages}" && pwd)
    binary=${FATHOM_BINARY:-}
    [ -n "$binary" ] || binary=$(built dist)
    packages "$binary"
    ls -l "$out"
    ;;
esac
