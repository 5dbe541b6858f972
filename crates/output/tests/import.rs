//! A `RunResult` from what fio itself wrote, so that formatting is tested on real figures.
//!
//! JSON+ holds all that the texts show, but for the pids, the number of clones in a group and
//! the error's place, which are taken from the text. Sums are found from the means: they are
//! whole numbers. Shares are turned back into counts.

use fathom_output::CpuIdleness;
use fathom_stats::{
    BatchCounts, CpuUsage, DepthCounts, DirectionStats, DiskUtil, Histogram, JobResult, JobSetup,
    LatencyBuckets, LatencyStats, LatencyTargetResult, Moments, RunResult, SteadyStateResult,
};
use fathom_vocab::{Direction, PerDirection};
use serde_json::Value;

/// What one run of fio printed with `--output-format=normal,json+,terse`.
pub struct Captured {
    pub opening: Vec<String>,
    pub terse: Vec<String>,
    pub json_text: String,
    pub json: Value,
    pub normal: Vec<String>,
}

impl Captured {
    pub fn of(text: &str) -> Captured {
        let lines: Vec<&str> = text.lines().collect();
        let open = lines.iter().position(|l| *l == "{").expect("a JSON document");
        let close = lines.iter().rposition(|l| *l == "}").expect("its end");
        let is_terse = |line: &&&str| line.starts_with("5;");
        let owned = |lines: &[&str]| lines.iter().map(|l| (*l).to_owned()).collect();
        let first_terse = lines.iter().position(|l| is_terse(&l)).unwrap_or(open);
        let json_text = lines[open..=close].join("\n") + "\n";
        Captured {
            opening: owned(&lines[..first_terse]),
            terse: lines[first_terse..open].iter().filter(is_terse).map(|l| (*l).into()).collect(),
            json: serde_json::from_str(&json_text).expect("fio's JSON parses"),
            json_text,
            normal: owned(&lines[close + 1..]),
        }
    }

    /// Idleness, where it was asked for.
    pub fn idleness(&self) -> Option<CpuIdleness> {
        let block = self.json.get("cpu_idleness")?;
        let cpus = |(key, value): (&String, &Value)| key.starts_with("cpu-").then(|| float(value));
        let cpus: Vec<f64> = block.as_object().into_iter().flatten().filter_map(cpus).collect();
        Some(CpuIdleness {
            system: float(&block["system"]),
            show_cpus: !cpus.is_empty(),
            cpus,
            unit_mean_us: float(&block["unit_mean"]),
            unit_stddev_us: float(&block["unit_stddev"]),
        })
    }

    /// The result that these texts tell of.
    pub fn result(&self) -> RunResult {
        let doc = &self.json;
        let heads: Vec<Head> = self.normal.iter().filter_map(|line| Head::of(line)).collect();
        let jobs = doc["jobs"].as_array().expect("jobs");
        assert_eq!(jobs.len(), heads.len(), "a heading for each job");
        let globals = options(&doc["global options"]);
        let jobs = jobs.iter().zip(&heads).zip(&self.terse);
        RunResult {
            timestamp_ms: int(&doc["timestamp_ms"]),
            jobs: jobs
                .flat_map(|((value, head), terse)| clones(value, head, terse, &globals))
                .collect(),
            global_options: globals,
            disks: doc["disk_util"].as_array().into_iter().flatten().map(disk).collect(),
            ..RunResult::default()
        }
    }
}

/// What a job's first line in the text says beyond JSON.
struct Head {
    clones: u32,
    pid: u32,
    error_text: String,
}

impl Head {
    fn of(line: &str) -> Option<Head> {
        let (_, rest) = line.split_once(": (groupid=")?;
        let (clones, rest) = rest.split_once("jobs=")?.1.split_once("): err=")?;
        let pid = rest.split_once("pid=")?.1.split(':').next()?;
        let error = rest.split_once(" (").and_then(|(_, r)| r.split_once(", error="));
        Some(Head {
            clones: clones.parse().ok()?,
            pid: pid.parse().ok()?,
            error_text: error.map_or(String::new(), |(text, _)| text.to_owned()),
        })
    }
}

fn int(value: &Value) -> u64 {
    value.as_u64().unwrap_or(0)
}

fn float(value: &Value) -> f64 {
    value.as_f64().unwrap_or(0.0)
}

fn options(value: &Value) -> Vec<(String, Option<String>)> {
    let pair = |(k, v): (&String, &Value)| (k.clone(), v.as_str().map(str::to_owned));
    value.as_object().into_iter().flatten().map(pair).collect()
}

/// The element as its first clone, and empty ones that only count.
fn clones(
    value: &Value,
    head: &Head,
    terse: &str,
    globals: &[(String, Option<String>)],
) -> Vec<JobResult> {
    let own = options(&value["job options"]);
    let setup = setup(value, &own, globals, terse);
    let group_reporting = head.clones > 1;
    let blank = JobResult {
        name: value["jobname"].as_str().unwrap_or("").to_owned(),
        group_id: int(&value["groupid"]) as u32,
        group_reporting,
        setup,
        ..JobResult::default()
    };
    let mut first = job(value, head, own, blank.clone());
    let mut out = Vec::new();
    for dir in Direction::ALL {
        split_rates(
            &mut first.dirs[dir],
            &value[key_of(dir, &first.setup)],
            u64::from(head.clones),
        );
    }
    for _ in 1..head.clones {
        let mut rest = blank.clone();
        for dir in Direction::ALL {
            rest.dirs[dir].bw = silent(first.dirs[dir].bw.count);
            rest.dirs[dir].iops = silent(first.dirs[dir].iops.count);
        }
        out.push(rest);
    }
    out.insert(0, first);
    out
}

fn silent(count: u64) -> Moments {
    Moments { count, sum: 0, sum_sq: 0, min: u64::from(count == 0) * u64::MAX, max: 0 }
}

/// Where a direction's figures are; with unified reporting all count as reads.
fn key_of(dir: Direction, setup: &JobSetup) -> &'static str {
    match (setup.unified_rw, dir) {
        (1, Direction::Read) => "mixed",
        (1, _) => "nowhere",
        _ => dir.name(),
    }
}

fn job(
    value: &Value,
    head: &Head,
    own: Vec<(String, Option<String>)>,
    blank: JobResult,
) -> JobResult {
    let setup = blank.setup.clone();
    let runtime_ms = int(&value["job_runtime"]);
    let dirs = PerDirection::from_fn(|dir| direction(&value[key_of(dir, &setup)]));
    let total_ios = dirs.iter().map(|(_, d): (_, &DirectionStats)| d.total_ios).sum();
    let cpu_us = |key: &str| (float(&value[key]) * runtime_ms as f64 * 10.0).round() as u64;
    let sync = latency(&value["sync"]["lat_ns"]);
    JobResult {
        description: value["desc"].as_str().map(str::to_owned),
        pid: head.pid,
        error: (value["error"].as_i64().unwrap_or(0) as i32).into(),
        error_text: head.error_text.clone(),
        options: own,
        elapsed_ms: int(&value["elapsed"]).saturating_sub(1) * 1000,
        runtime_ms,
        dirs,
        sync,
        cpu: CpuUsage {
            user_us: cpu_us("usr_cpu"),
            system_us: cpu_us("sys_cpu"),
            context_switches: int(&value["ctx"]),
            major_faults: int(&value["majf"]),
            minor_faults: int(&value["minf"]),
        },
        depth: DepthCounts(counts(&value["iodepth_level"], total_ios)),
        submit: BatchCounts(counts(&value["iodepth_submit"], 100_000_000)),
        complete: BatchCounts(counts(&value["iodepth_complete"], 100_000_000)),
        lat_buckets: buckets(value, total_ios),
        total_err: int(&value["total_err"]),
        first_error: (int(&value["first_error"]) as i32).into(),
        latency_target: Some(LatencyTargetResult {
            target_us: int(&value["latency_target"]) / 1000,
            window_us: int(&value["latency_window"]),
            percentile: float(&value["latency_percentile"]),
            depth: int(&value["latency_depth"]) as u32,
        }),
        steady_state: value.get("steadystate").map(steady_state),
        ..blank
    }
}

fn direction(value: &Value) -> DirectionStats {
    DirectionStats {
        io_bytes: int(&value["io_bytes"]),
        total_ios: int(&value["total_ios"]),
        short_ios: int(&value["short_ios"]),
        drop_ios: int(&value["drop_ios"]),
        runtime_ms: int(&value["runtime"]),
        slat: latency(&value["slat_ns"]),
        clat: latency(&value["clat_ns"]),
        lat: latency(&value["lat_ns"]),
        ..DirectionStats::default()
    }
}

/// Rates of `clones` that ran alike: all in the first, whose windows count for one clone.
fn split_rates(stats: &mut DirectionStats, value: &Value, clones: u64) {
    let rates = |min: &str, max: &str, mean: &str, deviation: &str, samples: &str| {
        let all = int(&value[samples]);
        let squares = float(&value[deviation]).powi(2) * all.saturating_sub(1) as f64;
        assert_eq!(all % clones, 0, "clones with unequal windows cannot be split");
        let own = all / clones;
        let extremes = (int(&value[min]), int(&value[max]));
        moments(own, float(&value[mean]), squares, extremes)
    };
    stats.bw = rates("bw_min", "bw_max", "bw_mean", "bw_dev", "bw_samples");
    stats.iops = rates("iops_min", "iops_max", "iops_mean", "iops_stddev", "iops_samples");
}

fn moments(count: u64, mean: f64, squares: f64, (min, max): (u64, u64)) -> Moments {
    if count == 0 {
        return Moments::default();
    }
    let sum = (mean * count as f64).round() as u128;
    // The square of the sum is taken in integers: it is far larger than what it is added to.
    let base = sum * sum / u128::from(count);
    let rest = (sum * sum % u128::from(count)) as f64 / count as f64;
    let sum_sq = base + (squares + rest).round() as u128;
    Moments { count, sum, sum_sq, min, max }
}

fn latency(value: &Value) -> LatencyStats {
    let count = int(&value["N"]);
    let squares = float(&value["stddev"]).powi(2) * count.saturating_sub(1) as f64;
    let extremes = (int(&value["min"]), int(&value["max"]));
    let bins = value["bins"].as_object().into_iter().flatten();
    LatencyStats {
        moments: moments(count, float(&value["mean"]), squares, extremes),
        histogram: Histogram::from_bins(
            bins.map(|(ns, count)| (ns.parse().expect("nanoseconds"), int(count))),
        ),
    }
}

/// Counts of shares; those raised to the least shown (0.1) part what the others leave.
fn counts(value: &Value, total: u64) -> [u64; 7] {
    let shares: Vec<f64> = value.as_object().into_iter().flatten().map(|(_, v)| float(v)).collect();
    let raised = shares.iter().filter(|share| **share == 0.1).count() as u64;
    let known: u64 = shares.iter().filter(|s| **s != 0.1).map(|s| unshare(*s, total)).sum();
    let least =
        total.saturating_sub(known).checked_div(raised).unwrap_or(0).clamp(1, total / 1000 + 1);
    let count = |share: &f64| if *share == 0.1 { least } else { unshare(*share, total) };
    let counts: Vec<u64> = shares.iter().map(count).collect();
    counts.try_into().unwrap_or([0; 7])
}

fn buckets(value: &Value, total: u64) -> LatencyBuckets {
    let mut all = [0; 32];
    let keys = ["latency_ns", "latency_us", "latency_ms"];
    let shares = keys.iter().flat_map(|key| value[key].as_object().into_iter().flatten());
    for (count, (_, share)) in all.iter_mut().zip(shares) {
        *count = if float(share) == 0.01 { 1 } else { unshare(float(share), total) };
    }
    LatencyBuckets::from_counts(all)
}

fn unshare(share: f64, total: u64) -> u64 {
    (share / 100.0 * total as f64).round() as u64
}

fn disk(value: &Value) -> DiskUtil {
    let pair =
        |what: &str| (int(&value[format!("read_{what}")]), int(&value[format!("write_{what}")]));
    DiskUtil {
        name: value["name"].as_str().unwrap_or("").to_owned(),
        ios: pair("ios"),
        merges: pair("merges"),
        ticks_ms: pair("ticks"),
        in_queue_ms: int(&value["in_queue"]),
        util_percent: float(&value["util"]),
        ..DiskUtil::default()
    }
}

fn steady_state(value: &Value) -> SteadyStateResult {
    let list = |key: &str| -> Vec<u64> {
        value["data"][key].as_array().into_iter().flatten().map(int).collect()
    };
    let criterion = value["ss"].as_str().unwrap_or("").to_owned();
    let number = |text: &str| text.trim_end_matches('%').parse().unwrap_or(0.0);
    SteadyStateResult {
        slope_judged: criterion.contains("_slope"),
        duration_s: int(&value["duration"]),
        attained: int(&value["attained"]) == 1,
        value: number(value["criterion"].as_str().unwrap_or("")),
        limit: number(criterion.split(':').nth(1).unwrap_or("")),
        percent: criterion.ends_with('%'),
        slope: float(&value["slope"]),
        iops: list("iops"),
        bw_kib: list("bw").into_iter().map(|bytes| bytes / 1024).collect(),
        lat_ns: list("lat_ns"),
        criterion,
    }
}

fn setup(
    value: &Value,
    own: &[(String, Option<String>)],
    globals: &[(String, Option<String>)],
    terse: &str,
) -> JobSetup {
    let given = |name: &str| {
        let found = own.iter().rev().chain(globals.iter().rev()).find(|(key, _)| key == name);
        found.and_then(|(_, value)| value.as_deref())
    };
    let number = |name: &str, default: u32| given(name).map_or(default, |v| v.parse().unwrap_or(1));
    // An option that is a flag is missing from fio 3.33's JSON when it was given without a value.
    let reduced = number("gtod_reduce", 0) == 1 || number("disable_clat", 0) == 1;
    JobSetup {
        percentile_list: percentiles(terse, given("percentile_list")),
        iodepth: int(&value["latency_depth"]) as u32,
        clat_percentiles: number("clat_percentiles", 1) == 1 && !reduced,
        lat_percentiles: number("lat_percentiles", 0) == 1,
        slat_percentiles: number("slat_percentiles", 0) == 1,
        unified_rw: match given("unified_rw_reporting") {
            Some("1" | "mixed") => 1,
            Some("2" | "both") => 2,
            _ => 0,
        },
        significant_figures: number("significant_figures", 4) as u8,
        kb_base: number("kb_base", 1024),
        unit_base: number("unit_base", 8) as u8,
        continue_on_error: given("continue_on_error").is_some(),
        ..JobSetup::default()
    }
}

fn percentiles(terse: &str, given: Option<&str>) -> Vec<f64> {
    if let Some(list) = given {
        return list.split(':').map(|p| p.parse().expect("a percentile")).collect();
    }
    let shown: Vec<f64> = terse
        .split(';')
        .filter_map(|field| field.split_once("%="))
        .filter(|(share, _)| share.contains('.'))
        .map(|(share, _)| share.parse().expect("a percentile"))
        .take(17)
        .collect();
    let default = [
        1.0, 5.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0, 70.0, 80.0, 90.0, 95.0, 99.0, 99.5, 99.9,
        99.95, 99.99,
    ];
    if shown.is_empty() { default.to_vec() } else { shown }
}
