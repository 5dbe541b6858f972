//! Sets up the host crate's fixture machines; `tests/main/machine.rs` there explains their text
//! files.

use fathom_host::Host;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const CLOUD: &str = include_str!("../../../host/tests/fixtures/cloud_vm.machine");
const RAID: &str = include_str!("../../../host/tests/fixtures/raid_server.machine");

/// A machine in a folder that is removed at the end.
pub struct Machine {
    folder: TempDir,
}

impl Machine {
    /// A virtual machine at a cloud, in a container with limits.
    pub fn cloud() -> Machine {
        Machine::new(CLOUD)
    }

    /// A server with LVM on md on two disks.
    pub fn raid() -> Machine {
        Machine::new(RAID)
    }

    fn new(text: &str) -> Machine {
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

    fn ready(&self, path: &str) -> PathBuf {
        let path = self.folder.path().join(path.trim_matches('/'));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        path
    }

    fn write(&self, path: &str, text: &str) {
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
