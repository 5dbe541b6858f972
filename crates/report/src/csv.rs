//! The first table for a spreadsheet: keys in the heading, numbers in base units (RFC 4180).
//!
//! Names are untrusted. Text that a spreadsheet would take for a formula gets an apostrophe before
//! it, as OWASP's "CSV injection" page recommends, and unprintable characters are escaped: a row is
//! one line for every reader.

use crate::Report;
use crate::model::{Table, TableCell};
use csv::{QuoteStyle, Terminator, Writer, WriterBuilder};
use fathom_vocab::printable;
use std::io;
use std::string::FromUtf8Error;

/// Why a table cannot be written as CSV.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum CsvError {
    /// A row cannot be written.
    #[error("cannot write the table as CSV: {0}")]
    Row(#[from] csv::Error),
    /// The last row cannot be written.
    #[error("cannot write the table as CSV: {0}")]
    End(#[from] io::Error),
    /// The output is not text.
    #[error("cannot write the table as CSV: {0}")]
    Text(#[from] FromUtf8Error),
}

/// The data of a report; empty if it has none.
///
/// # Errors
/// If a row cannot be written.
pub fn csv(report: &Report) -> Result<String, CsvError> {
    report.tables.first().map_or_else(|| Ok(String::new()), table)
}

fn table(table: &Table) -> Result<String, CsvError> {
    let mut writer = writer();
    writer.write_record(table.columns.iter().map(|column| inert(&column.key)))?;
    for row in &table.rows {
        writer.write_record(row.iter().map(cell))?;
    }
    let bytes = writer.into_inner().map_err(|why| why.into_error())?;
    Ok(String::from_utf8(bytes)?)
}

/// Rows in the same form, of cells that are text already. A cell that is nothing but a decimal
/// number stays a number, also below zero.
pub fn csv_rows<R: IntoIterator<Item = String>>(rows: impl IntoIterator<Item = R>) -> String {
    let mut writer = writer();
    for row in rows {
        let cells = row.into_iter().map(|text| if is_decimal(&text) { text } else { inert(&text) });
        writer.write_record(cells).expect("a Vec takes every row");
    }
    let bytes = writer.into_inner().expect("a Vec takes every row");
    String::from_utf8(bytes).expect("rows of text are text")
}

fn writer() -> Writer<Vec<u8>> {
    WriterBuilder::new()
        .terminator(Terminator::Any(b'\n'))
        .quote_style(QuoteStyle::Necessary)
        .flexible(true)
        .from_writer(Vec::new())
}

/// Digits, with a sign and a fraction or without.
fn is_decimal(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = match text.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (text, None),
    };
    digits(whole.strip_prefix('-').unwrap_or(whole)) && fraction.is_none_or(digits)
}

fn cell(cell: &TableCell) -> String {
    match cell {
        TableCell::Number(number) | TableCell::Quantity(number, _) if number.is_finite() => {
            number.to_string()
        }
        TableCell::Text(text) => inert(text),
        TableCell::Number(_) | TableCell::Quantity(..) | TableCell::Nothing => String::new(),
    }
}

/// Text that no spreadsheet works out, in one line.
fn inert(text: &str) -> String {
    let shown = printable::line(text);
    match text.chars().next() {
        // Some spreadsheets take the wide signs of East Asia for the others.
        Some('=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '＝' | '＋' | '－' | '＠') => {
            format!("'{shown}")
        }
        _ => shown.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ChartUnit, Column};

    #[test]
    fn no_name_becomes_a_formula_and_every_cell_stays_one() {
        let column = |key: &str| Column { key: key.to_owned(), name: String::new(), unit: None };
        let texts = ["=cmd|' /C calc'!A0", "+1", "@SUM(A1)", "a,\"b\"\nc", "\t=1", "plain"];
        let row = |text: &&str| vec![TableCell::Text((*text).to_owned()), TableCell::Number(-0.5)];
        let mut rows: Vec<Vec<TableCell>> = texts.iter().map(row).collect();
        rows.push(vec![TableCell::Nothing, TableCell::Number(f64::NAN)]);
        let iops = Column { unit: Some(ChartUnit::Iops), ..column("iops") };
        let table = Table { columns: vec![column("name"), iops], rows, ..blank() };
        let text = csv(&Report { tables: vec![table], ..Report::default() }).unwrap();
        assert_eq!(
            text,
            "name,iops\n'=cmd|' /C calc'!A0,-0.5\n'+1,-0.5\n'@SUM(A1),-0.5\n\
             \"a,\"\"b\"\"\\nc\",-0.5\n'\\t=1,-0.5\nplain,-0.5\n,\n"
        );
    }

    #[test]
    fn rows_of_text_are_inert_and_their_numbers_stay_numbers() {
        let row = |cells: &[&str]| cells.iter().map(|&cell| cell.to_owned()).collect::<Vec<_>>();
        let rows = [
            row(&["=1+1", "-1.5", "-", "+5", "-2+3", "12", "-.5"]),
            row(&["\x1b[2J", "a\nb", "\u{202e}c", "d,\"e\"", "\r=1", "＝1", ""]),
        ];
        assert_eq!(
            csv_rows(rows),
            "'=1+1,-1.5,'-,'+5,'-2+3,12,'-.5\n\
             \\x1b[2J,a\\nb,\\u{202e}c,\"d,\"\"e\"\"\",'\\r=1,'＝1,\n"
        );
    }

    fn blank() -> Table {
        Table { id: "t".into(), title: "T".into(), columns: Vec::new(), rows: Vec::new() }
    }

    #[test]
    fn no_table_is_no_line() {
        assert_eq!(csv(&Report::default()).unwrap(), "");
    }
}
