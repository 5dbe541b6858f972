//! `docs/documents.schema.json`: JSON Schema of every document, made from the source of its types.
//!
//! It is read from the source and not derived from compiled types: a derive would be an attribute
//! on every type and a feature of every crate, which builds each of them twice. What serde's
//! attributes say of reading is followed: a field with a default need not be there. The schema is
//! one for all kinds, because they share most of their parts.

mod serde_attributes;
mod shapes;
mod type_index;

use crate::finding::TidyFinding;
use anyhow::{Context, Result};
use serde_json::json;
use shapes::Shapes;
use std::path::Path;
use type_index::TypeIndex;

const FILE: &str = "docs/documents.schema.json";

/// Each kind of document: the crate of its type, the type, and the constant of its version.
const KINDS: [(&str, &str, &str, &str); 15] = [
    ("fathom-measure", "document", "Document", "DOCUMENT_SCHEMA"),
    ("fathom-durable", "document", "DurableDocument", "DURABLE_SCHEMA"),
    ("fathom-sweep", "document", "SweepDocument", "SWEEP_SCHEMA"),
    ("fathom-compare", "document", "CompareDocument", "COMPARE_SCHEMA"),
    ("fathom-compare-runs", "document", "RunsDocument", "RUNS_SCHEMA"),
    ("fathom-check", "document", "CheckDocument", "CHECK_SCHEMA"),
    ("fathom-limit", "document", "LimitDocument", "LIMIT_SCHEMA"),
    ("fathom-run", "document", "RunDocument", "RUN_SCHEMA"),
    ("fathom-plan", "cli", "PlanDocument", "PLAN_SCHEMA"),
    ("fathom-failure", "cli", "FailureDocument", "FAILURE_SCHEMA"),
    ("fathom-doctor", "doctor", "Diagnosis", "DIAGNOSIS_SCHEMA"),
    ("fathom-doctor-hosts", "cli", "DiagnosedHosts", "DIAGNOSIS_SCHEMA"),
    ("fathom-history-list", "cli", "HistoryList", "LIST_SCHEMA"),
    ("fathom-promises", "cli", "PromisesDocument", "PROMISES_SCHEMA"),
    ("fathom-promise", "cli", "PromiseDocument", "PROMISES_SCHEMA"),
];

/// Writes the file.
///
/// # Errors
/// If a type of a document cannot be described, or the file cannot be written.
pub fn write(root: &Path) -> Result<bool> {
    std::fs::write(root.join(FILE), text(root)?).context(FILE)?;
    Ok(true)
}

/// Whether the file is what the types say.
///
/// # Errors
/// If a type of a document cannot be described.
pub fn check(root: &Path) -> Result<Vec<TidyFinding>> {
    let is_current = std::fs::read_to_string(root.join(FILE)).unwrap_or_default() == text(root)?;
    let advice = "write it again with `cargo xtask schema`";
    let finding = TidyFinding::new(Path::new(FILE), 1, "is not what the types say", advice);
    Ok(if is_current { Vec::new() } else { vec![finding] })
}

fn text(root: &Path) -> Result<String> {
    let index = TypeIndex::read(root)?;
    let mut shapes = Shapes::new(&index);
    let mut references = Vec::new();
    for (kind, home, name, version) in KINDS {
        let part = shapes.document(home, name).with_context(|| format!("the type {name}"))?;
        let folder = Path::new("crates").join(home);
        let version = index.number(&syn::parse_str(version)?, &folder)?;
        part["title"] = json!(format!("{kind}, version {version}"));
        part["properties"]["kind"] = json!({ "const": kind });
        part["properties"]["schema"] = json!({ "const": version });
        references.push(shapes::reference(name));
    }
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A document of Fathom",
        "description": "What `--json` prints and the history keeps; `kind` says which it is.",
        "oneOf": references,
        "$defs": shapes.used_parts(),
    });
    Ok(serde_json::to_string_pretty(&schema)? + "\n")
}

#[cfg(test)]
mod tests;
