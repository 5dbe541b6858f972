//! Users of files and devices that do not claim them: loop devices and swap files.
//!
//! The kernel claims a device behind a loop device only during its set-up; a file behind a loop
//! device or used for swapping is not claimed at all. So both lists are read, and compared by
//! number: a name may have been given to another file since.

use crate::linux::mount::unescape;
use crate::source::LoopReader;
use crate::{FileId, Host};
use std::ffi::OsString;
use std::fs::{self, File};
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

/// Loop devices with their backing files, and swap files.
#[derive(Clone, Debug, Default)]
pub struct HostBacking {
    /// Name of the loop device, and its backing file.
    loops: Vec<(String, FileId)>,
    /// Swap files.
    swaps: Vec<(PathBuf, FileId)>,
}

impl HostBacking {
    /// Names of the loop devices that are set up over a file or device.
    pub(crate) fn loops_over(&self, id: FileId) -> impl Iterator<Item = &str> {
        self.loops.iter().filter(move |(_, behind)| *behind == id).map(|(name, _)| name.as_str())
    }

    /// The swap file that it is, if it is one.
    pub(crate) fn swap_file(&self, id: FileId) -> Option<&Path> {
        self.swaps.iter().find(|(_, file)| *file == id).map(|(path, _)| path.as_path())
    }
}

impl Host {
    /// The users of files and devices at this moment.
    pub fn backing(&self) -> HostBacking {
        let names = self.names("/sys/class/block");
        let loops = names.into_iter().filter_map(|name| Some((name.clone(), self.behind(&name)?)));
        HostBacking { loops: loops.collect(), swaps: self.swap_files() }
    }

    /// The backing file of a loop device: by the kernel's numbers if possible, otherwise by its
    /// name in sysfs.
    fn behind(&self, name: &str) -> Option<FileId> {
        let attribute = Path::new("/sys/class/block").join(name).join("loop/backing_file");
        let file = PathBuf::from(self.text(attribute)?);
        let node = Path::new("/dev").join(name);
        let ask = |reader: LoopReader| reader(&File::open(node).ok()?).ok();
        self.loop_reader().and_then(ask).or_else(|| self.id_of(&file))
    }

    fn swap_files(&self) -> Vec<(PathBuf, FileId)> {
        let swaps = self.text("/proc/swaps").unwrap_or_default();
        let paths = swaps.lines().skip(1).filter_map(|line| line.split_whitespace().next());
        let path = |field: &str| PathBuf::from(OsString::from_vec(unescape(field.as_bytes())));
        let files = paths.map(path).filter_map(|path| Some((path.clone(), self.id_of(&path)?)));
        files.filter(|(_, id)| !id.is_device()).collect()
    }

    fn id_of(&self, path: &Path) -> Option<FileId> {
        match self.is_real() {
            true => fs::metadata(path).ok().map(|about| FileId::of(&about)),
            false => {
                let (major, minor) = self.block_number(path)?;
                Some(FileId::Device { major, minor })
            }
        }
    }
}
