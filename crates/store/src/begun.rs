//! The document of a run that has only begun: it says that there is a run, and holds no result.

const KIND: &str = "fathom-begun";

/// No such document is longer; one that is longer need not be parsed.
const MOST_BYTES: usize = 1024;

/// What is kept while nothing is measured yet by `command`.
pub fn begun_document(command: &str) -> String {
    serde_json::json!({ "kind": KIND, "schema": 1, "command": command }).to_string()
}

/// Whether `document` holds a result, or at least a part of one.
pub fn has_result(document: &str) -> bool {
    if document.len() > MOST_BYTES {
        return true;
    }
    let parsed: Result<serde_json::Value, _> = serde_json::from_str(document);
    !parsed.is_ok_and(|value| value["kind"] == KIND)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_has_only_begun_has_no_result() {
        assert!(!has_result(&begun_document("measure")));
        assert!(has_result(r#"{"kind":"fathom-measure"}"#));
        assert!(has_result("no JSON"));
    }
}
