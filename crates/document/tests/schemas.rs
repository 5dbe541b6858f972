//! The schemas in `docs/schemas` are kept in the repository for readers of documents; they must be
//! those of the types.

use fathom_document::document_schemas;
use std::path::Path;

#[test]
fn schemas_in_docs_are_those_of_the_types() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schemas");
    let mut expected = Vec::new();
    for of in document_schemas() {
        let name = format!("{}.schema.json", of.kind);
        let text = serde_json::to_string_pretty(&of.schema).unwrap() + "\n";
        if std::env::var_os("FATHOM_WRITE_DOCS").is_some() {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join(&name), &text).unwrap();
        }
        let kept = std::fs::read_to_string(folder.join(&name)).unwrap_or_default();
        assert!(
            kept == text,
            "docs/schemas/{name} is not what the types say; make it anew with \
             FATHOM_WRITE_DOCS=1 cargo test -p fathom-document schemas_in_docs"
        );
        expected.push(name);
    }
    let entries = std::fs::read_dir(&folder).unwrap();
    let mut kept: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    kept.sort();
    expected.sort();
    assert_eq!(kept, expected, "a schema of no document");
}
