//! The activity of processors.

use serde::{Deserialize, Serialize};

/// Time that one processor spent in each state since it started, or between two readings, in
/// clock ticks (100 a second on every usual kernel): proc_stat(5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CpuTimes {
    /// The processor's number.
    pub cpu: u32,
    /// Programs, those with raised niceness included.
    pub user: u64,
    /// The kernel on behalf of programs.
    pub system: u64,
    /// Nothing to do.
    pub idle: u64,
    /// Nothing to do but I/O under way.
    pub iowait: u64,
    /// Interrupts.
    pub irq: u64,
    /// Deferred interrupt work: the network and block completion paths.
    pub softirq: u64,
    /// Taken by the hypervisor for others.
    pub steal: u64,
}

impl CpuTimes {
    /// The change since `earlier`. A counter that decreased (iowait may) counts as 0.
    pub fn since(&self, earlier: &CpuTimes) -> CpuTimes {
        CpuTimes {
            cpu: self.cpu,
            user: self.user.saturating_sub(earlier.user),
            system: self.system.saturating_sub(earlier.system),
            idle: self.idle.saturating_sub(earlier.idle),
            iowait: self.iowait.saturating_sub(earlier.iowait),
            irq: self.irq.saturating_sub(earlier.irq),
            softirq: self.softirq.saturating_sub(earlier.softirq),
            steal: self.steal.saturating_sub(earlier.steal),
        }
    }

    /// All of its time.
    pub fn total(&self) -> u64 {
        let busy = self.user + self.system + self.irq + self.softirq + self.steal;
        busy + self.idle + self.iowait
    }

    /// Share of the time in which the processor was not idle, 0 to 1; waiting for I/O is idle.
    pub fn busy(&self) -> f64 {
        let (total, idle) = (self.total(), self.idle + self.iowait);
        if total == 0 { 0.0 } else { (total - idle) as f64 / total as f64 }
    }
}

/// The activity of each processor between two readings; one that was off at the first is left out.
pub fn cpu_deltas(earlier: &[CpuTimes], later: &[CpuTimes]) -> Vec<CpuTimes> {
    let before = |after: &CpuTimes| earlier.iter().find(|times| times.cpu == after.cpu);
    later.iter().filter_map(|after| before(after).map(|before| after.since(before))).collect()
}
