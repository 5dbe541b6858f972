//! The limits of control groups on this process: I/O a second, processors, memory; and what the
//! groups used of them.
//!
//! A limit on a parent group applies to ours as well, so each is read from our group up to the top
//! of the mounted hierarchy. In a container the mount shows only its part of the tree, and the
//! kernel's `root` field says which.

use crate::{CpuQuota, Host, IoThrottle, Mount, ThrottleUnit};
use std::path::{Path, PathBuf};

/// The four files of version 1 and their units.
const V1_FILES: [(&str, ThrottleUnit); 4] = [
    ("blkio.throttle.read_iops_device", ThrottleUnit::ReadIops),
    ("blkio.throttle.write_iops_device", ThrottleUnit::WriteIops),
    ("blkio.throttle.read_bps_device", ThrottleUnit::ReadBytes),
    ("blkio.throttle.write_bps_device", ThrottleUnit::WriteBytes),
];

/// The files of a quota on processor time in version 1 and in version 2.
const CFS_QUOTA: &str = "cpu.cfs_quota_us";
const CPU_MAX: &str = "cpu.max";

impl Host {
    /// The limits on this process's I/O, ours first, then those of the groups above.
    pub fn cgroup_throttles(&self) -> Vec<IoThrottle> {
        self.throttles_in(&self.groups("blkio"), &self.groups(""))
    }

    /// The limits that groups of version 1 and groups of version 2 have.
    pub(crate) fn throttles_in(&self, old: &[Group], new: &[Group]) -> Vec<IoThrottle> {
        let mut found = Vec::new();
        for group in old {
            for (file, unit) in V1_FILES {
                let text = self.text(group.folder.join(file)).unwrap_or_default();
                let lines = parse_v1(&text).into_iter();
                found
                    .extend(lines.map(|(number, limit)| (group.name.clone(), number, unit, limit)));
            }
        }
        for group in new {
            let text = self.text(group.folder.join("io.max")).unwrap_or_default();
            let lines = parse_io_max(&text).into_iter();
            found.extend(
                lines.map(|(number, unit, limit)| (group.name.clone(), number, unit, limit)),
            );
        }
        let named = |(cgroup, (major, minor), unit, per_second)| IoThrottle {
            cgroup,
            device: self.name_of(major, minor).ok(),
            major,
            minor,
            unit,
            per_second,
        };
        found.into_iter().map(named).collect()
    }

    /// The quotas on this process's processor time, ours first, then those of the groups above.
    pub fn cpu_quotas(&self) -> Vec<CpuQuota> {
        let old = self.groups("cpu").into_iter().map(|group| self.quota_v1(group));
        let new = self.groups("").into_iter().map(|group| self.quota_v2(group));
        old.chain(new).flatten().collect()
    }

    fn quota_v1(&self, group: Group) -> Option<CpuQuota> {
        let quota: f64 = self.number(group.folder.join(CFS_QUOTA))?;
        let period: f64 = self.number(group.folder.join("cpu.cfs_period_us"))?;
        let cpus = (quota > 0.0 && period > 0.0).then(|| quota / period)?;
        Some(self.quota(group, CFS_QUOTA, cpus))
    }

    fn quota_v2(&self, group: Group) -> Option<CpuQuota> {
        let cpus = parse_cpu_max(&self.text(group.folder.join(CPU_MAX))?)?;
        Some(self.quota(group, CPU_MAX, cpus))
    }

    fn quota(&self, group: Group, file: &str, cpus: f64) -> CpuQuota {
        let stat = self.text(group.folder.join("cpu.stat")).unwrap_or_default();
        let value = |key: &str| -> Option<u64> {
            stat.lines().find_map(|line| line.strip_prefix(key)?.trim().parse().ok())
        };
        CpuQuota {
            cpus,
            cgroup: group.name,
            file: file.to_owned(),
            throttled_count: value("nr_throttled ").unwrap_or(0),
            throttled_us: value("throttled_usec ")
                .or_else(|| value("throttled_time ").map(|ns| ns / 1000))
                .unwrap_or(0),
        }
    }

    /// How much of what `limit` counts its group did so far, the groups below it included: I/Os or
    /// bytes. `None` if its counters cannot be read.
    pub fn throttle_count(&self, limit: &IoThrottle) -> Option<u64> {
        let folder = |controller: &str| {
            let groups = self.groups(controller).into_iter();
            groups.filter(|group| group.name == limit.cgroup).map(|group| group.folder).next()
        };
        let number = (limit.major, limit.minor);
        let counted_v1 = |folder: PathBuf| {
            let text = self.text(folder.join(limit.unit.v1_counters()))?;
            parse_counters_v1(&text, number, limit.unit)
        };
        let counted_v2 = |folder: PathBuf| {
            parse_io_stat(&self.text(folder.join("io.stat"))?, number, limit.unit)
        };
        folder("blkio").and_then(counted_v1).or_else(|| folder("").and_then(counted_v2))
    }

    /// The tightest memory limit on this process, page cache included; `None` without one.
    pub fn cgroup_memory_bytes(&self) -> Option<u64> {
        let old = self.groups("memory").into_iter().map(|g| g.folder.join("memory.limit_in_bytes"));
        let new = self.groups("").into_iter().map(|g| g.folder.join("memory.max"));
        // Version 1 writes "no limit" as the largest number of pages that fits.
        let real = |bytes: &u64| *bytes < 1 << 62;
        old.chain(new).filter_map(|file| self.number(file)).filter(real).min()
    }

    /// Our group and those above it, for a controller of version 1, or for version 2 by `""`.
    fn groups(&self, controller: &str) -> Vec<Group> {
        let own = self.text("/proc/self/cgroup").unwrap_or_default();
        let Some(path) = own.lines().find_map(|line| own_group(line, controller)) else {
            return Vec::new();
        };
        let mounts = self.mounts().unwrap_or_default();
        let Some(mount) = mounts.iter().find(|mount| is_tree(mount, controller)) else {
            return Vec::new();
        };
        let Ok(inside) = Path::new(path).strip_prefix(&mount.root) else { return Vec::new() };
        let group = |part: &Path| Group {
            name: format!("/{}", part.display()),
            folder: mount.mount_point.join(part),
        };
        inside.ancestors().map(group).collect()
    }
}

/// A control group: its name in its tree and its folder here.
pub(crate) struct Group {
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
}

/// The group in a line of `/proc/self/cgroup` (cgroups(7)), if it is of that controller.
fn own_group<'a>(line: &'a str, controller: &str) -> Option<&'a str> {
    let mut fields = line.splitn(3, ':').skip(1);
    let (controllers, path) = (fields.next()?, fields.next()?);
    controllers.split(',').any(|name| name == controller).then_some(path)
}

pub(crate) fn is_tree(mount: &Mount, controller: &str) -> bool {
    match controller {
        "" => mount.fstype == "cgroup2",
        _ => mount.fstype == "cgroup" && mount.option(controller).is_some(),
    }
}

fn device_number(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.split_once(':')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

/// Lines of `MAJOR:MINOR LIMIT`.
fn parse_v1(text: &str) -> Vec<((u32, u32), u64)> {
    let line = |line: &str| {
        let (number, limit) = line.trim().split_once(' ')?;
        Some((device_number(number)?, limit.trim().parse().ok()?))
    };
    text.lines().filter_map(line).collect()
}

/// Lines of `MAJOR:MINOR rbps=N wbps=max riops=N wiops=max`.
fn parse_io_max(text: &str) -> Vec<((u32, u32), ThrottleUnit, u64)> {
    let mut limits = Vec::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let Some(number) = words.next().and_then(device_number) else { continue };
        for word in words {
            let Some((key, value)) = word.split_once('=') else { continue };
            let unit = match key {
                "rbps" => ThrottleUnit::ReadBytes,
                "wbps" => ThrottleUnit::WriteBytes,
                "riops" => ThrottleUnit::ReadIops,
                "wiops" => ThrottleUnit::WriteIops,
                _ => continue,
            };
            limits.extend(value.parse().ok().map(|limit| (number, unit, limit)));
        }
    }
    limits
}

impl ThrottleUnit {
    /// The file of version 1 that counts it.
    fn v1_counters(self) -> &'static str {
        match self {
            ThrottleUnit::ReadIops | ThrottleUnit::WriteIops => {
                "blkio.throttle.io_serviced_recursive"
            }
            ThrottleUnit::ReadBytes | ThrottleUnit::WriteBytes => {
                "blkio.throttle.io_service_bytes_recursive"
            }
        }
    }

    /// Its word in a line of such a file.
    fn v1_word(self) -> &'static str {
        match self {
            ThrottleUnit::ReadIops | ThrottleUnit::ReadBytes => "Read",
            ThrottleUnit::WriteIops | ThrottleUnit::WriteBytes => "Write",
        }
    }

    /// Its key in a line of `io.stat`.
    fn stat_key(self) -> &'static str {
        match self {
            ThrottleUnit::ReadIops => "rios",
            ThrottleUnit::WriteIops => "wios",
            ThrottleUnit::ReadBytes => "rbytes",
            ThrottleUnit::WriteBytes => "wbytes",
        }
    }
}

/// Lines of `MAJOR:MINOR Read COUNT`.
fn parse_counters_v1(text: &str, number: (u32, u32), unit: ThrottleUnit) -> Option<u64> {
    text.lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let is_meant = device_number(words.next()?)? == number && words.next()? == unit.v1_word();
        is_meant.then(|| words.next()?.parse().ok())?
    })
}

/// Lines of `MAJOR:MINOR rbytes=N wbytes=N rios=N wios=N dbytes=N dios=N`.
fn parse_io_stat(text: &str, number: (u32, u32), unit: ThrottleUnit) -> Option<u64> {
    let words = |line: &str| -> Option<u64> {
        let mut words = line.split_whitespace();
        (device_number(words.next()?)? == number).then_some(())?;
        let mut pairs = words.filter_map(|word| word.split_once('='));
        pairs.find(|(key, _)| *key == unit.stat_key())?.1.parse().ok()
    };
    text.lines().find_map(words)
}

/// `QUOTA PERIOD` in microseconds, or `max PERIOD`.
fn parse_cpu_max(text: &str) -> Option<f64> {
    let (quota, period) = text.split_once(' ')?;
    let (quota, period): (f64, f64) = (quota.parse().ok()?, period.trim().parse().ok()?);
    (period > 0.0).then(|| quota / period)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn both_versions_of_throttles_are_read() {
        assert_eq!(parse_v1("7:0 3000\nbad\n254:0 x\n"), [((7, 0), 3000)]);
        let limits = parse_io_max("8:16 rbps=1048576 wbps=max riops=max wiops=120\n");
        let expected = [
            ((8, 16), ThrottleUnit::ReadBytes, 1_048_576),
            ((8, 16), ThrottleUnit::WriteIops, 120),
        ];
        assert_eq!(limits, expected);
        assert_eq!(parse_cpu_max("150000 100000"), Some(1.5));
        assert_eq!(parse_cpu_max("max 100000"), None);
    }

    #[test]
    fn both_versions_of_counters_are_read() {
        let v1 = "7:0 Read 30\n7:0 Write 4\n7:0 Total 34\nTotal 34\n";
        let count = |unit| parse_counters_v1(v1, (7, 0), unit);
        assert_eq!(count(ThrottleUnit::ReadIops), Some(30));
        assert_eq!(count(ThrottleUnit::WriteBytes), Some(4));
        assert_eq!(parse_counters_v1(v1, (7, 1), ThrottleUnit::ReadIops), None);
        let v2 = "259:2 rbytes=8192 wbytes=0 rios=2 wios=0 dbytes=0 dios=0\n7:0 rios=9\n";
        let count = |number, unit| parse_io_stat(v2, number, unit);
        assert_eq!(count((259, 2), ThrottleUnit::ReadBytes), Some(8192));
        assert_eq!(count((7, 0), ThrottleUnit::ReadIops), Some(9));
        assert_eq!(count((7, 0), ThrottleUnit::WriteIops), None);
    }

    #[test]
    fn our_group_is_found_by_controller() {
        assert_eq!(own_group("4:cpu,cpuacct:/a:b", "cpu"), Some("/a:b"));
        assert_eq!(own_group("0::/user.slice", ""), Some("/user.slice"));
        assert_eq!(own_group("4:cpuacct:/a", "cpu"), None);
    }

    proptest! {
        #[test]
        fn any_text_is_survived(text in ".{0,200}") {
            parse_v1(&text);
            parse_io_max(&text);
            parse_cpu_max(&text);
            parse_counters_v1(&text, (7, 0), ThrottleUnit::ReadIops);
            parse_io_stat(&text, (7, 0), ThrottleUnit::ReadIops);
            own_group(&text, "cpu");
        }
    }
}
