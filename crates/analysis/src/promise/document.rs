//! The text of a catalogue: parsed, checked, with errors by line and field.

use super::checks::{self, Fault};
use super::citation::Source;
use super::volume::VolumeRow;
use serde::Deserialize;
use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use toml::Spanned;

/// The form of the file that this reads.
pub const SCHEMA: u32 = 1;

/// A file: sources that its rows name, and rows.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    schema: u32,
    /// The provider of this file's volumes, if a row does not name one.
    #[serde(default)]
    provider: String,
    #[serde(default)]
    source: Vec<Source>,
    #[serde(default)]
    volume: Vec<Spanned<VolumeRow>>,
}

/// An error in a catalogue's text, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogueError {
    /// The file, if there is one.
    pub file: Option<String>,
    /// The line, counted from one.
    pub line: usize,
    /// The row's id, if the text was parsed as far as that.
    pub volume: Option<String>,
    /// The field, if known.
    pub field: Option<String>,
    /// The error, and the correct form.
    pub problem: String,
}

impl CatalogueError {
    /// The same with the file's name.
    pub fn in_file(self, file: &str) -> CatalogueError {
        CatalogueError { file: Some(file.to_owned()), ..self }
    }
}

impl fmt::Display for CatalogueError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}, ")?;
        }
        write!(f, "line {}", self.line)?;
        if let Some(volume) = &self.volume {
            write!(f, ", volume '{volume}'")?;
        }
        if let Some(field) = &self.field {
            write!(f, ", field '{field}'")?;
        }
        write!(f, ": {}", self.problem)
    }
}

impl std::error::Error for CatalogueError {}

/// The rows of `text`; sources that it does not list are looked up in `known` rows.
pub(super) fn read(text: &str, known: &[VolumeRow]) -> Result<Vec<VolumeRow>, CatalogueError> {
    let document: Document = toml::from_str(text).map_err(|error| unreadable(text, &error))?;
    if document.schema != SCHEMA {
        let problem = format!("schema {} is not known; write schema = {SCHEMA}", document.schema);
        return Err(error_at(text, 0, None, Some("schema"), problem));
    }
    let mut seen = HashSet::new();
    let mut rows = Vec::new();
    for spanned in document.volume {
        let span = spanned.span();
        let mut row = spanned.into_inner();
        if row.provider.is_empty() {
            row.provider = match document.provider.as_str() {
                "" => row.id.split('.').next().unwrap_or_default().to_owned(),
                provider => provider.to_owned(),
            };
        }
        let cited = cite(&mut row, &document.source, known);
        let fault = cited.and_then(|()| checks::row(&row)).and_then(|()| {
            match seen.insert(row.id.clone()) {
                true => Ok(()),
                false => Err(Fault { field: "id", problem: "this id was used above".into() }),
            }
        });
        fault.map_err(|fault| misplaced(text, &span, &row.id, fault))?;
        rows.push(row);
    }
    Ok(rows)
}

/// Puts title and date to the sources that a row only names.
fn cite(row: &mut VolumeRow, listed: &[Source], known: &[VolumeRow]) -> Result<(), Fault> {
    for source in row.sources.iter_mut().filter(|source| source.title.is_empty()) {
        let others = known.iter().flat_map(|row| &row.sources);
        let found = listed.iter().chain(others).find(|other| other.id == source.id);
        let Some(found) = found else {
            let problem = format!(
                "no [[source]] has the id '{}'; list it with title and as_of, or write \
                 sources = [{{ id = …, title = …, as_of = … }}]",
                source.id
            );
            return Err(Fault { field: "sources", problem });
        };
        *source = found.clone();
    }
    Ok(())
}

/// TOML's own complaint, with the key of the line it points to.
fn unreadable(text: &str, error: &toml::de::Error) -> CatalogueError {
    let at = error.span().map_or(0, |span| span.start);
    let line = text.get(..at).map_or("", |before| before.rsplit('\n').next().unwrap_or(""));
    let rest = text.get(at..).unwrap_or("").lines().next().unwrap_or("");
    let whole = format!("{line}{rest}");
    let key = whole.split_once('=').map(|(key, _)| key.trim().to_owned());
    error_at(text, at, None, key.as_deref(), error.message().to_owned())
}

/// A fault of a row, at the line of its field, otherwise of its limits, otherwise at the row's
/// beginning.
fn misplaced(text: &str, row: &Range<usize>, id: &str, fault: Fault) -> CatalogueError {
    let rest = text.get(row.start..).unwrap_or("");
    let line = |field| line_of(rest, field).map(|at| row.start + at);
    let at = line(fault.field).or_else(|| line("limits")).unwrap_or(row.start);
    error_at(text, at, Some(id), Some(fault.field), fault.problem)
}

/// Where in the row that `text` begins with the line of `field` begins.
fn line_of(text: &str, field: &str) -> Option<usize> {
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let line_text = line.trim_start();
        if number > 0 && line_text.starts_with("[[volume]]") {
            return None;
        }
        let after = line_text.strip_prefix(field).map(str::trim_start);
        if after.is_some_and(|after| after.starts_with('=')) {
            return Some(at);
        }
        at += line.len();
    }
    None
}

fn error_at(
    text: &str,
    at: usize,
    volume: Option<&str>,
    field: Option<&str>,
    problem: String,
) -> CatalogueError {
    let line = text.get(..at).map_or(1, |before| before.matches('\n').count() + 1);
    CatalogueError {
        file: None,
        line,
        volume: volume.map(str::to_owned),
        field: field.map(str::to_owned),
        problem,
    }
}
