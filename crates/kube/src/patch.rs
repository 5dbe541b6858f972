//! The user's changes to the pod: a YAML or JSON file with the fields that differ.
//!
//! Objects are merged field by field and null removes a field, as in a JSON merge patch. Lists
//! whose members have names are merged by these, so that a patch can change our container without
//! repeating it; all other lists are replaced.

use serde_json::{Map, Value};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a patch cannot be used.
#[fathom_text::translated]
#[derive(Debug, Error)]
pub enum PatchError {
    /// The text is neither YAML nor JSON.
    #[error(
        "--patch {}: {why}; write fields of a pod, as tolerations below spec",
        .path.display()
    )]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The parser's error.
        why: String,
    },
    /// The text is not about fields of a pod.
    #[error("--patch {}: '{field}' is no part of a pod; use metadata and spec", .path.display())]
    Field {
        /// The file.
        path: PathBuf,
        /// Its content.
        field: String,
    },
}

/// The patch in the text of a file.
///
/// # Errors
/// If it has no fields of a pod.
pub fn read_patch(path: &Path, text: &str) -> Result<Value, PatchError> {
    let syntax = |why: String| PatchError::Syntax { path: path.to_owned(), why };
    let patch: Value = serde_saphyr::from_str(text).map_err(|why| syntax(why.to_string()))?;
    let Value::Object(fields) = &patch else {
        return Err(syntax("it holds no fields".to_owned()));
    };
    let known = ["metadata", "spec", "apiVersion", "kind"];
    match fields.keys().find(|name| !known.contains(&name.as_str())) {
        Some(field) => Err(PatchError::Field { path: path.to_owned(), field: field.clone() }),
        None => {
            let parts = fields.iter().filter(|(name, _)| known[..2].contains(&name.as_str()));
            Ok(parts.map(|(name, value)| (name.clone(), value.clone())).collect())
        }
    }
}

/// A value with the changes of a patch.
pub fn merged(base: Value, patch: &Value) -> Value {
    match (base, patch) {
        (Value::Object(base), Value::Object(patch)) => Value::Object(merged_fields(base, patch)),
        (Value::Array(base), Value::Array(patch)) if is_named(&base) && is_named(patch) => {
            Value::Array(merged_members(base, patch))
        }
        (_, patch) => patch.clone(),
    }
}

fn merged_fields(mut base: Map<String, Value>, patch: &Map<String, Value>) -> Map<String, Value> {
    for (name, change) in patch {
        match (base.remove(name), change) {
            (_, Value::Null) => {}
            (Some(old), change) => drop(base.insert(name.clone(), merged(old, change))),
            (None, change) => drop(base.insert(name.clone(), change.clone())),
        }
    }
    base
}

fn merged_members(mut base: Vec<Value>, patch: &[Value]) -> Vec<Value> {
    for change in patch {
        match base.iter_mut().find(|old| old["name"] == change["name"]) {
            Some(old) => *old = merged(old.take(), change),
            None => base.push(change.clone()),
        }
    }
    base
}

fn is_named(list: &[Value]) -> bool {
    !list.is_empty() && list.iter().all(|member| member["name"].is_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(text: &str) -> Result<Value, PatchError> {
        read_patch(Path::new("p.yaml"), text)
    }

    #[test]
    fn fields_are_merged_and_null_removes_one() {
        let base = json!({"a": {"b": 1, "c": 2}, "l": [1, 2], "x": 1});
        let patch = json!({"a": {"b": null, "d": 3}, "l": [3], "y": {"z": 1}});
        let expected = json!({"a": {"c": 2, "d": 3}, "l": [3], "x": 1, "y": {"z": 1}});
        assert_eq!(merged(base.clone(), &patch), expected);
        assert_eq!(merged(base.clone(), &json!({})), base);
    }

    #[test]
    fn members_with_names_are_merged_and_new_ones_added() {
        let base = json!([{"name": "a", "v": 1}, {"name": "b"}]);
        let patch = json!([{"name": "b", "w": 2}, {"name": "c"}]);
        let expected = json!([{"name": "a", "v": 1}, {"name": "b", "w": 2}, {"name": "c"}]);
        assert_eq!(merged(base, &patch), expected);
    }

    #[test]
    fn a_file_holds_fields_of_a_pod_in_yaml_or_json() {
        let expected = json!({"spec": {"priorityClassName": "low"}});
        assert_eq!(read("kind: Pod\nspec:\n  priorityClassName: low\n").unwrap(), expected);
        assert_eq!(read(r#"{"spec": {"priorityClassName": "low"}}"#).unwrap(), expected);
        let said = |text: &str| read(text).unwrap_err().to_string();
        assert!(said("tolerations: []").contains("'tolerations' is no part of a pod"));
        assert!(said("- 1").contains("p.yaml: it holds no fields"), "{}", said("- 1"));
        assert!(said("a: [").contains("--patch p.yaml"));
    }
}
