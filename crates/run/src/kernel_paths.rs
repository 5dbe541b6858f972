//! Targets that are paths of the kernel: files and devices.

use crate::error::RunError;
use crate::pins::Pin;
use crate::target_access::{FileKind, LookError, TargetAccess, TargetState};
use fathom_engine::{OpenError, OpenHow, TargetHandle};
use fathom_host::FileId;
use std::fs::{self, File, FileType, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileTypeExt;
use std::path::Path;

/// Files and devices by their paths.
#[derive(Debug)]
pub(crate) struct KernelPaths;

impl TargetAccess for KernelPaths {
    fn has_paths(&self) -> bool {
        true
    }

    fn look(&self, path: &Path, pin: Option<&Pin>) -> Result<TargetState, LookError> {
        let about = match pin {
            Some(pin) => pin.metadata(),
            None => fs::metadata(path),
        };
        let meta = match about {
            Ok(meta) => meta,
            // Not there yet; where it cannot be made, layout says so and only its job fails.
            Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(TargetState::ABSENT);
            }
            Err(e) => {
                return Err(LookError::Failed(RunError::file(path, "looking at the file", &e)));
            }
        };
        let kind = meta.file_type();
        refuse_unfit(path, kind)?;
        let (kind, size_bytes) = match () {
            () if kind.is_block_device() => (FileKind::Block, device_size(path, pin)?),
            () if kind.is_file() => (FileKind::Regular, meta.len()),
            () => (FileKind::Special, 0),
        };
        Ok(TargetState { kind, size_bytes, id: Some(FileId::of(&meta)) })
    }

    fn open(&self, path: &Path, how: &OpenHow) -> Result<Option<TargetHandle>, OpenError> {
        TargetHandle::open_path(path, how).map(Some)
    }

    fn identity(&self, target: &TargetHandle) -> io::Result<Option<FileId>> {
        let Some(file) = target.file() else { return Ok(None) };
        Ok(Some(FileId::of(&file.metadata()?)))
    }

    fn exists(&self, path: &Path) -> bool {
        path.exists()
    }

    fn open_for_layout(&self, path: &Path, create: bool) -> io::Result<TargetHandle> {
        OpenOptions::new()
            .write(true)
            .create(create)
            .truncate(false)
            .open(path)
            .map(TargetHandle::from)
    }

    fn make_folder_of(&self, path: &Path) -> Result<(), RunError> {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let Some(parent) = parent else { return Ok(()) };
        fs::create_dir_all(parent).map_err(|e| RunError::file(parent, "making the folder", &e))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }
}

/// Refuses what no job works on, with what to name instead.
fn refuse_unfit(path: &Path, kind: FileType) -> Result<(), LookError> {
    let shown = path.display();
    Err(LookError::Unfit(match () {
        () if kind.is_dir() => {
            format!("{shown} is a folder; give it as directory=, or name a file in it")
        }
        // Opening one waits for whoever is at its other end, for ever if nobody is.
        () if kind.is_fifo() => format!("{shown} is a pipe; name a file or a device"),
        () if kind.is_socket() => format!("{shown} is a socket; name a file or a device"),
        () => return Ok(()),
    }))
}

fn device_size(path: &Path, pin: Option<&Pin>) -> Result<u64, LookError> {
    let size = match pin {
        Some(pin) => fathom_engine::size_bytes(pin.handle()),
        None => File::open(path).and_then(|file| fathom_engine::size_bytes(&file)),
    };
    let what = "asking the device for its size";
    size.map_err(|e| LookError::Failed(RunError::file(path, what, &e)))
}
