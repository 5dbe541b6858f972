//! The folder of the verdict tests, for the files below the loop devices.
//!
//! Decided here: they are in memory. A virtual machine's disk has unknown limits of its own, and
//! then "no limit" is not certain. If memory is short the disk is used, with a note on the
//! consequence.

use super::bed::{DEVICE_MIB, tool};
use anyhow::{Context, Result};
use std::fs;
use std::path::{Path, PathBuf};

/// A file system in memory that every Linux has.
const IN_MEMORY: &str = "/dev/shm";
/// Memory that stays free for everything else.
const SPARE_MIB: u64 = 1024;

/// A folder of ours, removed when it is dropped.
pub struct BedFolder {
    /// Its path.
    pub path: PathBuf,
    /// The uncertainty caused by its location.
    pub caveat: Option<String>,
}

impl BedFolder {
    /// Creates it: in `wanted` if that is given, in memory if it has space for the devices of
    /// `together` situations, otherwise under `root`.
    pub fn new(root: &Path, wanted: Option<&Path>, together: usize) -> Result<BedFolder> {
        let needed_mib = 2 * DEVICE_MIB * together as u64 + SPARE_MIB;
        let own = format!("fathom-verdicts-{}", std::process::id());
        let (parent, caveat) = match (wanted, free_memory_mib()) {
            (Some(wanted), _) => (wanted.to_owned(), Some(on_disk("folder= names it"))),
            (None, Some(free)) if free >= needed_mib => (PathBuf::from(IN_MEMORY), None),
            (None, free) => {
                let free = free.map_or("unknown".to_owned(), |free| format!("{free} MiB"));
                let why = format!("{IN_MEMORY} needs {needed_mib} MiB, free: {free}");
                (root.join("target/verdicts"), Some(on_disk(&why)))
            }
        };
        let path = parent.join(own);
        fs::create_dir_all(&path).with_context(|| path.display().to_string())?;
        Ok(BedFolder { path, caveat })
    }
}

impl Drop for BedFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

fn on_disk(why: &str) -> String {
    format!(
        "The devices lie on a disk ({why}). If that disk has a limit of its own, situations \
         without a limit may be judged wrong."
    )
}

/// Maximum size of a file in memory: the space of the file system, and the machine's free memory.
fn free_memory_mib() -> Option<u64> {
    let text = tool("df", &["--output=avail", "-B1M", IN_MEMORY]).ok()?;
    let room: u64 = text.lines().last()?.trim().parse().ok()?;
    let memory = fs::read_to_string("/proc/meminfo").ok()?;
    Some(room.min(available_mib(&memory)?))
}

fn available_mib(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib >> 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_memory_is_read_from_the_kernel_s_text() {
        let text = "MemTotal: 999 kB\nMemAvailable:   2097152 kB\n";
        assert_eq!(available_mib(text), Some(2048));
        assert_eq!(available_mib("MemTotal: 1 kB"), None);
    }

    #[test]
    fn a_folder_that_is_named_is_used_and_removed() {
        let root = tempfile::tempdir().expect("a folder");
        let folder = BedFolder::new(root.path(), Some(root.path()), 3).expect("room");
        let path = folder.path.clone();
        assert!(path.is_dir() && folder.caveat.is_some());
        drop(folder);
        assert!(!path.exists());
    }
}
