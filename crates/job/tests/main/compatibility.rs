//! The page that tells users what becomes of each option of fio is made from the table, and kept
//! in the repository for people to read; it must be the table's.

use fathom_job::compatibility_page;
use std::path::Path;

#[test]
fn page_in_docs_is_the_table_s() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/compatibility.md");
    let page = compatibility_page();
    if std::env::var_os("FATHOM_WRITE_DOCS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == page,
        "docs/compatibility.md is not what the table says; make it anew with \
         FATHOM_WRITE_DOCS=1 cargo test -p fathom-job page_in_docs"
    );
}
