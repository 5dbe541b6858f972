//! Block devices in memory that are created for a run and removed after it.

use anyhow::{Context, Result, bail, ensure};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::Duration;

/// Our own zram device.
pub struct Zram {
    number: u32,
    /// Whether it was added for us, and must be removed.
    added: bool,
}

impl Zram {
    /// A new device through zram-control, otherwise the first one if it is not set up. It is empty.
    pub fn new(bytes: u64) -> Result<Zram> {
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
        Ok(zram)
    }

    /// `/dev/zramN`.
    pub fn path(&self) -> PathBuf {
        format!("/dev/zram{}", self.number).into()
    }

    fn attribute(&self, name: &str) -> String {
        format!("/sys/block/zram{}/{name}", self.number)
    }
}

impl Drop for Zram {
    fn drop(&mut self) {
        // A process that was just killed may still use it for a moment.
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

/// Our own loop device over an existing file.
pub struct LoopDevice {
    /// `/dev/loopN`.
    pub path: PathBuf,
}

impl LoopDevice {
    /// Over a file on tmpfs, without direct I/O to the file.
    pub fn over(file: &Path) -> Result<LoopDevice> {
        let mut losetup = Command::new("losetup");
        losetup.args(["--find", "--show"]).arg(file);
        let output = losetup.output().context("losetup (util-linux)")?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "no loop device can be made: {}", said.trim());
        Ok(LoopDevice { path: String::from_utf8_lossy(&output.stdout).trim().into() })
    }
}

impl Drop for LoopDevice {
    fn drop(&mut self) {
        let gone = Command::new("losetup").arg("--detach").arg(&self.path).status();
        if !gone.is_ok_and(|status| status.success()) {
            eprintln!("{} could not be detached", self.path.display());
        }
    }
}
