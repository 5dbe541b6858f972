//! fio's text output: each report, the status of each group, the disks.

mod closing;
mod latency;

use crate::OutputOptions;
use crate::calendar::ctime;
use crate::figures::{FigureUnit, short, short_from};
use crate::json::mean;
use crate::shares::{self, BATCHES, DEPTHS, LIMITS, LIMITS_MS};
use fathom_stats::{
    DirectionStats, JobReport, JobResult, JobSetup, LatencyTargetResult, RateSummary, RunResult,
    SteadyStateResult,
};
use fathom_vocab::{Direction, printable};
use std::fmt::Write;

/// The text after the run: reports, groups, disks, idleness. Begins with an empty line.
pub fn normal(result: &RunResult, options: &OutputOptions) -> String {
    let mut out = String::from("\n") + &reports(result, options);
    for group in result.groups() {
        let setup = result.jobs.get(group.units_job).map(|job| &job.setup);
        closing::group(&mut out, &group, setup.unwrap_or(&JobSetup::default()));
    }
    closing::disks(&mut out, &result.disks);
    if let Some(idleness) = &options.idleness {
        closing::idleness(&mut out, idleness);
    }
    out
}

/// The reports alone.
pub(crate) fn reports(result: &RunResult, options: &OutputOptions) -> String {
    let mut out = String::new();
    let date = ctime(result.timestamp_ms, options.utc_offset_s);
    for report in result.reports() {
        thread(&mut out, &report, &date);
    }
    out
}

/// Appends a formatted line with its newline.
macro_rules! line {
    ($out:expr, $($arg:tt)*) => {
        writeln!($out, $($arg)*).expect("writing to a string does not fail")
    };
}
use line;

fn thread(out: &mut String, report: &JobReport<'_>, date: &str) {
    let job = &report.job;
    // fio's text omits a job without any I/O.
    if Direction::ALL.iter().all(|dir| job.dirs[*dir].total_ios == 0) {
        return;
    }
    heading(out, report, date);
    if let Some(description) = &job.description {
        line!(out, "  Description  : [{}]", printable::line(description));
    }
    if job.setup.unified_rw != 1 {
        for dir in Direction::ALL {
            let rates = (&report.bw[dir], &report.iops[dir], report.group_bw_kib[dir]);
            direction(out, dir.name(), job, &job.dirs[dir], rates);
        }
    }
    if job.setup.unified_rw != 0 {
        let rates = (&report.mixed_bw(), &report.mixed_iops(), report.group_mixed_kib);
        direction(out, "mixed", job, &job.mixed(), rates);
    }
    coarse_latencies(out, job);
    if job.sync.moments.count > 0 {
        line!(out, "  fsync/fdatasync/sync_file_range/syncfs:");
        latency::moments(out, "sync", &job.sync.moments);
        // fio's text has them for any percentile settings; its JSON does not.
        latency::percentiles(out, "sync", &job.sync, &job.setup, true);
    }
    usage(out, job);
    if job.setup.continue_on_error {
        let (total, first, text) = (job.total_err, job.first_error, job.first_error.text());
        line!(out, "     errors    : total={total}, first_error={first}/<{text}>");
    }
    target(out, job);
    if let Some(state) = &job.steady_state {
        steady_state(out, state, &job.setup);
    }
}

fn heading(out: &mut String, report: &JobReport<'_>, date: &str) {
    let job = &report.job;
    let (error, text) = (job.shown_error(), job.error_text.as_str());
    let error = match text {
        _ if !error.is_error() => " 0".to_owned(),
        "" => format!("{error:2} (error={})", error.text()),
        text => format!("{error:2} ({}, error={})", printable::line(text), error.text()),
    };
    line!(
        out,
        "{}: (groupid={}, jobs={}): err={error}: pid={}: {date}",
        printable::line(&job.name),
        job.group_id,
        report.clones,
        job.pid,
    );
}

/// Bandwidth as two units: of the job's own base first, of the other in brackets.
fn both_units(bytes: u64, setup: &JobSetup, unit: FigureUnit) -> (String, String) {
    let (own, other) = if setup.kb_base == 1000 { (1000, 1024) } else { (1024, 1000) };
    let figures = figures(setup);
    (short(bytes, figures, own, unit), short(bytes, figures, other, unit))
}

fn figures(setup: &JobSetup) -> u8 {
    if setup.significant_figures == 0 { 4 } else { setup.significant_figures }
}

fn rate_unit(setup: &JobSetup) -> FigureUnit {
    if setup.unit_base == 1 { FigureUnit::BitsPerSecond } else { FigureUnit::BytesPerSecond }
}

fn direction(
    out: &mut String,
    name: &str,
    job: &JobResult,
    stats: &DirectionStats,
    (bw, iops, group_kib): (&RateSummary, &RateSummary, f64),
) {
    if stats.runtime_ms == 0 {
        return;
    }
    let setup = &job.setup;
    let (own, other) = both_units(stats.bandwidth_bytes(), setup, rate_unit(setup));
    let (io, _) = both_units(stats.io_bytes, setup, FigureUnit::Bytes);
    let rate = short(stats.iops_mean() as u64, figures(setup), 1000, FigureUnit::None);
    line!(out, "  {name}: IOPS={rate}, BW={own} ({other})({io}/{}msec)", stats.runtime_ms);
    let kinds = [
        ("slat", &stats.slat, setup.slat_percentiles),
        ("clat", &stats.clat, setup.clat_percentiles),
        ("lat", &stats.lat, setup.lat_percentiles),
    ];
    for (kind, latency, _) in kinds {
        latency::moments(out, kind, &latency.moments);
    }
    for (kind, latency, wanted) in kinds {
        latency::percentiles(out, kind, latency, setup, wanted);
    }
    rates(out, bw, iops, group_kib, setup);
}

fn rates(out: &mut String, bw: &RateSummary, iops: &RateSummary, group_kib: f64, setup: &JobSetup) {
    if bw.samples > 0 {
        let base = if setup.kb_base == 1000 { 1000 } else { 1024 };
        // From a million of its unit on, the next one is shown, in whole numbers for the extremes.
        let large = bw.mean > (base * base) as f64;
        let (by, unit) = match (large, base) {
            (false, 1024) => (1, "KiB"),
            (false, _) => (1, "kB"),
            (true, 1024) => (base, "MiB"),
            (true, _) => (base, "MB"),
        };
        let share = shares::of_group(bw.mean, group_kib);
        let (mean, deviation) = (bw.mean / by as f64, bw.stddev() / by as f64);
        line!(
            out,
            "   bw ({unit:>5}/s): min={:5}, max={:5}, per={share:.2}%, avg={mean:5.2}, \
             stdev={deviation:5.2}, samples={}",
            bw.min / by,
            bw.max / by,
            bw.samples,
        );
    }
    if iops.samples > 0 {
        line!(
            out,
            "   iops        : min={:5}, max={:5}, avg={:5.2}, stdev={:5.2}, samples={}",
            iops.min,
            iops.max,
            iops.mean,
            iops.stddev(),
            iops.samples,
        );
    }
}

fn coarse_latencies(out: &mut String, job: &JobResult) {
    let shares = shares::latencies(&job.lat_buckets, job.total_ios());
    let names: [&[&str]; 3] = [&LIMITS, &LIMITS, &LIMITS_MS];
    for ((unit, names), shares) in ["nsec", "usec", "msec"].into_iter().zip(names).zip(shares) {
        let used: Vec<String> = names
            .iter()
            .zip(shares)
            .filter(|(_, share)| *share > 0.0)
            .map(|(name, share)| format!("{name}={share:.2}%"))
            .collect();
        for row in used.chunks(5) {
            line!(out, "  lat ({unit})   : {}", row.join(", "));
        }
    }
}

fn usage(out: &mut String, job: &JobResult) {
    let cpu = &job.cpu;
    let (user, system) = shares::cpu(cpu.user_us, cpu.system_us, job.runtime_ms);
    line!(
        out,
        "  cpu          : usr={user:.2}%, sys={system:.2}%, ctx={}, majf={}, minf={}",
        cpu.context_switches,
        cpu.major_faults,
        cpu.minor_faults,
    );
    let depths = shares::depths(&job.depth, job.total_ios());
    line!(out, "  IO depths    : {}", percents(&DEPTHS, &depths));
    line!(out, "     submit    : {}", percents(&BATCHES, &shares::batches(&job.submit)));
    line!(out, "     complete  : {}", percents(&BATCHES, &shares::batches(&job.complete)));
    let by_dir = |pick: fn(&DirectionStats) -> u64| {
        let each = Direction::ALL.map(|dir| pick(&job.dirs[dir]));
        let shown = if job.setup.unified_rw == 1 { [each.iter().sum(), 0, 0] } else { each };
        shown.map(|count| count.to_string()).join(",")
    };
    line!(
        out,
        "     issued rwts: total={},{} short={},0 dropped={},0",
        by_dir(|d| d.total_ios),
        job.sync.moments.count,
        by_dir(|d| d.short_ios),
        by_dir(|d| d.drop_ios),
    );
}

fn percents(names: &[&str], shares: &[f64]) -> String {
    let pair = |(name, share): (&&str, &f64)| format!("{name}={share:.1}%");
    names.iter().zip(shares).map(pair).collect::<Vec<_>>().join(", ")
}

fn target(out: &mut String, job: &JobResult) {
    let none = LatencyTargetResult {
        percentile: 100.0,
        depth: job.setup.iodepth,
        ..LatencyTargetResult::default()
    };
    let target = job.latency_target.unwrap_or(none);
    line!(
        out,
        "     latency   : target={}, window={}, percentile={:.2}%, depth={}",
        target.target_us * 1000,
        target.window_us,
        target.percentile,
        target.depth,
    );
}

fn steady_state(out: &mut String, state: &SteadyStateResult, setup: &JobSetup) {
    let kib = mean(&state.bw_kib);
    // fio shows the same number of KiB under both units; scripts compare the text.
    let bandwidth = |base| short_from(kib, 1, figures(setup), base, FigureUnit::BytesPerSecond);
    let metric = state.criterion.split([':', '_']).next().unwrap_or_default();
    let judged = if state.slope_judged { " slope" } else { " mean dev" };
    let percent = if state.percent { "%" } else { "" };
    let attained = if state.attained { "yes" } else { "no" };
    line!(
        out,
        "  steadystate  : attained={attained}, bw={} ({}), iops={}, {metric}{judged}={:.3}\
         {percent}",
        bandwidth(1024),
        bandwidth(1000),
        short(mean(&state.iops), figures(setup), 1000, FigureUnit::None),
        state.value,
    );
}
