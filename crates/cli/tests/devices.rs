//! Devices, mounts and limits that a test makes for itself and that end with it.
//!
//! Everything is made by the programs an administrator would use. Each maker answers with a
//! reason where the machine cannot give the part, and [`need`] turns the reason into a skip.

use crate::sandbox::folder_in;
pub use fathom_skip::{lacks, need};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Whether the tests run as root.
pub fn root() -> Result<(), String> {
    match rustix::process::geteuid().is_root() {
        true => Ok(()),
        false => Err("needs root".into()),
    }
}

/// Runs a program to its end; its standard output, or why it failed.
pub fn tool(program: &str, args: &[&str]) -> Result<String, String> {
    let output =
        Command::new(program).args(args).output().map_err(|e| format!("{program}: {e}"))?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned()),
        false => Err(format!(
            "{program} {}: {}",
            args.join(" "),
            String::from_utf8_lossy(&output.stderr).trim()
        )),
    }
}

/// fio itself, where it is installed: the oracle.
pub fn oracle() -> Result<PathBuf, String> {
    let version = tool("/usr/bin/fio", &["--version"]).map_err(|e| format!("needs fio: {e}"))?;
    match version.starts_with("fio-3.33") {
        true => Ok(PathBuf::from("/usr/bin/fio")),
        false => Err(format!("needs fio 3.33 as the oracle, this is {version}")),
    }
}

/// A folder in memory, gone at its end.
pub fn memory() -> Option<tempfile::TempDir> {
    need(folder_in(Path::new("/dev/shm")).map_err(|why| format!("/dev/shm: {why}")))
}

/// A loop device over a sparse file, with direct I/O to it where the file system allows.
pub struct LoopDevice {
    /// `/dev/loopN`.
    pub path: PathBuf,
    /// The file behind it.
    pub backing: PathBuf,
}

impl LoopDevice {
    /// A device of `size_bytes` whose backing file is made in `folder`.
    pub fn new(folder: &Path, size_bytes: u64) -> Result<LoopDevice, String> {
        root()?;
        let image = tempfile::Builder::new()
            .prefix("loop-")
            .suffix(".img")
            .tempfile_in(folder)
            .and_then(|file| file.keep().map_err(|e| e.error))
            .map_err(|e| format!("backing file of a loop device: {e}"))?;
        image.0.set_len(size_bytes).map_err(|e| format!("backing file of a loop device: {e}"))?;
        LoopDevice::over(&image.1)
    }

    /// A device over a file that exists.
    pub fn over(backing: &Path) -> Result<LoopDevice, String> {
        LoopDevice::with_options(backing, &["--direct-io=on"])
    }

    /// A device over a file that exists, with further options of `losetup`.
    pub fn with_options(backing: &Path, options: &[&str]) -> Result<LoopDevice, String> {
        root()?;
        let file = backing.display().to_string();
        let args = [options, &["-f", "--show", file.as_str()]].concat();
        // Between finding a free device and taking it another process may be faster.
        let mut attempt = 0;
        let path = loop {
            match tool("losetup", &args) {
                Ok(path) => break path,
                Err(why) if attempt == 5 => return Err(why),
                Err(_) => attempt += 1,
            }
        };
        Ok(LoopDevice { path: path.into(), backing: backing.to_owned() })
    }

    /// `loopN`.
    pub fn name(&self) -> String {
        device_name(&self.path)
    }

    /// `/dev/loopN` as text.
    pub fn text(&self) -> String {
        self.path.display().to_string()
    }
}

impl Drop for LoopDevice {
    fn drop(&mut self) {
        let _ = tool("losetup", &["-d", &self.text()]);
        let _ = fs::remove_file(&self.backing);
    }
}

/// A compressed RAM disk of its own.
pub struct Zram {
    number: String,
}

impl Zram {
    /// A device of `size_bytes`, made through zram's control folder.
    pub fn new(size_bytes: u64) -> Result<Zram, String> {
        root()?;
        let add = "/sys/class/zram-control/hot_add";
        let number = fs::read_to_string(add).map_err(|e| format!("{add}: {e}"))?;
        let zram = Zram { number: number.trim().to_owned() };
        let size = format!("/sys/block/{}/disksize", zram.name());
        fs::write(&size, size_bytes.to_string()).map_err(|e| format!("{size}: {e}"))?;
        Ok(zram)
    }

    /// `zramN`.
    pub fn name(&self) -> String {
        format!("zram{}", self.number)
    }

    /// `/dev/zramN` as text.
    pub fn text(&self) -> String {
        format!("/dev/{}", self.name())
    }
}

impl Drop for Zram {
    fn drop(&mut self) {
        let _ = fs::write(format!("/sys/block/{}/reset", self.name()), "1");
        let _ = fs::write("/sys/class/zram-control/hot_remove", &self.number);
    }
}

/// A mounted file system.
pub struct Mount {
    /// The mount point.
    pub point: PathBuf,
}

impl Mount {
    /// `mount ARGS POINT`; the mount point is made where it is missing.
    pub fn new(args: &[&str], point: &Path) -> Result<Mount, String> {
        root()?;
        fs::create_dir_all(point).map_err(|e| format!("{}: {e}", point.display()))?;
        let text = point.display().to_string();
        tool("mount", &[args, &[text.as_str()]].concat())?;
        Ok(Mount { point: point.to_owned() })
    }

    /// A fresh file system of `kind` on `device`, mounted.
    pub fn format(kind: &str, device: &LoopDevice, point: &Path) -> Result<Mount, String> {
        // An ext4 that is whole from the start: the kernel would write its tables later, beside a test.
        let whole: &[&str] = match kind {
            "ext4" => &["-E", "lazy_itable_init=0,lazy_journal_init=0"],
            _ => &[],
        };
        tool(&format!("mkfs.{kind}"), &[&["-q"], whole, &[device.text().as_str()]].concat())?;
        Mount::new(&[&device.text()], point)
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let point = self.point.display().to_string();
        if tool("umount", &[&point]).is_err() {
            let _ = tool("umount", &["-l", &point]);
        }
    }
}

/// Where control groups hold devices to rates.
const THROTTLES: &str = "/sys/fs/cgroup/blkio";
/// What the names of tests' groups begin with, before the number of the process.
const TEST_GROUP: &str = "fathom-test-";

/// Removes the groups of test processes that were killed: their limits would hold for the next
/// device that has the same number.
fn remove_groups_of_killed_tests() {
    for group in fs::read_dir(THROTTLES).into_iter().flatten().flatten() {
        let name = group.file_name().to_string_lossy().into_owned();
        let process = name.strip_prefix(TEST_GROUP).and_then(|rest| rest.split('-').next());
        if process.is_some_and(|process| !Path::new("/proc").join(process).exists()) {
            let _ = fs::remove_dir(group.path());
        }
    }
}

/// A blkio control group (v1) that holds devices to rates.
pub struct Throttle {
    folder: PathBuf,
    numbers: String,
}

impl Throttle {
    /// Holds `device` to `iops` reads a second for the processes in the group.
    pub fn read_iops(device: &Path, iops: u64) -> Result<Throttle, String> {
        Throttle::new(device, &[("read_iops", iops)])
    }

    /// Holds `device` to limits a second for the processes in the group: of `read_iops`,
    /// `write_iops`, `read_bps` and `write_bps`.
    pub fn new(device: &Path, limits: &[(&str, u64)]) -> Result<Throttle, String> {
        root()?;
        remove_groups_of_killed_tests();
        let folder = PathBuf::from(format!(
            "{THROTTLES}/{TEST_GROUP}{}-{}",
            std::process::id(),
            device_name(device)
        ));
        fs::create_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let throttle = Throttle { folder, numbers: device_numbers(device)? };
        for (what, per_second) in limits {
            throttle.set(what, *per_second)?;
        }
        Ok(throttle)
    }

    /// Changes a limit, also while processes run.
    pub fn set(&self, what: &str, per_second: u64) -> Result<(), String> {
        self.write(what, &self.numbers, per_second)
    }

    fn write(&self, what: &str, numbers: &str, per_second: u64) -> Result<(), String> {
        let file = self.folder.join(format!("blkio.throttle.{what}_device"));
        fs::write(&file, format!("{numbers} {per_second}"))
            .map_err(|e| format!("{}: {e}", file.display()))
    }

    /// Holds the reads of a further device to a rate of its own.
    pub fn also_read_iops(&self, device: &Path, iops: u64) -> Result<(), String> {
        self.write("read_iops", &device_numbers(device)?, iops)
    }

    /// Where a process writes its id to join.
    pub fn door(&self) -> String {
        self.folder.join("cgroup.procs").display().to_string()
    }
}

impl Drop for Throttle {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.folder);
    }
}

/// What the kernel counted for a block device: completed reads, read sectors, completed writes,
/// written sectors, merged requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceCounters {
    /// Completed reads.
    pub reads: u64,
    /// Sectors of 512 bytes read.
    pub read_sectors: u64,
    /// Completed writes.
    pub writes: u64,
    /// Sectors of 512 bytes written.
    pub written_sectors: u64,
    /// Requests merged into others, either way.
    pub merges: u64,
}

impl DeviceCounters {
    /// Now, from `/sys/block/NAME/stat`.
    pub fn read(name: &str) -> DeviceCounters {
        let text = fs::read_to_string(format!("/sys/block/{name}/stat")).expect("a block device");
        let field: Vec<u64> = text.split_whitespace().map(|f| f.parse().unwrap()).collect();
        DeviceCounters {
            reads: field[0],
            read_sectors: field[2],
            writes: field[4],
            written_sectors: field[6],
            merges: field[1] + field[5],
        }
    }

    /// What was added since `before`.
    pub fn since(self, before: DeviceCounters) -> DeviceCounters {
        DeviceCounters {
            reads: self.reads - before.reads,
            read_sectors: self.read_sectors - before.read_sectors,
            writes: self.writes - before.writes,
            written_sectors: self.written_sectors - before.written_sectors,
            merges: self.merges - before.merges,
        }
    }
}

/// Forbids the block layer to merge requests, so that one I/O of ours is one of the device's.
pub fn forbid_merges(name: &str) {
    fs::write(format!("/sys/block/{name}/queue/nomerges"), "2").expect("a block device's setting");
}

fn device_name(path: &Path) -> String {
    path.file_name().expect("a device has a name").to_string_lossy().into_owned()
}

fn device_numbers(path: &Path) -> Result<String, String> {
    let dev = format!("/sys/block/{}/dev", device_name(path));
    fs::read_to_string(&dev).map(|text| text.trim().to_owned()).map_err(|e| format!("{dev}: {e}"))
}
