//! Opening a history: for writing, or for reading in any state.
//!
//! On one machine, readers and a writer do not wait for each other (SQLite's write-ahead log). That
//! log uses shared memory, which machines do not share: for a file on a network file system, the
//! older rollback journal is used, which needs only file locks.
//!
//! Reading must work where writing is impossible: on a full disk, on a read-only mount. There
//! SQLite cannot create the files of its log; without an existing log, the file is opened as
//! immutable.

use crate::error::{BUSY_TIMEOUT, StoreError};
use crate::schema::{self, STEPS};
use fathom_host::{EntryKind, make_private_folder, with_mode};
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior};
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Read};
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

/// The concurrent users of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sharing {
    /// Programs of this machine: on a local file system.
    #[default]
    OneHost,
    /// Programs of other machines as well: on a network file system.
    ManyHosts,
}

/// An open history.
#[derive(Debug)]
pub struct Store {
    pub(crate) connection: Connection,
    pub(crate) path: PathBuf,
}

impl Store {
    /// Opens the history at `path` for reading and writing, creates it and its folder if they are
    /// missing, and migrates an older one.
    ///
    /// # Errors
    /// If it cannot be read and written, is not ours, or is of a newer Fathom; then it was left
    /// as it is.
    pub fn open(path: &Path, sharing: Sharing) -> Result<Store, StoreError> {
        if let Some(folder) = path.parent() {
            make_private_folder(folder)
                .map_err(|error| StoreError::of_io(path, "make the folder of", error))?;
        }
        must_be_a_file(path)?;
        make_file_private(path);
        let mut store = Store::connect(path, Way::Write)?;
        // Checked before anything else: a foreign file must not be changed.
        let state = store.run(schema::state)?;
        schema::missing(state, STEPS, path)?;
        if store.run(|connection| connection.is_readonly("main"))? {
            return Err(StoreError::read_only(path));
        }
        schema::migrate(&mut store.connection, STEPS, path)?;
        store.run(|connection| prepare_to_write(connection, sharing))?;
        Ok(store)
    }

    /// Opens the history at `path` for reading; `None` if there is none yet.
    ///
    /// # Errors
    /// As [`Store::open`], but not if it merely cannot be written.
    pub fn open_to_read(path: &Path) -> Result<Option<Store>, StoreError> {
        match fs::metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound && !below_a_file(path) => {
                return Ok(None);
            }
            Err(error) => return Err(StoreError::of_io(path, "read", error)),
            Ok(_) => must_be_a_file(path)?,
        }
        let store = match Store::connect(path, Way::Read).and_then(Store::readable) {
            Err(why) if is_unwritable(&why) && logs_nothing(path) => {
                Store::connect(path, Way::Immutable).and_then(Store::readable)
            }
            opened => opened,
        };
        store.map(Some)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn connect(path: &Path, way: Way) -> Result<Store, StoreError> {
        if !may_be_a_database(path) {
            return Err(StoreError::NotADatabase { path: path.to_owned() });
        }
        let sqlite = |error| StoreError::of(path, error);
        let connection = match way {
            Way::Write => Connection::open_with_flags(path, WRITE),
            Way::Read => Connection::open_with_flags(path, READ),
            Way::Immutable => Connection::open_with_flags(immutable(path), READ_URI),
        }
        .map_err(sqlite)?;
        connection.busy_timeout(BUSY_TIMEOUT).map_err(sqlite)?;
        Ok(Store { connection, path: path.to_owned() })
    }

    /// The store with its tables as this version reads them, brought up to date if need be.
    fn readable(mut self) -> Result<Store, StoreError> {
        schema::migrate(&mut self.connection, STEPS, &self.path)?;
        // The log, if there is one, is opened when a table is first read.
        self.run(|connection| connection.prepare("SELECT 1 FROM run")?.exists([]))?;
        Ok(self)
    }

    /// Runs `work` on the connection, its errors made ours.
    pub(crate) fn run<T>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        work(&self.connection).map_err(|error| StoreError::of(&self.path, error))
    }

    /// Runs `work` in one transaction that takes the write lock first, so that it never fails half
    /// way; all of it is stored or nothing.
    pub(crate) fn change<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let path = &self.path;
        let sqlite = |error| StoreError::of(path, error);
        let transaction = Transaction::new(&mut self.connection, TransactionBehavior::Immediate)
            .map_err(sqlite)?;
        let done = work(&transaction)?;
        transaction.commit().map_err(sqlite)?;
        Ok(done)
    }
}

/// How a connection is made.
#[derive(Clone, Copy)]
enum Way {
    Write,
    /// Without making the file; still able to mend it after a crash, and to bring it up to date.
    Read,
    /// As an immutable file.
    Immutable,
}

const READ: OpenFlags = OpenFlags::SQLITE_OPEN_READ_WRITE.union(OpenFlags::SQLITE_OPEN_NO_MUTEX);
const WRITE: OpenFlags = READ.union(OpenFlags::SQLITE_OPEN_CREATE);
const READ_URI: OpenFlags = OpenFlags::SQLITE_OPEN_READ_ONLY
    .union(OpenFlags::SQLITE_OPEN_NO_MUTEX)
    .union(OpenFlags::SQLITE_OPEN_URI);

/// Creates the file of a new history for this user only; SQLite gives its logs the same mode.
/// SQLite reports errors of this step.
fn make_file_private(path: &Path) {
    let _ = with_mode(OpenOptions::new().write(true).create_new(true), 0o600).open(path);
}

/// Opening a pipe would block, and a device is no place for a history.
fn must_be_a_file(path: &Path) -> Result<(), StoreError> {
    let Ok(there) = fs::metadata(path) else { return Ok(()) };
    let kind = match EntryKind::of(&there) {
        EntryKind::File => return Ok(()),
        EntryKind::Folder => "a folder",
        EntryKind::Pipe => "a pipe",
        EntryKind::Socket => "a socket",
        _ => "a device",
    };
    Err(StoreError::NoFile { path: path.to_owned(), kind })
}

/// Whether a parent of `path` is a file, which Windows reports as not found.
fn below_a_file(path: &Path) -> bool {
    let nearest = path.ancestors().skip(1).find(|folder| folder.exists());
    nearest.is_some_and(|folder| !folder.is_dir())
}

/// The beginning of every SQLite database (<https://sqlite.org/fileformat2.html>).
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// Checked here because SQLite takes a file of one byte for an empty database, and overwrites it.
/// SQLite judges an unreadable one.
fn may_be_a_database(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(16).read_to_end(&mut head));
    read.is_err() || head.is_empty() || head == MAGIC
}

fn prepare_to_write(connection: &Connection, sharing: Sharing) -> rusqlite::Result<()> {
    connection.pragma_update(None, "foreign_keys", true)?;
    // A stored run survives a power cut.
    connection.pragma_update(None, "synchronous", "FULL")?;
    let journal = match sharing {
        Sharing::OneHost => "wal",
        Sharing::ManyHosts => "delete",
    };
    let changed =
        connection.pragma_update_and_check(None, "journal_mode", journal, |row| row.get(0));
    match changed {
        Ok::<String, _>(_) => Ok(()),
        // Only an exclusive user can change it; either journal is safe until then.
        Err(error) if is_busy(&error) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Whether it may still be readable. Not while another program writes: its changes must be visible.
fn is_unwritable(why: &StoreError) -> bool {
    use StoreError::{Full, Io, ReadOnly, Sqlite};
    matches!(why, ReadOnly { .. } | Full { .. } | Io { .. } | Sqlite { .. })
}

fn is_busy(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked};
    matches!(error.sqlite_error_code(), Some(DatabaseBusy | DatabaseLocked))
}

/// Whether there is no write-ahead log or rollback journal beside the file that would have to be
/// read too.
fn logs_nothing(path: &Path) -> bool {
    ["-wal", "-journal"].iter().all(|end| {
        let mut log = path.as_os_str().to_owned();
        log.push(end);
        fs::metadata(log).map_or(true, |file| file.len() == 0)
    })
}

/// The path as an immutable address (<https://sqlite.org/uri.html>).
fn immutable(path: &Path) -> String {
    // Two slashes at the beginning would be read as a host.
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let text = path.as_os_str().as_encoded_bytes();
    // Windows begins a canonical path with four letters that SQLite does not take.
    let drive = text.strip_prefix(br"\\?\").filter(|_| MAIN_SEPARATOR == '\\');
    let mut address = String::from(if drive.is_some() { "file:///" } else { "file:" });
    for byte in drive.unwrap_or(text) {
        match byte {
            b'\\' if MAIN_SEPARATOR == '\\' => address.push('/'),
            b':' if drive.is_some() => address.push(':'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                address.push(char::from(*byte));
            }
            byte => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address + "?immutable=1"
}
