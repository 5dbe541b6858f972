//! Errors of the reader of jobs, which speaks as fio does, in our own words.

/// An error's words in one line, without the drop-in's name before each part.
pub fn without_prefix(text: &str) -> String {
    let lines = text.lines().map(|line| line.strip_prefix("fio: ").unwrap_or(line));
    lines.collect::<Vec<_>>().join(". ")
}
