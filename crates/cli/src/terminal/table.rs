//! The table of every command: cells without lines between them, whose text is escaped.

use super::screen::{Screen, columns};
use comfy_table::presets::NOTHING;
use comfy_table::{Cell, CellAlignment, ContentArrangement, Table};
use fathom_vocab::printable;

/// An empty table without lines, whose styling is decided by `screen` alone.
pub fn bare(screen: &Screen) -> Table {
    let mut table = Table::new();
    table.load_preset(NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    match screen.colour {
        true => table.enforce_styling(),
        false => table.force_no_tty(),
    };
    table
}

/// A table's text, each line ended.
pub fn text_of(table: &Table) -> String {
    let lines = table.lines().map(|line| format!("{}\n", line.trim_end()));
    lines.collect()
}

/// A cell, with escapes for what is unprintable in its text. Every cell of a table is made here.
pub fn cell(text: impl ToString) -> Cell {
    Cell::new(printable::line(&text.to_string()))
}

/// A cell whose text ends at the right.
pub fn right(text: impl ToString) -> Cell {
    cell(text).set_alignment(CellAlignment::Right)
}

/// The heads of columns: the first as it is, the others over figures.
pub fn heading(words: &[&str]) -> Vec<Cell> {
    let head = |(at, word): (usize, &&str)| match at {
        0 => cell(word),
        _ => right(word),
    };
    words.iter().enumerate().map(head).collect()
}

/// Whether a line of the text does not fit.
pub fn too_wide(text: &str, screen: &Screen) -> bool {
    // Escapes take no columns; where there are any, the terminal is the one measured.
    let escapes = |line: &str| line.matches('\x1b').count() * 4;
    text.lines().any(|line| columns(line).saturating_sub(escapes(line)) > screen.width)
}
