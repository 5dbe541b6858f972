//! `fathom history`: the runs that were measured before.
//!
//! Here commands become calls of the store, and what comes of them is said. Runs are named by the
//! beginning of their name; where one of several cannot be found, nothing is done to any.

mod args;
mod exchange;
mod list;
mod show;
#[cfg(test)]
mod tests;

pub use args::HistoryArgs;

use crate::cli_error::CliError;
use crate::history_file;
use crate::saved_runs::{all_found, found, is_killed, none_called};
use crate::session::ended;
use crate::terminal::screen::{Screen, say, say_line, warn_line};
use args::{Action, ListArgs, ShowRunArgs, TagArgs};
use fathom_store::live::LiveReader;
use fathom_store::{Store, StoreError};
use fathom_vocab::printable;
use list::Listed;
use serde_json::{Value, json};
use std::process::ExitCode;

/// Runs `fathom history` and gives its exit code.
pub fn command(args: &HistoryArgs) -> ExitCode {
    let done = match &args.action {
        None => list(&args.list),
        Some(Action::List(args)) => list(args),
        Some(Action::Show(args)) => return ended(show(args)),
        Some(Action::Tag(args)) => label(args, Store::tag),
        Some(Action::Untag(args)) => label(args, Store::untag),
        Some(Action::Export { ids, output }) => exchange::export(ids, output),
        Some(Action::Import { file }) => exchange::import(file),
        Some(Action::Rm { ids }) => remove(ids),
    };
    ended(done.map(|()| 0))
}

fn list(args: &ListArgs) -> Result<(), String> {
    let filter = args.filter();
    let (entries, of) = match history_file::to_read()? {
        Some(store) => {
            let entries = store.list(&filter).map_err(|error| history_file::advised(&error))?;
            (entries, store.count(&filter).map_err(|error| history_file::advised(&error))?)
        }
        None => (Vec::new(), 0),
    };
    let file = history_file::file()?;
    let reader = LiveReader::new(&file);
    let entries: Vec<Listed> = entries
        .into_iter()
        .map(|entry| Listed { killed: is_killed(&entry, &reader), entry })
        .collect();
    if args.json {
        let entries: Vec<Value> = entries.iter().map(as_json).collect();
        let document =
            json!({ "kind": "fathom-history-list", "schema": 1, "found": of, "runs": entries });
        say(&crate::output::show::json(&document)?);
    } else if entries.is_empty() {
        let no =
            if args.asks_for_all() { "No run is kept yet in" } else { "No such run is kept in" };
        say_line(&format!("{no} {}.", file.display()));
    } else {
        say(&list::table(&entries, of, &Screen::detect()));
    }
    if let Some(warning) = history_file::open_to_others(&file) {
        warn_line(warning.trim_end());
    }
    Ok(())
}

fn as_json(listed: &Listed) -> Value {
    let mut value = json!(listed.entry);
    if listed.killed {
        value["killed"] = true.into();
    }
    value
}

/// Shows a run, and writes the files that were asked for.
fn show(args: &ShowRunArgs) -> Result<u8, CliError> {
    args.output.check()?;
    let store = history_file::to_read()?.ok_or_else(|| none_called(&args.id))?;
    let entry = found(&store, &args.id)?;
    let document = store.document(&entry.id).map_err(|error| history_file::advised(&error))?;
    let killed = is_killed(&entry, &LiveReader::new(&history_file::file()?));
    let (name, listed) = (entry.short_id.clone(), Listed { entry, killed });
    let as_text = || show::text(&listed, document.len() as u64, &Screen::detect());
    say(&match args.output.for_programs() && !args.output.json_is_printed() {
        true => args.output.text(&name, &parsed(&document)?, as_text)?,
        false if args.output.json_is_printed() => {
            format!("{}\n", printable::json(document.trim_end()))
        }
        false => as_text(),
    });
    Ok(u8::from(!args.output.write(&name, &document)))
}

fn parsed(document: &str) -> Result<Value, String> {
    serde_json::from_str(document).map_err(|why| format!("the run's document is no JSON: {why}"))
}

/// Gives labels or takes them, as `change` does.
fn label(
    args: &TagArgs,
    change: fn(&mut Store, &fathom_store::Id, &[String]) -> Result<(), StoreError>,
) -> Result<(), String> {
    let mut store = history_file::to_change()?.ok_or_else(|| none_called(&args.id))?;
    let entry = found(&store, &args.id)?;
    change(&mut store, &entry.id, &args.tags).map_err(|error| history_file::advised(&error))?;
    let tags = found(&store, entry.id.as_str())?.run.tags;
    let tags = if tags.is_empty() { "no labels".to_owned() } else { tags.join(", ") };
    say_line(&format!("{}: {tags}", entry.short_id));
    Ok(())
}

fn remove(ids: &[String]) -> Result<(), String> {
    let first = ids.first().map(String::as_str).unwrap_or_default();
    let mut store = history_file::to_change()?.ok_or_else(|| none_called(first))?;
    let entries = all_found(&store, ids)?;
    let names: Vec<_> = entries.iter().map(|entry| entry.id.clone()).collect();
    store.remove(&names).map_err(|error| history_file::advised(&error))?;
    for entry in &entries {
        say_line(&format!("removed {}", list::line(entry)));
    }
    Ok(())
}
