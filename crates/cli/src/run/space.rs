//! Files that jobs would make and that do not fit into the free space of their file systems.

use fathom_campaign::binary_bytes;
use fathom_host::Host;
use fathom_run::{Foreseen, ForeseenFile, missing_bytes_by_file};
use fathom_text::{Text, text};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A file system that is too small for the files that jobs would make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shortage {
    /// Where it is mounted.
    pub mount_point: PathBuf,
    /// The files.
    pub paths: Vec<PathBuf>,
    /// Bytes that they need beside those that they have.
    pub needed_bytes: u64,
    /// Bytes that are free there.
    pub free_bytes: u64,
}

impl Shortage {
    /// What does not fit, and what to do.
    pub fn sentence(&self) -> Text {
        text!(
            "The files need {}, and {} are free at {}: jobs will fail for want of space. Free \
             some, or give a smaller size=.",
            binary_bytes(self.needed_bytes),
            binary_bytes(self.free_bytes),
            self.mount_point.display()
        )
    }
}

/// The file systems of this machine that are too small for what jobs make.
pub fn shortages(all: &[Foreseen], machine: &Host) -> Vec<Shortage> {
    let place = |path: &Path| {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let mount = machine.mount_of(folder).ok().filter(|mount| mount.fstype != "block")?;
        // File systems such as /proc have no size.
        let space = machine.file_system(folder).ok().filter(|space| space.total_bytes > 0)?;
        Some((mount.mount_point, space.free_bytes))
    };
    lacking(all.iter().flat_map(|of| &of.files), place)
}

/// The same, where `place` says of a path where its file system is mounted and what is free there.
fn lacking<'f>(
    files: impl Iterator<Item = &'f ForeseenFile>,
    place: impl Fn(&Path) -> Option<(PathBuf, u64)>,
) -> Vec<Shortage> {
    let mut shortages: BTreeMap<PathBuf, Shortage> = BTreeMap::new();
    for (path, bytes) in missing_bytes_by_file(files) {
        let Some((mount_point, free_bytes)) = place(path) else { continue };
        let shortage = shortages.entry(mount_point.clone()).or_insert_with(|| Shortage {
            mount_point,
            paths: Vec::new(),
            needed_bytes: 0,
            free_bytes,
        });
        shortage.needed_bytes = shortage.needed_bytes.saturating_add(bytes);
        shortage.paths.push(path.to_owned());
    }
    shortages.into_values().filter(|of| of.needed_bytes > of.free_bytes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_told_once_for_each_file_system() {
        const MIB: u64 = 1 << 20;
        let file = |path: &str, missing_bytes: u64| ForeseenFile {
            path: path.into(),
            bytes: missing_bytes,
            missing_bytes,
            filled: false,
        };
        let place = |path: &Path| {
            let mount = path.parent()?.to_owned();
            let free_bytes = if mount == Path::new("/small") { 30 * MIB } else { 1000 * MIB };
            Some((mount, free_bytes))
        };
        let files = [
            file("/small/a", 20 * MIB),
            file("/small/a", 16 * MIB),
            file("/small/b", 20 * MIB),
            file("/large/a", 200 * MIB),
        ];
        let found = lacking(files.iter(), place);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].paths, [Path::new("/small/a"), Path::new("/small/b")]);
        assert_eq!(
            found[0].sentence().to_string(),
            "The files need 40 MiB, and 30 MiB are free at /small: jobs will fail for want of \
             space. Free some, or give a smaller size=."
        );
        assert_eq!(lacking(files[..2].iter(), place), []);
    }
}
