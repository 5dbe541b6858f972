//! Masks what differs from run to run: times, ids, folders and versions.

use serde_json::Value;
use std::path::Path;

/// Entries of a list in JSON that stay.
const ENTRIES: usize = 3;

/// The text without what differs from run to run; `root` is the sandbox's folder.
pub fn masked(text: &str, root: &Path) -> String {
    let root = root.display().to_string();
    let text = text.replace(&root, "ROOT").replace(&root.replace('/', "&#x2f;"), "ROOT");
    let json = serde_json::from_str::<Value>(&text).ok().filter(Value::is_object);
    let text = match json {
        Some(mut document) => {
            cut(&mut document);
            serde_json::to_string_pretty(&document).unwrap()
        }
        None => text,
    };
    let lines: Vec<String> = text.lines().map(masked_line).collect();
    lines.join("\n")
}

/// Cuts long lists, and keeps their number; of what a run gave only the names of its fields.
fn cut(value: &mut Value) {
    match value {
        Value::Array(entries) => {
            let count = entries.len();
            if count > ENTRIES && !entries.iter().all(Value::is_string) {
                entries.truncate(ENTRIES - 1);
                entries.push(format!("{count} in all").into());
            }
            entries.iter_mut().for_each(cut);
        }
        Value::Object(fields) => {
            for (name, field) in fields.iter_mut() {
                if name == "duration_ms" {
                    *field = "TIME".into();
                }
                match field.as_object().filter(|_| name == "result") {
                    Some(result) => *field = result.keys().cloned().collect::<Value>(),
                    None => cut(field),
                }
            }
        }
        _ => {}
    }
}

fn masked_line(line: &str) -> String {
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || ":-".contains(letter);
    let mut masked = String::new();
    let mut rest = line;
    while let Some(begin) = rest.find(is_word) {
        let length = rest[begin..].find(|letter| !is_word(letter)).unwrap_or(rest.len() - begin);
        masked += &rest[..begin];
        let word = &rest[begin..begin + length];
        let (word, colon) = word.strip_suffix(':').map_or((word, ""), |word| (word, ":"));
        masked += &(masked_word(word) + colon);
        rest = &rest[begin + length..];
    }
    let masked = masked + rest;
    // Where two runs began, which is one moment or two.
    if let Some((one, _)) = masked.split_once("; ").filter(|(one, other)| one == other) {
        return one.to_owned();
    }
    // How long it really took.
    for (word, end) in [(" time=\"", ">"), (" +00:00, took ", ""), (" +00:00, ", " 걸림")] {
        if let Some(at) = masked.find(word) {
            return format!("{}{word}TIME{end}", &masked[..at]);
        }
    }
    match masked.contains(": fathom history show ") {
        true => without_size(&masked),
        false => masked,
    }
}

/// Without the size of a stored document, which depends on the digits of its times.
fn without_size(line: &str) -> String {
    let words = line.split(' ').collect::<Vec<&str>>();
    let is_size = |at: usize| words.get(at + 1).is_some_and(|unit| unit.starts_with("KiB"));
    let word = |(at, word)| if is_size(at) { "SIZE" } else { word };
    words.iter().copied().enumerate().map(word).collect::<Vec<&str>>().join(" ")
}

/// The shape of a word: each digit is 0.
fn shape(word: &str) -> String {
    word.chars().map(|letter| if letter.is_ascii_digit() { '0' } else { letter }).collect()
}

fn masked_word(word: &str) -> String {
    let is_time = ["00:00", "00:00:00", "00-00", "0000-00-00", "0000000000000"];
    let shape = shape(word);
    if is_time.contains(&shape.as_str()) || shape.starts_with("0000-00-00T") {
        return shape;
    }
    if shape.starts_with("00000000T") {
        return "TIME-ID".to_owned();
    }
    // A test file's id may be digits only.
    let is_file = word.starts_with("fathom-");
    let masked = |part: &str| match is_file && part != "fathom" && part.len() == 16 {
        true => "ID".to_owned(),
        false => masked_id(part),
    };
    let parts: Vec<String> = word.split('-').map(masked).collect();
    parts.join("-")
}

/// Ids are letters and digits by chance.
fn masked_id(word: &str) -> String {
    let letters = || word.chars();
    let is_id = word.len() >= 8
        && letters().all(|letter| letter.is_ascii_digit() || letter.is_ascii_lowercase())
        && letters().filter(char::is_ascii_digit).count() >= 2
        && letters().filter(char::is_ascii_lowercase).count() >= 2;
    if is_id { "ID".to_owned() } else { word.to_owned() }
}

/// What a reader sees of a page, a line for each element.
pub fn visible_text(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some(begin) = rest.find('<') {
        text += &rest[..begin];
        let hidden = ["script", "style"].into_iter().find(|of| rest[begin + 1..].starts_with(of));
        let end = hidden.map_or(">".to_owned(), |name| format!("</{name}>"));
        let length = rest[begin..].find(&end).map_or(rest.len() - begin, |at| at + end.len());
        text.push('\n');
        rest = &rest[begin + length..];
    }
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<&str>>().join("\n")
}
