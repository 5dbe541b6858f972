//! Lays a machine's `/proc` and `/sys` out in a folder from one text file.
//!
//! One file a machine and no tree in the repository, because sysfs is full of links and of names
//! with colons, which not every file system can check out. Lines are:
//!
//! - `/path = text`: a file with one line
//! - `/path <<`: a file with the lines that follow, up to a lone dot
//! - `/path -> target`: a link
//! - `/path/`: an empty folder
//!
//! As the kernel does, each folder of `/sys/devices` with a file `dev` gets its links in
//! `/sys/class/block` and `/sys/dev/block`.

use fathom_host::Host;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A machine in a folder that is removed at the end.
pub struct Machine {
    folder: TempDir,
}

impl Machine {
    /// Lays out `tests/fixtures/NAME.machine`; the tests of `doctor` do so, too.
    pub fn new(name: &str) -> Self {
        let file = format!("{}/../host/tests/fixtures/{name}.machine", env!("CARGO_MANIFEST_DIR"));
        let text = fs::read_to_string(file).unwrap();
        let machine = Machine { folder: tempfile::tempdir().unwrap() };
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            if let Some(path) = line.strip_suffix(" <<") {
                let body: Vec<&str> = lines.by_ref().take_while(|line| *line != ".").collect();
                machine.write(path, &(body.join("\n") + "\n"));
            } else if let Some((path, text)) = line.split_once(" = ") {
                machine.write(path, &format!("{text}\n"));
            } else if let Some((path, target)) = line.split_once(" -> ") {
                symlink(target, machine.ready(path)).unwrap();
            } else if line.starts_with('/') {
                fs::create_dir_all(machine.ready(line)).unwrap();
            }
        }
        machine
    }

    /// The machine, to be asked.
    pub fn host(&self) -> Host {
        Host::at(self.folder.path())
    }

    /// The real path of a path of the machine, with the folder around it made.
    fn ready(&self, path: &str) -> PathBuf {
        let path = self.folder.path().join(path.trim_matches('/'));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        path
    }

    /// Writes a file of the machine, and a device's links with its number.
    pub fn write(&self, path: &str, text: &str) {
        fs::write(self.ready(path), text).unwrap();
        let Some(device) = path.strip_suffix("/dev").and_then(|p| p.strip_prefix("/sys/")) else {
            return;
        };
        let name = Path::new(device).file_name().unwrap().to_str().unwrap();
        let target = Path::new("../..").join(device);
        symlink(&target, self.ready(&format!("/sys/class/block/{name}"))).unwrap();
        symlink(&target, self.ready(&format!("/sys/dev/block/{}", text.trim()))).unwrap();
    }
}
