//! Settings that affect a measurement indirectly: swap, the system call filter of this process, and
//! settings of a disk's queue beside its scheduler.

use crate::{BlockDevice, Host, QueueTuning, Swap};
use std::path::Path;

impl Host {
    /// Swap space and its use.
    pub fn swap(&self) -> Swap {
        let total_bytes = self.memory("SwapTotal:").unwrap_or(0);
        let free = self.memory("SwapFree:").unwrap_or(total_bytes);
        Swap { total_bytes, used_bytes: total_bytes.saturating_sub(free) }
    }

    /// How system calls of this process are filtered (proc_pid_status(5)): 0 not at all, 1
    /// strictly, 2 by a program, as container runtimes have it.
    pub fn seccomp_mode(&self) -> Option<u32> {
        let status = self.text("/proc/self/status")?;
        let mode = status.lines().find_map(|line| line.strip_prefix("Seccomp:"))?;
        mode.trim().parse().ok()
    }

    /// How the queue of the disk under `device` is set.
    pub fn queue_tuning(&self, device: &BlockDevice) -> QueueTuning {
        let queue = Path::new("/sys/class/block").join(&device.disk).join("queue");
        QueueTuning {
            counted: self.number::<u32>(queue.join("iostats")).map(|value| value != 0),
            nomerges: self.number(queue.join("nomerges")),
            // -1 means "not set".
            writeback_target_us: self.number(queue.join("wbt_lat_usec")),
        }
    }
}
