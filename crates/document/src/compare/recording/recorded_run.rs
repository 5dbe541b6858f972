//! The runs of a document as comparisons name them, and their figures.

use super::load_options::load_options;
use super::{RecordedLoad, RecordingEntry};
use crate::document_runs::{DocumentRun, DocumentRuns, GivenOption};
use fathom_analysis::{Estimate, Known, LatencyParts, NoEstimate, Rates};
use fathom_analysis::{in_turn, judged_p99_ns};
use fathom_message::Message;
use fathom_stats::{DirectionStats, DiskUtil, JobResult, RunResult};
use fathom_vocab::Direction;
use std::borrow::Cow;
use std::sync::Arc;

/// A run of a document, or, if the run has no name, its jobs with one name.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedRun<'d> {
    /// Name of the phase, case or job.
    pub name: String,
    /// What tables call it, with its volume before it if there are several: as in
    /// [`Entry::name`](super::RecordingEntry).
    pub full_name: String,
    /// The index of its volume in the document.
    pub volume: Option<usize>,
    /// Its results: only jobs that belong to the name.
    pub jobs: Cow<'d, [JobResult]>,
    /// The disk counters of the whole run. All names in it share them: an hour takes hundreds of
    /// kilobytes a disk.
    pub disks: Arc<[DiskUtil]>,
    /// The network's round trip of the whole run, if it was measured.
    pub network_ns: Option<f64>,
    /// What all jobs of a user's own run were given; none of Fathom's own tests.
    global_options: Option<&'d [GivenOption]>,
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
pub fn entries(runs: &[RecordedRun<'_>]) -> Vec<RecordingEntry> {
    let mut pieces: Vec<Piece> = Vec::new();
    for run in runs {
        let of = |way| piece(run, way);
        pieces.extend(Direction::ALL.into_iter().filter_map(of));
    }
    joined(pieces)
}

/// The runs of a document, whole and in their order there; and its omitted parts.
pub fn runs(document: &dyn DocumentRuns) -> (Vec<RecordedRun<'_>>, Vec<Message>) {
    let (mut runs, mut notes) = (Vec::new(), Vec::new());
    let volumes = document.volumes();
    for run in document.runs() {
        match omitted(&run) {
            Some(note) => notes.push(note),
            None => {
                let at = run.volume.filter(|_| volumes.len() > 1);
                let volume = at.and_then(|at| volumes.get(at));
                add(run, volume.map(|of| of.place.volume.name.as_str()), &mut runs);
            }
        }
    }
    (runs, notes)
}

/// Why a run is left out; none of one that counts.
fn omitted(run: &DocumentRun<'_>) -> Option<Message> {
    let failed = || Some(Message::new("recording-failed").with("why", run.failure?));
    let note = match run.cut_short {
        true => Some(Message::new("recording-cut-short")),
        false => failed(),
    };
    Some(note?.with("name", run.title.as_str()))
}

/// Adds a run on `volume`, if there are several, under its name or those of its jobs.
fn add<'d>(run: DocumentRun<'d>, volume: Option<&str>, runs: &mut Vec<RecordedRun<'d>>) {
    let disks: Arc<[DiskUtil]> = run.result.disks.as_slice().into();
    let network_ns = LatencyParts::of_run(run.result, "").map(|parts| parts.network_ns);
    let named = match run.name.is_empty() {
        true => by_name(run.result),
        false => vec![(run.name, run.title, Cow::Borrowed(run.result.jobs.as_slice()))],
    };
    runs.extend(named.into_iter().map(|(name, title, jobs)| RecordedRun {
        full_name: volume.map_or_else(|| title.clone(), |volume| format!("{volume}: {title}")),
        name,
        volume: run.volume,
        jobs,
        disks: Arc::clone(&disks),
        network_ns,
        global_options: run.global_options,
    }));
}

/// The jobs of each name, which is their title too: those of several clients are one job.
fn by_name(result: &RunResult) -> Vec<(String, String, Cow<'_, [JobResult]>)> {
    let mut all: Vec<(String, String, Cow<'_, [JobResult]>)> = Vec::new();
    for job in &result.jobs {
        let plain = result.plain_name(job);
        match all.iter_mut().find(|(name, ..)| *name == plain) {
            Some((.., jobs)) => jobs.to_mut().push(job.clone()),
            None => all.push((plain.to_owned(), plain.to_owned(), vec![job.clone()].into())),
        }
    }
    all
}

fn piece(run: &RecordedRun<'_>, direction: Direction) -> Option<Piece> {
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
fn load(direction: Direction, run: &RecordedRun<'_>) -> Option<RecordedLoad> {
    let jobs = &run.jobs;
    let of = |job: &JobResult| RecordedLoad {
        rw: job.setup.rw.clone(),
        block_bytes: job.setup.bs[direction],
        depth: job.setup.iodepth,
        jobs: jobs.len(),
        options: run.global_options.map(|given| load_options(given, job)),
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
        p99_ns: p99_ns(group, &over_all),
    }
}

/// The 99th percentile of latency over all I/Os, and that of each round that shows one.
fn p99_ns(group: &[Piece], over_all: &DirectionStats) -> Option<Known> {
    let of =
        |stats: &DirectionStats| judged_p99_ns(stats.total_ios, stats.lat.percentile(99.0) as f64);
    let mean = of(over_all)?;
    let rounds: Vec<f64> = group.iter().filter_map(|piece| of(&piece.stats)).collect();
    Some(match group.len() {
        1 => Known::bare(mean),
        _ => Known::of_rounds(mean, rounds),
    })
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
