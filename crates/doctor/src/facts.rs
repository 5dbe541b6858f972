//! The doctor's facts: the machine's answers, and the results of trials.
//!
//! Facts that need the engine crate (the clock, the alignment of O_DIRECT) are given by the caller
//! as plain data; the engines are tried by a run of one I/O, through the same code as a
//! measurement.

use fathom_document::Volume;
use fathom_host::{
    BlockDevice, CpuQuota, CpuTimes, Host, HostLimits, IoThrottle, NfsStats, QueueTuning, Swap,
    System,
};
use serde::{Deserialize, Serialize};

/// The clock that measures.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClockFacts {
    /// The clock source: the CPU's counter (`tsc`, on arm64 `cntvct`), or `clock_gettime`.
    pub source: String,
    /// Why it is not the CPU's counter, if it is not.
    pub why_not_tsc: Option<String>,
    /// The cost of a reading, in nanoseconds.
    pub reading_ns: f64,
}

/// The duration of a wait of one millisecond, on which rates and think times depend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TimerFacts {
    /// How many waits there were.
    pub waits: u32,
    /// The median, in microseconds.
    pub median_us: f64,
    /// The longest, in microseconds.
    pub longest_us: f64,
}

/// Whether an engine could do one I/O.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineTrial {
    /// Whether it was tried at all.
    pub tried: bool,
    /// Why it does not work, in the system's words; none if it works.
    pub refused: Option<String>,
}

/// The load on the processors while Fathom was idle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HostLoad {
    /// How long was looked, in milliseconds.
    pub over_ms: u64,
    /// Processors looked at.
    pub cpus: usize,
    /// Processors' worth of time that something else used, stolen time left out.
    pub busy_cpus: f64,
    /// Processors' worth of time that the hypervisor gave to others.
    pub stolen_cpus: f64,
}

impl HostLoad {
    /// The load that `deltas` of all processors show, of those that we may use.
    pub fn of(deltas: &[CpuTimes], allowed: &[u32], over_ms: u64) -> HostLoad {
        let ours: Vec<&CpuTimes> =
            deltas.iter().filter(|t| allowed.is_empty() || allowed.contains(&t.cpu)).collect();
        let stolen = |times: &CpuTimes| CpuTimes { steal: times.steal, ..idle_of(times) }.busy();
        let stolen_cpus: f64 = ours.iter().map(|times| stolen(times)).sum();
        let all: f64 = ours.iter().map(|times| times.busy()).sum();
        let busy_cpus = (all - stolen_cpus).max(0.0);
        HostLoad { over_ms, cpus: ours.len(), busy_cpus, stolen_cpus }
    }
}

/// The same span with everything but stolen time counted as idle.
fn idle_of(times: &CpuTimes) -> CpuTimes {
    let idle = times.idle + times.iowait + times.user + times.system + times.irq + times.softirq;
    CpuTimes { cpu: times.cpu, idle, ..CpuTimes::default() }
}

/// All that is known of the machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HostFacts {
    /// Its name, software, processors, memory.
    pub system: System,
    /// The clock.
    pub clock: ClockFacts,
    /// The timer; none if it was not tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timer: Option<TimerFacts>,
    /// io_uring.
    pub io_uring: EngineTrial,
    /// libaio.
    pub libaio: EngineTrial,
    /// windowsaio, on a system that has it; there the two before are not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub windowsaio: Option<EngineTrial>,
    /// Limits of the machine and of this process.
    pub limits: HostLimits,
    /// How system calls are filtered; see [`Host::seccomp_mode`].
    pub seccomp_mode: Option<u32>,
    /// Processors that we may run on; empty if that is not known.
    pub allowed_cpus: Vec<u32>,
    /// The tightest limit of our control groups on processor time.
    pub cpu_quota: Option<CpuQuota>,
    /// Our control group's limit on memory.
    pub memory_limit_bytes: Option<u64>,
    /// Swap space.
    pub swap: Swap,
    /// Other load.
    pub load: HostLoad,
}

impl HostFacts {
    /// The facts from the machine's files; the caller fills in clock, trials and load.
    pub fn gather(host: &Host) -> HostFacts {
        HostFacts {
            system: host.system(),
            limits: host.limits(),
            seccomp_mode: host.seccomp_mode(),
            allowed_cpus: host.allowed_cpus(),
            cpu_quota: host.cpu_quotas().into_iter().min_by(|a, b| a.cpus.total_cmp(&b.cpus)),
            memory_limit_bytes: host.cgroup_memory_bytes(),
            swap: host.swap(),
            ..HostFacts::default()
        }
    }

    /// How many processors we may use; at least one.
    pub fn usable_cpus(&self) -> usize {
        match self.allowed_cpus.len() {
            0 => self.system.cpus_online.max(1),
            some => some,
        }
    }
}

/// Whether a target can be reached past the page cache.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DirectFacts {
    /// Why it could not be tried, for example without permission; none if it was.
    pub untried: Option<String>,
    /// Why it was refused; none if it was not.
    pub refused: Option<String>,
    /// Alignment of offsets and lengths in bytes.
    pub offset_alignment_bytes: u32,
    /// Alignment of buffers in bytes.
    pub memory_alignment_bytes: u32,
    /// The source of that fact.
    pub known_from: String,
}

/// All that is known of one target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TargetFacts {
    /// The target, its mount and its devices.
    pub volume: Volume,
    /// Direct I/O; none if it was not tried.
    pub direct: Option<DirectFacts>,
    /// The device and everything beneath it, from the top down; empty without a device.
    pub stack: Vec<BlockDevice>,
    /// How the queue of the device's disk is set.
    pub queue: QueueTuning,
    /// Limits of our control groups on any device of the stack.
    pub throttles: Vec<IoThrottle>,
    /// The counters of the NFS client.
    pub nfs: Option<NfsStats>,
}

impl TargetFacts {
    /// The facts from the machine's files about a volume that was examined.
    pub fn gather(host: &Host, volume: Volume, direct: Option<DirectFacts>) -> TargetFacts {
        let device = volume.storage.device();
        TargetFacts {
            throttles: group_limits(host, &volume),
            queue: device.map(|device| host.queue_tuning(device)).unwrap_or_default(),
            nfs: host.nfs_stats(&volume.mount.mount_point).ok().flatten(),
            stack: stack(host, &volume),
            direct,
            volume,
        }
    }

    /// The device under the target, if it is one.
    pub fn device(&self) -> Option<&BlockDevice> {
        self.volume.storage.device()
    }
}

/// The volume's device and everything beneath it, from the top down; empty without a device.
fn stack(host: &Host, volume: &Volume) -> Vec<BlockDevice> {
    match volume.storage.device() {
        Some(device) => host.stack_of(device),
        None => volume.storage.devices().into_iter().cloned().collect(),
    }
}

/// Limits of our control groups on a volume's device or the devices below it.
pub fn group_limits(host: &Host, volume: &Volume) -> Vec<IoThrottle> {
    let stack = stack(host, volume);
    let concerns = |throttle: &IoThrottle| {
        // A limit applies to the disk, not to the partition.
        let is_of = |name: &str| stack.iter().any(|part| part.disk == name || part.name == name);
        throttle.device.as_deref().is_some_and(is_of)
    };
    host.cgroup_throttles().into_iter().filter(concerns).collect()
}
