//! An open file of an NFS export: operations outside of measured I/O.
//!
//! Opening checks the caller's rights, so that a read-only export is known before the first I/O.
//! Writes here are unstable until [`NfsFile::sync_all`], which fails if the server restarted in
//! between: earlier writes are then lost.

use crate::open_how::OpenHow;
use crate::storage_words::Allocate;
use crate::system::user::nfs_caller;
use fathom_nfs::proto::{NfsVerifier, WriteStability, access, kind};
use fathom_nfs::{NfsError, NfsExport, NfsFound, NfsIoFile, NfsStatus};
use fathom_vocab::{NfsUrl, SyncMode};
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

/// A file of an export.
#[derive(Debug)]
pub struct NfsFile {
    export: Arc<NfsExport>,
    name: String,
    found: NfsFound,
    sync: SyncMode,
    direct: bool,
    /// Verifiers of writes since the last flush.
    unstable: Mutex<Option<NfsVerifier>>,
}

impl NfsFile {
    /// Opens the file with this name, or creates it if `how` says so.
    ///
    /// # Errors
    /// With the server's error.
    pub fn open(export: &Arc<NfsExport>, name: &str, how: &OpenHow) -> Result<NfsFile, NfsError> {
        if how.write {
            export.check_writable()?;
        }
        let found = match export.look(name)? {
            Some(found) => found,
            None if how.create => export.create(name)?,
            None => {
                let (what, status) = ("LOOKUP", NfsStatus::NOENT);
                return Err(NfsError::Status { what, name: name.to_owned(), status });
            }
        };
        check_kind(&found, name)?;
        check_access(export, &found, name, how)?;
        Ok(NfsFile {
            export: export.clone(),
            name: name.to_owned(),
            found,
            sync: how.sync,
            direct: how.direct,
            unstable: Mutex::new(None),
        })
    }

    /// The export that it is on.
    pub(crate) fn export(&self) -> &Arc<NfsExport> {
        &self.export
    }

    /// As measured I/O works on it. A direct write is durable when it is over, as over a mount;
    /// there a longer one is made so by a COMMIT, here by the server's word for each part.
    pub(crate) fn for_io(&self) -> NfsIoFile {
        let stability = match (self.sync, self.direct) {
            (SyncMode::Sync, _) | (SyncMode::None, true) => WriteStability::FileSync,
            (SyncMode::Dsync, _) => WriteStability::DataSync,
            (SyncMode::None, false) => WriteStability::Unstable,
        };
        let handle = self.found.handle.clone();
        NfsIoFile { handle, stability }
    }

    pub(crate) fn size_bytes(&self) -> io::Result<u64> {
        Ok(self.export.attributes(&self.found.handle, &self.name)?.size)
    }

    pub(crate) fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        Ok(self.export.read(&self.found.handle, offset, buffer, &self.name)?)
    }

    pub(crate) fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        let (mut rest, mut at) = (bytes, offset);
        while !rest.is_empty() {
            let unstable = WriteStability::Unstable;
            let wrote = self.export.write(&self.found.handle, at, rest, unstable, &self.name)?;
            if wrote.count == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            self.note_verifier(wrote.verifier)?;
            let bytes = (wrote.count as usize).min(rest.len());
            (rest, at) = (&rest[bytes..], at + bytes as u64);
        }
        Ok(())
    }

    /// An export reserves nothing: a file grows as it is written.
    pub(crate) fn allocate(&self, how: Allocate, len: u64) -> io::Result<()> {
        match how {
            Allocate::Truncate => self.set_len(len),
            _ => Ok(()),
        }
    }

    pub(crate) fn set_len(&self, len: u64) -> io::Result<()> {
        Ok(self.export.set_size(&self.found.handle, len, &self.name)?)
    }

    pub(crate) fn sync_all(&self) -> io::Result<()> {
        let committed = self.export.commit(&self.found.handle, &self.name)?;
        self.note_verifier(committed.verifier)?;
        *self.unstable.lock().unwrap_or_else(PoisonError::into_inner) = None;
        Ok(())
    }

    fn note_verifier(&self, verifier: NfsVerifier) -> io::Result<()> {
        let mut seen = self.unstable.lock().unwrap_or_else(PoisonError::into_inner);
        match *seen.get_or_insert(verifier) == verifier {
            true => Ok(()),
            false => Err(io::Error::other(
                "the server was started anew meanwhile and has lost what was written; run again",
            )),
        }
    }
}

/// Mounts the export of `url`, as the user of this process if the URL names none.
///
/// # Errors
/// If it cannot be reached, with advice.
pub fn mount_export(url: &NfsUrl) -> Result<NfsExport, NfsError> {
    NfsExport::mount(url, nfs_caller())
}

/// Mounts the export that the path of `url` leads into, as [`NfsExport::find`] does.
///
/// # Errors
/// As of [`NfsExport::find`].
pub fn find_export(url: &NfsUrl) -> Result<(NfsExport, String), NfsError> {
    NfsExport::find(url, nfs_caller())
}

fn check_kind(found: &NfsFound, name: &str) -> Result<(), NfsError> {
    let why = match found.attributes.kind {
        kind::REGULAR => return Ok(()),
        kind::FOLDER => "is a folder; name a file",
        kind::LINK => "is a symbolic link; name what it points to",
        _ => "is no file that data is in; name a file",
    };
    Err(NfsError::Name { name: name.to_owned(), why })
}

fn check_access(
    export: &NfsExport,
    found: &NfsFound,
    name: &str,
    how: &OpenHow,
) -> Result<(), NfsError> {
    let wanted = if how.read { access::READ } else { 0 }
        | if how.write { access::MODIFY | access::EXTEND } else { 0 };
    let granted = export.granted(&found.handle, wanted, name)?;
    if granted == wanted {
        return Ok(());
    }
    let lacks_read = how.read && granted & access::READ == 0;
    // An empty change distinguishes a read-only export from a user without permission.
    let status = match lacks_read {
        true => NfsStatus::ACCES,
        false => export
            .change_nothing(&found.handle, name)
            .err()
            .and_then(|error| error.status())
            .unwrap_or(NfsStatus::ACCES),
    };
    Err(NfsError::Status { what: "ACCESS", name: name.to_owned(), status })
}
