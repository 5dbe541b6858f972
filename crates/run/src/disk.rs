//! The activity of the disks below the files during the run, by the kernel's counters: independent
//! evidence for a run's figures.
//!
//! Counters are read at the beginning, at the end, and twice a second in between, so that a chart
//! can show a disk's utilisation below the jobs' rates.

use crate::wall_clock::unix_ms;
use fathom_host::{BlockDevice, DiskStats, FileId, Host};
use fathom_stats::{DiskAggregate, DiskInterval, DiskUtil, Series, SeriesInterval};
use std::collections::HashSet;
use std::path::Path;
use std::time::{Duration, Instant};

/// The interval of readings during a run.
const EVERY: Duration = Duration::from_millis(500);

/// Counters of the disks of a run, from its beginning.
#[derive(Debug)]
pub(crate) struct DiskWatch {
    host: Host,
    disks: Vec<Watched>,
    since: Instant,
    began_ms: u64,
    /// Whole intervals that have been looked at.
    looks: u32,
}

#[derive(Clone, Debug)]
struct Watched {
    name: String,
    before: DiskStats,
    members: Vec<DiskStats>,
    /// The counters when they were read last, and when that was, in milliseconds of the watch.
    last: (DiskStats, u64),
    over_time: Series<DiskInterval>,
}

impl DiskWatch {
    /// Begins to watch the disks under `paths`; a path without a disk is passed over.
    pub fn begin<'p>(host: Host, paths: impl Iterator<Item = &'p Path>) -> DiskWatch {
        let mut disks: Vec<Watched> = Vec::new();
        for path in one_of_each_volume(paths) {
            let Ok(storage) = host.storage_of(path) else { continue };
            for device in storage.devices() {
                if disks.iter().all(|disk| disk.name != device.name) {
                    disks.extend(Watched::begin(&host, device));
                }
            }
        }
        DiskWatch { host, disks, since: Instant::now(), began_ms: unix_ms(), looks: 0 }
    }

    /// When counters are to be read next.
    pub fn due(&self) -> Instant {
        self.since + EVERY * (self.looks + 1)
    }

    /// Reads the counters once more where an interval is over.
    pub fn look(&mut self, now: Instant) {
        if now < self.due() {
            return;
        }
        let elapsed = now.duration_since(self.since);
        self.looks = u32::try_from(elapsed.as_millis() / EVERY.as_millis()).unwrap_or(u32::MAX - 1);
        for disk in &mut self.disks {
            if let Ok(stats) = self.host.disk_stats_of(&disk.name) {
                disk.close_interval(stats, elapsed.as_millis() as u64);
            }
        }
    }

    /// The activity since then.
    pub fn so_far(&self) -> Vec<DiskUtil> {
        let elapsed_ms = self.since.elapsed().as_millis().max(1) as u64;
        let so_far = |disk: &Watched| disk.so_far(&self.host, elapsed_ms);
        let disks = self.disks.iter().filter_map(so_far);
        disks.map(|disk| DiskUtil { began_ms: self.began_ms, ..disk }).collect()
    }
}

/// One path for each volume. A job may have thousands of files on one, and finding its device takes
/// over a hundred system calls.
pub(crate) fn one_of_each_volume<'p>(paths: impl Iterator<Item = &'p Path>) -> Vec<&'p Path> {
    let mut seen = HashSet::new();
    paths.filter(|path| volume_of(path).is_none_or(|volume| seen.insert(volume))).collect()
}

/// What all files of a volume have in common; of a file that is made later, that of its folder.
fn volume_of(path: &Path) -> Option<FileId> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = || FileId::of_path(folder.unwrap_or(Path::new(".")));
    match FileId::of_path(path).or_else(|_| folder()).ok()? {
        FileId::File { device, .. } => Some(FileId::File { device, inode: 0 }),
        device => Some(device),
    }
}

impl Watched {
    fn begin(host: &Host, device: &BlockDevice) -> Option<Watched> {
        let before = host.disk_stats_of(&device.name).ok()?;
        let read = |name: &String| host.disk_stats_of(name).ok();
        let members = device.slaves.iter().filter_map(read).collect();
        Some(Watched {
            name: device.name.clone(),
            last: (before.clone(), 0),
            before,
            members,
            over_time: Series::new(EVERY.as_millis() as u64),
        })
    }

    /// Adds the activity since the previous reading, at the index of its beginning.
    fn close_interval(&mut self, stats: DiskStats, at_ms: u64) {
        let (before, before_ms) = &self.last;
        if let Some(delta) = stats.since(before) {
            let interval = DiskInterval {
                elapsed_ms: at_ms - before_ms,
                busy_ms: delta.io_ticks_ms,
                in_queue_ms: delta.queue_ms,
                ios: (delta.read_ios, delta.write_ios),
                sectors: (delta.read_sectors, delta.write_sectors),
            };
            self.over_time.at(*before_ms).merge(&interval);
        }
        self.last = (stats, at_ms);
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
            flush_ios: delta.flush_ios,
            in_queue_ms: delta.queue_ms,
            util_percent: delta.utilisation(elapsed_ms) * 100.0,
            ..DiskUtil::default()
        };
        util.aggregate = self.aggregate(host, elapsed_ms);
        // The last interval is cut short, and states its length.
        let mut whole = self.clone();
        whole.close_interval(now, elapsed_ms);
        util.over_time = whole.over_time;
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    #[test]
    fn a_device_is_looked_up_once_for_all_its_files() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |number: u32| folder.path().join(number.to_string());
        // Half of them are made later.
        let paths: Vec<PathBuf> = (0..100).map(path).collect();
        paths[..50].iter().for_each(|path| std::fs::write(path, "x").expect("writes"));
        let all = paths.iter().map(PathBuf::as_path);
        assert_eq!(one_of_each_volume(all), [paths[0].as_path()]);
    }
}
