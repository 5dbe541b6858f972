//! The targets of an engine without targets: any name is valid, and none is opened.

use crate::error::RunError;
use crate::pins::Pin;
use crate::target_access::{FileKind, LookError, TargetAccess, TargetState};
use fathom_engine::{OpenError, OpenHow, TargetHandle};
use fathom_host::FileId;
use std::io;
use std::path::Path;

/// No targets.
#[derive(Debug)]
pub(crate) struct NoTargets;

impl TargetAccess for NoTargets {
    fn has_paths(&self) -> bool {
        false
    }

    fn look(&self, _: &Path, _: Option<&Pin>) -> Result<TargetState, LookError> {
        Ok(TargetState { kind: FileKind::Imaginary, size_bytes: 0, id: None })
    }

    fn open(&self, _: &Path, _: &OpenHow) -> Result<Option<TargetHandle>, OpenError> {
        Ok(None)
    }

    fn identity(&self, _: &TargetHandle) -> io::Result<Option<FileId>> {
        Ok(None)
    }

    fn exists(&self, _: &Path) -> bool {
        false
    }

    fn open_for_layout(&self, _: &Path, _: bool) -> io::Result<TargetHandle> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn make_folder_of(&self, _: &Path) -> Result<(), RunError> {
        Ok(())
    }

    fn remove(&self, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::NotFound.into())
    }
}
