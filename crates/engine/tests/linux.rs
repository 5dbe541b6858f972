//! Parts that Linux alone has: devices and file systems of a test's own.

use crate::parts::disk_folder;
use std::fs::{File, OpenOptions};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

/// Opens a file for reading and writing, making it where it is not there.
pub fn open_rw(path: &Path) -> File {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    options.open(path).expect("opens the test file")
}

/// What a program printed, trimmed; the reason where it failed or is not there.
pub fn output_of(program: &str, args: &[&str]) -> Result<String, String> {
    let output = std::process::Command::new(program).args(args).output();
    let output = output.map_err(|error| format!("{program}: {error}"))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{program} {}: {}", args.join(" "), text.trim()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().into())
}

/// A loop device over a file of its own.
pub struct LoopDevice {
    pub path: PathBuf,
    pub backing: PathBuf,
    _folder: tempfile::TempDir,
}

impl LoopDevice {
    /// Attaches a device of `size` bytes; the reason where this machine cannot.
    pub fn new(size: u64) -> Result<LoopDevice, String> {
        let folder = disk_folder();
        let backing = folder.path().join("backing");
        open_rw(&backing).set_len(size).map_err(|error| error.to_string())?;
        let file = backing.to_str().expect("a plain path");
        let path = output_of("losetup", &["--find", "--show", file])?.into();
        Ok(LoopDevice { path, backing, _folder: folder })
    }
}

impl Drop for LoopDevice {
    fn drop(&mut self) {
        let _ = output_of("losetup", &["-d", &self.path.to_string_lossy()]);
    }
}

/// A tmpfs of its own, which goes when this does: it is taken out of the tree as soon as it is
/// open, so that not even a killed test leaves it behind.
pub struct SmallTmpfs {
    root: File,
}

impl SmallTmpfs {
    /// Mounts one of `size` bytes; the reason where this machine cannot.
    pub fn new(size: u64) -> Result<SmallTmpfs, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let (option, at) = (format!("size={size}"), folder.path().to_string_lossy());
        output_of("mount", &["-t", "tmpfs", "-o", &option, "fathom-test", &at])?;
        let root = File::open(folder.path()).map_err(|error| error.to_string());
        output_of("umount", &["--lazy", &at])?;
        Ok(SmallTmpfs { root: root? })
    }

    pub fn path(&self) -> PathBuf {
        format!("/proc/self/fd/{}", self.root.as_raw_fd()).into()
    }
}
