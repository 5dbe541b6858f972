#!/usr/bin/env python3
"""Prints the licences of Fathom's binary for a target: scripts/notices.py TARGET

Its own, the chart library's, and those of each crate that is linked in, with the C code that some crates
have: their texts must come with a binary. A text is there once, below the names of all that have it. The GNU
General Public License is left out: what has it can be had under another licence, which deny.toml checks.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

target = sys.argv[1]
root = pathlib.Path(__file__).resolve().parent.parent


def cargo(*words):
    return subprocess.check_output(["cargo", *words], cwd=root, text=True)


tree = "tree --locked --package fathom --features kube --edges normal,no-proc-macro --prefix none --format {p}"
metadata = "metadata --locked --format-version 1 --all-features --filter-platform"
linked = {tuple(line.split()[:2]) for line in cargo(*tree.split(), "--target", target).splitlines()}
texts = collections.defaultdict(set)
for package in json.loads(cargo(*metadata.split(), target))["packages"]:
    name, version = package["name"], package["version"]
    if package["source"] and (name, f"v{version}") in linked:
        files = pathlib.Path(package["manifest_path"]).parent.rglob("*")
        found = [file for file in files if re.match("(?i)(un)?licen[cs]e|copying|notice", file.name) and file.is_file()]
        for text in [file.read_text(errors="replace").strip() for file in found] or [package["license"]]:
            if "GNU GENERAL PUBLIC LICENSE" not in text[:80]:
                texts[text].add(f"{name} {version}")
for file in sorted(root.glob("crates/report/assets/echarts.[LN]*")):
    texts[file.read_text().strip()].add("Apache ECharts")
for name in "LICENSE-MIT", "LICENSE-APACHE":
    print((root / name).read_text())
for text, names in sorted(texts.items(), key=lambda pair: sorted(pair[1])):
    print("-" * 80, ", ".join(sorted(names)), "", text, "", sep="\n")
