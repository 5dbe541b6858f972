//! Writing: every change is one transaction, synced to the disk before it counts as done.

use crate::content::{compress, fingerprint, json, searched};
use crate::error::StoreError;
use crate::id::Id;
use crate::open::Store;
use crate::read::entry_of;
use crate::run::HistoryRun;
use rusqlite::{Transaction, named_params};

/// A run as a table row.
pub(crate) struct HistoryRow {
    run: HistoryRun,
    command: String,
    headline: String,
    frame: Vec<u8>,
    pub(crate) fingerprint: String,
}

impl HistoryRow {
    /// Everything that takes time, so that it is done before the writer's place is taken.
    pub(crate) fn new(run: &HistoryRun, document: &str) -> Result<HistoryRow, StoreError> {
        let run = run.settled();
        let headline = json(&run.headline);
        Ok(HistoryRow {
            command: json(&run.command),
            frame: compress(document)?,
            fingerprint: fingerprint(&run, &headline, document),
            headline,
            run,
        })
    }
}

impl Store {
    /// Stores a run and its document; returns the run's name.
    ///
    /// # Errors
    /// If it cannot be written; then nothing was changed.
    pub fn record(&mut self, run: &HistoryRun, document: &str) -> Result<Id, StoreError> {
        let content = HistoryRow::new(run, document)?;
        let path = self.path.clone();
        self.change(|transaction| {
            insert(transaction, &content, None).map_err(|error| StoreError::of(&path, error))
        })
    }

    /// Replaces the run stored under `id` with its present state. Its labels stay: users may have
    /// changed them meanwhile.
    ///
    /// # Errors
    /// If there is no such run, or it cannot be written; then nothing is changed.
    pub fn update(&mut self, id: &Id, run: &HistoryRun, document: &str) -> Result<(), StoreError> {
        let mut content = HistoryRow::new(run, document)?;
        self.on_run(id, |transaction, _, kept| {
            content.run.tags = kept.tags;
            write(transaction, id, &content)
        })
    }

    /// Gives a run labels; those that it has already stay.
    ///
    /// # Errors
    /// If there is no such run, or it cannot be written; then nothing is changed.
    pub fn tag(&mut self, id: &Id, tags: &[String]) -> Result<(), StoreError> {
        self.on_run(id, |transaction, seq, mut run| {
            write_tags(transaction, seq, tags)?;
            run.tags.extend_from_slice(tags);
            search_anew(transaction, seq, &run)
        })
    }

    /// Takes labels from a run; those that it has not are no error.
    ///
    /// # Errors
    /// If there is no such run, or it cannot be written; then nothing is changed.
    pub fn untag(&mut self, id: &Id, tags: &[String]) -> Result<(), StoreError> {
        self.on_run(id, |transaction, seq, mut run| {
            let sql = "DELETE FROM tag WHERE run = ? AND name = ?";
            for tag in tags {
                transaction.prepare_cached(sql)?.execute((seq, tag))?;
            }
            run.tags.retain(|tag| !tags.contains(tag));
            search_anew(transaction, seq, &run)
        })
    }

    /// Removes runs: all of them, or none.
    ///
    /// # Errors
    /// If one of them is not there, or it cannot be written; then nothing was changed.
    pub fn remove(&mut self, ids: &[Id]) -> Result<(), StoreError> {
        let path = self.path.clone();
        self.change(|transaction| {
            for id in ids {
                let removed = transaction
                    .execute("DELETE FROM run WHERE id = ?", [id.as_str()])
                    .map_err(|error| StoreError::of(&path, error))?;
                if removed == 0 {
                    return Err(StoreError::NoRun { prefix: id.to_string() });
                }
            }
            Ok(())
        })
    }

    /// Changes the run with that name; `work` receives its row and its present state.
    fn on_run(
        &mut self,
        id: &Id,
        work: impl FnOnce(&Transaction<'_>, i64, HistoryRun) -> rusqlite::Result<()>,
    ) -> Result<(), StoreError> {
        let path = self.path.clone();
        let sqlite = |error| StoreError::of(&path, error);
        self.change(|transaction| {
            let kept = entry_of(transaction, id).map_err(sqlite)?;
            let kept = kept.ok_or_else(|| StoreError::NoRun { prefix: id.to_string() })?;
            let sql = "SELECT seq FROM run WHERE id = ?";
            let seq = transaction.query_row(sql, [id.as_str()], |row| row.get(0));
            work(transaction, seq.map_err(sqlite)?, kept.run).map_err(sqlite)
        })
    }
}

/// Adds a run under `wanted`, or under a new name if that is taken or missing.
pub(crate) fn insert(
    transaction: &Transaction<'_>,
    content: &HistoryRow,
    wanted: Option<Id>,
) -> rusqlite::Result<Id> {
    let mut taken = transaction.prepare_cached("SELECT 1 FROM run WHERE id = ?")?;
    let mut id = wanted.unwrap_or_else(|| Id::new(content.run.started_ms));
    while taken.exists([id.as_str()])? {
        id = Id::new(content.run.started_ms);
    }
    write(transaction, &id, content)?;
    Ok(id)
}

const WRITE_RUN: &str = "
INSERT INTO run (id, kind, started_ms, duration_ms, host, folder, command, title, headline,
    outcome, fathom_version, fingerprint, searched)
VALUES (:id, :kind, :started_ms, :duration_ms, :host, :folder, :command, :title, :headline,
    :outcome, :fathom_version, :fingerprint, :searched)
ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, started_ms = excluded.started_ms,
    duration_ms = excluded.duration_ms, host = excluded.host, folder = excluded.folder,
    command = excluded.command, title = excluded.title, headline = excluded.headline,
    outcome = excluded.outcome, fathom_version = excluded.fathom_version,
    fingerprint = excluded.fingerprint, searched = excluded.searched
RETURNING seq";

/// Writes all parts of a run, replacing those under that name.
fn write(transaction: &Transaction<'_>, id: &Id, content: &HistoryRow) -> rusqlite::Result<()> {
    let run = &content.run;
    let values = named_params! {
        ":id": id.as_str(),
        ":kind": run.kind,
        ":started_ms": run.started_ms.cast_signed(),
        ":duration_ms": run.duration_ms.cast_signed(),
        ":host": run.host,
        ":folder": run.folder,
        ":command": content.command,
        ":title": run.title,
        ":headline": content.headline,
        ":outcome": run.outcome.name(),
        ":fathom_version": run.fathom_version,
        ":fingerprint": content.fingerprint,
        ":searched": searched(run),
    };
    let seq = transaction.prepare_cached(WRITE_RUN)?.query_row(values, |row| row.get(0))?;
    write_targets(transaction, seq, &run.targets)?;
    write_tags(transaction, seq, &run.tags)?;
    let sql = "INSERT OR REPLACE INTO document (run, zstd) VALUES (?, ?)";
    transaction.prepare_cached(sql)?.execute((seq, &content.frame)).map(drop)
}

fn write_targets(
    transaction: &Transaction<'_>,
    seq: i64,
    targets: &[String],
) -> rusqlite::Result<()> {
    transaction.prepare_cached("DELETE FROM target WHERE run = ?")?.execute([seq])?;
    let sql = "INSERT INTO target (run, place, path) VALUES (?, ?, ?)";
    let mut statement = transaction.prepare_cached(sql)?;
    for (place, path) in (0i64..).zip(targets) {
        statement.execute((seq, place, path))?;
    }
    Ok(())
}

fn write_tags(transaction: &Transaction<'_>, seq: i64, tags: &[String]) -> rusqlite::Result<()> {
    let sql = "INSERT OR IGNORE INTO tag (run, name) VALUES (?, ?)";
    let mut statement = transaction.prepare_cached(sql)?;
    for tag in tags {
        statement.execute((seq, tag))?;
    }
    Ok(())
}

/// Updates the search text of the run.
fn search_anew(transaction: &Transaction<'_>, seq: i64, run: &HistoryRun) -> rusqlite::Result<()> {
    let sql = "UPDATE run SET searched = ? WHERE seq = ?";
    transaction.prepare_cached(sql)?.execute((searched(run), seq)).map(drop)
}
