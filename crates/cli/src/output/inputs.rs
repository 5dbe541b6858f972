//! Inputs on the command line: files, standard input, runs of the history.

use super::NamedInputError;
use crate::history_error::HistoryError;
use crate::saved_runs::{self, LATEST};
use fathom_report::Input;
use fathom_report::read::LARGEST_BYTES;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// All named inputs; the latest run if none is named.
///
/// # Errors
/// If one cannot be found or read.
pub fn inputs(names: &[PathBuf]) -> Result<Vec<Input>, NamedInputError> {
    match names {
        [] => Ok(vec![kept(LATEST)?]),
        names => names.iter().map(|name| input(name)).collect(),
    }
}

/// An existing file is read; any other name can only be a run.
fn input(name: &Path) -> Result<Input, NamedInputError> {
    if name == Path::new("-") {
        return bytes(io::stdin().lock(), "standard input");
    }
    let shown = || name.display().to_string();
    if name.is_dir() {
        return Err(NamedInputError::Folder(shown()));
    }
    if name.exists() {
        let cannot = |source| NamedInputError::File { name: shown(), source };
        return bytes(File::open(name).map_err(cannot)?, &shown());
    }
    match name.to_str() {
        Some(id) if saved_runs::is_name(id) => Ok(kept(id)?),
        _ => Err(NamedInputError::Unknown(shown())),
    }
}

/// Reads at most one byte more than the limit, so that larger input is recognised.
fn bytes(from: impl Read, name: &str) -> Result<Input, NamedInputError> {
    let mut bytes = Vec::new();
    let most = LARGEST_BYTES as u64 + 1;
    from.take(most)
        .read_to_end(&mut bytes)
        .map_err(|source| NamedInputError::File { name: name.to_owned(), source })?;
    Ok(Input::new(name, bytes))
}

fn kept(id: &str) -> Result<Input, HistoryError> {
    let (entry, document) = saved_runs::result_of(id)?;
    let label = id.strip_prefix("tag:").unwrap_or(id);
    let is_label = entry.run.tags.iter().any(|tag| tag == label);
    let name = if is_label { label.to_owned() } else { entry.short_id };
    Ok(Input::new(name, document))
}
