//! Finds the runs in a document of Fathom's of any kind, and reads their figures.
//!
//! A run's disk counters are stored once, however many names its jobs have: an hour takes hundreds
//! of kilobytes a disk.

use super::load_options::{GivenOption, load_options};
use super::{Known, RecordedLoad, RecordingEntry, RecordingError};
use crate::case_figures::in_turn;
use crate::check::CheckLoad;
use crate::json_document::{JsonDocument, json_reason};
use crate::limit::LoadLevel;
use crate::record::PlaceRecord;
use crate::suite::Phase;
use fathom_analysis::{Estimate, NoEstimate, Rates};
use fathom_message::Message;
use fathom_stats::{DirectionStats, DiskUtil, JobResult, RunResult};
use fathom_vocab::Direction;
use serde_json::{Map, Value};
use std::sync::Arc;

/// A run of a document, or, if the run has no name, its jobs with one name.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedRun {
    /// Name of the phase, case or job.
    pub name: String,
    /// The same with its volume before it, if there are several: as in
    /// [`Entry::name`](super::RecordingEntry).
    pub full_name: String,
    /// The index of its volume in the document.
    pub volume: Option<usize>,
    /// Its results: only jobs that belong to the name.
    pub jobs: Vec<JobResult>,
    /// The disk counters of the whole run, shared by all names in it.
    pub disks: Arc<[DiskUtil]>,
    /// What all jobs of a user's own run were given; none of Fathom's own tests.
    global_options: Option<Arc<[GivenOption]>>,
}

/// A run of a document.
struct Part {
    name: String,
    volume: Option<usize>,
    result: RunResult,
}

/// One direction of one run.
struct Piece {
    name: String,
    direction: Direction,
    load: Option<RecordedLoad>,
    /// Its jobs side by side, as one.
    stats: DirectionStats,
    rates: Rates,
}

/// The figures of runs.
pub fn entries(runs: &[RecordedRun]) -> Vec<RecordingEntry> {
    let mut pieces: Vec<Piece> = Vec::new();
    for run in runs {
        let of = |way| piece(run, way);
        pieces.extend(Direction::ALL.into_iter().filter_map(of));
    }
    joined(pieces)
}

/// The runs of a document, whole and in their order there; and its omitted parts.
///
/// # Errors
/// A [`RecordingError`] if it contains no run or one cannot be read.
pub fn runs(document: &Value) -> Result<(Vec<RecordedRun>, Vec<Message>), RecordingError> {
    let (mut parts, mut notes) = (Vec::new(), Vec::new());
    collect(document, "", &mut parts, &mut notes)?;
    if parts.is_empty() && notes.is_empty() {
        return Err(RecordingError::NoRun);
    }
    let volumes = volume_names(document);
    let is_of_own_jobs = document["kind"] == "fathom-run";
    let mut runs = Vec::new();
    for part in parts {
        let volume = part.volume.and_then(|at| volumes.get(at)).filter(|_| volumes.len() > 1);
        let disks: Arc<[DiskUtil]> = part.result.disks.into();
        let given: Arc<[GivenOption]> = part.result.global_options.into();
        let given = is_of_own_jobs.then_some(given);
        for (name, jobs) in named(part.name, part.result.jobs) {
            let full_name = match volume {
                Some(volume) => format!("{volume}: {name}"),
                None => name.clone(),
            };
            let (disks, global_options) = (Arc::clone(&disks), given.clone());
            let volume = part.volume;
            runs.push(RecordedRun { name, full_name, volume, jobs, disks, global_options });
        }
    }
    Ok((runs, notes))
}

/// The names of the phases of `measure` and what its table calls them: `iops-read-4k` and
/// `4 KiB random read, QD 32`.
pub fn titles(document: &Value) -> Vec<(String, String)> {
    const OF_PHASE: [&str; 8] =
        ["name", "goal", "direction", "random", "block_bytes", "depth", "jobs", "nconnect"];
    let title = |phase: &Value| {
        // Without its result, which is large.
        let own = OF_PHASE.iter().filter_map(|key| Some(((*key).to_owned(), phase.get(*key)?)));
        let own: Map<String, Value> = own.map(|(key, value)| (key, value.clone())).collect();
        let phase: Phase = serde_json::from_str(&Value::Object(own).to_string()).ok()?;
        Some((phase.name.clone(), phase.title()))
    };
    let phases = document["phases"].as_array().into_iter().flatten();
    phases.filter_map(title).collect()
}

/// The absolute paths of the volumes of a document; none where it does not name them.
pub fn targets(document: &Value) -> Vec<String> {
    // By way of its text, as all documents are read from text.
    let place = |of: &Value| serde_json::from_str::<PlaceRecord>(&of.to_string()).ok();
    volumes(document).filter_map(place).map(|place| place.target().to_owned()).collect()
}

/// The file system below each volume, by host, device and mount point; empty unless all are known.
pub fn file_systems(document: &Value) -> Vec<String> {
    let of = |volume: &Value| {
        let text = |key| volume["mount"][key].as_str().filter(|text| !text.is_empty());
        let host = document["host"]["hostname"].as_str()?;
        (volume["kind"]["is"] == "folder")
            .then_some([host, text("source")?, text("mount_point")?].join(" "))
    };
    volumes(document).map(of).collect::<Option<Vec<String>>>().unwrap_or_default()
}

/// The bytes that each volume was measured in, where they are alike.
pub fn size_bytes(document: &Value) -> Option<u64> {
    super::alike(volumes(document).map(|volume| volume["size_bytes"].as_u64()))
}

fn volumes(document: &Value) -> impl Iterator<Item = &Value> {
    let several = document["volumes"].as_array().into_iter().flatten();
    several.chain(document.get("volume"))
}

fn volume_names(document: &Value) -> Vec<String> {
    let volumes = document["volumes"].as_array().into_iter().flatten();
    volumes.map(|volume| volume["name"].as_str().unwrap_or_default().to_owned()).collect()
}

/// Every run below `value`, in order.
fn collect(
    value: &Value,
    key: &str,
    parts: &mut Vec<Part>,
    notes: &mut Vec<Message>,
) -> Result<(), RecordingError> {
    match value {
        Value::Array(items) => items.iter().try_for_each(|item| collect(item, key, parts, notes)),
        Value::Object(map) if is_result(value) => part(map, key, value, parts),
        Value::Object(map) => match map.get("result") {
            Some(result) if is_result(result) => {
                let name = name_of(map, key);
                if map.get("cut_short") == Some(&Value::Bool(true)) {
                    notes.push(Message::new("recording-cut-short").with("name", name));
                    return Ok(());
                }
                if let Some(why) = map.get("failure").and_then(Value::as_str) {
                    notes
                        .push(Message::new("recording-failed").with("name", name).with("why", why));
                    return Ok(());
                }
                part(map, &name, result, parts)
            }
            _ => map.iter().try_for_each(|(key, item)| collect(item, key, parts, notes)),
        },
        _ => Ok(()),
    }
}

/// Whether it has the structure of a `RunResult`.
fn is_result(value: &Value) -> bool {
    value["jobs"].is_array() && value["disks"].is_array()
}

fn part(
    beside: &Map<String, Value>,
    name: &str,
    result: &Value,
    parts: &mut Vec<Part>,
) -> Result<(), RecordingError> {
    // By way of its text, a run at a time, as all documents are read from text.
    let result = RunResult::from_json(&result.to_string())
        .map_err(|error| RecordingError::Run { name: name.to_owned(), why: json_reason(&error) })?;
    let volume = beside.get("volume").and_then(Value::as_u64).map(|at| at as usize);
    parts.push(Part { name: name.to_owned(), volume, result });
    Ok(())
}

/// The name of an object: its title, its settings, its name; otherwise its key.
fn name_of(map: &Map<String, Value>, key: &str) -> String {
    let text = |key: &str| map.get(key).and_then(Value::as_str).map(str::to_owned);
    let setting = |setting: &Value| {
        Some(format!("{}={}", setting["axis"].as_str()?, setting["value"].as_str()?))
    };
    let settings = map.get("settings").and_then(Value::as_array).and_then(|all| {
        let all: Option<Vec<String>> = all.iter().map(setting).collect();
        all.filter(|all| !all.is_empty()).map(|all| all.join(", "))
    });
    let load = || load_title(map.get("load")?).or_else(|| level_title(map));
    let name = text("title").or(settings).or(text("name")).or(text("label"));
    name.or_else(load).unwrap_or_else(|| key.to_owned())
}

/// The title of a step of `limit`: steps at one rate are repeats, those at several are not.
fn level_title(map: &Map<String, Value>) -> Option<String> {
    let level = ["load", "rate_iops"].into_iter().filter_map(|key| Some((key, map.get(key)?)));
    let level: Map<String, Value> =
        level.map(|(key, value)| (key.to_owned(), value.clone())).collect();
    let level: LoadLevel = serde_json::from_str(&Value::Object(level).to_string()).ok()?;
    let jobs = map.get("result")?["jobs"].as_array()?;
    let depth: u64 = jobs.iter().filter_map(|job| job["setup"]["iodepth"].as_u64()).sum();
    Some(level.title(u32::try_from(depth).ok()?))
}

/// The title of a run of `check`, which has its load in place of a name. Under one name its tests
/// would be taken for rounds of one.
fn load_title(load: &Value) -> Option<String> {
    let load: CheckLoad = serde_json::from_str(&load.to_string()).ok()?;
    Some(load.title())
}

/// The jobs of a run under one name, or, if the run has none, under their own.
fn named(name: String, jobs: Vec<JobResult>) -> Vec<(String, Vec<JobResult>)> {
    if !name.is_empty() {
        return vec![(name, jobs)];
    }
    let mut all: Vec<(String, Vec<JobResult>)> = Vec::new();
    for job in jobs {
        match all.iter_mut().find(|(name, _)| *name == job.name) {
            Some((_, jobs)) => jobs.push(job),
            None => all.push((job.name.clone(), vec![job])),
        }
    }
    all
}

fn piece(run: &RecordedRun, direction: Direction) -> Option<Piece> {
    let stats = DirectionStats::of_jobs(&run.jobs, direction);
    (stats.total_ios > 0).then(|| Piece {
        name: run.full_name.clone(),
        direction,
        load: load(direction, run),
        stats,
        // Intervals as they were recorded: the estimate joins them itself.
        rates: Rates::of_jobs(&run.jobs, Some(direction), 0.0),
    })
}

/// What the jobs were asked to do in a direction, where all were asked the same.
fn load(direction: Direction, run: &RecordedRun) -> Option<RecordedLoad> {
    let jobs = &run.jobs;
    let of = |job: &JobResult| RecordedLoad {
        rw: job.setup.rw.clone(),
        block_bytes: job.setup.bs[direction],
        depth: job.setup.iodepth,
        jobs: jobs.len(),
        options: run.global_options.as_ref().map(|given| load_options(given, job)),
    };
    let first = jobs.first().map(of)?;
    let is_known = !first.rw.is_empty() && first.depth > 0;
    (is_known && jobs.iter().all(|job| of(job) == first)).then_some(first)
}

/// Pieces of the same name are rounds; one alone is judged by its intervals.
fn joined(pieces: Vec<Piece>) -> Vec<RecordingEntry> {
    let mut groups: Vec<Vec<Piece>> = Vec::new();
    for piece in pieces {
        let same = |group: &&mut Vec<Piece>| {
            group[0].name == piece.name && group[0].direction == piece.direction
        };
        match groups.iter_mut().find(same) {
            Some(group) => group.push(piece),
            None => groups.push(vec![piece]),
        }
    }
    groups.iter().map(|group| entry(group)).collect()
}

/// The figures of a phase: over all I/Os of all rounds, as the terminal and the history have them;
/// the rounds' own values are kept for judging.
fn entry(group: &[Piece]) -> RecordingEntry {
    let over_all = in_turn(group.iter().map(|piece| piece.stats.clone()));
    let known = |value: fn(&DirectionStats) -> f64, intervals: fn(&Rates) -> Vec<f64>| match group {
        [only] => by_intervals(value(&only.stats), &intervals(&only.rates)),
        _ => {
            let rounds = group.iter().map(|piece| value(&piece.stats)).collect();
            Known::of_rounds(value(&over_all), rounds)
        }
    };
    RecordingEntry {
        name: group[0].name.clone(),
        direction: group[0].direction,
        load: group[0].load.clone(),
        iops: known(|of| of.total_ios as f64 / seconds(of), |rates| rates.iops.clone()),
        bytes_per_s: known(
            |of| of.io_bytes as f64 / seconds(of),
            |rates| rates.bytes_per_s.clone(),
        ),
        latency_ns: known(|of| of.lat.moments.mean(), Rates::latencies_by_ios),
    }
}

fn seconds(of: &DirectionStats) -> f64 {
    of.runtime_ms.max(1) as f64 / 1e3
}

fn by_intervals(mean: f64, intervals: &[f64]) -> Known {
    let estimate: Result<Estimate, NoEstimate> = Estimate::of_intervals(intervals);
    match intervals.is_empty() {
        true => Known::bare(mean),
        false => Known::judged(mean, estimate),
    }
}
