//! fio's terse lines: fields separated by semicolons, one line for each report.
//!
//! Latencies are in microseconds: extremes and percentiles truncated to whole ones, means with six
//! decimals. Version 2 has no program name and no disks, and puts the description on its own line;
//! 2, 4 and 5 have trims; 5 adds samples and the rate of I/Os.

use crate::FIO_VERSION;
use crate::shares;
use fathom_stats::{
    DirectionStats, DiskUtil, JobReport, JobResult, LatencyStats, Moments, RateSummary, RunResult,
};
use fathom_vocab::{Direction, printable};
use std::fmt::Write;

/// Number of percentiles in a line.
const SLOTS: usize = 20;

/// Terse versions that exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TerseVersion {
    /// `terse-version=2`.
    V2 = 2,
    /// `terse-version=3`, the default.
    V3 = 3,
    /// `terse-version=4`.
    V4 = 4,
    /// `terse-version=5`.
    V5 = 5,
}

impl TerseVersion {
    /// The version with a number; `None` if there is none.
    pub fn from_number(number: u32) -> Option<TerseVersion> {
        use TerseVersion::{V2, V3, V4, V5};
        [V2, V3, V4, V5].into_iter().find(|version| *version as u32 == number)
    }
}

/// One line for each report, each with its newline.
pub fn terse(result: &RunResult, version: TerseVersion) -> String {
    let mut out = String::new();
    for report in result.reports() {
        line(&mut out, &report, &result.disks, version);
    }
    out
}

macro_rules! field {
    ($out:expr, $($arg:tt)*) => {
        write!($out, $($arg)*).expect("writing to a string does not fail")
    };
}

fn line(out: &mut String, report: &JobReport<'_>, disks: &[DiskUtil], version: TerseVersion) {
    let job = &report.job;
    field!(out, "{};", version as u32);
    if version > TerseVersion::V2 {
        field!(out, "{FIO_VERSION};");
    }
    field!(out, "{};{};{}", printable::line(&job.name), job.group_id, job.shown_error());
    directions(out, report, version);
    usage(out, job);
    if version > TerseVersion::V2 {
        disks.iter().for_each(|disk| disk_fields(out, disk));
    }
    if job.setup.continue_on_error {
        field!(out, ";{};{}", job.total_err, job.first_error);
    }
    if version == TerseVersion::V2 {
        out.push('\n');
    }
    if let Some(description) = &job.description {
        field!(out, ";{}", printable::line(description));
    }
    if version > TerseVersion::V2 || job.description.is_some() {
        out.push('\n');
    }
}

fn directions(out: &mut String, report: &JobReport<'_>, version: TerseVersion) {
    let job = &report.job;
    if job.setup.unified_rw != 1 {
        for dir in Direction::ALL {
            if dir == Direction::Trim && version == TerseVersion::V3 {
                continue;
            }
            let share = shares::terse_of_group(report.bw[dir].mean, report.group_bw_kib[dir]);
            let rates = (&report.bw[dir], &report.iops[dir], share);
            direction(out, job, &job.dirs[dir], rates, version);
        }
    }
    if job.setup.unified_rw != 0 {
        let (bw, iops) = (report.mixed_bw(), report.mixed_iops());
        let share = shares::terse_of_group(bw.mean, report.group_mixed_kib);
        direction(out, job, &job.mixed(), (&bw, &iops, share), version);
    }
}

fn direction(
    out: &mut String,
    job: &JobResult,
    stats: &DirectionStats,
    (bw, iops, share): (&RateSummary, &RateSummary, f64),
    version: TerseVersion,
) {
    let rate = stats.bandwidth_bytes() / 1024;
    let ios = stats.iops_mean() as u64;
    field!(out, ";{};{rate};{ios};{}", stats.io_bytes / 1024, stats.runtime_ms);
    moments(out, &stats.slat.moments);
    moments(out, &stats.clat.moments);
    percentiles(out, job, stats);
    moments(out, &stats.lat.moments);
    field!(out, ";{};{};{share:.6}%;{:.6};{:.6}", bw.min, bw.max, bw.mean, bw.stddev());
    if version == TerseVersion::V5 {
        let (mean, deviation) = (iops.mean, iops.stddev());
        field!(out, ";{};{};{}", bw.samples, iops.min, iops.max);
        field!(out, ";{mean:.6};{deviation:.6};{}", iops.samples);
    }
}

fn moments(out: &mut String, moments: &Moments) {
    let (min, max) = (moments.min_or_zero() / 1000, moments.max / 1000);
    let (mean, deviation) = (moments.mean() / 1000.0, moments.stddev() / 1000.0);
    field!(out, ";{min};{max};{mean:.6};{deviation:.6}");
}

fn percentiles(out: &mut String, job: &JobResult, stats: &DirectionStats) {
    let nothing = LatencyStats::default();
    let (shown, list) = match (job.setup.lat_percentiles, job.setup.clat_percentiles) {
        (true, _) => (&stats.lat, job.setup.percentile_list.as_slice()),
        (false, true) => (&stats.clat, job.setup.percentile_list.as_slice()),
        (false, false) => (&nothing, [].as_slice()),
    };
    let values = shown.histogram.percentiles(list);
    for (percent, value) in list.iter().zip(values).take(SLOTS) {
        field!(out, ";{percent:.6}%={}", value / 1000);
    }
    for _ in list.len()..SLOTS {
        out.push_str(";0%=0");
    }
}

fn usage(out: &mut String, job: &JobResult) {
    let cpu = &job.cpu;
    let (user, system) = shares::cpu(cpu.user_us, cpu.system_us, job.runtime_ms);
    field!(out, ";{user:.6}%;{system:.6}%;{}", cpu.context_switches);
    field!(out, ";{};{}", cpu.major_faults, cpu.minor_faults);
    let total = job.total_ios();
    for share in shares::depths(&job.depth, total) {
        field!(out, ";{share:.1}%");
    }
    let [_, mut us, ms] = shares::latencies(&job.lat_buckets, total);
    // These fields begin at 2 us, below which are all buckets in ns.
    us[0] += shares::below_1us(&job.lat_buckets, total);
    for share in us.into_iter().chain(ms) {
        field!(out, ";{share:.2}%");
    }
}

fn disk_fields(out: &mut String, disk: &DiskUtil) {
    let pair = |(read, write): (u64, u64)| format!("{read};{write}");
    let (ios, merges, ticks) = (pair(disk.ios), pair(disk.merges), pair(disk.ticks_ms));
    let name = printable::line(&disk.name);
    field!(out, ";{name};{ios};{merges};{ticks};{}", disk.in_queue_ms);
    field!(out, ";{:.2}%", disk.util_percent);
    if let Some(members) = &disk.aggregate {
        let (ios, merges) = (pair(members.ios), pair(members.merges));
        let ticks = pair(members.ticks_ms);
        field!(out, ";slaves;{ios};{merges};{ticks};{}", members.in_queue_ms);
        field!(out, ";{:.2}%", members.max_util_percent);
    }
}
