//! The schema of each document, made from its types: what `docs/schemas` publishes.

use crate::check::{CHECK_SCHEMA, CheckDocument};
use crate::compare::{COMPARE_SCHEMA, CompareDocument, RUNS_SCHEMA, RunsDocument};
use crate::durable::{DURABLE_SCHEMA, DurableDocument};
use crate::limit::{LIMIT_SCHEMA, LimitDocument};
use crate::run::{RUN_SCHEMA, RunDocument};
use crate::sweep::{SWEEP_SCHEMA, SweepDocument};
use crate::{DOCUMENT_SCHEMA, Document};
use schemars::{Schema, schema_for};
use serde_json::json;

/// The schema of documents of one kind.
#[derive(Clone, Debug)]
pub struct DocumentSchema {
    /// What the document calls itself, such as `fathom-measure`.
    pub kind: &'static str,
    /// JSON Schema of the draft of 2020-12.
    pub schema: Schema,
}

/// Of every kind of document.
pub fn document_schemas() -> Vec<DocumentSchema> {
    vec![
        of("fathom-measure", DOCUMENT_SCHEMA, schema_for!(Document)),
        of("fathom-durable", DURABLE_SCHEMA, schema_for!(DurableDocument)),
        of("fathom-sweep", SWEEP_SCHEMA, schema_for!(SweepDocument)),
        of("fathom-compare", COMPARE_SCHEMA, schema_for!(CompareDocument)),
        of("fathom-compare-runs", RUNS_SCHEMA, schema_for!(RunsDocument)),
        of("fathom-check", CHECK_SCHEMA, schema_for!(CheckDocument)),
        of("fathom-limit", LIMIT_SCHEMA, schema_for!(LimitDocument)),
        of("fathom-run", RUN_SCHEMA, schema_for!(RunDocument)),
    ]
}

/// With what the types do not say: which kind and version it is.
fn of(kind: &'static str, version: u32, mut schema: Schema) -> DocumentSchema {
    schema.insert("title".to_owned(), json!(format!("{kind}, version {version}")));
    let properties = schema.get_mut("properties").and_then(|all| all.as_object_mut());
    if let Some(properties) = properties {
        properties.insert("kind".to_owned(), json!({ "const": kind }));
        properties.insert("schema".to_owned(), json!({ "const": version }));
    }
    DocumentSchema { kind, schema }
}
