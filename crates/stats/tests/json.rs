//! A result survives JSON, also by readers that hold numbers as floats, and keeps to its schema.

use crate::samples::{moments, run};
use fathom_stats::{Moments, RunResult};
use proptest::prelude::*;
use serde_json::{Value, json};

const SCHEMA: &str = include_str!("../../../docs/runresult.schema.json");

/// Checks a value against the part of JSON Schema that ours uses; a keyword it does not know is
/// a failure, so that nothing in the schema goes unchecked.
fn check(root: &Value, schema: &Value, value: &Value, path: &str) -> Result<(), String> {
    let wrong = |what: &str| Err(format!("{path}: {what}, but is {value}"));
    for (keyword, rule) in schema.as_object().ok_or("a schema is an object")? {
        match keyword.as_str() {
            "$schema" | "$defs" | "title" | "description" => {}
            "$ref" => {
                let name = rule.as_str().and_then(|r| r.strip_prefix("#/$defs/"));
                let target = &root["$defs"][name.ok_or("a reference to a definition")?];
                check(root, target, value, path)?;
            }
            "type" if !has_type(value, rule) => return wrong(&format!("should be {rule}")),
            "const" if value != rule => return wrong(&format!("should be {rule}")),
            "enum" if !rule.as_array().is_some_and(|a| a.contains(value)) => {
                return wrong(&format!("should be one of {rule}"));
            }
            "minimum" if value.as_f64() < rule.as_f64() => return wrong("is too small"),
            "pattern" if rule != "^[0-9]+$" => return Err(format!("unknown pattern {rule}")),
            "pattern" if !is_digits(value) => return wrong("should be digits"),
            "minItems" if length(value) < rule.as_u64() => return wrong("has too few items"),
            "maxItems" if length(value) > rule.as_u64() => return wrong("has too many items"),
            "type" | "const" | "enum" | "minimum" | "pattern" | "minItems" | "maxItems" => {}
            "anyOf" => {
                let options = rule.as_array().into_iter().flatten();
                if !options.into_iter().any(|rule| check(root, rule, value, path).is_ok()) {
                    return wrong("fits none of its kinds");
                }
            }
            _ => check_inner(root, (keyword, rule), schema, value, path)?,
        }
    }
    Ok(())
}

fn check_inner(
    root: &Value,
    (keyword, rule): (&str, &Value),
    schema: &Value,
    value: &Value,
    path: &str,
) -> Result<(), String> {
    let items = || value.as_array().into_iter().flatten().enumerate();
    match keyword {
        "items" => items().try_for_each(|(i, v)| check(root, rule, v, &format!("{path}/{i}"))),
        "prefixItems" => {
            items().try_for_each(|(i, v)| check(root, &rule[i], v, &format!("{path}/{i}")))
        }
        "required" => {
            let missing = rule
                .as_array()
                .into_iter()
                .flatten()
                .find(|k| value.get(k.as_str().unwrap_or_default()).is_none());
            missing.map_or(Ok(()), |key| Err(format!("{path}: {key} is missing")))
        }
        "additionalProperties" => {
            let known = &schema["properties"];
            let keys = value.as_object().into_iter().flat_map(|o| o.keys());
            let extra = keys.into_iter().find(|key| known.get(key.as_str()).is_none());
            extra.map_or(Ok(()), |key| Err(format!("{path}: {key} is not in the schema")))
        }
        "properties" => rule.as_object().into_iter().flatten().try_for_each(|(key, rule)| {
            value.get(key).map_or(Ok(()), |v| check(root, rule, v, &format!("{path}/{key}")))
        }),
        other => Err(format!("the schema uses {other}, which is not checked")),
    }
}

fn has_type(value: &Value, name: &Value) -> bool {
    match name.as_str() {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("null") => value.is_null(),
        _ => false,
    }
}

fn is_digits(value: &Value) -> bool {
    value.as_str().is_some_and(|s| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit()))
}

fn length(value: &Value) -> Option<u64> {
    value.as_array().map(|items| items.len() as u64)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_result_survives_its_text(result in run()) {
        let text = serde_json::to_string(&result).expect("it can be written");
        let back: RunResult = serde_json::from_str(&text).expect("it can be read");
        prop_assert_eq!(&back, &result);
        // Through a tree as well, which keeps no number above 64 bits.
        let tree: Value = serde_json::from_str(&text).expect("it is JSON");
        prop_assert_eq!(&serde_json::from_value::<RunResult>(tree).expect("a result"), &result);
    }

    #[test]
    fn a_result_keeps_to_its_schema(result in run()) {
        let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
        let tree = serde_json::to_value(&result).expect("it can be written");
        prop_assert_eq!(check(&schema, &schema, &tree, ""), Ok(()));
    }

    #[test]
    fn sums_are_digits_that_no_float_rounds(moments in moments()) {
        let tree = serde_json::to_value(moments).expect("it can be written");
        prop_assert_eq!(&tree["sum_sq"], &json!(moments.sum_sq.to_string()));
        prop_assert_eq!(tree["min"].is_null(), moments.count == 0);
    }
}

#[test]
fn the_schema_refuses_what_is_wrong() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("the schema is JSON");
    let good = serde_json::to_value(RunResult {
        schema: fathom_stats::SCHEMA,
        jobs: vec![fathom_stats::JobResult::default()],
        ..RunResult::default()
    })
    .expect("it can be written");
    assert_eq!(check(&schema, &schema, &good, ""), Ok(()));
    let spoil = |change: fn(&mut Value)| {
        let mut bad = good.clone();
        change(&mut bad);
        check(&schema, &schema, &bad, "").expect_err("it should be refused")
    };
    assert!(spoil(|v| v["schema"] = json!(2)).contains("/schema"));
    assert!(spoil(|v| v["jobs"][0]["sync"]["moments"]["sum"] = json!(5)).contains("/sum"));
    assert!(spoil(|v| v["jobs"][0]["new"] = json!(1)).contains("new"));
    assert!(spoil(|v| v["jobs"][0]["depth"] = json!([1])).contains("/depth"));
    assert!(spoil(|v| drop(v.as_object_mut().map(|o| o.remove("notes")))).contains("notes"));
}

#[test]
fn sums_that_are_no_numbers_are_refused_by_name() {
    let text = r#"{"count":1,"sum":"1x","sum_sq":"1","min":1,"max":1}"#;
    let error = serde_json::from_str::<Moments>(text).expect_err("it is wrong").to_string();
    assert!(error.contains("sum") && error.contains("1x"), "{error}");
}
