//! `measure --for`: is this volume fast enough for a program that flushes its log?
//!
//! The log is an existing region, because programs allocate theirs beforehand: each write continues
//! after the last one, and is flushed. The program's pattern is measured alone and, if requested,
//! beside a paced load on the rest of the file. Other flush methods are measured as well, so that
//! the user can choose.

use crate::cases::{CachePolicy, Case, Reach, Runner, TrialLog};
use crate::event::EventSink;
use crate::jobs::RefusedJob;
use crate::machine::{Machine, MachineError};
use crate::plan::{MeasureOptions, plan_place};
use crate::refusal::Refusal;
use crate::volume_plan::{CommonOptions, VolumePlan};
use fathom_analysis::{
    CacheVerdict, FlushFigures, FlushMethod, GateOutcome, GateResult, Requirement, is_too_fast,
    near_end_percent,
};
use fathom_document::verdicts::{Answer, disturbance, suppress};
use fathom_document::{
    CaseTime, DocumentSummary, Head, Provenance, Setting, Trial, TrialId, Volume, latency,
    short_bytes, thousands,
};
use fathom_host::WriteCache;
use fathom_stats::{JobResult, LatencyStats, RunResult};
use fathom_text::{Text, text};
use fathom_vocab::{Direction, IoEngine};
use serde::{Deserialize, Serialize};

pub use fathom_document::durable::{DURABLE_SCHEMA, DurableDocument, DurableKey};

/// Bytes of the log: the size that etcd, Kafka and similar programs allocate at once, and at most
/// half of the file.
const LOG_BYTES: u64 = 64 << 20;

/// A load beside the log: `write 300/s 4k`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BesideLoad {
    /// As `rw` has it: `randread` or `randwrite`.
    pub rw: String,
    /// I/Os a second.
    pub rate_iops: u64,
    /// Bytes of each.
    pub block_bytes: u64,
}

/// The plan.
#[derive(Clone, Debug)]
pub struct DurablePlan {
    /// The program's requirement.
    pub requirement: Requirement,
    /// The volume.
    pub volume: VolumePlan,
    /// The runs, in order: each flush method alone, then the program's own beside the load.
    pub cases: Vec<(FlushMethod, Case)>,
    /// Decides the offsets of the load beside.
    pub seed: u64,
}

/// Why a log cannot be tried on a volume.
#[fathom_text::translated]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DurableError {
    /// Nothing may be written there.
    #[error("{path} may only be read, and a log is written; name a folder")]
    ReadOnly {
        /// The target.
        path: String,
    },
    /// An option is not a job option.
    #[error(transparent)]
    NoJob(#[from] RefusedJob),
    /// The place cannot be used.
    #[error(transparent)]
    Place(#[from] Refusal),
}

impl DurablePlan {
    /// Plans from the facts about `volume`, without touching anything.
    ///
    /// # Errors
    /// If data could be destroyed, nothing may be written, or an option is not a job option.
    pub fn new(
        requirement: Requirement,
        volume: Volume,
        beside: &[BesideLoad],
        options: &MeasureOptions,
    ) -> Result<DurablePlan, DurableError> {
        let runs = FlushMethod::ALL.len() as u64 + u64::from(!beside.is_empty());
        // Nothing is left out at the beginning: the flushes are those that the device counts.
        let run_us = options.run_us(runs);
        let time = CaseTime { run_us, ramp_us: 0 };
        let size_bytes = options.common.size_bytes.unwrap_or(2 * LOG_BYTES);
        let log_bytes = (size_bytes / 2).min(LOG_BYTES) / 4096 * 4096;
        let mut methods = FlushMethod::ALL.to_vec();
        methods.sort_by_key(|method| *method != requirement.flush);
        let alone = methods.iter().map(|method| (*method, &[][..]));
        let with_load = (!beside.is_empty()).then_some((requirement.flush, beside));
        let cases = alone.chain(with_load).enumerate().map(|(index, (method, beside))| {
            let case = log_case(index, method, requirement.block_bytes, log_bytes, time)?;
            let load = |load: &BesideLoad| load_case(index, load, log_bytes, size_bytes, time);
            let beside: Result<Vec<Case>, RefusedJob> = beside.iter().map(load).collect();
            Ok((method, case.with_beside(beside?)))
        });
        let cases: Vec<(FlushMethod, Case)> = cases.collect::<Result<_, RefusedJob>>()?;
        let options = CommonOptions { size_bytes: Some(size_bytes), ..options.common.clone() };
        let place = plan_place(volume, cases.iter().map(|(_, case)| case), &options);
        let volume = place?;
        match volume.writes {
            true => Ok(DurablePlan { requirement, volume, cases, seed: options.seed }),
            false => Err(DurableError::ReadOnly { path: volume.volume.name }),
        }
    }

    /// Makes the target ready.
    ///
    /// # Errors
    /// If the test file cannot be made or no engine works.
    pub fn begin(&self, machine: &mut dyn Machine) -> Result<Runner, MachineError> {
        let cases = self.cases.iter().map(|(_, case)| case.clone()).collect();
        Runner::begin_one(&self.volume, cases, self.seed, machine)
    }

    /// Runs the whole plan, or up to a stop.
    pub fn run(
        &self,
        runner: &Runner,
        from: Provenance,
        machine: &mut dyn Machine,
        events: &mut dyn EventSink,
    ) -> DurableDocument {
        let trials: Vec<TrialId> =
            (0..self.cases.len()).map(|case| TrialId { round: 0, case, target: 0 }).collect();
        let title = |id: TrialId, _: &Case| self.title(id.case);
        let record = |trial| self.record(trial);
        let mut log = TrialLog::new(events, &title, &record);
        let ended = runner.run(&trials, machine, &mut log);
        let runs = log.records;
        let held = runs.iter().filter_map(|run| run.outcome).map(GateOutcome::row);
        DurableDocument {
            head: Head::new("fathom-durable", DURABLE_SCHEMA, &from),
            interrupted: ended.stopped,
            setup: runner.targets[0].setup(from.host),
            requirement: self.requirement.clone(),
            planned: trials.len(),
            outcome: GateResult::of(held, || None).outcome,
            gate: None,
            runs,
            failure: ended.failures.into_iter().next().map(|(_, why)| why),
        }
        .with_gate()
        .with_summary()
    }

    fn title(&self, at: usize) -> Text {
        let (method, case) = &self.cases[at];
        let (method, bytes) = (method.name(), thousands(self.requirement.block_bytes as f64));
        match case.beside.is_empty() {
            true => Text::of(format_args!("{bytes} B + {method}")),
            false => text!("{bytes} B + {method}, beside load"),
        }
    }

    /// A trial under its key, and its summary.
    fn record(&self, mut trial: Trial<TrialId>) -> (Trial<DurableKey>, Text) {
        suppress(&mut trial.verdicts, is_by_design);
        let (method, case) = &self.cases[trial.case];
        let requirement = &self.requirement;
        let (write, flush) = figures(trial.result.as_ref(), *method, requirement.percent);
        let measured = trial.is_whole();
        let held = *method == requirement.flush;
        let key = DurableKey {
            title: self.title(trial.case).to_string(),
            method: *method,
            beside: !case.beside.is_empty(),
            outcome: (held && measured).then(|| outcome(&trial, requirement.judge(&flush))),
            too_fast: is_too_fast(&flush, self.has_volatile_cache()),
            device_flushes: trial.result.as_ref().and_then(device_flushes),
            flush,
            write,
        };
        let summary = match measured {
            true => text!(
                "{} flushes, p{} {}",
                thousands(flush.flushes as f64),
                requirement.percent,
                latency(flush.limited_ns as f64)
            ),
            false => trial.summary(),
        };
        (trial.keyed(key), summary)
    }

    /// Whether the disk has a cache that loses unflushed data.
    fn has_volatile_cache(&self) -> bool {
        let device = self.volume.volume.storage.device();
        device.is_some_and(|device| device.write_cache == Some(WriteCache::WriteBack))
    }
}

fn option(name: &str, value: impl ToString) -> (String, String) {
    (name.to_owned(), value.to_string())
}

fn log_case(
    index: usize,
    method: FlushMethod,
    block_bytes: u64,
    log_bytes: u64,
    time: CaseTime,
) -> Result<Case, RefusedJob> {
    let options = vec![
        option("rw", "write"),
        option("bs", short_bytes(block_bytes)),
        option("size", log_bytes),
        match method {
            FlushMethod::Fdatasync => option("fdatasync", 1),
            FlushMethod::Fsync => option("fsync", 1),
            FlushMethod::ODsync => option("sync", "dsync"),
        },
    ];
    let settings = vec![Setting { axis: "flush".to_owned(), value: method.name().to_owned() }];
    let reach = Reach { engine: Some(IoEngine::Psync), cache: CachePolicy::AsSaid };
    Case::new(index, settings, reach, time, options)
}

fn load_case(
    index: usize,
    load: &BesideLoad,
    log_bytes: u64,
    size_bytes: u64,
    time: CaseTime,
) -> Result<Case, RefusedJob> {
    let options = vec![
        option("rw", &load.rw),
        option("bs", short_bytes(load.block_bytes)),
        option("iodepth", 32),
        option("rate_iops", load.rate_iops),
        option("offset", log_bytes),
        option("size", size_bytes - log_bytes),
    ];
    let settings = vec![Setting { axis: "beside".to_owned(), value: load.rw.clone() }];
    let reach = Reach { engine: None, cache: CachePolicy::PastIfPossible };
    Case::new(index, settings, reach, time, options)
}

/// The outcome of a run with a limit. A limit that was missed while others used the processors, or
/// while the process was stopped, is undecided, as in `check`.
fn outcome(trial: &Trial<TrialId>, judged: GateOutcome) -> GateOutcome {
    let is_paused = trial.result.as_ref().is_some_and(|result| result.pause_ms > 0);
    let is_disturbed = is_paused || disturbance(&trial.verdicts).is_some();
    match is_disturbed && judged == GateOutcome::Fail {
        true => GateOutcome::Undecided,
        false => judged,
    }
}

/// A log's writes go through the page cache, and its flushes do not: that is the test.
fn is_by_design(answer: &Answer) -> bool {
    matches!(answer, Answer::Cached(of)
        if of.direction == Direction::Write && of.verdict == CacheVerdict::Suspected)
}

/// The log, which is the first job; merged over all machines that ran it.
fn log_of(result: &RunResult) -> Option<JobResult> {
    let (first, others) = result.jobs.split_first()?;
    let mut log = first.clone();
    if let Some((name, _)) = result.client_of(first) {
        let of_log = |job: &&JobResult| result.client_of(job).is_some_and(|(of, _)| of == name);
        others.iter().filter(of_log).for_each(|job| log.merge(job));
    }
    Some(log)
}

/// Writes and flushes of the log. Where each write is durable when it returns, the write is the
/// flush.
fn figures(
    result: Option<&RunResult>,
    method: FlushMethod,
    percent: f64,
) -> (FlushFigures, FlushFigures) {
    let Some(job) = result.and_then(log_of) else {
        return Default::default();
    };
    let of = |stats: &LatencyStats| {
        let (flushes, percentile) = (stats.histogram.total(), |at| stats.percentile(at));
        FlushFigures {
            flushes,
            p50_ns: percentile(50.0),
            limited_ns: percentile(percent),
            least_ns: percentile(near_end_percent(percent, flushes)),
        }
    };
    let write = of(&job.dirs.write.lat);
    match method {
        FlushMethod::ODsync => (write, write),
        _ => (write, of(&job.sync)),
    }
}

fn device_flushes(result: &RunResult) -> Option<u64> {
    match result.disks.as_slice() {
        [disk] if disk.aggregate.is_none() => Some(disk.flush_ios),
        _ => None,
    }
}
