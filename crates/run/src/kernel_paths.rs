//! Targets that are paths of the kernel: files and devices.

use crate::error::RunError;
use crate::file_id::id_of;
use crate::pins::Pin;
use crate::target_access::{FileKind, LookError, TargetAccess, TargetState};
use fathom_engine::{FileSort, OpenError, OpenHow, TargetHandle, facts_at, facts_of};
use fathom_host::{FileId, Host, Storage};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr};
use std::path::Path;

/// Where NFS servers listen unless a mount says another port.
const NFS_PORT: u16 = 2049;

/// Files and devices by their paths.
#[derive(Debug)]
pub(crate) struct KernelPaths;

impl TargetAccess for KernelPaths {
    fn has_paths(&self) -> bool {
        true
    }

    fn look(&self, path: &Path, pin: Option<&Pin>) -> Result<TargetState, LookError> {
        let about = match pin {
            Some(pin) => pin.facts(),
            None => facts_at(path),
        };
        let about = match about {
            Ok(about) => about,
            // It does not exist yet; if it cannot be created, layout reports it and only its job
            // fails.
            Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                return Ok(TargetState::ABSENT);
            }
            Err(e) => {
                return Err(LookError::Failed(RunError::file(path, "looking at the file", &e)));
            }
        };
        refuse_unfit(path, about.sort)?;
        let (kind, size_bytes) = match about.sort {
            FileSort::Block => (FileKind::Block, device_size(path, pin)?),
            FileSort::Regular => (FileKind::Regular, about.len_bytes),
            _ => (FileKind::Special, 0),
        };
        Ok(TargetState { kind, size_bytes, id: Some(id_of(&about)) })
    }

    fn open(&self, path: &Path, how: &OpenHow) -> Result<Option<TargetHandle>, OpenError> {
        TargetHandle::open_path(path, how).map(Some)
    }

    fn identity(&self, target: &TargetHandle) -> io::Result<Option<FileId>> {
        let Some(file) = target.file() else { return Ok(None) };
        Ok(Some(id_of(&facts_of(file)?)))
    }

    /// That of a mount over TCP, which says its address.
    fn server(&self, host: &Host, path: &Path) -> Option<SocketAddr> {
        let Ok(Storage::Network { fstype, options, .. }) = host.storage_of(path) else {
            return None;
        };
        let option = |name: &str| {
            options.iter().find_map(|option| option.strip_prefix(name)?.strip_prefix('='))
        };
        let address: IpAddr = option("addr")?.parse().ok()?;
        let port = option("port").and_then(|port| port.parse().ok()).filter(|port| *port > 0);
        let is_nfs = matches!(fstype.as_str(), "nfs" | "nfs4") && option("proto") != Some("rdma");
        is_nfs.then(|| SocketAddr::new(address, port.unwrap_or(NFS_PORT)))
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

/// Refuses a path on which no job can work, and names an alternative.
fn refuse_unfit(path: &Path, sort: FileSort) -> Result<(), LookError> {
    let shown = path.display();
    Err(LookError::Unfit(match sort {
        FileSort::Folder => {
            format!("{shown} is a folder; give it as directory=, or name a file in it")
        }
        // Opening one waits for a process at its other end, for ever if there is none.
        FileSort::Pipe => format!("{shown} is a pipe; name a file or a device"),
        FileSort::Socket => format!("{shown} is a socket; name a file or a device"),
        _ => return Ok(()),
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
