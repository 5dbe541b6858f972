//! Real parts for tests: programs, loop devices, mounts. Each is undone when it goes out of scope,
//! also when a test fails.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Runs a program and gives what it printed, or why it failed.
pub fn run(program: &str, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(program)
        .args(arguments)
        .output()
        .map_err(|error| format!("{program}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    Err(format!("{program} {}: {}", arguments.join(" "), complaint.trim()))
}

/// A file without content of the given size.
pub fn sparse_file(path: &Path, size_bytes: u64) {
    File::create(path).unwrap().set_len(size_bytes).unwrap();
}

/// A loop device over a file of its own.
pub struct LoopDevice {
    /// Its node.
    pub node: PathBuf,
}

impl LoopDevice {
    /// Attaches `file`; the error says what is missing here.
    pub fn attach(file: &Path) -> Result<Self, String> {
        let file = file.to_str().unwrap();
        let printed = run("losetup", &["--find", "--show", file])?;
        Ok(LoopDevice { node: PathBuf::from(printed.trim()) })
    }

    /// A device of `size_bytes` over a new file in `folder`.
    pub fn make(folder: &Path, name: &str, size_bytes: u64) -> Result<Self, String> {
        let file = folder.join(name);
        sparse_file(&file, size_bytes);
        Self::attach(&file)
    }

    /// The node as text, for a command line.
    pub fn text(&self) -> &str {
        self.node.to_str().unwrap()
    }
}

impl Drop for LoopDevice {
    fn drop(&mut self) {
        let _ = run("losetup", &["--detach", self.text()]);
    }
}

/// A partition that the kernel is told of: not every kernel finds it in the table by itself.
pub struct Partition<'d> {
    disk: &'d LoopDevice,
}

impl<'d> Partition<'d> {
    /// Makes partition 1 of `disk`.
    pub fn add(disk: &'d LoopDevice, first: u32, sectors: u32) -> Result<Self, String> {
        run("addpart", &[disk.text(), "1", &first.to_string(), &sectors.to_string()])?;
        Ok(Partition { disk })
    }
}

impl Drop for Partition<'_> {
    fn drop(&mut self) {
        let _ = run("delpart", &[self.disk.text(), "1"]);
    }
}

/// A mount that ends with its scope.
pub struct Mounted {
    /// Where.
    pub at: PathBuf,
}

impl Mounted {
    /// Mounts at a new folder `at` with the arguments given.
    pub fn new(arguments: &[&str], at: &Path) -> Result<Self, String> {
        std::fs::create_dir_all(at).unwrap();
        let mut all = arguments.to_vec();
        all.push(at.to_str().unwrap());
        run("mount", &all)?;
        Ok(Mounted { at: at.to_owned() })
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = run("umount", &[self.at.to_str().unwrap()]);
    }
}

/// A control group of version 1 with a limit on reads of a device.
pub struct ThrottledGroup {
    folder: PathBuf,
}

impl ThrottledGroup {
    /// Makes the group `name`; `number` is the device's `MAJOR:MINOR`.
    pub fn new(name: &str, number: &str, read_iops: u32) -> Result<Self, String> {
        let tree = Path::new("/sys/fs/cgroup/blkio");
        if !tree.join("blkio.throttle.read_iops_device").exists() {
            return Err("no blkio control groups of version 1 are mounted here".to_owned());
        }
        let group = ThrottledGroup { folder: tree.join(name) };
        let made = std::fs::create_dir(&group.folder).and_then(|()| {
            let file = group.folder.join("blkio.throttle.read_iops_device");
            std::fs::write(file, format!("{number} {read_iops}"))
        });
        made.map(|()| group).map_err(|error| format!("blkio control group: {error}"))
    }

    /// Runs a program inside and gives what it printed.
    pub fn run_inside(&self, program: &str, arguments: &[&str]) -> Result<String, String> {
        let script =
            format!("echo $$ > '{}/cgroup.procs' && exec \"$0\" \"$@\"", self.folder.display());
        let mut all = vec!["-c", &script, program];
        all.extend(arguments);
        run("sh", &all)
    }
}

impl Drop for ThrottledGroup {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir(&self.folder);
    }
}

/// A process in a mount namespace of its own, in which a device is mounted until the drop.
pub struct MountedElsewhere {
    shell: Child,
}

impl MountedElsewhere {
    /// Mounts `device` at `at`, unseen from here, and returns once that is so.
    pub fn new(device: &str, at: &Path) -> Result<Self, String> {
        std::fs::create_dir_all(at).unwrap();
        let script = format!("mount '{device}' '{}' && echo ready && read _", at.display());
        let mut shell = Command::new("unshare")
            .args(["--mount", "sh", "-c", &script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("unshare: {error}"))?;
        let mut line = String::new();
        let printed = BufReader::new(shell.stdout.take().unwrap()).read_line(&mut line);
        if printed.is_err() || line != "ready\n" {
            let _ = shell.wait();
            return Err("no mount namespace can be made".to_owned());
        }
        Ok(MountedElsewhere { shell })
    }
}

impl Drop for MountedElsewhere {
    fn drop(&mut self) {
        // End of input ends `read`, and the namespace goes with its last process.
        drop(self.shell.stdin.take());
        let _ = self.shell.wait();
    }
}
