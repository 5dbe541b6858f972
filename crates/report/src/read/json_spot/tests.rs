//! A field that is broken is the one that is named.

use super::super::sound::typed;
use super::super::sweep::simulated_sweep;
use super::super::tests::run;
use super::*;
use fathom_document::JsonDocument;
use fathom_document::check::CheckDocument;
use fathom_document::limit::LimitDocument;
use fathom_document::sweep::SweepDocument;
use fathom_stats::RunResult;
use serde_json::{Value, json};

/// The way to every value, with it.
fn places(value: &Value, path: JsonPath, all: &mut Vec<(JsonPath, String)>, pointer: &str) {
    all.push((path.clone(), pointer.to_owned()));
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate().take(2) {
                places(item, path.clone().element(at), all, &format!("{pointer}/{at}"));
            }
        }
        Value::Object(map) => {
            for (key, item) in map {
                let escaped = key.replace('~', "~0").replace('/', "~1");
                places(item, path.clone().member(key), all, &format!("{pointer}/{escaped}"));
            }
        }
        _ => {}
    }
}

/// Every value in turn replaced by one of another type; what was named for each that is refused.
fn broken<T: JsonDocument>(value: &Value, spread: bool) -> Vec<(String, String, String)> {
    let mut all = Vec::new();
    places(value, JsonPath::default(), &mut all, "");
    let others =
        [json!(-1), json!("x"), json!([]), json!({}), json!(true), json!(0.5), json!(null)];
    let mut named = Vec::new();
    for (path, pointer) in &all[1..] {
        let mut changed = value.clone();
        for other in &others {
            changed.pointer_mut(pointer).unwrap().clone_from(other);
            let text = match spread {
                true => serde_json::to_string_pretty(&changed).unwrap(),
                false => changed.to_string(),
            };
            if let Err((field, why)) = typed::<T>(&text) {
                assert!(!why.contains("column") && !why.contains("EOF"), "{path}: {why}");
                named.push((path.to_string(), field, why));
            }
        }
    }
    named
}

#[test]
fn a_broken_field_of_a_run_is_named() {
    let mut value = run(3000, 1_000_000);
    // Few are enough, and whole intervals are many.
    for list in ["/jobs/0/series/intervals", "/jobs/0/dirs/read/lat/histogram"] {
        value.pointer_mut(list).unwrap().as_array_mut().unwrap().truncate(2);
    }
    for spread in [false, true] {
        let named = broken::<RunResult>(&value, spread);
        assert!(named.len() > 500, "{}", named.len());
        for (path, field, why) in named {
            // Digits of a sum are only read once all moments are.
            let of = path.strip_suffix(".sum").or(path.strip_suffix(".sum_sq"));
            let expected = of.filter(|_| why.contains("whole number")).unwrap_or(&path);
            assert_eq!(field, expected, "{path}: {why}");
        }
    }
}

/// Of what is flattened only the object is known. Most of a check and of a limit is: where was
/// measured.
fn is_named<T: JsonDocument>(value: &Value) {
    let named = broken::<T>(value, false);
    let exact = named.iter().filter(|(path, field, _)| path == field).count();
    assert!(exact * 10 > named.len() * 3, "{exact} of {}", named.len());
    for (path, field, why) in named {
        let is_around = field == "." || path.starts_with(&field);
        assert!(is_around, "{path} is broken, {field} is named: {why}");
    }
}

#[test]
fn a_broken_field_of_a_document_is_named() {
    let parsed = |text| serde_json::from_str::<Value>(text).unwrap();
    is_named::<CheckDocument>(&parsed(include_str!("../../../fixtures/check.json")));
    is_named::<LimitDocument>(&parsed(include_str!("../../../fixtures/limit.json")));
    let sweep = simulated_sweep(&[("bs", "4k,64k")], 1, 2);
    is_named::<SweepDocument>(&serde_json::to_value(sweep).unwrap());
}

#[test]
fn names_are_told_as_they_are_meant() {
    let text = r#" { "a\"b" : [ 1 , {"c,]": "\\" , "d": [[], 7] } ] , "é": null } "#;
    let at = |found: &str| value_at(text, Mark::Start(text.find(found).unwrap()));
    let path = |found: &str| at(found).unwrap().path.to_string();
    assert_eq!(path("7"), "a\"b[1].d[1]");
    assert_eq!(path("[],"), "a\"b[1].d[0]");
    assert_eq!(path("null"), "é");
    assert_eq!(path("{"), ".");
    let end = text.find("7] }").unwrap() + 4;
    let spot = value_at(text, Mark::End(end)).unwrap();
    assert_eq!((spot.path.to_string().as_str(), spot.text.len()), ("a\"b[1]", 29));
}

#[test]
fn no_text_makes_a_panic() {
    for text in ["", "]", "}", "\"", "{\"a", "[1,", "\"\\", "[\"\\\"", ",,:", "{,}", "é"] {
        for at in 0..=text.len() {
            let _either = (value_at(text, Mark::Start(at)), value_at(text, Mark::End(at)));
        }
    }
}
