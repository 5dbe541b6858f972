//! Exports as targets: the entry with a name, and our own file in it.
//!
//! A file that we created is identified by its number, so that only ours is removed. Removal has
//! its own connection and little time: it is the last action of a command, even if the server has
//! just stopped answering.

use crate::pins::Leftover;
use fathom_engine::{NfsAttributes, NfsError, NfsExport, NfsFound, find_export, mount_export};
use fathom_host::FileId;
use fathom_vocab::NfsUrl;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

/// How long a call may take that removes a file.
const REMOVAL_TIME: Duration = Duration::from_secs(5);

/// The entry with a name in an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExportEntry {
    /// A folder.
    Folder,
    /// A file.
    File {
        /// Its length in bytes.
        size_bytes: u64,
        /// Bytes that it takes on the server.
        used_bytes: u64,
    },
    /// The name does not exist.
    Absent,
    /// Something that no job works on.
    Other,
}

/// The facts about an export and a name in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportReport {
    /// The export, as it is mounted.
    pub export: NfsUrl,
    /// The name in it; empty for its root.
    pub name: String,
    /// The entry.
    pub entry: ExportEntry,
    /// Bytes of its volume.
    pub total_bytes: u64,
    /// Bytes that are free there.
    pub free_bytes: u64,
    /// Bytes of these that the caller may use.
    pub available_bytes: u64,
    /// The longest READ in bytes.
    pub read_max: u32,
    /// The longest WRITE in bytes.
    pub write_max: u32,
}

/// Examines the export or entry that `url` names.
///
/// # Errors
/// If it cannot be reached, with advice.
pub fn report_export(url: &NfsUrl) -> io::Result<ExportReport> {
    let (export, name) = find_export(url)?;
    let entry = match name.as_str() {
        "" => ExportEntry::Folder,
        name => entry_of(&export, name)?,
    };
    let space = export.space()?;
    Ok(ExportReport {
        export: export.url().clone(),
        name,
        entry,
        total_bytes: space.total,
        free_bytes: space.free,
        available_bytes: space.available,
        read_max: export.read_max(),
        write_max: export.write_max(),
    })
}

fn entry_of(export: &NfsExport, name: &str) -> Result<ExportEntry, NfsError> {
    Ok(match export.look(name)? {
        None => ExportEntry::Absent,
        Some(found) if found.is_folder() => ExportEntry::Folder,
        Some(found) if found.is_file() => ExportEntry::File {
            size_bytes: found.attributes.size,
            used_bytes: found.attributes.used,
        },
        Some(_) => ExportEntry::Other,
    })
}

/// Names that are looked at in a folder of an export: more is no folder of test files.
const NAMES_MAX: usize = 100_000;
/// How long that may take in all: a server whose folder never ends must not hold a command.
const LISTING_TIME: Duration = Duration::from_secs(60);

/// A file that was found in an export.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportListing {
    /// Its name in the export.
    pub name: String,
    /// Its numbers: those of its file system and of itself.
    pub id: FileId,
    /// Bytes that it takes on the server.
    pub used_bytes: u64,
    /// When it was written last, in seconds since 1970.
    pub modified_s: i64,
}

impl ExportListing {
    fn of(name: String, about: &NfsFound) -> ExportListing {
        let about = &about.attributes;
        // Seconds and nanoseconds, as received: four bytes each.
        let [a, b, c, d, ..] = about.modified;
        ExportListing {
            name,
            id: id_of(about),
            used_bytes: about.used,
            modified_s: i64::from(u32::from_be_bytes([a, b, c, d])),
        }
    }
}

fn id_of(about: &NfsAttributes) -> FileId {
    FileId::File { device: about.fsid, inode: about.fileid }
}

/// Whether two numbers are of one file. That of its file system may change when the server starts.
fn is_same(one: FileId, other: FileId) -> bool {
    match (one, other) {
        (FileId::File { inode, .. }, FileId::File { inode: other, .. }) => inode == other,
        _ => false,
    }
}

/// The export that `url` names, and the files in its folder whose names are `wanted`.
///
/// # Errors
/// If it cannot be reached, or is not a folder.
pub fn list_export(
    url: &NfsUrl,
    wanted: impl Fn(&str) -> bool,
) -> io::Result<(NfsUrl, Vec<ExportListing>)> {
    let (export, folder) = find_export(url)?;
    let until = Instant::now() + LISTING_TIME;
    let mut files = Vec::new();
    for entry in export.list(&folder, NAMES_MAX, until)? {
        if !wanted(&entry.name) {
            continue;
        }
        if Instant::now() > until {
            return Err(export.without_end(&folder, files.len()).into());
        }
        let name = match folder.as_str() {
            "" => entry.name,
            folder => format!("{folder}/{}", entry.name),
        };
        let found = export.look(&name)?.filter(NfsFound::is_file);
        files.extend(found.map(|found| ExportListing::of(name, &found)));
    }
    Ok((export.url().clone(), files))
}

/// The file with that name in an export; none if there is none.
///
/// # Errors
/// If it cannot be reached.
pub fn find_exported(export: &NfsUrl, name: &str) -> io::Result<Option<ExportListing>> {
    let found = mount_export(export)?.look(name)?.filter(NfsFound::is_file);
    Ok(found.map(|found| ExportListing::of(name.to_owned(), &found)))
}

/// A file that we made in an export, and remove.
#[derive(Debug)]
pub struct ExportFile {
    export: NfsExport,
    name: String,
    id: FileId,
    removed: Mutex<bool>,
}

impl ExportFile {
    /// Creates a new file.
    ///
    /// # Errors
    /// The server's error; `AlreadyExists` if the name exists.
    pub fn create(export: &NfsUrl, name: &str) -> io::Result<ExportFile> {
        let export = mount_export(export)?;
        let found = export.create_new(name)?;
        Ok(ExportFile {
            export: export.with_call_time(REMOVAL_TIME),
            name: name.to_owned(),
            id: id_of(&found.attributes),
            removed: Mutex::new(false),
        })
    }

    /// A file that a process of ours made before, by its numbers.
    ///
    /// # Errors
    /// If the export cannot be reached.
    pub fn made_before(export: &NfsUrl, name: &str, id: FileId) -> io::Result<ExportFile> {
        let export = mount_export(export)?.with_call_time(REMOVAL_TIME);
        Ok(ExportFile { export, name: name.to_owned(), id, removed: Mutex::new(false) })
    }

    /// Its numbers.
    pub fn id(&self) -> FileId {
        self.id
    }

    /// Its address, for messages.
    pub fn place(&self) -> String {
        self.export.url().name_of(&self.name)
    }

    /// Removes it, once.
    ///
    /// # Errors
    /// If it is still there, or something else is in its place.
    pub fn remove(&self) -> Result<(), Leftover> {
        let mut removed = self.removed.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::replace(&mut *removed, true) {
            return Ok(());
        }
        let place = self.place();
        let left = |sentence: String, is_there| {
            Err(Leftover { path: PathBuf::from(&place), sentence, is_there })
        };
        let done = self.export.look(&self.name).and_then(|found| match found {
            Some(found) if !is_same(self.id, id_of(&found.attributes)) => Ok(false),
            Some(_) => self.export.remove(&self.name).map(|()| true),
            None => Ok(true),
        });
        match done {
            Ok(true) => Ok(()),
            Ok(false) => left(
                format!(
                    "the test file {place} is no longer there: somebody moved it; look for it and \
                     remove it"
                ),
                false,
            ),
            Err(why) => {
                let sentence = format!(
                    "{place} cannot be removed: {why}. `fathom clean` removes it once the server \
                     answers; or remove it through a mount."
                );
                left(sentence, true)
            }
        }
    }
}
