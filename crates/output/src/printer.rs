//! A JSON value in fio's layout: `"key" : value`, two spaces a level, floats with six decimals.
//! Programs read it by lines as well as by parser.

use serde_json::Value;
use std::fmt::Write;

/// The text of a document, with a newline at its end.
pub(crate) fn text(value: &Value) -> String {
    let mut out = String::new();
    write(&mut out, value, 0);
    out.push('\n');
    out
}

fn write(out: &mut String, value: &Value, level: usize) {
    match value {
        Value::Object(map) => {
            let entries = map.iter().map(|(key, value)| (Some(key.as_str()), value));
            block(out, '{', '}', entries, level);
        }
        Value::Array(items) => {
            block(out, '[', ']', items.iter().map(|value| (None, value)), level);
        }
        Value::Number(number) if number.is_f64() => {
            let float = number.as_f64().unwrap_or(0.0);
            write!(out, "{float:.6}").expect("writing to a string does not fail");
        }
        scalar => write!(out, "{scalar}").expect("writing to a string does not fail"),
    }
}

fn block<'a>(
    out: &mut String,
    open: char,
    close: char,
    entries: impl Iterator<Item = (Option<&'a str>, &'a Value)>,
    level: usize,
) {
    out.push(open);
    for (i, (key, value)) in entries.enumerate() {
        out.push_str(if i == 0 { "\n" } else { ",\n" });
        indent(out, level + 1);
        if let Some(key) = key {
            write!(out, "{} : ", Value::from(key)).expect("writing to a string does not fail");
        }
        write(out, value, level + 1);
    }
    out.push('\n');
    indent(out, level);
    out.push(close);
}

fn indent(out: &mut String, level: usize) {
    for _ in 0..level {
        out.push_str("  ");
    }
}
