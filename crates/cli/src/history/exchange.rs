//! Export of runs to files, and import. Existing files are never overwritten: a typing error must
//! not destroy a file, and least of all the history.

use crate::cli_error::CliError;
use crate::history_error::HistoryError;
use crate::history_file;
use crate::saved_runs::all_found;
use crate::terminal::heading::runs;
use crate::terminal::screen::{say_line, warn_line};
use crate::terminal::stdout;
use crate::terminal::stream::JsonLines;
use fathom_host::Host;
use fathom_store::{Id, Store, StoreError};
use fathom_text::text;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Write};
use std::path::Path;

/// `fathom history export`.
pub fn export(ids: &[String], output: &Path) -> Result<(), CliError> {
    let Some(store) = history_file::to_read()? else {
        let why = match ids.first() {
            Some(id) => HistoryError::no_run(id),
            None => HistoryError::Empty(history_file::file()?),
        };
        return Err(why.into());
    };
    let names: Vec<Id> = all_found(&store, ids)?.into_iter().map(|entry| entry.id).collect();
    if output == Path::new("-") {
        let out = match stdout::lock() {
            Ok(out) => out,
            Err(error) => {
                stdout::note(Err(error));
                return Ok(());
            }
        };
        let mut out = JsonLines::new(BufWriter::new(out));
        return match store.export(&names, &mut out) {
            Err(StoreError::Io { source, .. }) => {
                stdout::note(Err(source));
                Ok(())
            }
            done => Ok(done.map(drop).map_err(HistoryError::from)?),
        };
    }
    let count = export_to(&store, &names, output)?;
    warn_line(text!("{} exported to {}", runs(count), output.display()));
    Ok(())
}

fn export_to(store: &Store, names: &[Id], output: &Path) -> Result<usize, CliError> {
    // A pipe or device may be written to; an existing regular file has content.
    let special = fs::metadata(output).is_ok_and(|there| !there.is_file() && !there.is_dir());
    let file = OpenOptions::new().write(true).create_new(!special).open(output);
    let file = file.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => HistoryError::FileExists(output.to_owned()).into(),
        _ => CliError::file("write", output)(error),
    })?;
    let written = write_all(store, names, &file);
    if written.is_err() && !special {
        let _ = fs::remove_file(output);
    }
    Ok(written.map_err(|source| HistoryError::Export { path: output.to_owned(), source })?)
}

fn write_all(store: &Store, names: &[Id], file: &File) -> Result<usize, StoreError> {
    let mut out = BufWriter::new(file);
    let count = store.export(names, &mut out)?;
    let io = |source| StoreError::Io { doing: "write what is exported".to_owned(), source };
    out.flush().map_err(io)?;
    match file.sync_all() {
        // A pipe has nothing to sync.
        Err(error) if error.kind() != ErrorKind::InvalidInput => Err(io(error)),
        _ => Ok(count),
    }
}

/// `fathom history import`.
pub fn import(from: &Path, host: &Host) -> Result<(), CliError> {
    let mut reader: Box<dyn BufRead> = match from == Path::new("-") {
        true => Box::new(io::stdin().lock()),
        false => Box::new(BufReader::new(File::open(from).map_err(CliError::file("read", from))?)),
    };
    let path = history_file::file()?;
    let imported = Store::open(&path, history_file::sharing(&path, host))
        .and_then(|mut store| store.import(&mut reader))
        .map_err(|source| HistoryError::Import { path: from.to_owned(), source })?;
    let mut text = localized!("{} imported", runs(imported.added.len()));
    if imported.renamed > 0 {
        text += &localized!(" ({} under a new name, since theirs was taken)", imported.renamed);
    }
    if imported.already_here > 0 {
        text += &localized!(", {} here already", imported.already_here);
    }
    say_line(text);
    Ok(())
}
