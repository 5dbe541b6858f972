//! fio's JSON and JSON+ documents: keys in fio's order, integers as integers.
//!
//! The keys of fio 3.42 are written in addition to those of 3.33. If a clone has no I/O in a
//! direction, the direction is included with zeros.

use crate::calendar::ctime;
use crate::shares::{self, BATCHES, DEPTHS, LIMITS, LIMITS_MS};
use crate::{FIO_VERSION, OutputOptions, printer};
use fathom_stats::{
    DirectionStats, DiskAggregate, DiskUtil, JobReport, JobResult, LatencyStats,
    LatencyTargetResult, RateSummary, RunResult, SteadyStateResult,
};
use fathom_vocab::{Direction, printable};
use serde_json::{Map, Value, json as value};

/// An object that preserves the order of its keys.
pub(crate) type Object = Map<String, Value>;

/// The document as text. Its values are exact; characters that a terminal would act on are written
/// as JSON's own escapes.
pub fn json_text(result: &RunResult, options: &OutputOptions) -> String {
    printable::json(&printer::text(&json(result, options))).into_owned()
}

/// The document as a tree.
pub fn json(result: &RunResult, options: &OutputOptions) -> Value {
    let mut root = head(result.timestamp_ms, options);
    if !result.global_options.is_empty() {
        put(&mut root, "global options", globals(result));
    }
    put(&mut root, "jobs", jobs(result, options));
    if !result.disks.is_empty() {
        put(&mut root, "disk_util", disks(result));
    }
    if let Some(idleness) = &options.idleness {
        let mut block = Object::new();
        put(&mut block, "system", idleness.system);
        let shown = if idleness.show_cpus { idleness.cpus.as_slice() } else { &[] };
        for (cpu, percent) in shown.iter().enumerate() {
            put(&mut block, &format!("cpu-{cpu}"), *percent);
        }
        put(&mut block, "unit_mean", idleness.unit_mean_us);
        put(&mut block, "unit_stddev", idleness.unit_stddev_us);
        put(&mut root, "cpu_idleness", block);
    }
    Value::Object(root)
}

/// The first keys.
pub(crate) fn head(timestamp_ms: u64, options: &OutputOptions) -> Object {
    let mut root = Object::new();
    put(&mut root, "fio version", FIO_VERSION);
    put(&mut root, "timestamp", timestamp_ms / 1000);
    put(&mut root, "timestamp_ms", timestamp_ms);
    put(&mut root, "time", ctime(timestamp_ms, options.utc_offset_s));
    root
}

/// Options of all jobs.
pub(crate) fn globals(result: &RunResult) -> Object {
    given(&result.global_options)
}

/// Each report.
pub(crate) fn jobs(result: &RunResult, options: &OutputOptions) -> Vec<Object> {
    result.reports().iter().map(|report| job(report, options.bins)).collect()
}

/// Each disk.
pub(crate) fn disks(result: &RunResult) -> Vec<Object> {
    result.disks.iter().map(disk).collect()
}

pub(crate) fn put(object: &mut Object, key: &str, value: impl Into<Value>) {
    object.insert(key.to_owned(), value.into());
}

/// An option without a value is included with an empty one, as in fio 3.42.
fn given(options: &[(String, Option<String>)]) -> Object {
    let pair = |(name, value): &(String, Option<String>)| {
        (name.clone(), Value::from(value.clone().unwrap_or_default()))
    };
    options.iter().map(pair).collect()
}

fn job(report: &JobReport<'_>, bins: bool) -> Object {
    let job = &report.job;
    let mut out = Object::new();
    put(&mut out, "jobname", job.name.as_str());
    put(&mut out, "groupid", job.group_id);
    put(&mut out, "job_start", job.job_start_ms);
    put(&mut out, "error", job.shown_error().get());
    put(&mut out, "eta", eta(job));
    put(&mut out, "elapsed", elapsed(job));
    if !job.options.is_empty() {
        put(&mut out, "job options", given(&job.options));
    }
    directions(&mut out, report, bins);
    usage(&mut out, job);
    distributions(&mut out, job);
    if job.setup.continue_on_error {
        put(&mut out, "total_err", job.total_err);
        put(&mut out, "first_error", job.first_error.get());
    }
    latency_target(&mut out, job);
    if let Some(description) = &job.description {
        put(&mut out, "desc", description.as_str());
    }
    if let Some(state) = &job.steady_state {
        put(&mut out, "steadystate", steady_state(state));
    }
    out
}

/// In its first two seconds, a run's time left counts as unknown, even if it is over by then.
const ETA_FROM_S: u64 = 3;

/// Whole seconds left, or fio's "unknown".
fn eta(job: &JobResult) -> u64 {
    if elapsed(job) < ETA_FROM_S { i32::MAX as u64 } else { job.eta_ms / 1000 }
}

/// Seconds that have begun.
fn elapsed(job: &JobResult) -> u64 {
    job.elapsed_ms / 1000 + 1
}

fn directions(out: &mut Object, report: &JobReport<'_>, bins: bool) {
    let job = &report.job;
    let unified = job.setup.unified_rw;
    if unified != 1 {
        for dir in Direction::ALL {
            let rates = (&report.bw[dir], &report.iops[dir], report.group_bw_kib[dir]);
            put(out, dir.name(), direction(job, &job.dirs[dir], rates, bins));
        }
        let mut sync = Object::new();
        put(&mut sync, "total_ios", job.sync.moments.count);
        put(&mut sync, "lat_ns", latency(&job.sync, job, job.setup.clat_percentiles, bins));
        put(out, "sync", sync);
    }
    if unified != 0 {
        let rates = (&report.mixed_bw(), &report.mixed_iops(), report.group_mixed_kib);
        put(out, "mixed", direction(job, &job.mixed(), rates, bins));
    }
}

fn direction(
    job: &JobResult,
    stats: &DirectionStats,
    (bw, iops, group_kib): (&RateSummary, &RateSummary, f64),
    bins: bool,
) -> Object {
    let mut out = Object::new();
    let bytes = stats.bandwidth_bytes();
    put(&mut out, "io_bytes", stats.io_bytes);
    put(&mut out, "io_kbytes", stats.io_bytes / 1024);
    put(&mut out, "bw_bytes", bytes);
    put(&mut out, "bw", bytes / 1024);
    put(&mut out, "iops", stats.iops_mean());
    put(&mut out, "runtime", stats.runtime_ms);
    put(&mut out, "total_ios", stats.total_ios);
    put(&mut out, "short_ios", stats.short_ios);
    put(&mut out, "drop_ios", stats.drop_ios);
    let setup = &job.setup;
    put(&mut out, "slat_ns", latency(&stats.slat, job, setup.slat_percentiles, bins));
    put(&mut out, "clat_ns", latency(&stats.clat, job, setup.clat_percentiles, bins));
    put(&mut out, "lat_ns", latency(&stats.lat, job, setup.lat_percentiles, bins));
    put(&mut out, "bw_min", bw.min);
    put(&mut out, "bw_max", bw.max);
    put(&mut out, "bw_agg", shares::of_group(bw.mean, group_kib));
    put(&mut out, "bw_mean", bw.mean);
    put(&mut out, "bw_dev", bw.stddev());
    put(&mut out, "bw_samples", bw.samples);
    put(&mut out, "iops_min", iops.min);
    put(&mut out, "iops_max", iops.max);
    put(&mut out, "iops_mean", iops.mean);
    put(&mut out, "iops_stddev", iops.stddev());
    put(&mut out, "iops_samples", iops.samples);
    out
}

fn latency(stats: &LatencyStats, job: &JobResult, percentiles: bool, bins: bool) -> Object {
    let moments = &stats.moments;
    let mut out = Object::new();
    put(&mut out, "min", moments.min_or_zero());
    put(&mut out, "max", moments.max);
    put(&mut out, "mean", moments.mean());
    put(&mut out, "stddev", moments.stddev());
    put(&mut out, "N", moments.count);
    if !percentiles || moments.count == 0 {
        return out;
    }
    let list = &job.setup.percentile_list;
    if !list.is_empty() {
        let values = stats.histogram.percentiles(list);
        let pairs = list.iter().zip(values);
        let block: Object = pairs.map(|(p, ns)| (format!("{p:.6}"), Value::from(ns))).collect();
        put(&mut out, "percentile", block);
    }
    if bins {
        let bins = stats.histogram.bins();
        let block: Object = bins.map(|(ns, n)| (ns.to_string(), Value::from(n))).collect();
        put(&mut out, "bins", block);
    }
    out
}

fn usage(out: &mut Object, job: &JobResult) {
    let (user, system) = shares::cpu(job.cpu.user_us, job.cpu.system_us, job.runtime_ms);
    put(out, "job_runtime", job.runtime_ms);
    put(out, "usr_cpu", user);
    put(out, "sys_cpu", system);
    put(out, "ctx", job.cpu.context_switches);
    put(out, "majf", job.cpu.major_faults);
    put(out, "minf", job.cpu.minor_faults);
}

fn distributions(out: &mut Object, job: &JobResult) {
    let total = job.total_ios();
    put(out, "iodepth_level", named(&DEPTHS, &shares::depths(&job.depth, total)));
    put(out, "iodepth_submit", named(&BATCHES, &shares::batches(&job.submit)));
    put(out, "iodepth_complete", named(&BATCHES, &shares::batches(&job.complete)));
    let [ns, us, ms] = shares::latencies(&job.lat_buckets, total);
    put(out, "latency_ns", named(&LIMITS, &ns));
    put(out, "latency_us", named(&LIMITS, &us));
    put(out, "latency_ms", named(&LIMITS_MS, &ms));
}

fn named(names: &[&str], values: &[f64]) -> Object {
    names.iter().zip(values).map(|(name, v)| ((*name).to_owned(), Value::from(*v))).collect()
}

fn latency_target(out: &mut Object, job: &JobResult) {
    let none = LatencyTargetResult {
        percentile: 100.0,
        depth: job.setup.iodepth,
        ..LatencyTargetResult::default()
    };
    let target = job.latency_target.unwrap_or(none);
    put(out, "latency_depth", target.depth);
    put(out, "latency_target", target.target_us * 1000);
    put(out, "latency_target_ns", target.target_us * 1000);
    put(out, "latency_percentile", target.percentile);
    put(out, "latency_window", target.window_us);
    put(out, "latency_window_us", target.window_us);
}

fn steady_state(state: &SteadyStateResult) -> Value {
    let percent = if state.percent { "%" } else { "" };
    let name = state.criterion.split(':').next().unwrap_or_default();
    let mut data = Object::new();
    put(&mut data, "bw_mean", mean(&state.bw_kib) * 1024);
    put(&mut data, "iops_mean", mean(&state.iops));
    if name.starts_with("lat") {
        put(&mut data, "lat_mean", mean(&state.lat_ns));
        put(&mut data, "lat_ns", state.lat_ns.clone());
    }
    put(&mut data, "iops", state.iops.clone());
    put(&mut data, "bw", state.bw_kib.iter().map(|kib| kib * 1024).collect::<Vec<_>>());
    let deviation = if state.slope_judged { 0.0 } else { state.value };
    value!({
        "ss": format!("{name}:{:.6}{percent}", state.limit),
        "duration": state.duration_s,
        "attained": u8::from(state.attained),
        "criterion": format!("{:.6}{percent}", state.value),
        "max_deviation": deviation,
        "slope": state.slope,
        "data": data,
    })
}

/// Whole mean of a window; 0 if it is empty.
pub(crate) fn mean(values: &[u64]) -> u64 {
    let sum: u128 = values.iter().map(|v| u128::from(*v)).sum();
    sum.checked_div(values.len() as u128).and_then(|m| u64::try_from(m).ok()).unwrap_or(0)
}

fn disk(disk: &DiskUtil) -> Object {
    let mut out = Object::new();
    put(&mut out, "name", disk.name.as_str());
    pairs(&mut out, "", [disk.ios, disk.sectors, disk.merges, disk.ticks_ms]);
    put(&mut out, "in_queue", disk.in_queue_ms);
    put(&mut out, "util", disk.util_percent);
    if let Some(members) = &disk.aggregate {
        aggregate(&mut out, members);
    }
    out
}

fn pairs(out: &mut Object, prefix: &str, values: [(u64, u64); 4]) {
    for (name, (read, write)) in ["ios", "sectors", "merges", "ticks"].into_iter().zip(values) {
        put(out, &format!("{prefix}read_{name}"), read);
        // fio has always written this one key in the singular; readers search for it.
        let name = if prefix == "aggr_" && name == "merges" { "merge" } else { name };
        put(out, &format!("{prefix}write_{name}"), write);
    }
}

fn aggregate(out: &mut Object, members: &DiskAggregate) {
    let values = [members.ios, members.sectors, members.merges, members.ticks_ms];
    pairs(out, "aggr_", values);
    put(out, "aggr_in_queue", members.in_queue_ms);
    put(out, "aggr_util", members.max_util_percent);
}
