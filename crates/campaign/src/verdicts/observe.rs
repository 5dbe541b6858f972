//! How the machine was while a run went on: its processors, a CPU quota, a network mount's own
//! counters. Read before and after, never during.

use crate::volume::Volume;
use fathom_analysis::{ByteCounter, CounterBytes, MountCalls, MountTransports};
use fathom_host::{CpuTimes, Host, IoThrottle, NfsOperation, NfsStats, NfsTransport, cpu_deltas};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Calls below which their mean round trip is left unsaid.
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

/// What a network mount's client counted: bytes, calls and what its connections did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MountCounts {
    /// From the server.
    pub read: CounterBytes,
    /// To the server.
    pub written: CounterBytes,
    /// Calls by their kind; kinds that were not used are left out.
    #[serde(default)]
    pub calls: Vec<MountCalls>,
    /// Its connections together.
    #[serde(default)]
    pub transports: MountTransports,
    /// Bytes that a READ carries at most.
    #[serde(default)]
    pub read_call_bytes: Option<u64>,
    /// The same of a WRITE.
    #[serde(default)]
    pub write_call_bytes: Option<u64>,
}

/// What came of them until its end.
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
    /// What the mount moved.
    pub mount: Option<MountCounts>,
    /// Limits that our control groups put on the volume's device when the run began.
    pub limits: Vec<IoThrottle>,
}

impl HostWatch {
    /// Begins to watch, with the mount that `volume` lies on.
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

    /// What was seen since.
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
            mount: self.nfs.as_ref().zip(nfs.as_ref()).map(|(before, now)| moved(before, now)),
        }
    }
}

/// What part of all processors' time was given to others.
fn stolen_share(spent: &[CpuTimes]) -> Option<f64> {
    let total: u64 = spent.iter().map(CpuTimes::total).sum();
    let stolen: u64 = spent.iter().map(|cpu| cpu.steal).sum();
    (total > 0).then(|| stolen as f64 / total as f64)
}

/// Limits of our control groups on a volume's device or what lies beneath it.
pub(crate) fn group_limits(host: &Host, volume: &Volume) -> Vec<IoThrottle> {
    let stack = match volume.storage.device() {
        Some(device) => host.stack_of(device),
        None => volume.storage.devices().into_iter().cloned().collect(),
    };
    let concerns = |throttle: &IoThrottle| {
        // A limit is put on the disk, not on the partition.
        let is_of = |name: &str| stack.iter().any(|part| part.disk == name || part.name == name);
        throttle.device.as_deref().is_some_and(is_of)
    };
    host.cgroup_throttles().into_iter().filter(concerns).collect()
}

fn round_trip_ns(nfs: &NfsStats) -> Option<f64> {
    let calls = LIGHT_CALLS.iter().filter_map(|name| nfs.operation(name));
    let counted = calls.filter(|call| call.operations >= LEAST_CALLS);
    let means = counted.filter_map(fathom_host::NfsOperation::mean_rtt_ms);
    means.filter(|ms| *ms > 0.0).map(|ms| ms * 1e6).reduce(f64::min)
}

fn moved(before: &NfsStats, now: &NfsStats) -> MountCounts {
    let seen = |now: u64, before: u64| CounterBytes {
        by: ByteCounter::NfsClient,
        bytes: now.saturating_sub(before),
        merges: 0,
    };
    MountCounts {
        read: seen(now.bytes.server_read, before.bytes.server_read),
        written: seen(now.bytes.server_written, before.bytes.server_written),
        calls: now.operations_since(before).iter().map(calls).collect(),
        transports: together(&now.transports_since(before)),
        read_call_bytes: now.option("rsize").and_then(|bytes| bytes.parse().ok()),
        write_call_bytes: now.option("wsize").and_then(|bytes| bytes.parse().ok()),
    }
}

fn calls(of: &NfsOperation) -> MountCalls {
    MountCalls {
        name: of.name.clone(),
        operations: of.operations,
        transmissions: of.transmissions,
        timeouts: of.timeouts,
        errors: of.errors,
        queue_ms: of.queue_ms,
        rtt_ms: of.rtt_ms,
        execute_ms: of.execute_ms,
    }
}

fn together(all: &[NfsTransport]) -> MountTransports {
    let sum = |of: fn(&NfsTransport) -> u64| all.iter().map(of).fold(0, u64::saturating_add);
    let sends = sum(|of| of.sends);
    let least = all.iter().map(|of| of.sends).min().unwrap_or(0);
    MountTransports {
        connections: all.len() as u64,
        sends,
        reconnects: sum(|of| of.connects),
        bad_replies: sum(|of| of.bad_replies),
        backlog_sum: sum(|of| of.backlog_sum),
        sending_sum: sum(|of| of.sending_sum),
        least_share: least as f64 * all.len() as f64 / sends.max(1) as f64,
    }
}
