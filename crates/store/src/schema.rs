//! The tables of a history, and the migration from older versions.
//!
//! `user_version` of the file is the number of migration steps. A published step is never changed:
//! a change is a new step. `application_id` identifies the application.
//!
//! Documents are stored apart from the columns of lists, so that a list reads few pages. Text
//! search uses trigrams (FTS5), because users search for parts of paths; triggers update that index
//! with the column `searched`.

use crate::error::StoreError;
use rusqlite::{Connection, Transaction, TransactionBehavior};
use std::path::Path;

/// `Fthm` in ASCII: SQLite's mark for files of one application.
pub(crate) const APPLICATION_ID: i32 = 0x4674_686d;

/// Step by step from an empty file to the tables of today.
pub(crate) const STEPS: &[&str] = &[V1, V2];

const V1: &str = "
CREATE TABLE run (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    started_ms INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    host TEXT NOT NULL,
    folder TEXT NOT NULL,
    command TEXT NOT NULL,
    title TEXT NOT NULL,
    headline TEXT NOT NULL,
    outcome TEXT NOT NULL,
    fathom_version TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    searched TEXT NOT NULL
) STRICT;
CREATE INDEX run_by_start ON run(started_ms, id);
CREATE INDEX run_by_kind ON run(kind, started_ms, id);
CREATE INDEX run_by_host ON run(host, started_ms, id);
CREATE INDEX run_by_fingerprint ON run(fingerprint);

CREATE TABLE document (
    run INTEGER PRIMARY KEY REFERENCES run(seq) ON DELETE CASCADE,
    zstd BLOB NOT NULL
) STRICT;

CREATE TABLE target (
    run INTEGER NOT NULL REFERENCES run(seq) ON DELETE CASCADE,
    place INTEGER NOT NULL,
    path TEXT NOT NULL,
    PRIMARY KEY (run, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX target_by_path ON target(path, run);

CREATE TABLE tag (
    run INTEGER NOT NULL REFERENCES run(seq) ON DELETE CASCADE,
    name TEXT NOT NULL,
    PRIMARY KEY (run, name)
) STRICT, WITHOUT ROWID;
CREATE INDEX tag_by_name ON tag(name, run);

CREATE VIRTUAL TABLE run_text USING fts5(
    searched, content='run', content_rowid='seq', tokenize='trigram'
);
CREATE TRIGGER run_text_insert AFTER INSERT ON run BEGIN
    INSERT INTO run_text(rowid, searched) VALUES (new.seq, new.searched);
END;
CREATE TRIGGER run_text_delete AFTER DELETE ON run BEGIN
    INSERT INTO run_text(run_text, rowid, searched) VALUES ('delete', old.seq, old.searched);
END;
CREATE TRIGGER run_text_update AFTER UPDATE OF searched ON run BEGIN
    INSERT INTO run_text(run_text, rowid, searched) VALUES ('delete', old.seq, old.searched);
    INSERT INTO run_text(rowid, searched) VALUES (new.seq, new.searched);
END;
";

/// Outcomes `promise kept` and `undecided`, which readers of the first tables do not know.
const V2: &str = "-- The tables stay as they are.";

/// The state of a file, found without writing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SchemaState {
    /// Empty, or not there before.
    New,
    /// A history with this number of steps.
    Ours(u32),
    /// Another program's.
    Foreign,
}

/// All that tells whose a file is, in one statement: between several, another process may make its
/// tables, and a history that is half new would be taken for a foreign one.
const HEAD: &str = "SELECT (SELECT count(*) FROM sqlite_schema),
    (SELECT application_id FROM pragma_application_id),
    (SELECT user_version FROM pragma_user_version)";

/// Reads the file's head.
pub(crate) fn state(connection: &Connection) -> rusqlite::Result<SchemaState> {
    let (objects, application, version) = connection.query_row(HEAD, [], |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?))
    })?;
    Ok(match (objects, application, version) {
        (0, 0, 0) => SchemaState::New,
        (_, id, 1..) if id == i64::from(APPLICATION_ID) => {
            SchemaState::Ours(u32::try_from(version).unwrap_or(u32::MAX))
        }
        _ => SchemaState::Foreign,
    })
}

/// The state as this Fathom can use it: steps that are still to be taken.
///
/// # Errors
/// If the file is not ours, or of a newer Fathom.
pub(crate) fn missing<'a>(
    state: SchemaState,
    steps: &'a [&'a str],
    path: &Path,
) -> Result<&'a [&'a str], StoreError> {
    let path = path.to_owned();
    match state {
        SchemaState::New => Ok(steps),
        SchemaState::Foreign => Err(StoreError::Foreign { path }),
        SchemaState::Ours(found) => {
            let known = u32::try_from(steps.len()).unwrap_or(u32::MAX);
            steps.get(found as usize..).ok_or(StoreError::Newer { path, found, known })
        }
    }
}

/// Takes the steps that are missing, all or none.
///
/// # Errors
/// As [`missing`], and if SQLite cannot.
pub(crate) fn migrate(
    connection: &mut Connection,
    steps: &[&str],
    path: &Path,
) -> Result<(), StoreError> {
    let sqlite = |error| StoreError::of(path, error);
    if missing(state(connection).map_err(sqlite)?, steps, path)?.is_empty() {
        return Ok(());
    }
    let transaction =
        Transaction::new(connection, TransactionBehavior::Immediate).map_err(sqlite)?;
    // Checked again: another program may have been faster.
    let missing = missing(state(&transaction).map_err(sqlite)?, steps, path)?;
    let apply = || {
        for step in missing {
            transaction.execute_batch(step)?;
        }
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", steps.len() as i64)
    };
    apply().map_err(sqlite)?;
    transaction.commit().map_err(sqlite)
}
