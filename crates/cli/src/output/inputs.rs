//! What is named on the command line: files, standard input, runs of the history.

use crate::saved_runs::{self, LATEST};
use fathom_report::Input;
use fathom_report::read::LARGEST_BYTES;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Everything that is named; the latest run where nothing is.
///
/// # Errors
/// In words, where one cannot be found or read.
pub fn inputs(names: &[PathBuf]) -> Result<Vec<Input>, String> {
    match names {
        [] => Ok(vec![kept(LATEST)?]),
        names => names.iter().map(|name| input(name)).collect(),
    }
}

/// A file that is there is read; what is not there can only be the name of a run.
fn input(name: &Path) -> Result<Input, String> {
    if name == Path::new("-") {
        return bytes(io::stdin().lock(), "standard input");
    }
    let shown = name.display().to_string();
    if name.is_dir() {
        return Err(format!("{shown} is a folder; to measure it: fathom measure {shown}"));
    }
    if name.exists() {
        let file = File::open(name).map_err(|error| format!("cannot read {shown}: {error}"))?;
        return bytes(file, &shown);
    }
    match name.to_str() {
        Some(id) if saved_runs::is_name(id) => kept(id),
        _ => Err(format!("{shown} is neither a file nor the name of a run of `fathom history`")),
    }
}

/// At most one byte more than may be read, so that what is too large is told so.
fn bytes(from: impl Read, name: &str) -> Result<Input, String> {
    let mut bytes = Vec::new();
    let most = LARGEST_BYTES as u64 + 1;
    from.take(most)
        .read_to_end(&mut bytes)
        .map_err(|error| format!("cannot read {name}: {error}"))?;
    Ok(Input::new(name, bytes))
}

fn kept(id: &str) -> Result<Input, String> {
    let (entry, document) = saved_runs::result_of(id)?;
    Ok(Input::new(entry.short_id, document))
}
