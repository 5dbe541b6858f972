//! Scratch files for measuring what a host can drive: one in memory, one under a page cache.

use crate::testfile::{TestFile, TestFiles};
use fathom_host::{Host, Storage};
use std::path::{Path, PathBuf};

/// Files to run on; each exists, is ours, and is removed by its creator.
#[derive(Clone, Debug, Default)]
pub struct Scratch {
    /// A file in tmpfs, or why there is none.
    pub tmpfs: Option<PathBuf>,
    /// A file on a file system with a page cache.
    pub page_cache: Option<PathBuf>,
}

/// Folders for scratch files.
#[derive(Clone, Debug, Default)]
pub struct ScratchFolders {
    /// Folders for temporary files, in the order in which they are tried. One in memory has no page
    /// cache above a file system, so it is tried last.
    pub folders: Vec<PathBuf>,
    /// A number that differs from run to run: it names the files.
    pub entropy: u64,
}

/// Where memory is a file system.
const SHARED_MEMORY: &str = "/dev/shm";

impl ScratchFolders {
    /// Empty files to measure on, with the guards that remove them; if no folder accepts one, on
    /// one of `targets`.
    pub fn make(
        &self,
        host: &Host,
        files: &TestFiles,
        targets: &[PathBuf],
    ) -> (Scratch, Vec<TestFile>) {
        let shared = Path::new(SHARED_MEMORY);
        let tmpfs = is_memory(host, shared).then(|| self.file_in(files, shared, 0)).flatten();
        let all = || self.folders.iter().chain(targets.iter().filter(|path| path.is_dir()));
        let on_disk = all().filter(|folder| !is_memory(host, folder));
        let page_cache = on_disk.chain(all()).find_map(|folder| self.file_in(files, folder, 1));
        let path = |guard: &Option<TestFile>| guard.as_ref().map(|it| it.path().to_owned());
        let scratch = Scratch { tmpfs: path(&tmpfs), page_cache: path(&page_cache) };
        (scratch, tmpfs.into_iter().chain(page_cache).collect())
    }

    fn file_in(&self, files: &TestFiles, folder: &Path, number: u64) -> Option<TestFile> {
        let name = format!(".fathom-doctor-{:016x}", self.entropy ^ number);
        files.create(&folder.join(name)).ok()
    }
}

fn is_memory(host: &Host, folder: &Path) -> bool {
    matches!(host.storage_of(folder), Ok(Storage::Memory { .. }))
}
