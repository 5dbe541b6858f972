//! The state of the machine during a run: its processors, a CPU quota, a network mount's counters.
//! Read before and after, never during the run.

use crate::volume::Volume;
use fathom_doctor::group_limits;
use fathom_host::{CpuTimes, Host, IoThrottle, NfsStats, cpu_deltas};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// With fewer calls their mean round trip is not shown.
const LEAST_CALLS: u64 = 20;
/// Calls that a server answers from memory, so that their time is the network's.
const LIGHT_CALLS: [&str; 2] = ["GETATTR", "ACCESS"];

/// Counters from the beginning of a run.
#[derive(Debug)]
pub struct HostWatch {
    host: Host,
    cpus: Vec<CpuTimes>,
    throttled_us: u64,
    mount: Option<PathBuf>,
    nfs: Option<NfsStats>,
    limits: Vec<IoThrottle>,
}

/// Their changes until its end.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Observed {
    /// Processors that this process may use.
    pub cpus: u32,
    /// Memory that may hold a cache: the machine's, or our control group's if that is less.
    pub memory_bytes: Option<u64>,
    /// Busy share of all processors, 0 to 1.
    pub machine_busy: Option<f64>,
    /// Microseconds for which a CPU quota stopped our control group.
    pub throttled_us: u64,
    /// Share of all processors' time that the hypervisor gave to others, 0 to 1.
    pub stolen_share: Option<f64>,
    /// Round trip to the server, in nanoseconds, as light calls had it since the mount.
    pub network_rtt_ns: Option<f64>,
    /// The counters of the kernel's NFS client for the mount.
    pub mount: Option<NfsStats>,
    /// Limits of our control groups on the volume's device at the start of the run.
    pub limits: Vec<IoThrottle>,
}

impl HostWatch {
    /// Begins to watch, with the mount of `volume`.
    pub fn begin(host: Host, volume: Option<&Volume>) -> HostWatch {
        let mount = volume.map(|volume| volume.mount.mount_point.clone());
        HostWatch {
            cpus: host.cpu_times().unwrap_or_default(),
            throttled_us: host.cgroup_cpu().throttled_us,
            nfs: mount.as_ref().and_then(|mount| host.nfs_stats(mount).ok().flatten()),
            limits: volume.map(|volume| group_limits(&host, volume)).unwrap_or_default(),
            mount,
            host,
        }
    }

    /// The changes since the start.
    pub fn end(self) -> Observed {
        let now = self.host.cpu_times().unwrap_or_default();
        let spent = cpu_deltas(&self.cpus, &now);
        let busy: Vec<f64> = spent.iter().map(CpuTimes::busy).collect();
        let nfs = self.mount.as_ref().and_then(|mount| self.host.nfs_stats(mount).ok().flatten());
        let memory = self.host.system().memory_bytes;
        let limit = self.host.cgroup_memory_bytes();
        Observed {
            cpus: u32::try_from(self.host.allowed_cpus().len()).unwrap_or(u32::MAX),
            memory_bytes: memory.into_iter().chain(limit).min(),
            machine_busy: (!busy.is_empty()).then(|| busy.iter().sum::<f64>() / busy.len() as f64),
            throttled_us: self.host.cgroup_cpu().throttled_us.saturating_sub(self.throttled_us),
            stolen_share: stolen_share(&spent),
            network_rtt_ns: nfs.as_ref().and_then(round_trip_ns),
            limits: self.limits,
            mount: self.nfs.as_ref().zip(nfs.as_ref()).map(|(before, now)| now.since(before)),
        }
    }
}

/// The share of all processors' time that the hypervisor gave to others.
fn stolen_share(spent: &[CpuTimes]) -> Option<f64> {
    let total: u64 = spent.iter().map(CpuTimes::total).sum();
    let stolen: u64 = spent.iter().map(|cpu| cpu.steal).sum();
    (total > 0).then(|| stolen as f64 / total as f64)
}

fn round_trip_ns(nfs: &NfsStats) -> Option<f64> {
    let calls = LIGHT_CALLS.iter().filter_map(|name| nfs.operation(name));
    let counted = calls.filter(|call| call.operations >= LEAST_CALLS);
    let means = counted.filter_map(fathom_host::NfsOperation::mean_rtt_ms);
    means.filter(|ms| *ms > 0.0).map(|ms| ms * 1e6).reduce(f64::min)
}
