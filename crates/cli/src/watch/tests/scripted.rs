//! Subjects and outcomes for the formats to show.

use crate::terminal::screen::Screen;
use crate::watch::format::{Begin, IdleLines, WatchInterval};
use chrono::{DateTime, FixedOffset};
use fathom_host::{BlockDevice, DiskStats, NfsOperation, NfsStats, Space, ThrottleUnit};
use fathom_message::Lang;
use fathom_monitor::{
    CgroupLimit, CounterReading, Counters, IntervalExtent, IntervalOutcome, LimitScope,
    WatchSubject, Watched, between,
};
use std::path::PathBuf;
use std::time::Duration;

pub const SCREEN: Screen =
    Screen { width: 80, colour: false, unicode: true, live: false, lang: Lang::En };
pub const SECOND: Duration = Duration::from_secs(1);

/// Half past nine, and so many seconds.
pub fn time(seconds: u32) -> DateTime<FixedOffset> {
    let text = format!("2026-03-01T09:30:{seconds:02}.250+02:00");
    DateTime::parse_from_rfc3339(&text).unwrap()
}

pub fn device(name: &str) -> Watched {
    let limit = |cgroup: &str, whose, unit, per_second| CgroupLimit {
        cgroup: cgroup.into(),
        whose,
        unit,
        per_second,
    };
    let limits = vec![
        limit("/ours", LimitScope::Ours, ThrottleUnit::ReadIops, 3000),
        limit("/pod", LimitScope::Others, ThrottleUnit::WriteBytes, 104_857_600),
    ];
    let device = BlockDevice {
        name: name.into(),
        disk: name.into(),
        size_bytes: 64_000_000,
        ..BlockDevice::default()
    };
    Watched {
        name: name.into(),
        asked: vec!["/mnt/data".into(), format!("/dev/{name}")],
        subject: WatchSubject::Device { device: Box::new(device), limits },
        notes: vec!["a note".into()],
    }
}

pub fn nfs() -> Watched {
    let subject = WatchSubject::Nfs {
        mount_point: PathBuf::from("/mnt/nas, one"),
        source: "nas:/vol".into(),
        connections: 8,
        options: vec!["vers=3".into(), "nconnect=8".into()],
    };
    Watched {
        name: "/mnt/nas, one".into(),
        asked: vec!["/mnt/nas, one".into()],
        subject,
        notes: Vec::new(),
    }
}

pub fn memory() -> Watched {
    let subject = WatchSubject::Memory { mount_point: "/dev/shm".into(), fstype: "tmpfs".into() };
    Watched {
        name: "/dev/shm".into(),
        asked: vec!["/dev/shm".into()],
        subject,
        notes: vec!["tmpfs is memory".into()],
    }
}

fn disk_reading(at: Duration, reads: u64) -> CounterReading {
    let stats = DiskStats {
        name: "loop0".into(),
        read_ios: reads,
        read_sectors: reads * 8,
        read_ticks_ms: reads / 2,
        io_ticks_ms: reads / 4,
        queue_ms: reads / 2,
        ..DiskStats::default()
    };
    CounterReading { at, counters: Counters::Disk(stats) }
}

/// So many reads of 4 KiB and half a millisecond in a second.
pub fn reads(count: u64) -> IntervalOutcome {
    between(&disk_reading(Duration::ZERO, 0), &disk_reading(SECOND, count))
}

/// A device that another took the place of, with so many reads.
pub fn replaced(count: u64) -> IntervalOutcome {
    between(&disk_reading(Duration::ZERO, count + 1), &disk_reading(SECOND, count))
}

/// A hundred READs of 64 KiB, 3 ms at the server and 4 in all, in a second.
pub fn nfs_reads() -> IntervalOutcome {
    let stats = |requests: u64| {
        let mut stats = NfsStats { age_s: 7, ..NfsStats::default() };
        stats.bytes.server_read = requests * 65_536;
        stats.operations.push(NfsOperation {
            name: "READ".into(),
            operations: requests,
            transmissions: requests,
            rtt_ms: requests * 3,
            execute_ms: requests * 4,
            ..NfsOperation::default()
        });
        Counters::Nfs(Box::new(stats))
    };
    let at = |at, requests| CounterReading { at, counters: stats(requests) };
    between(&at(Duration::ZERO, 50), &at(SECOND, 150))
}

/// A file system of 8 MB in memory that takes another 2 MB in a second.
pub fn filling() -> IntervalOutcome {
    let space = |free_bytes| Space { total_bytes: 8_000_000, free_bytes, ..Space::default() };
    let at = |at, free| CounterReading { at, counters: Counters::Memory(space(free)) };
    between(&at(Duration::ZERO, 7_000_000), &at(SECOND, 5_000_000))
}

pub fn begin(watched: &[Watched]) -> Begin<'_> {
    Begin { time: time(0), interval: SECOND, watched, first: &[] }
}

pub fn interval<'a>(
    number: u64,
    watched: &'a [Watched],
    outcomes: &'a [IntervalOutcome],
) -> WatchInterval<'a> {
    WatchInterval {
        time: time(number as u32),
        number,
        extent: IntervalExtent::Whole,
        watched,
        outcomes,
        idle: IdleLines::Shown,
    }
}
