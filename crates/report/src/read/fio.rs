//! fio's JSON beyond names and means: percentiles, bins (JSON+), CPU, disks.
//!
//! Every field may be missing, because older versions omit some; a value of another type than fio's
//! counts as missing.

use super::entry_detail::{Detail, percentiles};
use fathom_document::compare::RecordingEntry;
use fathom_stats::{DiskUtil, Histogram, LatencyStats};
use serde_json::Value;
use std::sync::Arc;

/// Maximum I/Os of a bin: sums over any number of jobs fit in 64 bits.
const MOST_IN_BIN: u64 = 1 << 44;

/// Detail and settings of one entry of `document`; not its disks, which belong to the whole run.
pub(super) fn detail(document: &Value, entry: &RecordingEntry) -> (Detail, String) {
    let way = entry.direction.name();
    let own = |job: &&Value| {
        job["jobname"].as_str().unwrap_or("job") == entry.name
            && job[way]["total_ios"].as_f64().unwrap_or(0.0) > 0.0
    };
    let jobs: Vec<&Value> = document["jobs"].as_array().into_iter().flatten().filter(own).collect();
    let histogram = Histogram::from_bins(jobs.iter().flat_map(|job| bins(&job[way])));
    let max_ns = jobs.iter().filter_map(|job| latency(&job[way])["max"].as_f64());
    let max_ns = max_ns.reduce(f64::max);
    let mut told = match (histogram.total(), jobs.as_slice()) {
        (1.., _) => {
            let histogram = histogram.clone();
            percentiles(&LatencyStats { histogram, ..LatencyStats::default() })
        }
        // Percentiles of clones can not be joined.
        (0, [only]) => listed(&only[way]),
        _ => Vec::new(),
    };
    // fio gives the middle of a bucket, which may lie beyond the longest I/O.
    told.iter_mut().for_each(|(_, ns)| *ns = ns.min(max_ns.unwrap_or(f64::MAX)));
    let detail = Detail {
        ios: jobs.iter().filter_map(|job| job[way]["total_ios"].as_f64()).sum(),
        percentiles: told,
        histogram,
        max_ns,
        cpu_ns_per_io: cpu_ns_per_io(&jobs),
        ..Detail::default()
    };
    (detail, jobs.first().map(|job| settings(document, job)).unwrap_or_default())
}

/// Total latency if it was measured, otherwise completion latency.
fn latency(of: &Value) -> &Value {
    match of["lat_ns"]["percentile"].is_object() {
        true => &of["lat_ns"],
        false => &of["clat_ns"],
    }
}

fn bins(of: &Value) -> Vec<(u64, u64)> {
    let bins = latency(of)["bins"].as_object().into_iter().flatten();
    bins.filter_map(|(ns, count)| Some((ns.parse().ok()?, count.as_u64()?.min(MOST_IN_BIN))))
        .collect()
}

fn listed(of: &Value) -> Vec<(f64, f64)> {
    let map = latency(of)["percentile"].as_object().into_iter().flatten();
    let mut all: Vec<(f64, f64)> = map
        .filter_map(|(percent, ns)| Some((percent.parse().ok()?, ns.as_f64()?)))
        .filter(|(percent, _): &(f64, f64)| (0.0..100.0).contains(percent))
        .collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    all
}

/// fio gives CPU in percent of a job's runtime, over all its directions.
fn cpu_ns_per_io(jobs: &[&Value]) -> Option<f64> {
    let (mut cpu_ns, mut ios) = (0.0, 0.0);
    for job in jobs {
        let percent = job["usr_cpu"].as_f64()? + job["sys_cpu"].as_f64()?;
        // A group's runtime is that of all its jobs together.
        cpu_ns += percent / 100.0 * job["job_runtime"].as_f64()? * 1e6;
        ios += ["read", "write", "trim"]
            .iter()
            .filter_map(|way| job[*way]["total_ios"].as_f64())
            .sum::<f64>();
    }
    (cpu_ns > 0.0 && ios > 0.0).then(|| cpu_ns / ios)
}

/// The disk counters, as far as fio has them.
pub(super) fn disks(document: &Value) -> Arc<[DiskUtil]> {
    document["disk_util"].as_array().into_iter().flatten().filter_map(disk).collect()
}

fn disk(of: &Value) -> Option<DiskUtil> {
    let name = of["name"].as_str()?.to_owned();
    Some(DiskUtil { name, util_percent: of["util"].as_f64()?, ..DiskUtil::default() })
}

/// The options that explain a figure, as fio spells them.
fn settings(document: &Value, job: &Value) -> String {
    let option = |key: &str| {
        let own = job["job options"][key].as_str();
        own.or_else(|| document["global options"][key].as_str())
    };
    let keys = ["rw", "bs", "iodepth", "numjobs", "ioengine", "direct"];
    let given = keys.iter().filter_map(|key| Some(format!("{key}={}", option(key)?)));
    given.collect::<Vec<_>>().join(" ")
}
