//! Splits a list into terms, with backslash escapes.

/// The parts of `text` between separators that are not escaped.
pub(super) fn split<'t>(text: &'t str, separator: &'t str) -> impl Iterator<Item = &'t str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        match find(text, separator) {
            Some(at) => {
                rest = Some(&text[at + separator.len()..]);
                Some(&text[..at])
            }
            None => rest.take(),
        }
    })
}

/// The first `separator` that is not escaped.
fn find(text: &str, separator: &str) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        if !escaped && text[at..].starts_with(separator) {
            return Some(at);
        }
        escaped = c == '\\' && !escaped;
    }
    None
}

/// `word`, escaped so that it is one term of a list.
pub(super) fn escaped(word: &str) -> String {
    word.replace('\\', r"\\").replace(',', r"\,").replace("..", r".\.")
}

/// The word of a term, without escapes.
pub(super) fn unescaped(text: &str) -> String {
    let mut word = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        // A backslash before any other letter belongs to the word.
        match (c, chars.clone().next()) {
            ('\\', Some(next @ ('\\' | ',' | '.'))) => {
                chars.next();
                word.push(next);
            }
            _ => word.push(c),
        }
    }
    word
}
