//! The document of a run that has only begun, without a result.

const KIND: &str = "fathom-begun";

/// No such document is longer; one that is longer need not be parsed.
const MOST_BYTES: usize = 1024;

/// The document before any result of `command`.
pub fn begun_document(command: &str) -> String {
    serde_json::json!({ "kind": KIND, "schema": 1, "command": command }).to_string()
}

/// Whether `document` contains a result, or a part of one.
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
