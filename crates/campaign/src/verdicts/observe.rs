//! The state of the machine during a run: its processors, a CPU quota, a network mount's counters.
//! Read before and after, never during the run.

use crate::volume::Volume;
use fathom_doctor::group_limits;
use fathom_host::{CpuQuota, CpuTimes, Host, IoThrottle, NfsStats, cpu_deltas};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Counters from the beginning of a run.
#[derive(Debug)]
pub struct HostWatch {
    host: Host,
    cpus: Vec<CpuTimes>,
    quotas: Vec<CpuQuota>,
    mount: Option<PathBuf>,
    nfs: Option<NfsStats>,
    limits: Vec<LimitUse>,
}

/// A limit of one of our control groups on the volume's device, and what its whole group did of
/// what it counts: I/Os or bytes, ours and others'.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LimitUse {
    /// The limit.
    pub limit: IoThrottle,
    /// That number: so far, or during a run; none if it is unknown.
    pub count: Option<u64>,
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
    /// The CPU quota that stopped us for longest, with what was felt of it; none if none did.
    pub quota: Option<CpuQuota>,
    /// Share of all processors' time that the hypervisor gave to others, 0 to 1.
    pub stolen_share: Option<f64>,
    /// The counters of the kernel's NFS client for the mount.
    pub mount: Option<NfsStats>,
    /// Limits of our control groups on the volume's device at the start of the run.
    pub limits: Vec<LimitUse>,
}

/// The counters of one of the machines that ran something.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ClientObservation {
    /// Its name among several; none for a single machine.
    pub client: Option<String>,
    /// Its counters.
    pub observed: Observed,
}

impl HostWatch {
    /// Begins to watch, with the mount of `volume`.
    pub fn begin(host: Host, volume: Option<&Volume>) -> HostWatch {
        let mount = volume.map(|volume| volume.mount.mount_point.clone());
        HostWatch {
            cpus: host.cpu_times().unwrap_or_default(),
            quotas: host.cpu_quotas(),
            nfs: mount.as_ref().and_then(|mount| host.nfs_stats(mount).ok().flatten()),
            limits: volume.map(|volume| limits(&host, volume)).unwrap_or_default(),
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
            quota: felt_quota(&self.quotas, self.host.cpu_quotas()),
            stolen_share: stolen_share(&spent),
            limits: self.limits.into_iter().map(|limit| limit.until_now(&self.host)).collect(),
            mount: self.nfs.as_ref().zip(nfs.as_ref()).map(|(before, now)| now.since(before)),
        }
    }
}

impl LimitUse {
    /// The same with the count since it was taken.
    fn until_now(self, host: &Host) -> LimitUse {
        let now = host.throttle_count(&self.limit);
        let count = now.zip(self.count).map(|(now, before)| now.saturating_sub(before));
        LimitUse { count, ..self }
    }
}

/// The limits on a volume's device, with what their groups did so far.
fn limits(host: &Host, volume: &Volume) -> Vec<LimitUse> {
    let limits = group_limits(host, volume).into_iter();
    limits.map(|limit| LimitUse { count: host.throttle_count(&limit), limit }).collect()
}

/// The quota that stopped its group for longest since `before`.
fn felt_quota(before: &[CpuQuota], now: Vec<CpuQuota>) -> Option<CpuQuota> {
    let since = |quota: CpuQuota| {
        let earlier = before.iter().find(|earlier| earlier.is_same(&quota))?;
        Some(quota.since(earlier)).filter(|quota| quota.throttled_us > 0)
    };
    now.into_iter().filter_map(since).max_by_key(|quota| quota.throttled_us)
}

/// The share of all processors' time that the hypervisor gave to others.
fn stolen_share(spent: &[CpuTimes]) -> Option<f64> {
    let total: u64 = spent.iter().map(CpuTimes::total).sum();
    let stolen: u64 = spent.iter().map(|cpu| cpu.steal).sum();
    (total > 0).then(|| stolen as f64 / total as f64)
}
