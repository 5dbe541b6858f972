//! The limits of control groups on this process: I/O a second, processors, memory.
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

    /// The limit on this process's processor time.
    pub fn cgroup_cpu(&self) -> CpuQuota {
        let old = self.groups("cpu");
        let new = self.groups("");
        let quota_v1 = |group: &Group| {
            let quota: f64 = self.number(group.folder.join("cpu.cfs_quota_us"))?;
            let period: f64 = self.number(group.folder.join("cpu.cfs_period_us"))?;
            (quota > 0.0 && period > 0.0).then(|| quota / period)
        };
        let quota_v2 = |group: &Group| parse_cpu_max(&self.text(group.folder.join("cpu.max"))?);
        let limits = old.iter().filter_map(quota_v1).chain(new.iter().filter_map(quota_v2));
        let stat = |group: &Group| self.text(group.folder.join("cpu.stat")).unwrap_or_default();
        let stats: String =
            old.first().into_iter().chain(new.first()).map(|group| stat(group) + "\n").collect();
        let value = |key: &str| {
            stats.lines().find_map(|line| line.strip_prefix(key)?.trim().parse::<u64>().ok())
        };
        CpuQuota {
            cpus: limits.reduce(f64::min),
            throttled_count: value("nr_throttled ").unwrap_or(0),
            throttled_us: value("throttled_usec ")
                .or_else(|| value("throttled_time ").map(|ns| ns / 1000))
                .unwrap_or(0),
        }
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
            own_group(&text, "cpu");
        }
    }
}
