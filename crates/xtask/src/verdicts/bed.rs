//! The devices, limits and disturbances of the verdict tests. All of them are created here, on our
//! own files, and removed when they are dropped.

use super::situations::{BedDevice, BesideJob, Situation};
use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::JoinHandle;
use std::time::Duration;

/// Bytes of each device.
pub(super) const DEVICE_MIB: u64 = 96;
/// Bytes of a file on a file system on one.
const FILE_MIB: u64 = 48;

/// Runs a tool; its error is the tool's output.
pub(super) fn tool(name: &str, args: &[&str]) -> Result<String> {
    let output = Command::new(name).args(args).output().with_context(|| name.to_owned())?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{name} {}: {}", args.join(" "), said.trim());
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The target of a situation's job.
pub struct BedTarget {
    /// A device, or a file on one.
    pub path: PathBuf,
    /// The block device to limit.
    device: PathBuf,
    mount: Option<PathBuf>,
    is_zram: bool,
    backing: PathBuf,
}

impl BedTarget {
    /// Creates the target of `situation`, with files in `folder` whose names begin with `name`.
    pub fn new(situation: &Situation, folder: &Path, name: &str) -> Result<BedTarget> {
        let backing = folder.join(format!("{name}.img"));
        if situation.device == BedDevice::Zram {
            return BedTarget::zram(backing);
        }
        fill(&backing, DEVICE_MIB)?;
        let direct = situation.device != BedDevice::CachedLoop;
        let direct = if direct { "--direct-io=on" } else { "--direct-io=off" };
        let text = tool("losetup", &[direct, "--show", "-f", &backing.display().to_string()])?;
        let device = PathBuf::from(text);
        let mut target =
            BedTarget { path: device.clone(), device, mount: None, is_zram: false, backing };
        match situation.device {
            BedDevice::Loop | BedDevice::Zram => {}
            // Once through, so that the file beneath is in the page cache.
            BedDevice::CachedLoop => read_through(&target.backing)?,
            kind => target.make_file(kind, &folder.join(format!("{name}.mnt")))?,
        }
        Ok(target)
    }

    fn zram(backing: PathBuf) -> Result<BedTarget> {
        let number = fs::read_to_string("/sys/class/zram-control/hot_add").context("zram")?;
        let device = PathBuf::from(format!("/dev/zram{}", number.trim()));
        let target =
            BedTarget { path: device.clone(), device, mount: None, is_zram: true, backing };
        let size = target.in_sysfs("disksize");
        fs::write(&size, format!("{DEVICE_MIB}M")).with_context(|| size.display().to_string())?;
        fill(&target.device, DEVICE_MIB)?;
        Ok(target)
    }

    fn make_file(&mut self, kind: BedDevice, point: &Path) -> Result<()> {
        let (device, at) = (self.device.display().to_string(), point.display().to_string());
        tool("mkfs.ext4", &["-q", &device])?;
        fs::create_dir_all(point)?;
        tool("mount", &[&device, &at])?;
        self.mount = Some(point.to_owned());
        self.path = point.join("file");
        match kind {
            BedDevice::Allocated => {
                tool("fallocate", &["-l", &format!("{FILE_MIB}M"), &format!("{at}/file")])?;
            }
            BedDevice::Sparse => fs::File::create(&self.path)?.set_len(FILE_MIB << 20)?,
            _ => fill(&self.path, FILE_MIB)?,
        }
        tool("sync", &[]).map(drop)
    }

    fn in_sysfs(&self, file: &str) -> PathBuf {
        let name = self.device.file_name().unwrap_or_default();
        Path::new("/sys/block").join(name).join(file)
    }
}

impl Drop for BedTarget {
    fn drop(&mut self) {
        if let Some(point) = &self.mount {
            let _ = tool("umount", &[&point.display().to_string()]);
            let _ = fs::remove_dir(point);
        }
        let device = self.device.display().to_string();
        if self.is_zram {
            let _ = fs::write(self.in_sysfs("reset"), "1");
            let number = device.trim_start_matches("/dev/zram");
            let _ = fs::write("/sys/class/zram-control/hot_remove", number);
        } else {
            let _ = tool("losetup", &["-d", &device]);
        }
        let _ = fs::remove_file(&self.backing);
    }
}

/// Writes random bytes from the start of a file or device: nothing compresses or deduplicates.
fn fill(path: &Path, mib: u64) -> Result<()> {
    let count = format!("count={mib}");
    let into = format!("of={}", path.display());
    tool("dd", &["if=/dev/urandom", &into, "bs=1M", &count, "conv=fsync,nocreat,notrunc"])
        .or_else(|_| tool("dd", &["if=/dev/urandom", &into, "bs=1M", &count, "conv=fsync"]))
        .map(drop)
}

fn read_through(path: &Path) -> Result<()> {
    let mut file = fs::File::open(path)?;
    let mut chunk = vec![0; 1 << 20];
    while file.read(&mut chunk)? > 0 {}
    Ok(())
}

/// A control group (v1); removed when it is dropped.
struct BedGroup {
    folder: PathBuf,
}

impl BedGroup {
    fn new(controller: &str, name: &str) -> Result<BedGroup> {
        let folder = PathBuf::from(format!("/sys/fs/cgroup/{controller}/{name}"));
        fs::create_dir(&folder).with_context(|| folder.display().to_string())?;
        Ok(BedGroup { folder })
    }

    fn set(&self, file: &str, value: &str) -> Result<()> {
        let file = self.folder.join(file);
        fs::write(&file, value).with_context(|| file.display().to_string())
    }

    /// The command of a shell that enters the group.
    fn entry(&self) -> String {
        format!("echo $$ > {}/cgroup.procs", self.folder.display())
    }
}

impl Drop for BedGroup {
    fn drop(&mut self) {
        let _ = fs::remove_dir(&self.folder);
    }
}

/// Microseconds after which a CPU quota is given anew.
const CPU_PERIOD_US: u32 = 100_000;

/// The control groups with the limits of a situation: blkio, and processor time where that is
/// limited.
pub struct ThrottledGroup {
    io: BedGroup,
    cpu: Option<BedGroup>,
    numbers: String,
}

impl ThrottledGroup {
    /// Creates them.
    pub fn new(situation: &Situation, target: &BedTarget, name: &str) -> Result<ThrottledGroup> {
        let dev = target.in_sysfs("dev");
        let numbers = fs::read_to_string(&dev).with_context(|| dev.display().to_string())?;
        let numbers = numbers.trim().to_owned();
        let cpu = situation.quota.map(|percent| -> Result<BedGroup> {
            let group = BedGroup::new("cpu", name)?;
            group.set("cpu.cfs_period_us", &CPU_PERIOD_US.to_string())?;
            group.set("cpu.cfs_quota_us", &(CPU_PERIOD_US / 100 * percent).to_string())?;
            Ok(group)
        });
        let cpu = cpu.transpose()?;
        let group = ThrottledGroup { io: BedGroup::new("blkio", name)?, cpu, numbers };
        for (what, value) in &situation.limits {
            group.set(what, *value)?;
        }
        Ok(group)
    }

    fn set(&self, what: &str, value: u64) -> Result<()> {
        set_limit(&self.io.folder, &self.numbers, what, value)
    }

    /// Runs a program inside, with its standard output.
    pub fn run(&self, situation: &Situation, words: &[String]) -> Result<String> {
        let hide = match situation.hidden {
            true => "mount -t tmpfs none /sys/fs/cgroup && ",
            false => "",
        };
        let groups = std::iter::once(&self.io).chain(&self.cpu);
        let entries: String = groups.map(|group| group.entry() + " && ").collect();
        let script = format!("{entries}{hide}exec \"$@\"");
        let mut command = Command::new(if situation.hidden { "unshare" } else { "sh" });
        if situation.hidden {
            command.args(["-m", "sh"]);
        }
        let child = command
            .args(["-c", &script, "sh"])
            .args(words)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let later = self.change_later(situation);
        let output = child.wait_with_output()?;
        later.map(JoinHandle::join);
        let said = String::from_utf8_lossy(&output.stderr);
        if output.stdout.is_empty() {
            bail!("{}: {}", words.join(" "), said.trim());
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// Changes the first limit in mid-run. A second more for the start of the program.
    fn change_later(&self, situation: &Situation) -> Option<JoinHandle<()>> {
        let (after, value) = situation.then?;
        let (what, _) = *situation.limits.first()?;
        let (folder, numbers) = (self.io.folder.clone(), self.numbers.clone());
        Some(std::thread::spawn(move || {
            std::thread::sleep(Duration::from_secs(after + 1));
            if let Err(error) = set_limit(&folder, &numbers, what, value) {
                eprintln!("xtask: {error:#}");
            }
        }))
    }
}

/// Sets a limit of a blkio group on the device of these numbers.
fn set_limit(folder: &Path, numbers: &str, what: &str, value: u64) -> Result<()> {
    let file = folder.join(format!("blkio.throttle.{what}_device"));
    fs::write(&file, format!("{numbers} {value}")).with_context(|| file.display().to_string())
}

/// Programs that run beside a job; ended when dropped.
pub struct Companions(Vec<Child>);

impl Companions {
    /// Starts the load of `situation` beside its job, which runs in `group`.
    pub fn start(
        situation: &Situation,
        target: &BedTarget,
        group: &ThrottledGroup,
    ) -> Result<Companions> {
        let fio = |rw, rate| fio_beside(target, group, situation.beside, rw, rate);
        let mut commands = match situation.beside {
            BesideJob::Nothing => Vec::new(),
            BesideJob::BusyProcessors => (0..2)
                .map(|_| {
                    let mut command = Command::new("sha1sum");
                    command.arg("/dev/zero");
                    command
                })
                .collect(),
            BesideJob::Reads(rate) | BesideJob::ReadsInGroup(rate) => {
                vec![fio("--rw=randread", rate)]
            }
            BesideJob::Writes(rate) => vec![fio("--rw=randwrite", rate)],
        };
        let start = |command: &mut Command| {
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().context("beside the job")
        };
        Ok(Companions(commands.iter_mut().map(start).collect::<Result<_>>()?))
    }
}

/// Another program's I/O on the target: in the job's control group, if it is to share its limit.
fn fio_beside(
    target: &BedTarget,
    group: &ThrottledGroup,
    beside: BesideJob,
    rw: &str,
    rate: u32,
) -> Command {
    let script = match beside {
        BesideJob::ReadsInGroup(_) => group.io.entry() + " && exec \"$@\"",
        _ => "exec \"$@\"".to_owned(),
    };
    let mut command = Command::new("sh");
    command.args(["-c", &script, "sh", "fio", "--name=beside", "--bs=4k", "--direct=1"]);
    let file = format!("--filename={}", target.path.display());
    // With its job as a thread it ends whole.
    command.args([&file, rw, &format!("--rate_iops={rate}"), "--thread", "--time_based"]).args([
        "--ioengine=libaio",
        "--iodepth=16",
        "--runtime=60",
        "--allow_mounted_write=1",
    ]);
    command
}

impl Drop for Companions {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
