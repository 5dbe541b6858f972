//! Rows as a table: how their limits follow, from when they are, and how surely they were read.

use crate::terminal::screen::{Screen, wrapped};
use crate::terminal::table::{bare, text_of};
use comfy_table::{ColumnConstraint, ContentArrangement};
use fathom_analysis::promise::Volume;

/// Below this many columns of a screen the table would be all line breaks.
const LEAST_WIDTH: usize = 76;

const CLOSING: &str = "H: in the provider's own text; M: in part, older, or derived; L: not \
confirmed. For numbers, sources and what to know: fathom promises NAME --volume-size SIZE";

/// The table, with what its letters mean.
pub fn text(rows: &[&Volume], screen: &Screen) -> String {
    let table = match screen.width < LEAST_WIDTH {
        true => rows.iter().map(|row| stacked(row, screen)).collect(),
        false => table(rows, screen),
    };
    table + "\n" + &wrapped(CLOSING, screen.width, "", "")
}

fn table(rows: &[&Volume], screen: &Screen) -> String {
    let mut table = bare(screen);
    table.set_content_arrangement(ContentArrangement::Dynamic);
    table.set_width(u16::try_from(screen.width).unwrap_or(u16::MAX));
    table.set_header(["volume", "IO/s", "bytes a second", "as of", "conf."]);
    for row in rows {
        table.add_row([
            row.id.clone(),
            row.iops_in_words(),
            row.rate_in_words(),
            row.as_of.clone(),
            row.confidence.letter().to_owned(),
        ]);
    }
    for whole in [0, 3, 4] {
        if let Some(column) = table.column_mut(whole) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    text_of(&table)
}

fn stacked(row: &Volume, screen: &Screen) -> String {
    let mut text = format!("{} ({}, {})\n", row.id, row.as_of, row.confidence.letter());
    text += &wrapped(&format!("IO/s: {}", row.iops_in_words()), screen.width, "  ", "    ");
    text + &wrapped(&format!("bytes: {}", row.rate_in_words()), screen.width, "  ", "    ")
}
