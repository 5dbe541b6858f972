//! `fathom history`: earlier runs.
//!
//! Commands become calls of the store, and their results are printed. Runs are named by the
//! beginning of their name. If one of several runs cannot be found, nothing is done to any.

mod args;
mod exchange;
mod list;
mod show;
#[cfg(test)]
mod tests;

pub use args::HistoryArgs;
use fathom_text::text;
pub use list::when;

use crate::cli_error::CliError;
use crate::history_error::HistoryError;
use crate::history_file;
use crate::saved_runs::{all_found, found, warn_of_newer};
use crate::terminal::screen::{Screen, say, say_line, warn_line};
use crate::terminal::verdicts::VerdictDetail;
use args::{HistoryAction, ListArgs, ShowRunArgs, TagArgs};
use fathom_document::AnyDocument;
use fathom_host::Host;
use fathom_message::{Lang, Tell};
use fathom_store::live::LiveReader;
use fathom_store::{Filter, HistoryEntry, Store, StoreError};
use fathom_vocab::printable;
use list::Listed;
use serde::Serialize;
use serde_json::Value;
pub use show::SavedTable;
use show::StoredResult;

/// Reads a document.
pub type ReadTable = fn(&str, VerdictDetail, &Screen) -> SavedTable;

/// Runs `fathom history` and gives its exit code.
///
/// # Errors
/// If the history cannot be used, or has no such run.
pub fn command(args: &HistoryArgs, table: ReadTable, host: &Host) -> Result<u8, CliError> {
    match args.action().map_err(CliError::usage)? {
        HistoryAction::List(args) => list(&args)?,
        HistoryAction::Show(args) => return show(&args, table),
        HistoryAction::Tag(args) => label(&args, host, Store::tag)?,
        HistoryAction::Untag(args) => label(&args, host, Store::untag)?,
        HistoryAction::Export { ids, output } => exchange::export(&ids, &output)?,
        HistoryAction::Import { file } => exchange::import(&file, host)?,
        HistoryAction::Rm { ids } => remove(&ids, host)?,
    }
    Ok(0)
}

fn list(args: &ListArgs) -> Result<(), CliError> {
    let filter = args.filter();
    let (entries, of) = match history_file::to_read()? {
        Some(store) => listed(&store, &filter)?,
        None => (Vec::new(), 0),
    };
    let file = history_file::file()?;
    let reader = LiveReader::new(&file);
    let entries: Vec<Listed> = entries
        .into_iter()
        .map(|entry| Listed { killed: reader.is_killed(&entry), entry })
        .collect();
    if args.json {
        say(&crate::output::show::json(&HistoryList::of(entries, of))?);
    } else if entries.is_empty() {
        let file = file.display();
        say_line(match args.asks_for_all() {
            true => text!("No run is kept yet in {file}."),
            false => text!("No such run is kept in {file}."),
        });
    } else {
        say(&list::table(&entries, of, &Screen::detect()));
    }
    if let Some(warning) = history_file::open_to_others(&file) {
        warn_line(warning.trim_end());
    }
    Ok(())
}

/// The runs that `filter` means, and how many there are without its limit.
fn listed(store: &Store, filter: &Filter) -> Result<(Vec<HistoryEntry>, u64), HistoryError> {
    Ok((store.list(filter)?, store.count(filter)?))
}

/// Version of [`HistoryList`].
pub const LIST_SCHEMA: u32 = 1;

/// The list as one document.
#[derive(Serialize)]
pub struct HistoryList {
    /// `fathom-history-list`.
    kind: &'static str,
    /// Version of its form.
    schema: u32,
    /// How many runs there are, whatever the limit.
    found: u64,
    /// These or the newest of them.
    runs: Vec<Listed>,
}

impl HistoryList {
    fn of(runs: Vec<Listed>, found: u64) -> HistoryList {
        HistoryList { kind: "fathom-history-list", schema: LIST_SCHEMA, found, runs }
    }
}

/// Shows a run, and writes the requested files.
fn show(args: &ShowRunArgs, table: ReadTable) -> Result<u8, CliError> {
    args.output.check()?;
    let store = history_file::to_read()?.ok_or_else(|| HistoryError::no_run(&args.id))?;
    let (entry, document) = entry_and_document(&store, &args.id)?;
    let killed = LiveReader::new(&history_file::file()?).is_killed(&entry);
    let (name, listed) = (entry.short_id.clone(), Listed { entry, killed });
    let screen = Screen::detect();
    let summary = fathom_campaign::summary_of(&document, screen.lang);
    let detail = if args.verbose { VerdictDetail::Telling } else { VerdictDetail::Brief };
    let as_text = || {
        let saved = table(&document, detail, &screen);
        let document_bytes = document.len() as u64;
        show::text(
            &listed,
            &StoredResult {
                summary: summary.clone(),
                origins: origins(&document, screen.lang),
                saved,
                document_bytes,
            },
            &screen,
        )
    };
    say(&match args.output.for_programs() && !args.output.json_is_printed() {
        true => args.output.text(&name, &parsed(&document)?, as_text)?,
        false if args.output.json_is_printed() => {
            format!("{}\n", printable::json(document.trim_end()))
        }
        false => as_text(),
    });
    Ok(u8::from(!args.output.write(&name, &document)))
}

/// Where the volumes of a document come from, each once; none of those that belong to no cluster.
fn origins(document: &str, lang: Lang) -> Vec<String> {
    let document = AnyDocument::read(document).ok();
    let places = document.iter().filter_map(AnyDocument::runs).flat_map(|of| of.places());
    let clusters = places.filter_map(|place| place.volume.cluster.as_ref());
    let mut origins: Vec<String> = clusters.map(|cluster| cluster.tell().text(lang)).collect();
    origins.dedup();
    origins
}

fn entry_and_document(store: &Store, id: &str) -> Result<(HistoryEntry, String), HistoryError> {
    let entry = found(store, id)?;
    warn_of_newer(store, id, &entry);
    let document = store.document(&entry.id)?;
    Ok((entry, document))
}

fn parsed(document: &str) -> Result<Value, HistoryError> {
    serde_json::from_str(document).map_err(HistoryError::Document)
}

/// Gives tags or takes them, as `change` does.
fn label(
    args: &TagArgs,
    host: &Host,
    change: fn(&mut Store, &fathom_store::Id, &[String]) -> Result<(), StoreError>,
) -> Result<(), HistoryError> {
    let mut store = history_file::to_change(host)?.ok_or_else(|| HistoryError::no_run(&args.id))?;
    let entry = found(&store, &args.id)?;
    warn_of_newer(&store, &args.id, &entry);
    change(&mut store, &entry.id, &args.tags)?;
    let tags = store.get(entry.id.as_str())?.run.tags;
    let tags = if tags.is_empty() { localized!("no tags") } else { tags.join(", ") };
    say_line(format_args!("{}: {tags}", entry.short_id));
    Ok(())
}

fn remove(ids: &[String], host: &Host) -> Result<(), HistoryError> {
    let first = ids.first().map(String::as_str).unwrap_or_default();
    let mut store = history_file::to_change(host)?.ok_or_else(|| HistoryError::no_run(first))?;
    let entries = all_found(&store, ids)?;
    let names: Vec<_> = entries.iter().map(|entry| entry.id.clone()).collect();
    store.remove(&names)?;
    for entry in &entries {
        say_line(text!("removed {}", list::line(entry)));
    }
    Ok(())
}
