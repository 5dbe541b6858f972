//! The schema of all documents, generated from their types and published as
//! `docs/documents.schema.json`.
//!
//! It is one schema for all kinds, because they share most of their parts.

use crate::check::{CHECK_SCHEMA, CheckDocument};
use crate::compare::{COMPARE_SCHEMA, CompareDocument, RUNS_SCHEMA, RunsDocument};
use crate::durable::{DURABLE_SCHEMA, DurableDocument};
use crate::limit::{LIMIT_SCHEMA, LimitDocument};
use crate::run::{RUN_SCHEMA, RunDocument};
use crate::sweep::{SWEEP_SCHEMA, SweepDocument};
use crate::{DOCUMENT_SCHEMA, Document};
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// The path of a schema's parts, in a reference to one of them.
const PARTS: &str = "#/$defs/";

/// Documents of one kind.
struct DocumentKind {
    /// Their kind.
    name: &'static str,
    version: u32,
    /// A reference to the part that describes them.
    reference: Schema,
}

/// JSON Schema, in the draft of 2020-12, of every kind of document that Fathom writes.
pub fn documents_schema() -> Value {
    let mut generator = SchemaGenerator::default();
    let kinds = kinds(&mut generator);
    let mut parts = generator.take_definitions(true);
    for kind in &kinds {
        kind.name_in(&mut parts);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A document of Fathom",
        "description": "What `--json` prints and the history keeps; `kind` says which it is.",
        "oneOf": kinds.into_iter().map(|kind| kind.reference).collect::<Vec<_>>(),
        "$defs": parts,
    })
}

fn kinds(generator: &mut SchemaGenerator) -> Vec<DocumentKind> {
    let mut all = Vec::new();
    let mut add = |name, version, reference| all.push(DocumentKind { name, version, reference });
    add("fathom-measure", DOCUMENT_SCHEMA, generator.subschema_for::<Document>());
    add("fathom-durable", DURABLE_SCHEMA, generator.subschema_for::<DurableDocument>());
    add("fathom-sweep", SWEEP_SCHEMA, generator.subschema_for::<SweepDocument>());
    add("fathom-compare", COMPARE_SCHEMA, generator.subschema_for::<CompareDocument>());
    add("fathom-compare-runs", RUNS_SCHEMA, generator.subschema_for::<RunsDocument>());
    add("fathom-check", CHECK_SCHEMA, generator.subschema_for::<CheckDocument>());
    add("fathom-limit", LIMIT_SCHEMA, generator.subschema_for::<LimitDocument>());
    add("fathom-run", RUN_SCHEMA, generator.subschema_for::<RunDocument>());
    all
}

impl DocumentKind {
    /// Adds the facts that the types do not contain: kind and version.
    fn name_in(&self, parts: &mut Map<String, Value>) {
        let reference = self.reference.get("$ref").and_then(Value::as_str);
        let part = reference.and_then(|text| text.strip_prefix(PARTS));
        let Some(part) = part.and_then(|name| parts.get_mut(name)) else { return };
        part["title"] = json!(format!("{}, version {}", self.name, self.version));
        part["properties"]["kind"] = json!({ "const": self.name });
        part["properties"]["schema"] = json!({ "const": self.version });
    }
}
