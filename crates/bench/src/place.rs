//! Where I/O goes: a RAM-backed block device, files in memory, a file on the machine's disk.
//!
//! Each is made when the first row asks for it and removed when [`Places`] is dropped, which
//! also happens on ^C and after an error. All of them are full of random bytes: zram keeps no
//! page of what was never written, and hardly any of what compresses.

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::Duration;
use tempfile::TempDir;

/// What a row runs on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// No file: the null engine.
    Nothing,
    /// A compressed RAM disk, which completes each I/O in the call.
    Zram,
    /// A file in the page cache of the machine's file system.
    Cached,
    /// A file on the machine's disk.
    Disk,
    /// A file on tmpfs.
    Tmpfs,
}

/// Sizes of what is made, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// Of the RAM-backed ones: as many blocks as the bare loops have offsets, and far more than a
    /// processor's cache holds.
    pub memory_bytes: u64,
    /// Of the file on the disk.
    pub disk_bytes: u64,
}

impl Default for Sizes {
    fn default() -> Sizes {
        Sizes { memory_bytes: 256 << 20, disk_bytes: 1 << 30 }
    }
}

/// What has been made so far.
pub struct Places {
    sizes: Sizes,
    zram: Option<Zram>,
    shared_memory: Option<TempDir>,
    folder: TempDir,
}

impl Places {
    /// With a folder of its own in `dir`.
    pub fn new(dir: &Path, sizes: Sizes) -> Result<Places> {
        let folder = tempfile::Builder::new().prefix("fathom-bench-").tempdir_in(dir);
        let folder =
            folder.with_context(|| format!("no folder can be made in {}", dir.display()))?;
        Ok(Places { sizes, zram: None, shared_memory: None, folder })
    }

    /// The folder that goes away in the end.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The path of a place, made if it is not there; an error is the reason to skip the row.
    pub fn path(&mut self, place: Place) -> Result<PathBuf> {
        match place {
            Place::Nothing => Ok(PathBuf::new()),
            Place::Zram => self.zram(),
            Place::Tmpfs => self.tmpfs(),
            Place::Cached => {
                let path = self.folder().join("cached");
                filled(&path, self.sizes.memory_bytes)?;
                read_through(&path)?;
                Ok(path)
            }
            Place::Disk => {
                let path = self.folder().join("disk");
                filled(&path, self.sizes.disk_bytes)?;
                Ok(path)
            }
        }
    }

    fn zram(&mut self) -> Result<PathBuf> {
        if self.zram.is_none() {
            self.zram = Some(Zram::new(self.sizes.memory_bytes)?);
        }
        let zram = self.zram.as_ref().context("was made above")?;
        Ok(zram.device())
    }

    fn tmpfs(&mut self) -> Result<PathBuf> {
        const SHARED_MEMORY: &str = "/dev/shm";
        let mounts = fs::read_to_string("/proc/mounts").context("/proc/mounts")?;
        let is_tmpfs = |line: &str| line.split(' ').skip(1).take(2).eq([SHARED_MEMORY, "tmpfs"]);
        ensure!(mounts.lines().any(is_tmpfs), "{SHARED_MEMORY} is not a tmpfs here");
        if self.shared_memory.is_none() {
            let made = tempfile::Builder::new().prefix("fathom-bench-").tempdir_in(SHARED_MEMORY);
            self.shared_memory = Some(made.context(SHARED_MEMORY)?);
        }
        let folder = self.shared_memory.as_ref().context("was made above")?;
        let path = folder.path().join("file");
        filled(&path, self.sizes.memory_bytes)?;
        Ok(path)
    }
}

/// A zram device of our own.
struct Zram {
    number: u32,
    /// Whether it was added for us, and goes away again.
    added: bool,
}

impl Zram {
    /// A new device through zram-control, else the first one if nobody has set it up.
    fn new(bytes: u64) -> Result<Zram> {
        let zram = match fs::read_to_string("/sys/class/zram-control/hot_add") {
            Ok(number) => Zram { number: number.trim().parse()?, added: true },
            Err(no_control) => {
                let Ok(size) = fs::read_to_string("/sys/block/zram0/disksize") else {
                    bail!("no zram device can be made: {no_control} (modprobe zram, as root)");
                };
                ensure!(size.trim() == "0", "/dev/zram0 is in use, and no other can be made");
                Zram { number: 0, added: false }
            }
        };
        let size = zram.attribute("disksize");
        fs::write(&size, bytes.to_string()).with_context(|| format!("cannot set {size}"))?;
        fill(&zram.device(), bytes)?;
        Ok(zram)
    }

    fn device(&self) -> PathBuf {
        format!("/dev/zram{}", self.number).into()
    }

    fn attribute(&self, name: &str) -> String {
        format!("/sys/block/zram{}/{name}", self.number)
    }
}

impl Drop for Zram {
    fn drop(&mut self) {
        // A process that was just killed may still hold it for a moment.
        for _ in 0..100 {
            let reset = fs::write(self.attribute("reset"), "1");
            if reset.is_ok() {
                break;
            }
            sleep(Duration::from_millis(20));
        }
        if self.added {
            let removed = fs::write("/sys/class/zram-control/hot_remove", self.number.to_string());
            if let Err(error) = removed {
                eprintln!("/dev/zram{} could not be removed: {error}", self.number);
            }
        }
    }
}

/// Makes the file full of random bytes, unless it is there.
fn filled(path: &Path, bytes: u64) -> Result<()> {
    if !path.exists() {
        File::create_new(path).with_context(|| path.display().to_string())?;
        fill(path, bytes)?;
    }
    Ok(())
}

fn fill(path: &Path, bytes: u64) -> Result<()> {
    let what = || format!("cannot fill {}", path.display());
    let mut random = File::open("/dev/urandom").context("/dev/urandom")?;
    let mut target = fs::OpenOptions::new().write(true).open(path).with_context(what)?;
    let mut buffer = vec![0; 1 << 20];
    let mut left = bytes;
    while left > 0 {
        let chunk = &mut buffer[..left.min(1 << 20) as usize];
        random.read_exact(chunk).context("/dev/urandom")?;
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
