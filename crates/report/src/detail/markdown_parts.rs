//! The parts of a page in Markdown that documents with many runs share.

use crate::markdown_text;
use fathom_message::{Lang, Message};

/// A message in the reader's language, without a meaning for Markdown.
pub fn escaped(message: &Message, lang: Lang) -> String {
    markdown_text(&message.text(lang))
}

/// The heading of a section.
pub fn heading(title: &Message, lang: Lang) -> String {
    format!("\n## {}\n\n", escaped(title, lang))
}

/// The head of a table: its columns, each with its rule.
pub fn head(columns: &[(String, &str)]) -> String {
    let names: Vec<String> = columns.iter().map(|(name, _)| name.clone()).collect();
    let rules: Vec<&str> = columns.iter().map(|(_, rule)| *rule).collect();
    format!("{}|{}|\n", row(&names), rules.join("|"))
}

/// A row of a table. A cell is escaped by the caller, who may mark it as bold.
pub fn row(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

/// A list.
pub fn points(lines: Vec<String>) -> String {
    lines.iter().map(|line| format!("- {line}\n")).collect()
}
