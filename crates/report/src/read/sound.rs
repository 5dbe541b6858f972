//! Whether a document's numbers can be added up: nothing below zero where counts are, no sum that
//! leaves 64 bits, no list that could not have been recorded.
//!
//! What reads documents afterwards merges counts by addition, as it does with its own. Numbers that
//! somebody else wrote are therefore weighed once, before: if all whole numbers of a document come
//! to less than 2^62 together, then so does every sum of some of them.

use fathom_stats::RunResult;
use serde_json::Value;

/// All whole numbers of a document together; a thousand jobs at depth 32 for an hour have 2^57 ns.
const MOST_TOGETHER: u128 = 1 << 62;
/// Most of a sum of squares of nanoseconds, which is a string of digits.
const MOST_SQUARES: u128 = 1 << 120;
/// Longest interval of a series in milliseconds: a year.
const LONGEST_INTERVAL_MS: u64 = 366 * 86_400_000;

/// Where it is wrong, and why.
pub(super) type Unsound = (String, String);

/// Checks a document.
pub(super) fn check(value: &Value) -> Result<(), Unsound> {
    let mut total = 0;
    let mut path = String::new();
    walk(value, &mut path, &mut total)?;
    runs(value, &mut path)
}

/// Whether every run in it can be read; the recordings that are made of them would only say which
/// run cannot.
fn runs(value: &Value, path: &mut String) -> Result<(), Unsound> {
    let length = path.len();
    match value {
        Value::Array(items) => items.iter().enumerate().try_for_each(|(at, item)| {
            *path += &format!("[{at}]");
            runs(item, path)?;
            path.truncate(length);
            Ok(())
        }),
        Value::Object(_) if value["jobs"].is_array() && value["disks"].is_array() => {
            match serde_path_to_error::deserialize::<_, RunResult>(value) {
                Ok(_) => Ok(()),
                Err(why) => {
                    let dot = if length == 0 { "" } else { "." };
                    Err((format!("{path}{dot}{}", why.path()), why.inner().to_string()))
                }
            }
        }
        Value::Object(map) => map.iter().try_for_each(|(key, item)| {
            *path += if length == 0 { "" } else { "." };
            *path += key;
            runs(item, path)?;
            path.truncate(length);
            Ok(())
        }),
        _ => Ok(()),
    }
}

fn walk(value: &Value, path: &mut String, total: &mut u128) -> Result<(), Unsound> {
    let length = path.len();
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                *path += &format!("[{at}]");
                walk(item, path, total)?;
                path.truncate(length);
            }
        }
        Value::Object(map) => {
            for (key, item) in map {
                *path += if length == 0 { "" } else { "." };
                *path += key;
                member(key, item, path, total)?;
                path.truncate(length);
            }
        }
        _ => add(value, path, total)?,
    }
    Ok(())
}

fn member(key: &str, item: &Value, path: &mut String, total: &mut u128) -> Result<(), Unsound> {
    match key {
        // Any 64 bits, and never added up.
        "seed" | "entropy" | "randseed" if item.is_number() => Ok(()),
        "sum" | "sum_sq" if item.is_string() => squares(item, path),
        "interval_ms" if item.as_u64().is_some_and(|ms| ms > LONGEST_INTERVAL_MS) => {
            Err((path.clone(), "an interval is a year at most".to_owned()))
        }
        _ => walk(item, path, total),
    }
}

fn squares(item: &Value, path: &str) -> Result<(), Unsound> {
    let digits = item.as_str().unwrap_or_default();
    match digits.parse::<u128>() {
        Ok(sum) if sum < MOST_SQUARES => Ok(()),
        Ok(_) => Err((path.to_owned(), "is more than any run adds up to".to_owned())),
        // Whoever reads it says what is wrong with it.
        Err(_) => Ok(()),
    }
}

fn add(value: &Value, path: &str, total: &mut u128) -> Result<(), Unsound> {
    let Some(number) = value.as_u64() else { return Ok(()) };
    *total += u128::from(number);
    match *total < MOST_TOGETHER {
        true => Ok(()),
        false => Err((path.to_owned(), format!("{number} is more than any run counts"))),
    }
}
