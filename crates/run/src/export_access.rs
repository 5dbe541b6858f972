//! Targets that are files of an NFS export: names below its root.
//!
//! The export is mounted when the first of them is examined, once for all clones of a job; a failed
//! mount is reported for each target.

use crate::error::RunError;
use crate::pins::Pin;
use crate::target_access::{FileKind, LookError, TargetAccess, TargetState};
use fathom_engine::mount_export;
use fathom_engine::{NfsError, NfsExport, NfsFile, OpenError, OpenHow, TargetHandle};
use fathom_host::{FileId, Host};
use fathom_vocab::NfsUrl;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// Files of an export.
#[derive(Debug)]
pub(crate) struct ExportAccess {
    url: NfsUrl,
    mounted: Mutex<Option<Arc<NfsExport>>>,
}

impl ExportAccess {
    /// Of the export that `url` names.
    pub fn new(url: NfsUrl) -> ExportAccess {
        ExportAccess { url, mounted: Mutex::new(None) }
    }

    fn export(&self) -> Result<Arc<NfsExport>, NfsError> {
        let mut mounted = self.mounted.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(export) = &*mounted {
            return Ok(export.clone());
        }
        let export = Arc::new(mount_export(&self.url)?);
        *mounted = Some(export.clone());
        Ok(export)
    }

    fn name<'a>(&self, path: &'a Path) -> Result<&'a str, NfsError> {
        path.to_str().ok_or_else(|| NfsError::Name {
            name: path.display().to_string(),
            why: "is no text; give a name in UTF-8",
        })
    }

    /// Does something with the export and a name.
    fn with<T>(
        &self,
        path: &Path,
        work: impl FnOnce(&Arc<NfsExport>, &str) -> Result<T, NfsError>,
    ) -> Result<T, NfsError> {
        work(&self.export()?, self.name(path)?)
    }
}

impl TargetAccess for ExportAccess {
    fn has_paths(&self) -> bool {
        false
    }

    fn shown(&self, path: &Path) -> PathBuf {
        self.url.name_of(&path.to_string_lossy()).into()
    }

    fn look(&self, path: &Path, _: Option<&Pin>) -> Result<TargetState, LookError> {
        let found = self.with(path, |export, name| export.look(name));
        let found = found.map_err(|error| {
            LookError::Failed(RunError::file(&self.shown(path), "looking at it", &error.into()))
        })?;
        Ok(match found {
            None => TargetState::ABSENT,
            Some(found) => {
                TargetState { kind: FileKind::Regular, size_bytes: found.attributes.size, id: None }
            }
        })
    }

    fn open(&self, path: &Path, how: &OpenHow) -> Result<Option<TargetHandle>, OpenError> {
        let opened = self.with(path, |export, name| NfsFile::open(export, name, how));
        opened.map(|file| Some(file.into())).map_err(|error| OpenError {
            path: self.shown(path),
            source: error.into(),
            advice: String::new(),
        })
    }

    fn identity(&self, _: &TargetHandle) -> io::Result<Option<FileId>> {
        Ok(None)
    }

    fn server(&self, _: &Host, _: &Path) -> Option<SocketAddr> {
        self.export().ok().map(|export| export.server())
    }

    fn exists(&self, path: &Path) -> bool {
        self.with(path, |export, name| export.look(name)).is_ok_and(|found| found.is_some())
    }

    fn open_for_layout(&self, path: &Path, create: bool) -> io::Result<TargetHandle> {
        let how = OpenHow { write: true, create, ..OpenHow::default() };
        let opened = self.with(path, |export, name| NfsFile::open(export, name, &how))?;
        Ok(opened.into())
    }

    fn make_folder_of(&self, path: &Path) -> Result<(), RunError> {
        let made = self.with(path, |export, name| export.make_folders_of(name));
        made.map_err(|error| RunError::file(&self.shown(path), "making its folder", &error.into()))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        Ok(self.with(path, |export, name| export.remove(name))?)
    }
}
