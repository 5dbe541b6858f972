//! What the disks under the files did during the run, by the kernel's own counters: the
//! independent witness of what a run says it did.

use fathom_host::{BlockDevice, DiskStats, Host};
use fathom_stats::{DiskAggregate, DiskUtil};
use std::path::Path;
use std::time::Instant;

/// Counters of the disks of a run, from its beginning.
#[derive(Debug)]
pub(crate) struct DiskWatch {
    host: Host,
    disks: Vec<Watched>,
    since: Instant,
}

#[derive(Debug)]
struct Watched {
    name: String,
    before: DiskStats,
    members: Vec<DiskStats>,
}

impl DiskWatch {
    /// Begins to watch the disks under `paths`; a path without a disk is passed over.
    pub fn begin<'p>(host: Host, paths: impl Iterator<Item = &'p Path>) -> DiskWatch {
        let mut disks: Vec<Watched> = Vec::new();
        for path in paths {
            let Ok(storage) = host.storage_of(path) else { continue };
            for device in storage.devices() {
                if disks.iter().all(|disk| disk.name != device.name) {
                    disks.extend(Watched::begin(&host, device));
                }
            }
        }
        DiskWatch { host, disks, since: Instant::now() }
    }

    /// What they have done since.
    pub fn so_far(&self) -> Vec<DiskUtil> {
        let elapsed_ms = self.since.elapsed().as_millis().max(1) as u64;
        self.disks.iter().filter_map(|disk| disk.so_far(&self.host, elapsed_ms)).collect()
    }
}

impl Watched {
    fn begin(host: &Host, device: &BlockDevice) -> Option<Watched> {
        let before = host.disk_stats_of(&device.name).ok()?;
        let read = |name: &String| host.disk_stats_of(name).ok();
        let members = device.slaves.iter().filter_map(read).collect();
        Some(Watched { name: device.name.clone(), before, members })
    }

    fn so_far(&self, host: &Host, elapsed_ms: u64) -> Option<DiskUtil> {
        let now = host.disk_stats_of(&self.name).ok()?;
        let delta = now.since(&self.before)?;
        let mut util = DiskUtil {
            name: self.name.clone(),
            ios: (delta.read_ios, delta.write_ios),
            sectors: (delta.read_sectors, delta.write_sectors),
            merges: (delta.read_merges, delta.write_merges),
            ticks_ms: (delta.read_ticks_ms, delta.write_ticks_ms),
            in_queue_ms: delta.queue_ms,
            util_percent: delta.utilisation(elapsed_ms) * 100.0,
            aggregate: None,
        };
        util.aggregate = self.aggregate(host, elapsed_ms);
        Some(util)
    }

    fn aggregate(&self, host: &Host, elapsed_ms: u64) -> Option<DiskAggregate> {
        let deltas: Vec<DiskStats> = self
            .members
            .iter()
            .filter_map(|before| host.disk_stats_of(&before.name).ok()?.since(before))
            .collect();
        let count = deltas.len() as u64;
        if count == 0 {
            return None;
        }
        let mean = |get: fn(&DiskStats) -> u64| deltas.iter().map(get).sum::<u64>() / count;
        Some(DiskAggregate {
            members: count as u32,
            ios: (mean(|d| d.read_ios), mean(|d| d.write_ios)),
            sectors: (mean(|d| d.read_sectors), mean(|d| d.write_sectors)),
            merges: (mean(|d| d.read_merges), mean(|d| d.write_merges)),
            ticks_ms: (mean(|d| d.read_ticks_ms), mean(|d| d.write_ticks_ms)),
            in_queue_ms: mean(|d| d.queue_ms),
            max_util_percent: deltas
                .iter()
                .map(|d| d.utilisation(elapsed_ms) * 100.0)
                .fold(0.0, f64::max),
        })
    }
}
