//! Texts compared piece by piece, so that a difference names its line and nothing hides in a
//! wide mask.

use serde_json::Value;

/// Splits a line into what is a number and what is not.
fn pieces(line: &str) -> Vec<&str> {
    let is_number = |c: char| c.is_ascii_digit() || c == '.';
    let mut out = Vec::new();
    let mut start = 0;
    let mut kind = None;
    for (at, c) in line.char_indices() {
        let now = is_number(c);
        if kind.is_some_and(|k| k != now) {
            out.push(&line[start..at]);
            start = at;
        }
        kind = Some(now);
    }
    out.push(&line[start..]);
    out
}

/// Whether lines are the same but for the last digits of figures derived from a rounded one.
///
/// JSON gives means and deviations with six decimals, from which sums and sums of squares are
/// found again; a deviation after `stdev=` may be off by one in its last place.
pub fn lines_agree(ours: &str, theirs: &str) -> bool {
    let (a, b) = (pieces(ours), pieces(theirs));
    a.len() == b.len()
        && (0..a.len()).all(|i| {
            a[i] == b[i]
                || i > 0
                    && a[i - 1].trim_end().ends_with("stdev=")
                    && near(a[i], b[i], 0.011 + 1e-5 * b[i].parse().unwrap_or(0.0))
        })
}

/// Whether terse fields are the same but for rounding in the sixth decimal.
pub fn fields_agree(ours: &str, theirs: &str) -> Vec<String> {
    let (a, b): (Vec<&str>, Vec<&str>) = (ours.split(';').collect(), theirs.split(';').collect());
    if a.len() != b.len() {
        return vec![format!("{} fields, not {}", a.len(), b.len())];
    }
    let differ = |(a, b): (&&str, &&str)| {
        let decimals = |text: &str| text.split_once('.').map_or(0, |(_, d)| d.len());
        let alike = decimals(a) == decimals(b) && decimals(a) == 6;
        *a != *b
            && !(alike && near(a, b, tolerance(b.parse().unwrap_or(0.0))))
            && !(nearly_all(a) && nearly_all(b))
    };
    let pairs = a.iter().zip(&b).enumerate();
    pairs
        .filter(|(_, (a, b))| differ((a, b)))
        .map(|(i, (a, b))| format!("field {i}: {a}, not {b}"))
        .collect()
}

/// The share below 2 us is a sum of counts of which JSON shows the small ones raised to 0.01 %.
fn nearly_all(field: &str) -> bool {
    let share = field.strip_suffix('%').and_then(|number| number.parse::<f64>().ok());
    share.is_some_and(|share| (99.9..=100.1).contains(&share))
}

fn near(a: &str, b: &str, tolerance: f64) -> bool {
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => (a - b).abs() <= tolerance,
        _ => false,
    }
}

fn tolerance(value: f64) -> f64 {
    2e-6 + 1e-6 * value.abs()
}

/// Differences between two documents, by path; `extra` keys may be in ours alone.
pub fn trees(path: &str, ours: &Value, theirs: &Value, extra: &[&str], out: &mut Vec<String>) {
    match (ours, theirs) {
        (Value::Object(a), Value::Object(b)) => {
            let keys: Vec<&String> =
                a.keys().filter(|k| b.contains_key(*k) || !extra.contains(&k.as_str())).collect();
            if keys != b.keys().collect::<Vec<_>>() {
                out.push(format!("{path}: keys {keys:?}, not {:?}", b.keys().collect::<Vec<_>>()));
            }
            for (key, value) in b {
                let missing = Value::Null;
                let found = a.get(key).unwrap_or(&missing);
                trees(&format!("{path}/{key}"), found, value, extra, out);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (i, (a, b)) in a.iter().zip(b).enumerate() {
                trees(&format!("{path}/{i}"), a, b, extra, out);
            }
        }
        (Value::Number(a), Value::Number(b)) if a.is_f64() && b.is_f64() => {
            let (a, b) = (a.as_f64().unwrap_or(0.0), b.as_f64().unwrap_or(0.0));
            let loose = path.ends_with("dev") && (a - b).abs() <= 0.002 + 1e-5 * b;
            if (a - b).abs() > tolerance(b) && !loose {
                out.push(format!("{path}: {a}, not {b}"));
            }
        }
        (a, b) if a == b => {}
        (a, b) => out.push(format!("{path}: {a}, not {b}")),
    }
}
