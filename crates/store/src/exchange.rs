//! Exports runs from one history and imports them into another, as JSON lines.
//!
//! The first line names the format, each further one is a run with its document. A document is
//! embedded as JSON, so that `jq` can read it, and is restored exactly; one that is not a single
//! line of JSON is embedded as a string. Exporting has one run in memory at a time; importing has
//! all of them, compressed.

use crate::error::{ExportedLineError, StoreError};
use crate::id::Id;
use crate::open::Store;
use crate::run::{HistoryRun, LARGEST_DOCUMENT_BYTES};
use crate::write::{HistoryRow, insert};
use rusqlite::Transaction;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::io::{BufRead, Read, Write};

/// Version of the exported form; raised when a reader would misread it.
pub const EXPORT_SCHEMA: u32 = 1;

const KIND: &str = "fathom-history";

/// Bytes of the first line at most.
const HEAD_BYTES: u64 = 4096;

/// Maximum bytes of a run's line: its document, and the facts about the run.
const LINE_BYTES: u64 = LARGEST_DOCUMENT_BYTES + (1 << 20);

/// The first line.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    kind: String,
    schema: u32,
}

/// A run's line.
#[derive(Debug, Serialize, Deserialize)]
struct Line<'a> {
    id: String,
    run: HistoryRun,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    document: Option<&'a RawValue>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    document_text: Option<String>,
}

/// The result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Imported {
    /// Runs that are new here.
    pub added: Vec<Id>,
    /// How many of them have a new name, because theirs meant another run here.
    pub renamed: usize,
    /// Runs that were here already, and are as they were.
    pub already_here: usize,
}

impl Store {
    /// Writes the runs with those names, or all if none is given, oldest first if all; returns
    /// their number.
    ///
    /// # Errors
    /// If a run is not there, or something cannot be read or written.
    pub fn export(&self, ids: &[Id], out: &mut dyn Write) -> Result<usize, StoreError> {
        // Concurrent changes by other programs are not visible.
        let snapshot = self.connection.unchecked_transaction();
        let _snapshot = snapshot.map_err(|error| StoreError::of(&self.path, error))?;
        let all = if ids.is_empty() { self.ids()? } else { Vec::new() };
        let ids = if ids.is_empty() { &all } else { ids };
        let head = Head { kind: KIND.to_owned(), schema: EXPORT_SCHEMA };
        write_line(out, &head)?;
        for id in ids {
            let run = self.entry(id)?.run;
            let document = self.document(id)?;
            let raw = as_json(&document);
            let document_text = raw.is_none().then(|| document.clone());
            write_line(out, &Line { id: id.to_string(), run, document: raw, document_text })?;
        }
        out.flush().map_err(unwritten)?;
        Ok(ids.len())
    }

    /// Takes in exported runs that are not here yet: all of them, or none.
    ///
    /// # Errors
    /// If a line is no exported run, or something cannot be read or written; then nothing was
    /// changed.
    pub fn import(&mut self, from: &mut dyn BufRead) -> Result<Imported, StoreError> {
        let runs = read_runs(from)?;
        let path = self.path.clone();
        self.change(|transaction| {
            let mut imported = Imported::default();
            for (id, content) in &runs {
                take(transaction, id, content, &mut imported)
                    .map_err(|error| StoreError::of(&path, error))?;
            }
            Ok(imported)
        })
    }
}

/// Everything that is to be imported, before the writer's place is taken: a measurement that ends
/// meanwhile must not wait for it.
fn read_runs(from: &mut dyn BufRead) -> Result<Vec<(Id, HistoryRow)>, StoreError> {
    let mut runs = Vec::new();
    let (mut line, mut number, mut begun) = (Vec::new(), 0, false);
    while read_line(from, &mut line, number + 1)? {
        number += 1;
        let bad = |source| StoreError::Import { line: number, source };
        let text = std::str::from_utf8(&line).map_err(|error| bad(error.into()))?;
        if text.trim().is_empty() {
            continue;
        }
        match begun {
            true => runs.push(read_run(text).map_err(bad)?),
            false => check_head(text).map_err(bad)?,
        }
        begun = true;
    }
    match begun {
        true => Ok(runs),
        false => Err(StoreError::Import { line: 1, source: ExportedLineError::Nothing }),
    }
}

/// The document as JSON, if it can be embedded in a line and restored exactly.
fn as_json(document: &str) -> Option<&RawValue> {
    let raw: &RawValue = serde_json::from_str(document).ok()?;
    // Around the value, white space would be lost; a line break would end the line.
    (raw.get() == document && !document.contains(['\n', '\r'])).then_some(raw)
}

fn write_line(out: &mut dyn Write, line: &impl Serialize) -> Result<(), StoreError> {
    serde_json::to_writer(&mut *out, line).map_err(|error| unwritten(error.into()))?;
    out.write_all(b"\n").map_err(unwritten)
}

fn unwritten(source: std::io::Error) -> StoreError {
    StoreError::Io { doing: "write what is exported".to_owned(), source }
}

/// Reads the next line; false at the end.
fn read_line(
    from: &mut dyn BufRead,
    line: &mut Vec<u8>,
    number: usize,
) -> Result<bool, StoreError> {
    line.clear();
    // The first line is short, so that an endless file of something else ends there.
    let most_bytes = if number == 1 { HEAD_BYTES } else { LINE_BYTES };
    let read = from
        .take(most_bytes + 1)
        .read_until(b'\n', line)
        .map_err(|source| StoreError::Io { doing: "read what is imported".to_owned(), source })?;
    let source = match read as u64 > most_bytes {
        true if number == 1 => ExportedLineError::Foreign,
        true => ExportedLineError::TooLong { most_mib: LINE_BYTES >> 20 },
        false => return Ok(read > 0),
    };
    Err(StoreError::Import { line: number, source })
}

fn check_head(text: &str) -> Result<(), ExportedLineError> {
    let head: Head = serde_json::from_str(text).map_err(|_| ExportedLineError::Foreign)?;
    match head {
        Head { kind, .. } if kind != KIND => {
            Err(ExportedLineError::OtherKind { found: kind, known: KIND })
        }
        Head { schema, .. } if schema > EXPORT_SCHEMA => {
            Err(ExportedLineError::Newer { found: schema, known: EXPORT_SCHEMA })
        }
        _ => Ok(()),
    }
}

fn read_run(text: &str) -> Result<(Id, HistoryRow), ExportedLineError> {
    let line: Line<'_> = serde_json::from_str(text)?;
    let id = Id::parse(&line.id).ok_or(ExportedLineError::Name(line.id))?;
    let document = match (line.document, &line.document_text) {
        (Some(raw), None) => raw.get(),
        (None, Some(text)) => text,
        _ => return Err(ExportedLineError::Documents),
    };
    let content = HistoryRow::new(&line.run, document);
    Ok((id, content.map_err(|why| ExportedLineError::Document(Box::new(why)))?))
}

/// Adds a run, if none with the same content is here.
fn take(
    transaction: &Transaction<'_>,
    id: &Id,
    content: &HistoryRow,
    imported: &mut Imported,
) -> rusqlite::Result<()> {
    let mut same = transaction.prepare_cached("SELECT 1 FROM run WHERE fingerprint = ?")?;
    if same.exists([&content.fingerprint])? {
        imported.already_here += 1;
        return Ok(());
    }
    let given = insert(transaction, content, Some(id.clone()))?;
    imported.renamed += usize::from(given != *id);
    imported.added.push(given);
    Ok(())
}
