//! The field of a JSON text that is wrong, found from where a reader stopped.
//!
//! What was decided here:
//! - Ways are looked for only where something is wrong, in the text and from the line and column
//!   of the error. Nothing keeps them while a document is read, so that what reads it exists once.
//! - serde_json tells the place where it stood. What it finds wrong itself it tells behind the
//!   value, or before a list or an object that it does not enter. What a type finds wrong with a
//!   value that it has read is told one sign later, when the list or object around it was to go on
//!   or to end. Which of both it is shows the text without that sign: what is wrong with a value
//!   that is whole is wrong there too, and all else is an end that comes too early.

use super::json_path::JsonPath;
use super::json_walk::{JsonToken, JsonWalk};

/// A value in a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Spot<'t> {
    /// The way to it.
    pub path: JsonPath,
    /// Its own text; nothing where the reader did not enter it.
    pub text: &'t str,
}

/// Where `error` is in `text`, which is JSON. `is_wrong` says of a beginning of the text whether it
/// is wrong otherwise than by its end.
pub(super) fn spot_of<'t>(
    text: &'t str,
    error: &serde_json::Error,
    is_wrong: impl FnOnce(&str) -> bool,
) -> Spot<'t> {
    let top = || Spot { path: JsonPath::default(), text };
    let Some(stood) = offset(text, error.line(), error.column()) else { return top() };
    let read = text[..stood].trim_end();
    let before = read.strip_suffix([',', ']', '}']).map_or("", str::trim_end);
    let mark = if error.is_syntax() {
        // As it is JSON, there is a value that the type does not take, and one byte of it is read.
        Mark::Start(stood.saturating_sub(1))
    } else if is_wrong(before) {
        Mark::End(before.len())
    } else if text[stood..].starts_with(['[', '{']) {
        Mark::Start(stood)
    } else {
        Mark::End(read.len())
    };
    value_at(text, mark).unwrap_or_else(top)
}

/// How many bytes of the text were read; none where the error has no place.
fn offset(text: &str, line: usize, column: usize) -> Option<usize> {
    let begins = match line {
        0 => return None,
        1 => 0,
        _ => text.match_indices('\n').nth(line - 2)?.0 + 1,
    };
    Some(begins + column).filter(|at| text.is_char_boundary(*at))
}

/// What is known of the place of a value, in bytes from the beginning.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Mark {
    Start(usize),
    End(usize),
}

/// The value, or the name of a member, that begins or ends there.
fn value_at(text: &str, mark: Mark) -> Option<Spot<'_>> {
    let mut walk = JsonWalk::of(text);
    while let Some(token) = walk.next() {
        let (begins, found) = match token {
            JsonToken::Open { at } if mark == Mark::Start(at) => {
                walk.leave();
                return Some(Spot { path: walk.path(), text: "" });
            }
            JsonToken::Open { .. } => continue,
            JsonToken::Close { from } => (from, mark == Mark::Start(walk.at() - 1)),
            JsonToken::Name(token) | JsonToken::Plain(token) => {
                let begins = walk.at() - token.len();
                (begins, mark == Mark::Start(begins))
            }
        };
        if found || mark == Mark::End(walk.at()) {
            return Some(Spot { path: walk.path(), text: &text[begins..walk.at()] });
        }
    }
    None
}

#[cfg(test)]
mod tests;
