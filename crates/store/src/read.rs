//! Reading: lists, single runs, documents.

use crate::content::decompress;
use crate::error::StoreError;
use crate::id::Id;
use crate::open::Store;
use crate::query::{COLUMNS, Filter, NEWEST_FIRST, Query};
use crate::run::{HistoryEntry, HistoryOutcome, HistoryRun};
use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, params_from_iter};
use serde::de::DeserializeOwned;

/// Minimum digits of a short name, so that it stays unique: all but the last of its time, which
/// only runs that began within 32 ms share.
const SHORTEST: usize = 8;

/// Maximum number of candidates listed for an ambiguous name.
const CANDIDATES: usize = 5;

/// A longer list is useless; text search finds the others.
const MOST_CHOICES: i64 = 500;

/// Values that runs of a history have, in order, each once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choices {
    /// Commands that made runs.
    pub kinds: Vec<String>,
    /// Machines that measured.
    pub hosts: Vec<String>,
    /// Labels.
    pub tags: Vec<String>,
}

impl Store {
    /// The runs that `filter` means, newest first.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn list(&self, filter: &Filter) -> Result<Vec<HistoryEntry>, StoreError> {
        let mut query = Query::of(filter);
        let sql = query.entries(filter);
        self.run(|connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = statement.query_map(params_from_iter(&query.values), entry)?;
            rows.collect()
        })
    }

    /// How many runs `filter` means, its limit and offset aside.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn count(&self, filter: &Filter) -> Result<u64, StoreError> {
        let query = Query::of(filter);
        let count: i64 = self.run(|connection| {
            connection.query_row(&query.count(), params_from_iter(&query.values), |row| row.get(0))
        })?;
        Ok(count.unsigned_abs())
    }

    /// The values to choose from in filters.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn choices(&self) -> Result<Choices, StoreError> {
        self.run(|connection| {
            let all = |sql| -> rusqlite::Result<Vec<String>> {
                let mut statement = connection.prepare_cached(sql)?;
                statement.query_map([MOST_CHOICES], |row| row.get(0))?.collect()
            };
            Ok(Choices {
                kinds: all("SELECT DISTINCT kind FROM run ORDER BY kind LIMIT ?")?,
                hosts: all("SELECT DISTINCT host FROM run ORDER BY host LIMIT ?")?,
                tags: all("SELECT DISTINCT name FROM tag ORDER BY name LIMIT ?")?,
            })
        })
    }

    /// The run whose name begins with `prefix`.
    ///
    /// # Errors
    /// If none or several do, or the file cannot be read.
    pub fn get(&self, prefix: &str) -> Result<HistoryEntry, StoreError> {
        let id = self.run(|connection| named(connection, prefix))??;
        self.entry(&id)
    }

    /// The run of that whole name.
    pub(crate) fn entry(&self, id: &Id) -> Result<HistoryEntry, StoreError> {
        let entry = self.run(|connection| entry_of(connection, id))?;
        entry.ok_or_else(|| StoreError::NoRun { prefix: id.to_string() })
    }

    /// The document of a run, exactly as given.
    ///
    /// # Errors
    /// If there is no such run, its document is damaged, or the file cannot be read.
    pub fn document(&self, id: &Id) -> Result<String, StoreError> {
        let sql = "SELECT zstd FROM document JOIN run ON run.seq = document.run WHERE run.id = ?";
        let frame = self.run(|connection| {
            connection.query_row(sql, [id.as_str()], |row| row.get::<_, Vec<u8>>(0)).optional()
        })?;
        let frame = frame.ok_or_else(|| StoreError::NoRun { prefix: id.to_string() })?;
        decompress(&frame).map_err(|why| StoreError::Damaged {
            path: self.path.clone(),
            what: format!("the document of run {id} cannot be read ({why})"),
        })
    }

    /// Names of all runs, oldest first.
    pub(crate) fn ids(&self) -> Result<Vec<Id>, StoreError> {
        self.run(|connection| {
            let mut statement = connection.prepare("SELECT id FROM run ORDER BY started_ms, id")?;
            let rows = statement.query_map([], |row| row.get(0).map(Id::kept))?;
            rows.collect()
        })
    }
}

/// The name of the newest run that was not stopped and has figures or a verdict. No run's name
/// begins like this: they have no `l`.
const LATEST: &str = "latest";
/// The name of the run before it. No run's name begins like this either, because of its `u`.
const PREVIOUS: &str = "previous";
/// Before the name of a label.
const TAG: &str = "tag:";

/// The one run whose name begins with `name`; for `latest`, `latest~2` and `previous` the newest
/// that was not stopped and has figures or a verdict, or an earlier one; otherwise the newest that
/// has ended with that label, which `tag:NAME` says plainly.
fn named(connection: &Connection, name: &str) -> rusqlite::Result<Result<Id, StoreError>> {
    let name = name.trim();
    let prefix = name.to_ascii_lowercase();
    if prefix.is_empty() {
        return Ok(Err(StoreError::NoRun { prefix }));
    }
    if let Some(tag) = name.strip_prefix(TAG) {
        return Ok(newest_ended(connection, tag)?.ok_or(StoreError::NoRun { prefix }));
    }
    if let Some(back) = runs_back(&prefix) {
        let found = newest_with_figures(connection, back)?;
        return Ok(found.ok_or(StoreError::NoRun { prefix }));
    }
    // Every digit of a name sorts before `~`.
    let sql = "SELECT id FROM run WHERE id >= ?1 AND id < ?1 || '~' ORDER BY id LIMIT ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map((&prefix, CANDIDATES as i64), |row| row.get(0))?;
    let mut candidates: Vec<String> = rows.collect::<rusqlite::Result<_>>()?;
    Ok(match candidates.len() {
        0 => newest_ended(connection, name)?.ok_or(StoreError::NoRun { prefix }),
        1 => Ok(Id::kept(candidates.remove(0))),
        _ => Err(StoreError::Ambiguous { prefix, candidates }),
    })
}

/// The number of runs before the newest, if such a word is given.
fn runs_back(word: &str) -> Option<i64> {
    match word.split_once('~') {
        None if word == LATEST => Some(0),
        None if word == PREVIOUS => Some(1),
        Some((LATEST, "")) => Some(1),
        Some((LATEST, back)) => back.parse::<u32>().ok().map(i64::from),
        _ => None,
    }
}

/// The newest run that came to its end with figures or a verdict, or an earlier one: what was
/// stopped early or shows nothing is named by its id. A `limit` that no rate keeps has a verdict
/// alone.
fn newest_with_figures(connection: &Connection, back: i64) -> rusqlite::Result<Option<Id>> {
    let sql = format!(
        "SELECT id FROM run WHERE outcome NOT IN (?1, ?2) \
         AND (headline <> '[]' OR outcome NOT IN (?3, ?4)) {NEWEST_FIRST} LIMIT 1 OFFSET ?5"
    );
    use HistoryOutcome::{Failed, Interrupted, Ran, Running};
    let values = (Running.name(), Interrupted.name(), Ran.name(), Failed.name(), back);
    let found = connection.query_row(&sql, values, |row| row.get(0)).optional()?;
    Ok(found.map(Id::kept))
}

/// The newest run with that label that has ended.
fn newest_ended(connection: &Connection, tag: &str) -> rusqlite::Result<Option<Id>> {
    let sql = format!(
        "SELECT id FROM run WHERE outcome <> ?1 AND \
         seq IN (SELECT run FROM tag WHERE name = ?2) {NEWEST_FIRST} LIMIT 1"
    );
    let running = HistoryOutcome::Running.name();
    let found = connection.query_row(&sql, (running, tag), |row| row.get(0)).optional()?;
    Ok(found.map(Id::kept))
}

/// The run with that name, if there is one.
pub(crate) fn entry_of(connection: &Connection, id: &Id) -> rusqlite::Result<Option<HistoryEntry>> {
    let sql = format!("SELECT {COLUMNS} FROM run WHERE run.id = ?");
    connection.prepare_cached(&sql)?.query_row([id.as_str()], entry).optional()
}

/// A row of [`COLUMNS`].
fn entry(row: &Row<'_>) -> rusqlite::Result<HistoryEntry> {
    let id: String = row.get(0)?;
    let neighbours: [Option<String>; 2] = [row.get(13)?, row.get(14)?];
    let run = HistoryRun {
        kind: row.get(1)?,
        started_ms: row.get::<_, i64>(2)?.unsigned_abs(),
        duration_ms: row.get::<_, i64>(3)?.unsigned_abs(),
        host: row.get(4)?,
        folder: row.get(5)?,
        command: parsed(row, 6)?,
        title: row.get(7)?,
        headline: parsed(row, 8)?,
        outcome: outcome(row, 9)?,
        fathom_version: row.get(10)?,
        targets: parsed(row, 11)?,
        tags: parsed(row, 12)?,
    };
    Ok(HistoryEntry { short_id: short(&id, &neighbours), id: Id::kept(id), run })
}

fn parsed<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(|error| unreadable(column, error))
}

fn outcome(row: &Row<'_>, column: usize) -> rusqlite::Result<HistoryOutcome> {
    let name: String = row.get(column)?;
    HistoryOutcome::from_name(&name)
        .ok_or_else(|| unreadable(column, format!("no outcome {name:?}")))
}

fn unreadable(
    column: usize,
    why: impl Into<Box<dyn std::error::Error + Send + Sync>>,
) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, why.into())
}

/// The least of `id`'s beginning that the names before and after it do not share.
fn short(id: &str, neighbours: &[Option<String>]) -> String {
    let shared = |other: &String| {
        id.bytes().zip(other.bytes()).take_while(|(ours, theirs)| ours == theirs).count()
    };
    let most = neighbours.iter().flatten().map(shared).max();
    let needed = most.map_or(SHORTEST, |shared| (shared + 1).max(SHORTEST));
    id.chars().take(needed).collect()
}
