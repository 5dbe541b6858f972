//! `fathom history`: the runs that were measured before.
//!
//! Here commands become calls of the store, and what comes of them is said. Runs are named by the
//! beginning of their name; where one of several cannot be found, nothing is done to any.

mod args;
mod exchange;
mod list;
pub(crate) mod place;
mod show;
#[cfg(test)]
mod tests;

pub use args::HistoryArgs;
#[cfg(test)]
pub use list::key;

use crate::measure::screen::{Screen, say, say_line, warn_line};
use crate::scene::ended;
use args::{Action, ListArgs, TagArgs};
use fathom_store::live::{LiveReader, State};
use fathom_store::{Entry, Filter, Outcome, Store, StoreError, has_result};
use fathom_vocab::printable;
use list::Listed;
use serde_json::{Value, json};
use std::process::ExitCode;

/// Runs `fathom history` and gives its exit code.
pub fn command(args: &HistoryArgs) -> ExitCode {
    let done = match &args.action {
        None => list(&args.list),
        Some(Action::List(args)) => list(args),
        Some(Action::Show { id, json }) => show(id, *json),
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
    let (entries, of) = match place::to_read()? {
        Some(store) => {
            let entries = store.list(&filter).map_err(|error| place::advised(&error))?;
            (entries, store.count(&filter).map_err(|error| place::advised(&error))?)
        }
        None => (Vec::new(), 0),
    };
    let file = place::file()?;
    let reader = LiveReader::new(&file);
    let entries: Vec<Listed> = entries
        .into_iter()
        .map(|entry| Listed { killed: is_killed(&entry, &reader), entry })
        .collect();
    if args.json {
        let entries: Vec<Value> = entries.iter().map(as_json).collect();
        let document =
            json!({ "kind": "fathom-history-list", "schema": 1, "found": of, "runs": entries });
        say(&crate::show::json(&document)?);
    } else if entries.is_empty() {
        let no =
            if args.asks_for_all() { "No run is kept yet in" } else { "No such run is kept in" };
        say_line(&format!("{no} {}.", file.display()));
    } else {
        say(&list::table(&entries, of, &Screen::detect()));
    }
    if let Some(warning) = place::open_to_others(&file) {
        warn_line(warning.trim_end());
    }
    Ok(())
}

/// What the history takes for its newest run that has ended.
pub(crate) const LATEST: &str = "latest";

/// The run whose name begins with `id`, with the document of its result.
///
/// # Errors
/// In words, where there is no such run, or it has no result.
pub(crate) fn result_of(id: &str) -> Result<(Entry, String), String> {
    let nothing_kept = || match id {
        LATEST => {
            "no run is kept in the history yet; measure first, or name a file of results".to_owned()
        }
        id => format!("no run is called {id:?}, and no history is kept yet"),
    };
    let store = place::to_read()?.ok_or_else(nothing_kept)?;
    let entry = match store.get(id) {
        Err(StoreError::NoRun { .. }) if id == LATEST => {
            let any = store.count(&Filter::default()).is_ok_and(|count| count > 0);
            let none = "no run of the history has ended yet; `fathom history` lists them";
            return Err(if any { none.to_owned() } else { nothing_kept() });
        }
        found => found.map_err(|error| place::advised(&error))?,
    };
    let document = store.document(&entry.id).map_err(|error| place::advised(&error))?;
    if has_result(&document) {
        return Ok((entry, document));
    }
    let killed = is_killed(&entry, &LiveReader::new(&place::file()?));
    let id = &entry.short_id;
    Err(match killed {
        true => format!("the run {id} was killed before it had a result; measure again"),
        false => format!("the run {id} still runs and has no result yet; wait for its end"),
    })
}

/// Whether a run that says that it goes on does not: no process shows how it goes.
fn is_killed(entry: &Entry, reader: &LiveReader) -> bool {
    let alive = || match reader.run(&entry.id) {
        Ok(run) => run.is_some_and(|run| run.state == State::Alive),
        // A feed that cannot be read may be that of a newer Fathom.
        Err(_) => true,
    };
    entry.run.outcome == Outcome::Running && !alive()
}

fn as_json(listed: &Listed) -> Value {
    let mut value = json!(listed.entry);
    if listed.killed {
        value["killed"] = true.into();
    }
    value
}

fn show(id: &str, json: bool) -> Result<(), String> {
    let store = place::to_read()?.ok_or_else(|| none_called(id))?;
    let entry = found(&store, id)?;
    let document = store.document(&entry.id).map_err(|error| place::advised(&error))?;
    let killed = is_killed(&entry, &LiveReader::new(&place::file()?));
    let listed = Listed { entry, killed };
    match json {
        true => say(&format!("{}\n", printable::json(document.trim_end()))),
        false => say(&show::text(&listed, document.len() as u64, &Screen::detect())),
    }
    Ok(())
}

/// Gives labels or takes them, as `change` does.
fn label(
    args: &TagArgs,
    change: fn(&mut Store, &fathom_store::Id, &[String]) -> Result<(), StoreError>,
) -> Result<(), String> {
    let mut store = place::to_change()?.ok_or_else(|| none_called(&args.id))?;
    let entry = found(&store, &args.id)?;
    change(&mut store, &entry.id, &args.tags).map_err(|error| place::advised(&error))?;
    let tags = found(&store, entry.id.as_str())?.run.tags;
    let tags = if tags.is_empty() { "no labels".to_owned() } else { tags.join(", ") };
    say_line(&format!("{}: {tags}", entry.short_id));
    Ok(())
}

fn remove(ids: &[String]) -> Result<(), String> {
    let first = ids.first().map(String::as_str).unwrap_or_default();
    let mut store = place::to_change()?.ok_or_else(|| none_called(first))?;
    let entries = all_found(&store, ids)?;
    let names: Vec<_> = entries.iter().map(|entry| entry.id.clone()).collect();
    store.remove(&names).map_err(|error| place::advised(&error))?;
    for entry in &entries {
        say_line(&format!("removed {}", list::line(entry)));
    }
    Ok(())
}

/// The runs of those names, each once.
fn all_found(store: &Store, ids: &[String]) -> Result<Vec<Entry>, String> {
    let mut entries: Vec<Entry> = Vec::new();
    for id in ids {
        let entry = found(store, id)?;
        if entries.iter().all(|other| other.id != entry.id) {
            entries.push(entry);
        }
    }
    Ok(entries)
}

fn found(store: &Store, id: &str) -> Result<Entry, String> {
    store.get(id).map_err(|error| place::advised(&error))
}

fn none_called(id: &str) -> String {
    StoreError::NoRun { prefix: id.to_owned() }.to_string()
}
