//! The targets of I/O: a RAM-backed block device, files in memory, a file on the machine's disk.
//!
//! Each is created when the first row needs it and removed when [`Places`] is dropped, also on ^C
//! and after an error. All except one are filled with random bytes: zram stores no page that was
//! never written, and hardly any that compresses. The exception has pages of equal bytes, which
//! leave the kernel's block layer and nothing below it.

use crate::device::{LoopDevice, Zram};
use crate::nfs_server::{self, NfsServer};
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The device of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BenchDevice {
    /// No file: the null engine.
    Nothing,
    /// A compressed RAM disk, which completes each I/O in the call.
    Zram,
    /// The same with pages of zeros, of which it stores one word each.
    ZramAlike,
    /// A loop device over a file on tmpfs, whose I/Os complete in another thread.
    Loop,
    /// A file in the page cache of the machine's file system.
    Cached,
    /// A file on the machine's disk.
    Disk,
    /// A file on tmpfs.
    Tmpfs,
    /// A file of an NFS server on this machine; the place is its export's URL.
    Nfs,
}

/// Sizes of the targets, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Of the RAM-backed ones: as many blocks as the bare loops have offsets, and far more than a
    /// processor's cache.
    pub memory_bytes: u64,
    /// Of the file on the disk.
    pub disk_bytes: u64,
}

impl Default for Sizes {
    fn default() -> Sizes {
        Sizes { memory_bytes: 256 << 20, disk_bytes: 1 << 30 }
    }
}

/// The targets created so far.
pub struct Places {
    sizes: Sizes,
    zram: Option<Zram>,
    alike: Option<Zram>,
    // Before the folder of its file.
    loop_device: Option<LoopDevice>,
    nfs_server: Option<NfsServer>,
    shared_memory: Option<TempDir>,
    folder: TempDir,
}

impl Places {
    /// With a new folder in `dir`.
    pub fn new(dir: &Path, sizes: Sizes) -> Result<Places> {
        let folder = tempfile::Builder::new().prefix("fathom-bench-").tempdir_in(dir);
        let folder =
            folder.with_context(|| format!("no folder can be made in {}", dir.display()))?;
        Ok(Places {
            sizes,
            zram: None,
            alike: None,
            loop_device: None,
            nfs_server: None,
            shared_memory: None,
            folder,
        })
    }

    /// The folder, which is removed at the end.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The path of a place, made if it is not there; an error is the reason to skip the row.
    pub fn path(&mut self, place: BenchDevice) -> Result<PathBuf> {
        match place {
            BenchDevice::Nothing => Ok(PathBuf::new()),
            BenchDevice::Zram => {
                let random = || Ok(File::open("/dev/urandom")?);
                zram(&mut self.zram, self.sizes.memory_bytes, random)
            }
            BenchDevice::ZramAlike => {
                zram(&mut self.alike, self.sizes.memory_bytes, || Ok(io::repeat(0)))
            }
            BenchDevice::Loop => self.loop_device(),
            BenchDevice::Tmpfs => self.tmpfs("file"),
            BenchDevice::Cached => {
                let path = self.folder().join("cached");
                filled(&path, self.sizes.memory_bytes)?;
                read_through(&path)?;
                Ok(path)
            }
            BenchDevice::Disk => {
                let path = self.folder().join("disk");
                filled(&path, self.sizes.disk_bytes)?;
                Ok(path)
            }
            BenchDevice::Nfs => {
                if self.nfs_server.is_none() {
                    self.nfs_server = Some(NfsServer::start()?);
                }
                Ok(nfs_server::URL.into())
            }
        }
    }

    /// The server that a place is on, if it is on one.
    pub fn nfs_server(&self, place: BenchDevice) -> Option<&NfsServer> {
        self.nfs_server.as_ref().filter(|_| place == BenchDevice::Nfs)
    }

    fn loop_device(&mut self) -> Result<PathBuf> {
        if self.loop_device.is_none() {
            let file = self.tmpfs("behind a loop device")?;
            self.loop_device = Some(LoopDevice::over(&file)?);
        }
        let device = self.loop_device.as_ref().context("was made above")?;
        Ok(device.path.clone())
    }

    fn tmpfs(&mut self, name: &str) -> Result<PathBuf> {
        const SHARED_MEMORY: &str = "/dev/shm";
        let mounts = fs::read_to_string("/proc/mounts").context("/proc/mounts")?;
        let is_tmpfs = |line: &str| line.split(' ').skip(1).take(2).eq([SHARED_MEMORY, "tmpfs"]);
        ensure!(mounts.lines().any(is_tmpfs), "{SHARED_MEMORY} is not a tmpfs here");
        if self.shared_memory.is_none() {
            let made = tempfile::Builder::new().prefix("fathom-bench-").tempdir_in(SHARED_MEMORY);
            self.shared_memory = Some(made.context(SHARED_MEMORY)?);
        }
        let folder = self.shared_memory.as_ref().context("was made above")?;
        let path = folder.path().join(name);
        filled(&path, self.sizes.memory_bytes)?;
        Ok(path)
    }
}

/// A zram device filled with `content`, created if there is none yet.
fn zram<R: Read>(
    slot: &mut Option<Zram>,
    bytes: u64,
    content: impl FnOnce() -> Result<R>,
) -> Result<PathBuf> {
    if slot.is_none() {
        let zram = Zram::new(bytes)?;
        fill(&zram.path(), bytes, content()?)?;
        *slot = Some(zram);
    }
    let zram = slot.as_ref().context("was made above")?;
    Ok(zram.path())
}

/// Fills the file with random bytes, unless it exists.
fn filled(path: &Path, bytes: u64) -> Result<()> {
    if !path.exists() {
        File::create_new(path).with_context(|| path.display().to_string())?;
        fill(path, bytes, File::open("/dev/urandom").context("/dev/urandom")?)?;
    }
    Ok(())
}

fn fill(path: &Path, bytes: u64, mut content: impl Read) -> Result<()> {
    let what = || format!("cannot fill {}", path.display());
    let mut target = fs::OpenOptions::new().write(true).open(path).with_context(what)?;
    let mut buffer = vec![0; 1 << 20];
    let mut left = bytes;
    while left > 0 {
        let chunk = &mut buffer[..left.min(1 << 20) as usize];
        content.read_exact(chunk).context("what is to be written")?;
        target.write_all(chunk).with_context(what)?;
        left -= chunk.len() as u64;
    }
    target.sync_all().with_context(what)
}

/// Reads the file, so that it is in the page cache.
fn read_through(path: &Path) -> Result<()> {
    let mut file = File::open(path).with_context(|| path.display().to_string())?;
    let mut buffer = vec![0; 1 << 20];
    while file.read(&mut buffer).with_context(|| path.display().to_string())? > 0 {}
    Ok(())
}
