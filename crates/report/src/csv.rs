//! The first table for a spreadsheet: keys in the heading, numbers in base units (RFC 4180).
//!
//! Text that a spreadsheet would take for a formula gets an apostrophe before it, as OWASP's "CSV
//! injection" page has it: names come from whoever wrote the file.

use crate::Report;
use crate::model::{Cell, Table};
use csv::{QuoteStyle, Terminator, WriterBuilder};

/// The data of a report; empty where it has none.
///
/// # Errors
/// In words, where a row cannot be written.
pub fn csv(report: &Report) -> Result<String, String> {
    report.tables.first().map_or_else(|| Ok(String::new()), table)
}

fn table(table: &Table) -> Result<String, String> {
    let cannot = |why: &dyn std::fmt::Display| format!("cannot write the table as CSV: {why}");
    let mut writer = WriterBuilder::new()
        .terminator(Terminator::Any(b'\n'))
        .quote_style(QuoteStyle::Necessary)
        .flexible(true)
        .from_writer(Vec::new());
    let heading = table.columns.iter().map(|column| inert(&column.key));
    writer.write_record(heading).map_err(|why| cannot(&why))?;
    for row in &table.rows {
        writer.write_record(row.iter().map(cell)).map_err(|why| cannot(&why))?;
    }
    let bytes = writer.into_inner().map_err(|why| cannot(&why))?;
    String::from_utf8(bytes).map_err(|why| cannot(&why))
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Number(number) if number.is_finite() => number.to_string(),
        Cell::Text(text) => inert(text),
        Cell::Number(_) | Cell::Nothing => String::new(),
    }
}

/// Text that no spreadsheet works out.
fn inert(text: &str) -> String {
    match text.chars().next() {
        Some('=' | '+' | '-' | '@' | '\t' | '\r' | '\n') => format!("'{text}"),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Column, Unit};

    #[test]
    fn no_name_becomes_a_formula_and_every_cell_stays_one() {
        let column = |key: &str| Column { key: key.to_owned(), name: String::new(), unit: None };
        let texts = ["=cmd|' /C calc'!A0", "+1", "@SUM(A1)", "a,\"b\"\nc", "\t=1", "plain"];
        let row = |text: &&str| vec![Cell::Text((*text).to_owned()), Cell::Number(-0.5)];
        let mut rows: Vec<Vec<Cell>> = texts.iter().map(row).collect();
        rows.push(vec![Cell::Nothing, Cell::Number(f64::NAN)]);
        let iops = Column { unit: Some(Unit::Iops), ..column("iops") };
        let table = Table { columns: vec![column("name"), iops], rows, ..blank() };
        let text = csv(&Report { tables: vec![table], ..Report::default() }).unwrap();
        assert_eq!(
            text,
            "name,iops\n'=cmd|' /C calc'!A0,-0.5\n'+1,-0.5\n'@SUM(A1),-0.5\n\
             \"a,\"\"b\"\"\nc\",-0.5\n'\t=1,-0.5\nplain,-0.5\n,\n"
        );
    }

    fn blank() -> Table {
        Table { id: "t".into(), title: "T".into(), columns: Vec::new(), rows: Vec::new() }
    }

    #[test]
    fn no_table_is_no_line() {
        assert_eq!(csv(&Report::default()), Ok(String::new()));
    }
}
