//! Allowed dependencies between crates: ARCHITECTURE.md's table, checked against the manifests, and
//! the manifests against the code: an unused dependency costs build time.

use crate::finding::TidyFinding;
use crate::source::SourceFile;
use anyhow::{Context, Result, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

const RULE: &str = "edge";

/// A crate and its allowed dependencies. A crate that is not listed may have none.
const ALLOWED: &[(&str, &[&str])] = &[
    ("text-macros", &[]),
    ("text", &["text-macros"]),
    ("vocab", &["text"]),
    ("job", &["text", "vocab"]),
    ("stats", &["vocab"]),
    ("workload", &["vocab", "job"]),
    ("nfs", &["text", "vocab"]),
    ("engine", &["text", "vocab", "nfs"]),
    ("host", &["text"]),
    ("run", &["text", "vocab", "job", "stats", "workload", "engine", "host"]),
    ("output", &["vocab", "stats"]),
    ("message", &["text", "vocab"]),
    ("analysis", &["text", "vocab", "stats", "message"]),
    ("store", &["text", "host"]),
    ("files", &["text", "host"]),
    ("document", &["text", "vocab", "stats", "host", "analysis", "message"]),
    ("monitor", &["text", "vocab", "host"]),
    ("doctor", &["text", "vocab", "host", "analysis", "document"]),
    (
        "campaign",
        &[
            "text", "vocab", "job", "stats", "host", "run", "analysis", "document", "files",
            "message", "monitor", "doctor",
        ],
    ),
    ("report", &["text", "vocab", "stats", "analysis", "document", "message"]),
    ("web", &["text", "host", "store", "report", "message"]),
    ("fleet", &["text", "vocab", "job", "stats", "host", "run", "monitor", "doctor", "campaign"]),
    ("kube", &["text", "vocab", "files"]),
    (
        "cli",
        &[
            "text", "vocab", "job", "stats", "engine", "host", "run", "output", "analysis",
            "store", "files", "document", "campaign", "message", "monitor", "doctor", "report",
            "web", "fleet", "kube",
        ],
    ),
    ("bench", &["vocab", "job", "engine", "host", "run"]),
    ("skip", &[]),
    ("xtask", &["text"]),
];

/// Dependencies that only tests may have, each with a reason.
const ALLOWED_IN_TESTS: &[(&str, &str)] = &[
    // Output is checked on results of real runs.
    ("output", "run"),
    ("output", "job"),
    // Jobs are run against its server for tests.
    ("cli", "nfs"),
];

/// The crate that tests of every crate may use.
const OF_TESTS: &str = "skip";

/// One dependency between two crates.
struct Edge {
    from: String,
    to: String,
    in_tests: bool,
    manifest: PathBuf,
}

/// Reads the workspace's manifests from cargo and checks the dependencies between its crates.
///
/// # Errors
/// If cargo cannot be run or does not answer.
pub fn check_workspace(root: &Path, sources: &[SourceFile]) -> Result<Vec<TidyFinding>> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(root)
        .output()
        .context("cannot run cargo")?;
    if !output.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let metadata: Value = serde_json::from_slice(&output.stdout).context("cargo metadata")?;
    let edges = edges(root, &metadata);
    let mut findings = check(&edges);
    findings.extend(unused(&edges, sources));
    findings.extend(undeclared(&edges));
    Ok(findings)
}

/// Edges of a manifest that no line of the crate uses.
fn unused(edges: &[Edge], sources: &[SourceFile]) -> Vec<TidyFinding> {
    let uses = |edge: &&Edge| {
        let name = format!("fathom_{}", edge.to.replace('-', "_"));
        let own = sources.iter().filter(|source| source.room() == Some(&edge.from));
        let used =
            own.flat_map(|source| source.find(&[&name]).into_iter().map(move |l| (source, l)));
        used.into_iter().any(|(source, line)| edge.in_tests || !source.is_test(line))
    };
    let idle = edges.iter().filter(|edge| !uses(edge));
    idle.map(|edge| {
        let instead = format!("nothing in {} uses {}; remove the dependency", edge.from, edge.to);
        TidyFinding::new(&edge.manifest, 1, RULE, instead)
    })
    .collect()
}

/// Rows of the table that no manifest has.
fn undeclared(edges: &[Edge]) -> Vec<TidyFinding> {
    let rows = ALLOWED.iter().flat_map(|(from, may)| may.iter().map(move |to| (*from, *to)));
    let idle = rows.filter(|(from, to)| !edges.iter().any(|e| e.from == *from && e.to == *to));
    idle.map(|(from, to)| {
        let instead = format!("{from} does not depend on {to}; remove it from the table");
        TidyFinding::new(Path::new("crates/xtask/src/edges.rs"), 1, RULE, instead)
    })
    .collect()
}

fn edges(root: &Path, metadata: &Value) -> Vec<Edge> {
    let mut found = Vec::new();
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let manifest = Path::new(package["manifest_path"].as_str().unwrap_or_default());
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            // Only crates of the workspace have a path.
            let Some(path) = dependency["path"].as_str() else { continue };
            found.push(Edge {
                from: folder_name(manifest.parent().unwrap_or(manifest)),
                to: folder_name(Path::new(path)),
                in_tests: dependency["kind"] == "dev",
                manifest: manifest.strip_prefix(root).unwrap_or(manifest).to_owned(),
            });
        }
    }
    found
}

fn folder_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn check(edges: &[Edge]) -> Vec<TidyFinding> {
    edges.iter().filter(|edge| !is_allowed(edge)).map(complain).collect()
}

fn is_allowed(edge: &Edge) -> bool {
    let row = ALLOWED.iter().find(|(room, _)| *room == edge.from);
    let always = row.is_some_and(|(_, may)| may.contains(&edge.to.as_str()));
    let in_tests = edge.to == OF_TESTS
        || ALLOWED_IN_TESTS.iter().any(|(from, to)| (*from, *to) == (&edge.from, &edge.to));
    always || (edge.in_tests && in_tests)
}

fn complain(edge: &Edge) -> TidyFinding {
    let Edge { from, to, .. } = edge;
    let row = ALLOWED.iter().find(|(room, _)| room == from);
    let instead = match row {
        None => {
            format!("{from} is not in the table: give it a row in ARCHITECTURE.md and in edges.rs")
        }
        Some((_, [])) => format!("{from} depends on no crate; pass it what it needs from {to}"),
        Some((_, may)) => {
            format!("{from} may depend on {}; pass it what it needs from {to}", may.join(", "))
        }
    };
    TidyFinding::new(&edge.manifest, 1, RULE, instead)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(from: &str, to: &str, kind: &str) -> Vec<TidyFinding> {
        let kind = if kind.is_empty() { Value::Null } else { Value::from(kind) };
        let metadata = serde_json::json!({ "packages": [{
            "manifest_path": format!("/house/crates/{from}/Cargo.toml"),
            "dependencies": [
                { "name": "serde", "kind": null, "path": null },
                { "name": to, "kind": kind, "path": format!("/house/crates/{to}") },
            ],
        }]});
        check(&edges(Path::new("/house"), &metadata))
    }

    #[test]
    fn doors_open_in_one_direction() {
        assert_eq!(found("run", "engine", ""), []);
        let wrong = found("engine", "run", "");
        assert_eq!(wrong.len(), 1);
        assert_eq!(wrong[0].file, Path::new("crates/engine/Cargo.toml"));
        assert!(wrong[0].instead.contains("engine may depend on"));
        assert!(found("skip", "vocab", "")[0].instead.contains("depends on no crate"));
        assert!(found("attic", "vocab", "")[0].instead.contains("not in the table"));
    }

    #[test]
    fn an_edge_is_used() {
        let edge = |in_tests| Edge {
            from: "run".into(),
            to: "job".into(),
            in_tests,
            manifest: "crates/run/Cargo.toml".into(),
        };
        let source = |text: &str| {
            SourceFile::parse(Path::new("crates/run/src/lib.rs"), text.to_owned()).unwrap()
        };
        assert_eq!(unused(&[edge(false)], &[source("use fathom_job::JobSpec;")]), []);
        let in_tests = [source("#[cfg(test)]\nmod tests { use fathom_job::JobSpec; }")];
        assert_eq!(unused(&[edge(false)], &in_tests).len(), 1);
        assert_eq!(unused(&[edge(true)], &in_tests), []);
        assert!(undeclared(&[]).iter().any(|finding| finding.instead.contains("run does not")));
    }

    #[test]
    fn tests_may_do_a_little_more() {
        assert_eq!(found("output", "run", "dev"), []);
        assert_eq!(found("host", "skip", "dev"), []);
        assert_eq!(found("host", "skip", "").len(), 1);
        assert_eq!(found("output", "run", "").len(), 1);
        assert_eq!(found("output", "run", "build").len(), 1);
        assert_eq!(found("vocab", "run", "dev").len(), 1);
    }

    #[test]
    fn every_crate_is_in_the_table_once_and_depends_on_crates_before_it() {
        for (place, (room, may)) in ALLOWED.iter().enumerate() {
            let before: Vec<&str> = ALLOWED[..place].iter().map(|(room, _)| *room).collect();
            assert!(!before.contains(room), "{room} stands twice");
            assert!(may.iter().all(|room| before.contains(room)), "{room} closes a circle");
        }
    }
}
