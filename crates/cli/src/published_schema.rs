//! `docs/documents.schema.json` is kept in the repository for readers of documents; it must be that
//! of the types.

use crate::doctor::DiagnosedHosts;
use crate::history::HistoryList;
use crate::output::{FAILURE_SCHEMA, FailureDocument, PLAN_SCHEMA, PlanDocument};
use crate::promises::{PROMISES_SCHEMA, PromiseDocument, PromisesDocument};
use fathom_campaign::doctor::{DIAGNOSIS_SCHEMA, Diagnosis};
use fathom_document::DocumentKinds;
use serde_json::Value;
use std::path::Path;

fn all_kinds() -> Value {
    DocumentKinds::of_measurements()
        .with::<PlanDocument>("fathom-plan", PLAN_SCHEMA)
        .with::<FailureDocument<'_>>("fathom-failure", FAILURE_SCHEMA)
        .with::<Diagnosis>("fathom-doctor", DIAGNOSIS_SCHEMA)
        .with::<DiagnosedHosts<'_>>("fathom-doctor-hosts", DIAGNOSIS_SCHEMA)
        .with::<HistoryList>("fathom-history-list", crate::history::LIST_SCHEMA)
        .with::<PromisesDocument<'_>>("fathom-promises", PROMISES_SCHEMA)
        .with::<PromiseDocument<'_>>("fathom-promise", PROMISES_SCHEMA)
        .schema()
}

#[test]
fn the_schema_in_docs_is_that_of_the_types() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/documents.schema.json");
    let text = serde_json::to_string_pretty(&all_kinds()).unwrap() + "\n";
    if std::env::var_os("FATHOM_WRITE_DOCS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap_or_default() == text,
        "docs/documents.schema.json is not what the types say; make it anew with \
         FATHOM_WRITE_DOCS=1 cargo test -p fathom --bins the_schema_in_docs"
    );
}

/// Each kind names itself, and no reference leads nowhere.
#[test]
fn every_kind_is_named_and_every_part_is_there() {
    let schema = all_kinds();
    let parts = schema["$defs"].as_object().unwrap();
    let kinds = schema["oneOf"].as_array().unwrap();
    assert_eq!(kinds.len(), 15);
    for kind in kinds {
        let name = kind["$ref"].as_str().unwrap().strip_prefix("#/$defs/").unwrap();
        let named = &parts[name]["properties"]["kind"]["const"];
        assert!(named.as_str().unwrap().starts_with("fathom-"), "{name}: {named}");
    }
    let text = schema.to_string();
    for reference in text.split("\"$ref\":\"#/$defs/").skip(1) {
        let name = reference.split('"').next().unwrap();
        assert!(parts.contains_key(name), "{name}");
    }
}
