//! Exports as targets: what stands in one by a name, and a file of ours in it.
//!
//! A file that we made is told by its number from what another may have put in its place, so that
//! only ours is removed. Removing it has a connection of its own and little time: it is the last
//! thing that a command does, also where the server has just stopped to answer.

use crate::pins::Leftover;
use fathom_engine::{NfsError, NfsExport, find_export, mount_export};
use fathom_vocab::NfsUrl;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::Duration;

/// How long a call may take that removes a file.
const REMOVAL_TIME: Duration = Duration::from_secs(5);

/// What stands in an export by a name.
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
    /// Nothing.
    Absent,
    /// Something that no job works on.
    Other,
}

/// What is known of an export and of a name in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportReport {
    /// The export, as it is mounted.
    pub export: NfsUrl,
    /// The name in it; empty for where it begins.
    pub name: String,
    /// What stands there.
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

/// Looks at what `url` leads to: an export, or what is in one.
///
/// # Errors
/// With what keeps it from being reached, and what to do.
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

/// A file that we made in an export, and remove.
#[derive(Debug)]
pub struct ExportFile {
    export: NfsExport,
    name: String,
    fileid: u64,
    removed: Mutex<bool>,
}

impl ExportFile {
    /// Makes a file where nothing is yet.
    ///
    /// # Errors
    /// What the server says; `AlreadyExists` where something is there by that name.
    pub fn create(export: &NfsUrl, name: &str) -> io::Result<ExportFile> {
        let export = mount_export(export)?;
        let found = export.create_new(name)?;
        Ok(ExportFile {
            export: export.with_call_time(REMOVAL_TIME),
            name: name.to_owned(),
            fileid: found.attributes.fileid,
            removed: Mutex::new(false),
        })
    }

    /// Where it is, as messages name it.
    pub fn place(&self) -> String {
        self.export.url().name_of(&self.name)
    }

    /// Removes it, once.
    ///
    /// # Errors
    /// Where it is still there, or something else is in its place.
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
            Some(found) if found.attributes.fileid != self.fileid => Ok(false),
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
                left(format!("{place} cannot be removed: {why}. Remove it through a mount."), true)
            }
        }
    }
}
