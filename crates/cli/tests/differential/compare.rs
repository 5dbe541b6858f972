//! What both programs must have in common, wherever it follows from the job alone.

use std::collections::BTreeSet;

use serde_json::Value;

use super::draw::DrawnJob;
use super::trial::{FileLeft, Observed};
use crate::parity::{same_structure, skeleton};

/// Something that differs.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// The comparison that found it.
    pub kind: &'static str,
    /// Where, and what both have.
    pub detail: String,
}

/// The comparisons, the gravest first.
const KINDS: [&str; 14] = [
    "crash", "exit", "content", "files", "document", "figures", "totals", "order", "zeros", "json",
    "terse", "options", "text", "stderr",
];

/// All that differs between the runs of a job, the gravest first.
pub fn differences(job: &DrawnJob, their: &Observed, our: &Observed) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut note = |kind, detail: String| found.push(Difference { kind, detail });
    let failed = |seen: &Observed| seen.exit_code != Some(0);
    match (&their.json, &our.json) {
        _ if our.crashed() => {
            note("crash", format!("we end with {:?}, hung: {}", our.exit_code, our.has_hung));
        }
        // All else follows.
        _ if their.exit_code != our.exit_code => {
            note("exit", format!("fio {:?}, we {:?}", their.exit_code, our.exit_code));
        }
        // Where fio fails in the middle of a job, we often know before that it must.
        (Some(_), Some(ours)) if is_refused_early(ours) => compare_harm(job, their, our, &mut note),
        (Some(their_json), Some(our_json)) => {
            compare_files(job, their, our, &mut note);
            compare_jobs(job, their_json, our_json, &mut note);
            if is_alike(job, their_json, our_json) {
                compare_structure(their_json, our_json, &mut note);
                compare_text(their, our, &mut note);
            }
            compare_terse(their, our, &mut note);
            compare_order(job, their, our, &mut note);
            // What is said of a failure is ours.
            if !failed(their) && their.stderr.is_empty() != our.stderr.is_empty() {
                note("stderr", format!("fio {:?}, we {:?}", their.stderr, our.stderr));
            }
        }
        (None, None) => compare_files(job, their, our, &mut note),
        (theirs, ours) => {
            note("document", format!("fio {}, we {}", theirs.is_some(), ours.is_some()));
        }
    }
    sorted(found)
}

fn sorted(mut found: Vec<Difference>) -> Vec<Difference> {
    found.sort_by_key(|difference| {
        let rank = KINDS.iter().position(|kind| *kind == difference.kind);
        (rank.expect("a kind has a rank"), difference.detail.clone())
    });
    found.dedup();
    found
}

fn compare_structure(their: &Value, our: &Value, note: &mut Note<'_>) {
    let mut faults = Vec::new();
    same_structure(their, our, "", &mut faults);
    faults.into_iter().for_each(|fault| note("json", fault));
}

/// Whether a job failed before any of its I/O.
fn is_refused_early(root: &Value) -> bool {
    jobs(root).iter().any(|job| {
        let did_io = |direction: &&str| count(job, direction, "/total_ios") > 0;
        job["error"] != 0 && !DIRECTIONS.iter().any(did_io)
    })
}

fn jobs(root: &Value) -> &[Value] {
    root["jobs"].as_array().map_or(&[], Vec::as_slice)
}

type Note<'a> = dyn FnMut(&'static str, String) + 'a;

/// After a refusal: what we changed, made or removed, and fio did not.
fn compare_harm(job: &DrawnJob, their: &Observed, our: &Observed, note: &mut Note<'_>) {
    for (name, ours) in our.files.iter().filter(|(_, file)| !file.is_unchanged) {
        // Of a few I/Os of a mix all may be reads.
        let is_untouched = |theirs: &FileLeft| theirs.is_unchanged && !is_mixed(job);
        if their.files.get(name).is_none_or(is_untouched) {
            note("files", format!("{name}: we refuse, and leave {} bytes", ours.size));
        }
    }
    for name in their.files.keys().filter(|name| !our.files.contains_key(*name)) {
        if their.files[name].is_unchanged {
            note("files", format!("{name}: we refuse, and remove it"));
        }
    }
}

fn compare_files(job: &DrawnJob, their: &Observed, our: &Observed, note: &mut Note<'_>) {
    let names: BTreeSet<&String> = their.files.keys().chain(our.files.keys()).collect();
    for name in names {
        let (theirs, ours) = (their.files.get(name), our.files.get(name));
        let size = |file: Option<&FileLeft>| file.map(|file| file.size);
        if size(theirs) != size(ours) {
            note("files", format!("{name}: fio {:?}, we {:?}", size(theirs), size(ours)));
        // Of a few I/Os of a mix all may be reads.
        } else if theirs != ours && !is_mixed(job) {
            note("content", format!("{name}: fio {theirs:?}, we {ours:?}"));
        }
    }
}

/// What follows from the job of its totals.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Totals {
    /// Nothing: a time or a rate decides.
    Open,
    /// The bytes, within a block: sizes of blocks are drawn.
    Bytes,
    /// The sum of all directions: directions are drawn.
    Sum,
    /// I/Os and bytes of each direction.
    Each,
}

fn totals(job: &DrawnJob) -> Totals {
    const BY_TIME: &[&str] = &[
        "exitall",
        "exitall_on_error",
        "latency_target",
        "max_latency",
        "ramp_time",
        "rate_iops_min",
        "rate_min",
        "runtime",
        "steadystate_duration",
        "time_based",
    ];
    match () {
        () if job.sets_any(BY_TIME) => Totals::Open,
        // Where the sequence has holes or steps back, directions decide how long it is.
        () if is_mixed(job) && has(job, "rw", ':') => Totals::Open,
        () if is_mixed(job) && has(job, "bs", ',') => Totals::Bytes,
        () if job.sets_any(&["bsrange", "bssplit"]) => Totals::Bytes,
        () if is_mixed(job) => Totals::Sum,
        () => Totals::Each,
    }
}

/// Whether a value of the option has this character.
fn has(job: &DrawnJob, name: &str, character: char) -> bool {
    let mut values = job.options().filter(|option| option.row.name == name);
    values.any(|option| option.value.as_deref().is_some_and(|value| value.contains(character)))
}

/// Whether a job reads and writes, so that directions are drawn.
fn is_mixed(job: &DrawnJob) -> bool {
    let words = job.options().filter(|option| option.row.name == "rw");
    words.filter_map(|option| option.value.as_deref()).any(|value| {
        let word = value.split(':').next().unwrap_or_default().trim_start_matches("rand");
        ["rw", "readwrite"].contains(&word)
    })
}

/// From this time on there are samples of bandwidth, whatever their interval is.
const LONG_ENOUGH_FOR_SAMPLES_MS: u64 = 1050;
const DIRECTIONS: [&str; 4] = ["read", "write", "trim", "mixed"];
/// Figures of a direction that follow from totals.
const COUNTS: &[&str] = &[
    "/total_ios",
    "/io_bytes",
    "/io_kbytes",
    "/short_ios",
    "/drop_ios",
    "/slat_ns/N",
    "/clat_ns/N",
    "/lat_ns/N",
];
/// Figures that follow from the job whatever it measures.
const ALWAYS_EQUAL: &[&str] = &[
    "/jobname",
    "/groupid",
    "/error",
    "/desc",
    "/latency_target",
    "/latency_percentile",
    "/latency_window",
    "/total_err",
    "/first_error",
];

fn compare_jobs(job: &DrawnJob, their: &Value, our: &Value, note: &mut Note<'_>) {
    let (total, zero) = (totals(job), Some(&Value::from(0)));
    for (index, (their, our)) in jobs(their).iter().zip(jobs(our)).enumerate() {
        for pointer in ALWAYS_EQUAL {
            let (theirs, ours) = (their.pointer(pointer), our.pointer(pointer));
            // How a job fails that must fail is not compared.
            let both_failed = *pointer == "/error" && theirs != zero && ours != zero;
            if theirs != ours && !both_failed {
                note("figures", format!("/{index}{pointer}: fio {theirs:?}, we {ours:?}"));
            }
        }
        compare_options(index, &their["job options"], &our["job options"], note);
        compare_totals(index, total, their, our, note);
        for direction in DIRECTIONS {
            let at = format!("/{index}/{direction}");
            compare_zeros(job, &at, &their[direction], &our[direction], note);
        }
    }
}

fn compare_options(index: usize, their: &Value, our: &Value, note: &mut Note<'_>) {
    let text = |options: &Value, name: &String| {
        options.get(name).map(|v| v.as_str().unwrap_or_default().to_owned())
    };
    let empty = serde_json::Map::new();
    let (theirs, ours) = (their.as_object().unwrap_or(&empty), our.as_object().unwrap_or(&empty));
    let names: BTreeSet<&String> = theirs.keys().chain(ours.keys()).collect();
    for name in names {
        let (their, our) = (text(their, name), text(our, name));
        let is_bare = |text: &Option<String>| text.as_deref().unwrap_or_default().is_empty();
        if their != our && !(is_bare(&their) && is_bare(&our)) {
            note("options", format!("/{index}/{name}: fio {their:?}, we {our:?}"));
        }
    }
}

fn count(job: &Value, direction: &str, pointer: &str) -> u64 {
    job[direction].pointer(pointer).and_then(Value::as_u64).unwrap_or(0)
}

/// The directions of each job that had I/O, those that were timed, and whether it flushed.
fn directions(root: &Value) -> Vec<[bool; 9]> {
    let each = jobs(root).iter().map(|job| {
        let [read, write, trim, mixed] = DIRECTIONS.map(|d| count(job, d, "/total_ios") > 0);
        let [reads, writes, trims, all] = DIRECTIONS.map(|d| count(job, d, "/clat_ns/N") > 0);
        let flushed = count(job, "sync", "/lat_ns/N") > 0;
        [read, write, trim, mixed, reads, writes, trims, all, flushed]
    });
    each.collect()
}

/// Options by which chance decides whether a short job has any I/O to report.
const BY_CHANCE: &[&str] = &["exitall", "exitall_on_error", "latency_target"];

/// Whether both have I/O in the same directions, or must have: few I/Os of a mix may all be drawn
/// for one direction, and a job may end with its ramp, and then other lines and keys are there.
fn is_alike(job: &DrawnJob, their: &Value, our: &Value) -> bool {
    let is_drawn = is_mixed(job) || job.sets_any(BY_CHANCE) || job.sets_any(&["ramp_time"]);
    !is_drawn || directions(their) == directions(our)
}

fn compare_totals(index: usize, total: Totals, their: &Value, our: &Value, note: &mut Note<'_>) {
    let sum = |job: &Value, key| DIRECTIONS.iter().map(|d| count(job, d, key)).sum::<u64>();
    match total {
        Totals::Open => {}
        Totals::Bytes => {
            let (theirs, ours) = (sum(their, "/io_bytes"), sum(our, "/io_bytes"));
            if theirs.abs_diff(ours) > 32_768 + theirs / 20 {
                note("totals", format!("/{index}/io_bytes: fio {theirs}, we {ours}"));
            }
        }
        Totals::Sum => {
            for key in ["/total_ios", "/io_bytes"] {
                let (theirs, ours) = (sum(their, key), sum(our, key));
                if theirs != ours {
                    note("totals", format!("/{index}{key} of all: fio {theirs}, we {ours}"));
                }
            }
        }
        Totals::Each => {
            for (direction, key) in
                DIRECTIONS.iter().flat_map(|d| COUNTS.iter().map(move |key| (d, key)))
            {
                let (theirs, ours) = (count(their, direction, key), count(our, direction, key));
                if theirs != ours {
                    note("totals", format!("/{index}/{direction}{key}: fio {theirs}, we {ours}"));
                }
            }
        }
    }
}

/// Figures that are zero in one program alone.
fn compare_zeros(job: &DrawnJob, at: &str, their: &Value, our: &Value, note: &mut Note<'_>) {
    const LATENCIES: &[&str] = &["slat_ns", "clat_ns", "lat_ns"];
    const SAMPLES: &[&str] = &[
        "/bw_min",
        "/bw_max",
        "/bw_mean",
        "/bw_samples",
        "/iops_min",
        "/iops_max",
        "/iops_mean",
        "/iops_samples",
    ];
    let mut pointers: Vec<String> = Vec::new();
    // Of a few I/Os of a mix all may be drawn for the other direction.
    if !is_mixed(job) && !job.sets_any(BY_CHANCE) {
        pointers.extend(COUNTS.iter().take(3).map(|key| (*key).to_owned()));
        pointers.extend(["/bw", "/bw_bytes", "/iops", "/runtime"].map(str::to_owned));
        // A job may end with its ramp, or just after it; `exitall` may end it before it began.
        for kind in LATENCIES.iter().filter(|_| !job.sets_any(&["ramp_time"])) {
            pointers.extend(["mean", "max", "N"].map(|key| format!("/{kind}/{key}")));
        }
    }
    let runtime = |value: &Value| value["runtime"].as_u64().unwrap_or(0);
    if runtime(their).min(runtime(our)) >= LONG_ENOUGH_FOR_SAMPLES_MS {
        pointers.extend(SAMPLES.iter().map(|key| (*key).to_owned()));
    }
    for pointer in pointers {
        let number = |value: &Value| value.pointer(&pointer).and_then(Value::as_f64).unwrap_or(0.0);
        let (theirs, ours) = (number(their), number(our));
        if (theirs == 0.0) != (ours == 0.0) {
            note("zeros", format!("{at}{pointer}: fio {theirs}, we {ours}"));
        }
    }
}

fn compare_text(their: &Observed, our: &Observed, note: &mut Note<'_>) {
    // What is said of a failure is ours; only that there was one is compared.
    let line = |line: String| match line.split_once("err=#") {
        Some((job, _)) => job.to_owned(),
        None => line,
    };
    let lines = |seen: &Observed| -> BTreeSet<String> {
        let lines = skeleton(&seen.text.join("\n")).into_iter().map(line);
        lines.filter(|line| line != "fio").collect()
    };
    let (theirs, ours) = (lines(their), lines(our));
    for line in theirs.difference(&ours) {
        note("text", format!("fio alone: {line}"));
    }
    for line in ours.difference(&theirs) {
        note("text", format!("we alone: {line}"));
    }
}

/// Lines, their names, groups and numbers of fields, and whether they are of failed jobs.
fn compare_terse(their: &Observed, our: &Observed, note: &mut Note<'_>) {
    let shape = |line: &String| -> Vec<String> {
        let fields: Vec<&str> = line.split(';').collect();
        let at = |index: usize| fields.get(index).copied().unwrap_or_default().to_owned();
        vec![at(2), at(3), (at(4) != "0").to_string(), fields.len().to_string()]
    };
    let shapes = |seen: &Observed| seen.terse.iter().map(shape).collect::<Vec<_>>();
    let (theirs, ours) = (shapes(their), shapes(our));
    if theirs != ours {
        note("terse", format!("fio {theirs:?}, we {ours:?}"));
    }
}

/// The order of offsets of sequential jobs, by logs with offsets.
fn compare_order(job: &DrawnJob, their: &Observed, our: &Observed, note: &mut Note<'_>) {
    let is_sequential = job.options().filter(|o| o.row.name == "rw").all(|o| {
        o.value
            .as_deref()
            .is_some_and(|v| ["read", "write", "trim"].iter().any(|w| v.starts_with(w)))
            && o.value.as_deref() != Some("readwrite")
    });
    let is_fixed = is_sequential && totals(job) == Totals::Each && !job.sets_any(&["iodepth"]);
    if !is_fixed || !job.sets_any(&["log_offset"]) || job.sets_any(&["log_avg_msec"]) {
        return;
    }
    let order = |log: &String| -> Vec<String> {
        let fields = |line: &str| line.split(", ").skip(2).take(3).collect::<Vec<_>>().join(" ");
        log.lines().map(fields).collect()
    };
    for (name, theirs) in &their.logs {
        let Some(ours) = our.logs.get(name).filter(|_| !name.contains("_hist")) else { continue };
        let (theirs, ours) = (order(theirs), order(ours));
        let at = theirs.iter().zip(&ours).position(|(a, b)| a != b);
        if let Some(at) = at {
            note("order", format!("{name}: line {at}: fio {:?}, we {:?}", theirs[at], ours[at]));
        } else if theirs.len() != ours.len() {
            note("order", format!("{name}: fio {} lines, we {}", theirs.len(), ours.len()));
        }
    }
}
