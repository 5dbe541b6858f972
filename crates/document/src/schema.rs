//! The schema of all documents, generated from their types and published as
//! `docs/documents.schema.json`.
//!
//! It is one schema for all kinds, because they share most of their parts. Crates above this one
//! add their own kinds; the binary, which has all, compares the whole with the published one.

use crate::check::{CHECK_SCHEMA, CheckDocument};
use crate::compare::{COMPARE_SCHEMA, CompareDocument, RUNS_SCHEMA, RunsDocument};
use crate::durable::{DURABLE_SCHEMA, DurableDocument};
use crate::limit::{LIMIT_SCHEMA, LimitDocument};
use crate::run::{RUN_SCHEMA, RunDocument};
use crate::sweep::{SWEEP_SCHEMA, SweepDocument};
use crate::{DOCUMENT_SCHEMA, Document};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// The path of a schema's parts, in a reference to one of them.
const PARTS: &str = "#/$defs/";

/// Kinds of documents, for one schema of all of them.
#[derive(Debug)]
pub struct DocumentKinds {
    generator: SchemaGenerator,
    kinds: Vec<DocumentKind>,
}

/// Documents of one kind.
#[derive(Debug)]
struct DocumentKind {
    /// Their kind.
    name: &'static str,
    version: u32,
    /// A reference to the part that describes them.
    reference: Schema,
}

impl DocumentKinds {
    /// What commands that measure write.
    pub fn of_measurements() -> DocumentKinds {
        let none = DocumentKinds { generator: SchemaGenerator::default(), kinds: Vec::new() };
        none.with::<Document>("fathom-measure", DOCUMENT_SCHEMA)
            .with::<DurableDocument>("fathom-durable", DURABLE_SCHEMA)
            .with::<SweepDocument>("fathom-sweep", SWEEP_SCHEMA)
            .with::<CompareDocument>("fathom-compare", COMPARE_SCHEMA)
            .with::<RunsDocument>("fathom-compare-runs", RUNS_SCHEMA)
            .with::<CheckDocument>("fathom-check", CHECK_SCHEMA)
            .with::<LimitDocument>("fathom-limit", LIMIT_SCHEMA)
            .with::<RunDocument>("fathom-run", RUN_SCHEMA)
    }

    /// The same and one more, of a crate that stands above this one.
    #[must_use]
    pub fn with<D: JsonSchema>(mut self, name: &'static str, version: u32) -> DocumentKinds {
        let reference = self.generator.subschema_for::<D>();
        self.kinds.push(DocumentKind { name, version, reference });
        self
    }

    /// JSON Schema, in the draft of 2020-12, of every kind.
    pub fn schema(mut self) -> Value {
        let mut parts = self.generator.take_definitions(true);
        for kind in &self.kinds {
            kind.name_in(&mut parts);
        }
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "A document of Fathom",
            "description": "What `--json` prints and the history keeps; `kind` says which it is.",
            "oneOf": self.kinds.into_iter().map(|kind| kind.reference).collect::<Vec<_>>(),
            "$defs": parts,
        })
    }
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
