//! Types as their source has them, and their shapes in JSON.

use super::shapes::Shapes;
use super::type_index::TypeIndex;
use serde_json::{Value, json};
use std::path::Path;

/// The part of the type `Whole` in a file, and the names of all parts that it uses.
fn whole(text: &str) -> (Value, Vec<String>) {
    let mut index = TypeIndex::default();
    index.add(Path::new("crates/a/src/a.rs"), text).unwrap();
    let mut shapes = Shapes::new(&index);
    let part = shapes.document("a", "Whole").unwrap();
    part["title"] = json!("a");
    let mut part = part.clone();
    part.as_object_mut().unwrap().shift_remove("title");
    (part, shapes.used_parts().keys().cloned().collect())
}

#[test]
fn a_field_with_a_default_or_an_option_need_not_be_there() {
    let (part, _) = whole(
        "/// All of it.
        struct Whole { a: u8, b: Option<f64>, #[serde(default)] c: Vec<String>, #[serde(skip)] d: X }",
    );
    assert_eq!(part["required"], json!(["a"]));
    assert_eq!(part["description"], "All of it.");
    assert_eq!(part["properties"]["b"]["type"], json!(["number", "null"]));
    assert_eq!(part["properties"]["c"], json!({"type": "array", "items": {"type": "string"}}));
    assert_eq!(part["properties"].as_object().unwrap().len(), 3);
}

#[test]
fn a_flattened_field_gives_its_fields_and_no_part() {
    let text = "struct Whole { #[serde(flatten)] own: Inner<Option<Other>>, seen: Pair<u8> }
        struct Inner<T> { one: T, two: bool }
        struct Other(u64);
        type Pair<T> = [T; SIDES];
        const SIDES: usize = 1 + 1;";
    let (part, names) = whole(text);
    assert_eq!(part["required"], json!(["two", "seen"]));
    assert_eq!(part["properties"]["one"]["anyOf"][0], json!({"$ref": "#/$defs/Other"}));
    assert_eq!(part["properties"]["seen"]["maxItems"], 2);
    assert_eq!(names, ["Whole", "Other"]);
}

#[test]
fn variants_have_the_form_that_serde_gives_them() {
    let variants = |attribute: &str| {
        let text =
            format!("#[serde({attribute})] enum Whole {{ OneOf, Two(Held), Three {{ a: u8 }} }}");
        whole(&(text + "struct Held { b: bool }")).0["oneOf"].clone()
    };
    let external = variants("rename_all = \"snake_case\"");
    assert_eq!(external[0], json!({"type": "string", "const": "one_of"}));
    assert_eq!(external[1]["properties"]["two"], json!({"$ref": "#/$defs/Held"}));
    assert_eq!(external[2]["properties"]["three"]["required"], json!(["a"]));
    let internal = variants("tag = \"is\"");
    assert_eq!(internal[1]["$ref"], "#/$defs/Held");
    assert_eq!(internal[2]["required"], json!(["is", "a"]));
    let adjacent = variants("tag = \"is\", content = \"of\"");
    assert_eq!(adjacent[1]["properties"]["of"], json!({"$ref": "#/$defs/Held"}));
    assert_eq!(adjacent[0]["required"], json!(["is"]));
}

#[test]
fn a_type_is_read_as_its_attribute_says() {
    let (part, names) =
        whole("#[serde(from = \"Wire\")] struct Whole { a: X } struct Wire { b: u8 }");
    assert_eq!((part["required"].clone(), names), (json!(["b"]), vec!["Whole".to_owned()]));
}

#[test]
fn a_name_means_the_nearest_type_of_it() {
    let mut index = TypeIndex::default();
    for (file, text) in [
        ("a/src/a.rs", "struct Two;"),
        ("a/src/b.rs", "struct Two(u8);"),
        ("b/src/c.rs", "struct One;"),
    ] {
        index.add(&Path::new("crates").join(file), text).unwrap();
    }
    let found = |name: &str, from: &str| {
        let found = index.find(name, &Path::new("crates").join(from));
        found.map(|source| source.file.display().to_string())
    };
    assert_eq!(found("Two", "a/src/b.rs").as_deref(), Some("crates/a/src/b.rs"));
    assert_eq!(found("Two", "a/src/d.rs"), None);
    assert_eq!(found("One", "a/src/b.rs").as_deref(), Some("crates/b/src/c.rs"));
}
