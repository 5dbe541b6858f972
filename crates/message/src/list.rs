//! Lists in a sentence, joined by each language's rules.

use crate::Message;

/// Clauses: `a`, `a and b`, `a; b; and c`.
pub fn clauses(items: impl IntoIterator<Item = Message>) -> Message {
    joined(items, ["list-clauses-pair", "list-clauses-more", "list-clauses-last"])
}

/// Names, or other short items: `a`, `a and b`, `a, b and c`.
pub fn names(items: impl IntoIterator<Item = Message>) -> Message {
    joined(items, ["list-names-last", "list-names-more", "list-names-last"])
}

/// Alternatives: `a`, `a or b`, `a, b or c`.
pub fn choices(items: impl IntoIterator<Item = Message>) -> Message {
    joined(items, ["list-choices-last", "list-names-more", "list-choices-last"])
}

/// Items that are all true: `a`, `a and b`, `a and b and c`.
pub fn all_of(items: impl IntoIterator<Item = Message>) -> Message {
    joined(items, ["list-all-of"; 3])
}

/// Words with no more between them than a comma: `a, b, c`.
pub fn commas(items: impl IntoIterator<Item = Message>) -> Message {
    joined(items, ["list-names-more"; 3])
}

/// Words with no more between them than a semicolon: `a; b; c`.
pub fn semicolons(items: impl IntoIterator<Item = Message>) -> Message {
    joined(items, ["list-clauses-more"; 3])
}

/// Figures of the first sentence: `68 us; 112,000 IOPS`, in Korean with commas.
pub fn figures(items: impl IntoIterator<Item = Message>) -> Message {
    joined(items, ["list-figures"; 3])
}

/// Whole sentences, one after the other.
pub fn sentences(items: impl IntoIterator<Item = Message>) -> Message {
    joined(items, ["list-sentences"; 3])
}

/// With the separators of two items, of inner items, and of the last one.
fn joined(
    items: impl IntoIterator<Item = Message>,
    [pair, more, last]: [&'static str; 3],
) -> Message {
    let mut items: Vec<Message> = items.into_iter().collect();
    let end = items.pop().unwrap_or_else(|| Message::verbatim(""));
    let join = |id, list, next| Message::new(id).part("list", list).part("next", next);
    let before = if items.len() == 1 { pair } else { last };
    match items.into_iter().reduce(|list, next| join(more, list, next)) {
        Some(list) => join(before, list, end),
        None => end,
    }
}
