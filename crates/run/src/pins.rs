//! Files and devices that a command holds open while it runs, so that all its runs use the same
//! ones, even if their names are reused meanwhile.
//!
//! Decided here:
//! - A test file is created, opened and removed through the handle of its folder. Renaming the
//!   folder, mounting over it or changing a link has no effect.
//! - Its descriptor stays open, so that its number cannot be given to another file. A file opened
//!   by name is compared with that number before a byte is read or written.
//! - A device to be written is claimed (`O_EXCL`): nothing can mount it before the end.

use crate::error::RunError;
use crate::file_id::id_of;
use fathom_engine::{FileFacts, FileSort, Folder, OpenError, OpenHow, facts_at, facts_of, hold};
use fathom_host::FileId;
use fathom_vocab::ErrorNumber;
use fathom_vocab::shell::quoted_path;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A file or device that a command holds open.
#[derive(Debug)]
pub struct Pin {
    path: PathBuf,
    /// Its folder and name, if it is a test file of ours.
    place: Option<Place>,
    id: FileId,
    handle: File,
    claims: bool,
}

/// A name in an open folder.
#[derive(Debug)]
struct Place {
    folder: Folder,
    name: OsString,
}

/// A file that should have been removed and was not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Leftover {
    /// Its path, now or last.
    #[serde(with = "crate::path_text")]
    pub path: PathBuf,
    /// Its state and advice, as a sentence.
    pub sentence: String,
    /// Whether it is still at its path.
    pub is_there: bool,
}

impl Leftover {
    /// A file that the system refused to remove.
    pub fn refused(path: &Path, error: &io::Error, bytes: Option<u64>) -> Leftover {
        let size = match bytes {
            None => String::new(),
            Some(0) => " It has been emptied.".to_owned(),
            Some(bytes) => format!(" It uses {bytes} bytes."),
        };
        let (shown, name) = (path.display(), quoted_path(path));
        let sentence = format!("{shown} cannot be removed: {error}.{size} Remove it: rm {name}");
        Leftover { path: path.to_owned(), sentence, is_there: true }
    }

    fn moved(path: &Path, bytes: u64) -> Leftover {
        let size = match bytes {
            0 => "It has been emptied, so that it uses no space".to_owned(),
            bytes => format!("Under its new name it may still use {bytes} bytes"),
        };
        let sentence = format!(
            "the test file {} is no longer there: somebody moved it. {size}; look for it and \
             remove it",
            path.display()
        );
        Leftover { path: path.to_owned(), sentence, is_there: false }
    }
}

impl Pin {
    /// Creates a new test file through the handle of its folder, and holds it open.
    ///
    /// # Errors
    /// The system's error; `AlreadyExists` if the path exists, also as a link.
    pub fn create(path: &Path) -> io::Result<Pin> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_owned();
        let folder = Folder::open(path.parent().unwrap_or(Path::new("")))?;
        let handle = folder.create_new(&name)?;
        let id = id_of(&facts_of(&handle)?);
        let place = Some(Place { folder, name });
        Ok(Pin { path: path.to_owned(), place, id, handle, claims: false })
    }

    /// Holds an existing file or device open, and claims a device to be written.
    ///
    /// # Errors
    /// The system's error; `ResourceBusy` if the device is in use.
    pub fn hold(path: &Path, write: bool) -> io::Result<Pin> {
        // Holding a file needs no permission to read it, and changes nothing.
        let handle = hold(path)?;
        let id = id_of(&facts_of(&handle)?);
        let handle = match id.is_device() {
            true => open_device(path, write)?,
            false => handle,
        };
        if id_of(&facts_of(&handle)?) != id {
            return Err(io::Error::other("it was replaced while it was looked at"));
        }
        let claims = write && id.is_device();
        Ok(Pin { path: path.to_owned(), place: None, id, handle, claims })
    }

    /// The path by which jobs name it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of the file or device.
    pub fn id(&self) -> FileId {
        self.id
    }

    /// The open handle, for access without the name.
    pub fn handle(&self) -> &File {
        &self.handle
    }

    pub(crate) fn facts(&self) -> io::Result<FileFacts> {
        facts_of(&self.handle)
    }

    /// Opens it once more.
    ///
    /// # Errors
    /// [`PinError::Replaced`] if its path leads to something else by now.
    pub(crate) fn open(&self, how: &OpenHow) -> Result<File, PinError> {
        let how = OpenHow { create: false, exclusive: false, nonblock: true, ..*how };
        let opened = match &self.place {
            Some(place) => {
                let how = OpenHow { nofollow: true, ..how };
                fathom_engine::open_in(&place.folder, Path::new(&place.name), &self.path, &how)
            }
            None => fathom_engine::open(&self.path, &how),
        };
        let file = opened.map_err(|error| match self.met(&error.source) {
            Some(what) => PinError::Replaced(self.replaced(what)),
            None => PinError::Open(error),
        })?;
        let found = facts_of(&file).map_err(|e| RunError::file(&self.path, "looking at it", &e));
        match found {
            Ok(found) if id_of(&found) == self.id => Ok(file),
            Ok(_) => Err(PinError::Replaced(self.replaced("another file"))),
            Err(error) => Err(PinError::Replaced(error)),
        }
    }

    fn replaced(&self, what: &'static str) -> RunError {
        RunError::replaced(&self.path, what, self.place.is_some())
    }

    /// The other file at its path, if there is one. The error is examined first: the path may have
    /// changed again.
    fn met(&self, error: &io::Error) -> Option<&'static str> {
        let ours = self.place.is_some();
        let number = ErrorNumber::of(error);
        match () {
            () if number == ErrorNumber::ENOENT => Some("nothing"),
            () if number == ErrorNumber::ELOOP && ours => Some("a symbolic link"),
            // A FIFO without a reader, a socket, a device without a driver.
            () if number == ErrorNumber::ENXIO && ours => Some("another file"),
            () => self.what_is_there(),
        }
    }

    /// The other file at its path now, if there is one.
    fn what_is_there(&self) -> Option<&'static str> {
        let found = match &self.place {
            Some(place) => place.folder.look(&place.name),
            None => facts_at(&self.path).map(Some),
        };
        match found {
            Ok(None) => Some("nothing"),
            Err(error) if error.kind() == ErrorKind::NotFound => Some("nothing"),
            Err(_) => None,
            Ok(Some(found)) => match found.sort {
                FileSort::Link => Some("a symbolic link"),
                FileSort::Block if !self.id.is_device() => Some("a device"),
                FileSort::Block => None,
                FileSort::Regular if id_of(&found) == self.id => None,
                _ => Some("another file"),
            },
        }
    }

    /// Removes our test file from its folder, if its name still leads to it; a file that cannot be
    /// removed is at least emptied. Files that existed before are left alone.
    ///
    /// # Errors
    /// If the file still exists.
    pub fn remove(&self) -> Result<(), Leftover> {
        let Some(place) = &self.place else { return Ok(()) };
        let refused =
            |error: io::Error| Err(Leftover::refused(&self.path, &error, Some(self.empty())));
        match place.folder.look(&place.name) {
            Ok(Some(found)) if id_of(&found) == self.id => {
                match place.folder.remove_file(&place.name) {
                    Ok(()) => {
                        // A hard link to it must not keep its blocks.
                        self.empty();
                        Ok(())
                    }
                    Err(error) => refused(error),
                }
            }
            Ok(_) => match self.facts() {
                Ok(about) if about.links == 0 => Ok(()),
                _ => Err(Leftover::moved(&self.path, self.empty())),
            },
            Err(error) => refused(error),
        }
    }

    /// Cuts a file that still has a name to nothing; gives the bytes that it uses after that.
    fn empty(&self) -> u64 {
        match self.facts() {
            Ok(about) if about.links == 0 => 0,
            Ok(about) => match self.handle.set_len(0) {
                Ok(()) => 0,
                Err(_) => about.used_bytes,
            },
            Err(_) => 0,
        }
    }
}

/// Opens a device for reading, or for writing where only that is allowed; nothing is written.
fn open_device(path: &Path, claim: bool) -> io::Result<File> {
    let open = |write: bool| {
        let how = OpenHow { read: !write, write, exclusive: claim, ..OpenHow::default() };
        fathom_engine::open(path, &how).map_err(|error| error.source)
    };
    match open(false) {
        Err(error) if claim && error.kind() == io::ErrorKind::PermissionDenied => open(true),
        other => other,
    }
}

/// Claims a block device for writing, until the returned file is dropped.
///
/// # Errors
/// The system's error; `ResourceBusy` if the device is in use.
pub(crate) fn claim(path: &Path) -> io::Result<File> {
    open_device(path, true)
}

/// Why a held file could not be opened again.
#[derive(Debug)]
pub(crate) enum PinError {
    /// Its path leads to something else.
    Replaced(RunError),
    /// The system refused.
    Open(OpenError),
}

/// The files and devices that a command holds, for its runs.
#[derive(Clone, Debug, Default)]
pub struct Pins(Vec<Arc<Pin>>);

impl Pins {
    /// The one that jobs name by `path`.
    pub(crate) fn of(&self, path: &Path) -> Option<Arc<Pin>> {
        self.0.iter().find(|pin| pin.path == path).cloned()
    }

    /// The test file of ours that jobs name by `path`, open.
    pub fn test_file_at(&self, path: &Path) -> Option<&File> {
        let ours = self.0.iter().find(|pin| pin.place.is_some() && pin.path == path);
        ours.map(|pin| &pin.handle)
    }

    /// Whether the command has claimed a device.
    pub(crate) fn claims(&self, id: FileId) -> bool {
        self.0.iter().any(|pin| pin.claims && pin.id == id)
    }
}

impl FromIterator<Arc<Pin>> for Pins {
    fn from_iter<I: IntoIterator<Item = Arc<Pin>>>(pins: I) -> Pins {
        Pins(pins.into_iter().collect())
    }
}
