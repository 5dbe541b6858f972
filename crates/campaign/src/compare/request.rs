//! The work by which volumes are compared: the phases of `measure`, or one job by its usual
//! options.

use super::error::CompareError;
use super::schedule::{FIRST_LOOK, RoundSchedule};
use crate::cases::{Case, UsualJob};
use crate::measuring_time::MeasuringTime;
use crate::volume_plan::CommonOptions;
use fathom_document::compare::Judged;
use fathom_document::{CaseTime, Goal, Suite, SuiteOptions, binary_bytes};

/// The options of a comparison of volumes.
#[derive(Clone, Debug)]
pub struct CompareRequest {
    /// The work.
    pub work: Work,
    /// How often each phase runs on each volume.
    pub rounds: RoundCount,
    /// The figure by which every phase is judged; by default each by its own.
    pub judged: Option<Judged>,
    /// The volumes that stand together on each side; empty where each stands for itself.
    pub sides: Vec<Vec<usize>>,
    /// Volumes are equal within so many percent.
    pub margin_percent: f64,
    /// No volume may be worse than the first by more than so many percent; none without a gate.
    pub fail_if_worse_percent: Option<f64>,
    /// Size, time, data safety, chance.
    pub common: CommonOptions,
}

/// How often each phase runs on each volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundCount {
    /// So often.
    Exactly(u32),
    /// Until it is decided, for so many microseconds a volume at most, or for the measuring time.
    UntilDecided(Option<u64>),
}

/// The work by which volumes are compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Work {
    /// The three questions of `measure`, reads and writes.
    Suite(SuiteOptions),
    /// Jobs that differ in their pattern only.
    Jobs(JobRequest),
}

/// Jobs by their usual options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobRequest {
    /// `rw` of each, one of [`PATTERNS`].
    pub patterns: Vec<String>,
    /// Bytes of an I/O.
    pub block_bytes: u64,
    /// I/Os in flight of each job.
    pub depth: u32,
    /// Jobs that run at once.
    pub jobs: u32,
}

/// Values of `rw`, with their names.
pub const PATTERNS: [(&str, &str); 6] = [
    ("read", "sequential read"),
    ("write", "sequential write"),
    ("rw", "sequential read and write"),
    ("randread", "random read"),
    ("randwrite", "random write"),
    ("randrw", "random read and write"),
];

/// A phase in which volumes are compared.
#[derive(Clone, Debug)]
pub struct ComparedPhase {
    /// The title: `4 KiB random read, QD 32`.
    pub title: String,
    /// The figure that decides.
    pub judged: Judged,
    /// Its case; [`Case::index`] is the phase's index in the plan.
    pub case: Case,
}

/// One phase before it is a case.
struct Draft {
    job: UsualJob,
    judged: Judged,
}

impl CompareRequest {
    fn drafts(&self) -> Vec<Draft> {
        let mut drafts: Vec<Draft> = match &self.work {
            Work::Suite(options) => of_suite(options),
            Work::Jobs(job) => job.patterns.iter().map(|rw| of_job(job, rw)).collect(),
        };
        // A mix without its writes would be another job, so it is dropped as a whole.
        drafts.retain(|draft| !self.common.read_only || draft.job.rw.ends_with("read"));
        drafts
    }

    /// The phases, in order, and how often they run.
    ///
    /// # Errors
    /// [`CompareError::Job`] if an option is not a job option, [`CompareError::TooShort`].
    pub(super) fn phases(&self) -> Result<(Vec<ComparedPhase>, RoundSchedule), CompareError> {
        let drafts = self.drafts();
        let (time, schedule) = self.schedule(drafts.len() as u64)?;
        let phase = |(at, draft): (usize, &Draft)| draft.phase(at, self, time);
        let phases = drafts.iter().enumerate().map(phase).collect::<Result<_, _>>()?;
        Ok((phases, schedule))
    }

    fn schedule(&self, phases: u64) -> Result<(CaseTime, RoundSchedule), CompareError> {
        let time = self.common.time.unwrap_or(USUAL_TIME);
        let run_us = |rounds: u32| time.run_us(phases * u64::from(rounds));
        let (rounds, schedule) = match self.rounds {
            RoundCount::Exactly(rounds) => (rounds, RoundSchedule::exactly(rounds)),
            RoundCount::UntilDecided(most_us) => {
                let is_long = |rounds: &u32| run_us(*rounds) >= USUAL_RUN_US;
                let rounds = USUAL_ROUNDS.into_iter().find(is_long).unwrap_or(FIRST_LOOK);
                let fit = most_us.map_or(0, |us| us / (phases * run_us(rounds)).max(1));
                let most = u32::try_from(fit).unwrap_or(u32::MAX).clamp(rounds, MOST_ROUNDS);
                (rounds, RoundSchedule::until(most))
            }
        };
        let run_us = run_us(rounds);
        if run_us < SHORTEST_RUN_US {
            let runs = phases * u64::from(rounds);
            return Err(CompareError::TooShort { run_ms: run_us / 1000, runs });
        }
        Ok((CaseTime::of(run_us), schedule))
    }
}

/// The measuring time if none is given.
const USUAL_TIME: MeasuringTime = MeasuringTime::PerVolume(60_000_000);

/// Rounds if their number is not given: as many as keep each run at [`USUAL_RUN_US`]. Many short
/// rounds show better how far figures scatter than few long ones.
const USUAL_ROUNDS: [u32; 2] = [15, 10];

/// A shorter run shows more of its start than of its volume.
const USUAL_RUN_US: u64 = 250_000;

/// Most rounds, however long a comparison may take.
const MOST_ROUNDS: u32 = 1000;

/// Below this a run has too few I/Os for its mean.
const SHORTEST_RUN_US: u64 = 100_000;

fn of_suite(options: &SuiteOptions) -> Vec<Draft> {
    let draft = |phase: fathom_document::Phase| Draft {
        job: UsualJob {
            rw: phase.rw().to_owned(),
            block_bytes: phase.block_bytes,
            depth: phase.depth,
            jobs: phase.jobs,
        },
        judged: match phase.goal {
            Goal::Latency => Judged::MeanLatencyNs,
            Goal::Iops => Judged::Iops,
            Goal::Throughput => Judged::BytesPerS,
        },
    };
    Suite::new(options).phases.into_iter().map(draft).collect()
}

fn of_job(job: &JobRequest, rw: &str) -> Draft {
    let JobRequest { block_bytes, depth, jobs, .. } = *job;
    Draft {
        job: UsualJob { rw: rw.to_owned(), block_bytes, depth, jobs },
        judged: Judged::rate_of(block_bytes as f64),
    }
}

impl Draft {
    /// `4 KiB random read, QD 32`.
    fn title(&self) -> String {
        let job = &self.job;
        let words = PATTERNS.iter().find(|(rw, _)| *rw == job.rw).map_or("", |(_, words)| words);
        let jobs = match job.jobs {
            1 => String::new(),
            jobs => format!(", {jobs} jobs"),
        };
        format!("{} {words}, QD {}{jobs}", binary_bytes(job.block_bytes), job.depth)
    }

    fn phase(
        &self,
        index: usize,
        request: &CompareRequest,
        time: CaseTime,
    ) -> Result<ComparedPhase, CompareError> {
        let title = self.title();
        let case = self.job.case(index, request.common.engine, time);
        let case = case.map_err(|why| CompareError::Job { title: title.clone(), why })?;
        let judged = request.judged.unwrap_or(self.judged);
        Ok(ComparedPhase { title, judged, case })
    }
}
