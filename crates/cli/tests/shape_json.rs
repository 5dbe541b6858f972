//! The keys of fio's JSON with their types and their order, and a check of a document against them.
//!
//! Programs decode integers as integers (Go's `int32`, `int64`), so a `1.0` where fio writes `1`
//! breaks them; a key that is missing or stands elsewhere may. Keys that fio 3.33 does not have
//! are allowed, as later versions of fio have more.

use serde_json::{Map, Value};

#[derive(Clone, Copy)]
enum Kind {
    Int,
    Float,
    Text,
    List,
    /// An object with any keys whose values are text.
    Texts,
    /// An object with these keys, all of them floats.
    Shares(&'static [&'static str]),
    Object(&'static [(&'static str, Kind)]),
}

use Kind::{Float, Int, List, Object, Shares, Text, Texts};

const ROOT: &[(&str, Kind)] = &[
    ("fio version", Text),
    ("timestamp", Int),
    ("timestamp_ms", Int),
    ("time", Text),
    ("jobs", List),
];

const JOB: &[(&str, Kind)] = &[
    ("jobname", Text),
    ("groupid", Int),
    ("error", Int),
    ("eta", Int),
    ("elapsed", Int),
    ("read", Object(DIRECTION)),
    ("write", Object(DIRECTION)),
    ("trim", Object(DIRECTION)),
    ("sync", Object(&[("total_ios", Int), ("lat_ns", Object(LATENCY))])),
    ("job_runtime", Int),
    ("usr_cpu", Float),
    ("sys_cpu", Float),
    ("ctx", Int),
    ("majf", Int),
    ("minf", Int),
    ("iodepth_level", Shares(&["1", "2", "4", "8", "16", "32", ">=64"])),
    ("iodepth_submit", Shares(BATCHES)),
    ("iodepth_complete", Shares(BATCHES)),
    ("latency_ns", Shares(BELOW_A_THOUSAND)),
    ("latency_us", Shares(BELOW_A_THOUSAND)),
    (
        "latency_ms",
        Shares(&["2", "4", "10", "20", "50", "100", "250", "500", "750", "1000", "2000", ">=2000"]),
    ),
    ("latency_depth", Int),
    ("latency_target", Int),
    ("latency_percentile", Float),
    ("latency_window", Int),
];

const BATCHES: &[&str] = &["0", "4", "8", "16", "32", "64", ">=64"];
const BELOW_A_THOUSAND: &[&str] = &["2", "4", "10", "20", "50", "100", "250", "500", "750", "1000"];

const DIRECTION: &[(&str, Kind)] = &[
    ("io_bytes", Int),
    ("io_kbytes", Int),
    ("bw_bytes", Int),
    ("bw", Int),
    ("iops", Float),
    ("runtime", Int),
    ("total_ios", Int),
    ("short_ios", Int),
    ("drop_ios", Int),
    ("slat_ns", Object(LATENCY)),
    ("clat_ns", Object(LATENCY)),
    ("lat_ns", Object(LATENCY)),
    ("bw_min", Int),
    ("bw_max", Int),
    ("bw_agg", Float),
    ("bw_mean", Float),
    ("bw_dev", Float),
    ("bw_samples", Int),
    ("iops_min", Int),
    ("iops_max", Int),
    ("iops_mean", Float),
    ("iops_stddev", Float),
    ("iops_samples", Int),
];

const LATENCY: &[(&str, Kind)] =
    &[("min", Int), ("max", Int), ("mean", Float), ("stddev", Float), ("N", Int)];

const DISK: &[(&str, Kind)] = &[
    ("name", Text),
    ("read_ios", Int),
    ("write_ios", Int),
    ("read_merges", Int),
    ("write_merges", Int),
    ("read_ticks", Int),
    ("write_ticks", Int),
    ("in_queue", Int),
    ("util", Float),
];

/// Everything in `document` that is not of fio's shape, one line each.
pub fn faults(document: &Value) -> Vec<String> {
    let mut faults = Vec::new();
    object(document, ROOT, "", &mut faults);
    for (index, job) in list(document, "jobs").enumerate() {
        let at = format!("jobs[{index}]");
        object(job, JOB, &at, &mut faults);
        // fio leaves the object out where every option came from a global section.
        if let Some(options) = job.get("job options") {
            member(options, Texts, &format!("{at}.job options"), &mut faults);
        }
        for direction in ["read", "write", "trim"] {
            percentiles(&job[direction]["clat_ns"], direction, &mut faults);
        }
    }
    for (index, disk) in list(document, "disk_util").enumerate() {
        object(disk, DISK, &format!("disk_util[{index}]"), &mut faults);
    }
    faults
}

/// Directions of a document's jobs in which I/Os were done.
pub fn directions(document: &Value) -> Vec<String> {
    let moved = |direction: &&str| {
        list(document, "jobs").any(|job| job[*direction]["total_ios"].as_u64() > Some(0))
    };
    ["read", "write", "trim"].iter().filter(|d| moved(d)).map(|d| (*d).to_owned()).collect()
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value[key].as_array().into_iter().flatten()
}

fn object(value: &Value, keys: &[(&str, Kind)], at: &str, faults: &mut Vec<String>) {
    let Some(map) = value.as_object() else {
        faults.push(format!("{at} is no object"));
        return;
    };
    for (key, kind) in keys {
        match map.get(*key) {
            None => faults.push(format!("{at}.{key} is missing")),
            Some(value) => member(value, *kind, &format!("{at}.{key}"), faults),
        }
    }
    in_order(map, keys, at, faults);
}

fn in_order(map: &Map<String, Value>, keys: &[(&str, Kind)], at: &str, faults: &mut Vec<String>) {
    let place = |key: &str| map.keys().position(|k| k == key);
    for pair in keys.windows(2) {
        if let (Some(first), Some(second)) = (place(pair[0].0), place(pair[1].0))
            && first > second
        {
            faults.push(format!("{at}.{} stands after {}", pair[0].0, pair[1].0));
        }
    }
}

fn member(value: &Value, kind: Kind, at: &str, faults: &mut Vec<String>) {
    let sound = match kind {
        Int => value.is_i64() || value.is_u64(),
        Float => value.is_f64(),
        Text => value.is_string(),
        List => value.is_array(),
        Texts => value.as_object().is_some_and(|map| map.values().all(Value::is_string)),
        Shares(names) => {
            return names.iter().for_each(|name| match &value[*name] {
                share if share.is_f64() => {}
                other => faults.push(format!("{at}.{name} is {other}, not a float")),
            });
        }
        Object(keys) => return object(value, keys, at, faults),
    };
    if !sound {
        faults.push(format!("{at} has the wrong type: {value}"));
    }
}

/// Latencies that were taken have percentiles, in integers under keys of six decimals.
fn percentiles(latency: &Value, at: &str, faults: &mut Vec<String>) {
    let Some(map) = latency["percentile"].as_object() else {
        if latency["N"].as_u64() > Some(0) {
            faults.push(format!("{at}.clat_ns has samples and no percentiles"));
        }
        return;
    };
    let named = |key: &str| key.split_once('.').is_some_and(|(_, part)| part.len() == 6);
    for (key, value) in map {
        if !named(key) || !value.is_u64() {
            faults.push(format!("{at}.clat_ns.percentile: {key:?} : {value}"));
        }
    }
}
