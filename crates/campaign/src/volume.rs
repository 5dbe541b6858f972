//! Examines a target: the entry at its path, and the devices below. Facts only, no decision.

use crate::export_volume::{examine_export, export_of, name_in};
use crate::target_error::TargetError;
pub(crate) use fathom_document::{TargetKind, Volume};
use fathom_host::{EntryKind, FileId, Host, HostError};
use fathom_text::Text;
use fathom_vocab::Target;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

fn unreadable(path: &Path, why: &impl std::fmt::Display) -> TargetError {
    TargetError::Unreadable { path: path.to_owned(), why: Text::of(why) }
}

/// Examines `target`.
///
/// # Errors
/// If it cannot be measured: missing folder, no permission, a socket.
pub fn examine_volume(host: &Host, target: &Target) -> Result<Volume, TargetError> {
    let path = match target {
        Target::Path(path) => path,
        Target::Export(url) => return examine_export(url),
    };
    let kind = kind_of(host, path)?;
    let words = |error: HostError| unreadable(path, &error);
    let mount = host.mount_of(path).map_err(words)?;
    let storage = host.storage_of(path).map_err(words)?;
    let space = match kind {
        TargetKind::Device { .. } => None,
        _ => Some(host.file_system(path).map_err(words)?),
    };
    let name = target.to_string();
    Ok(Volume {
        name,
        target: target.clone(),
        kind,
        mount,
        storage,
        space,
        cluster: None,
        clients: None,
    })
}

fn kind_of(host: &Host, path: &Path) -> Result<TargetKind, TargetError> {
    if host.names_device(path) {
        return device(host, path);
    }
    let about = match fs::metadata(path) {
        Ok(about) => about,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return new_file(path),
        Err(error) => return Err(unreadable(path, &error)),
    };
    match EntryKind::of(&about) {
        EntryKind::Folder => Ok(TargetKind::Folder),
        EntryKind::File => existing_file(host, path, &about),
        EntryKind::BlockDevice => device(host, path),
        _ => Err(TargetError::NoVolume { path: path.to_owned() }),
    }
}

fn existing_file(host: &Host, path: &Path, about: &Metadata) -> Result<TargetKind, TargetError> {
    let blocks_bytes = fathom_host::allocated_bytes(about);
    // Blocks that were never written read as holes do.
    let written = fs::File::open(path).and_then(|file| fathom_run::written_bytes(&file));
    let allocated_bytes = written.map_or(blocks_bytes, |written| written.min(blocks_bytes));
    let id = FileId::of_path(path).map_err(|error| unreadable(path, &error))?;
    let in_use = host.file_in_use(id, &host.backing());
    let in_use = in_use.map_err(|error| unreadable(path, &error))?;
    Ok(TargetKind::ExistingFile { size_bytes: about.len(), allocated_bytes, in_use })
}

/// A file can be created only in an existing folder: a misspelt path must not become a file.
fn new_file(path: &Path) -> Result<TargetKind, TargetError> {
    let parent = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let text = path.to_string_lossy();
    if !parent.is_dir() || text.ends_with(std::path::is_separator) {
        return Err(TargetError::Missing { path: path.to_owned() });
    }
    if path.starts_with("/dev") {
        return Err(TargetError::NoDevice { path: path.to_owned() });
    }
    Ok(TargetKind::NewFile)
}

fn device(host: &Host, path: &Path) -> Result<TargetKind, TargetError> {
    let about = host.device_at(path).map_err(|error| TargetError::Device(Text::of(error)))?;
    let (in_use, in_use_unknown) = match host.in_use(path) {
        Ok(uses) => (uses, None),
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    // Not being allowed to read the device shows when it is measured, with a better message.
    let data = host.data_on(path).ok().flatten().map(str::to_owned);
    Ok(TargetKind::Device { size_bytes: about.size_bytes, in_use, in_use_unknown, data })
}

/// The file or device for I/O: in a folder a test file with a unique name. Absolute, so that the
/// command stored with the result works from anywhere; in an export, the name there.
pub(crate) fn io_path(volume: &Volume, at: usize, entropy: u64) -> PathBuf {
    let path = match volume.target.absolute() {
        Target::Path(path) => path,
        Target::Export(url) => match export_of(volume) {
            Some(export) => name_in(&export, &url),
            None => PathBuf::new(),
        },
    };
    match volume.kind {
        TargetKind::Folder => path.join(format!(".fathom-{entropy:016x}-{at}")),
        _ => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_path_is_told_apart() {
        let folder = tempfile::tempdir().unwrap();
        let host = Host::real();
        let kind = |path: &Path| examine_volume(&host, &path.into()).map(|volume| volume.kind);
        assert_eq!(kind(folder.path()), Ok(TargetKind::Folder));
        let file = folder.path().join("data");
        assert_eq!(kind(&file), Ok(TargetKind::NewFile));
        fs::write(&file, [7; 5000]).unwrap();
        assert!(matches!(kind(&file), Ok(TargetKind::ExistingFile { size_bytes: 5000, .. })));
        let missing = kind(&folder.path().join("a/b")).unwrap_err().to_string();
        assert!(missing.contains("does not exist"), "{missing}");
        let null = kind(Path::new("/dev/null")).unwrap_err().to_string();
        assert!(null.contains("neither a folder"), "{null}");
        let misspelt = kind(Path::new("/dev/sdzz9")).unwrap_err().to_string();
        assert!(misspelt.contains("lsblk"), "{misspelt}");
    }
}
