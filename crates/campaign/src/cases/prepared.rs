//! One target that is ready for its cases: its test file exists, its engines were tried, and its
//! trials have verdicts.
//!
//! A case that fails affects no other; a stop keeps the results so far, also of the interrupted
//! case. Each run has its own seed, derived from the campaign's, so that offsets differ from run to
//! run and are still repeatable.

use super::case::{CachePolicy, Case};
use crate::demand::Demand;
use crate::event::{CampaignEvent, EventSink, FillProgress};
use crate::fill;
use crate::jobs;
use crate::jobs::RefusedJob;
use crate::machine::{Machine, MachineError, MachineErrorKind, MachineRun, RunOrder, ceiling_of};
use crate::method;
use crate::remark;
use crate::target_jobs;
use crate::verdicts::{self, Context};
use crate::volume_plan::VolumePlan;
use fathom_analysis::{DirectIo, Offsets};
use fathom_document::{
    CaseFigures, Ceiling, Method, Remark, ResolvedAccess, STOPPED, TargetKind, Trial, TrialId,
    records,
};
use fathom_job::JobSpec;
use fathom_run::{Event, NetworkProbe, Observer};
use fathom_stats::RunResult;
use fathom_text::text;
use fathom_vocab::{IoEngine, SplitMix};
use std::borrow::Cow;

/// A target with its cases, whose test file exists and whose engines were tried.
#[derive(Debug)]
pub struct PreparedTarget {
    /// The target.
    pub volume: VolumePlan,
    /// The cases that run on it.
    pub cases: Vec<Case>,
    /// The access for each engine that they use, in the order of first use.
    pub access: Vec<ResolvedAccess>,
    /// The first of these that works.
    pub method: Method,
    seed: u64,
    demand: Demand,
}

/// The seed of a trial's offsets: different for each case and round, the same on every target.
fn entropy_of(seed: u64, case: &Case, round: u32) -> u64 {
    SplitMix::of(seed, &[case.index as u64, u64::from(round)]).draw()
}

/// A trial, and the facts about its run at the time of judging; none if it did not run.
pub(crate) type JudgedTrial = (Trial<TrialId>, Option<Context>);

/// Block size for filling a device, if it fits: large blocks are faster.
const FILL_BLOCK_BYTES: u64 = 1 << 20;

impl PreparedTarget {
    /// Claims the target and finds out how the cases' engines reach it.
    ///
    /// # Errors
    /// If the test file cannot be made or no engine works. The caller releases the machine.
    pub(crate) fn begin(
        volume: VolumePlan,
        cases: Vec<Case>,
        seed: u64,
        machine: &mut dyn Machine,
    ) -> Result<PreparedTarget, MachineError> {
        machine.claim(&volume)?;
        let mut demand = Demand::default();
        cases.iter().for_each(|case| case.add_to(&mut demand));
        let mut access: Vec<ResolvedAccess> = Vec::new();
        for case in cases.iter().flat_map(Case::with_those_beside) {
            let asked = case.reach.engine;
            if !access.iter().any(|access| access.asked == asked) {
                access.push(resolve(&volume, &demand, asked, seed, machine));
            }
        }
        match access.iter().find_map(|access| access.method.clone()) {
            Some(method) => Ok(PreparedTarget { volume, cases, access, method, seed, demand }),
            None => Err(unreached(&volume, access, machine)),
        }
    }

    /// Each engine that cases go through, with the I/Os in flight of a job of one of them.
    pub fn engines(&self) -> Vec<(IoEngine, u32)> {
        let of = |case: &Case| {
            let (method, _) = self.access_of(case).ok()?;
            Some((method.engine, method.effective_depth(case.depth())))
        };
        self.cases.iter().filter_map(of).collect()
    }

    /// Each access as its cases use it: one that none of them takes past the page cache is not
    /// direct, also if it could be.
    pub fn used_access(&self) -> Vec<ResolvedAccess> {
        let used = |access: &ResolvedAccess| {
            let is_past = self.cases_of(access).any(|case| case.is_direct(true));
            let method = access.method.clone();
            let method = method.map(|of| Method { direct: of.direct && is_past, ..of });
            ResolvedAccess { method, ..access.clone() }
        };
        self.access.iter().map(used).collect()
    }

    /// Whether the writes of an access go to the page cache and its flushes to the device: as a
    /// program writes its log.
    pub fn is_log(&self, access: &ResolvedAccess) -> bool {
        let is_log = |case: &Case| case.is_flushed() && !case.is_direct(true);
        self.cases_of(access).all(is_log)
    }

    fn cases_of<'a>(&'a self, access: &'a ResolvedAccess) -> impl Iterator<Item = &'a Case> {
        let all = self.cases.iter().flat_map(Case::with_those_beside);
        all.filter(|case| case.reach.engine == access.asked)
    }

    /// Remarks on the target and the access to it, for the time before any figure.
    pub fn remarks(&self) -> Vec<Remark> {
        let mut remarks = self.volume.remarks.clone();
        for access in &self.access {
            let Some(method) = &access.method else { continue };
            let reaches = |case: &&Case| case.reach.engine == access.asked;
            let wants_past = |case: &Case| case.reach.cache == CachePolicy::PastIfPossible;
            let past = self.cases.iter().filter(reaches).any(wants_past);
            let deep = self.cases.iter().filter(reaches).any(|case| case.depth() > 1);
            let meant = |remark: &Remark| match remark {
                Remark::PageCache { .. } => past,
                // At depth 1 every engine does one I/O at a time.
                Remark::OneAtATime { .. } => deep,
                _ => true,
            };
            remarks.extend(remark::on_method(method).into_iter().filter(meant));
        }
        remarks
    }

    /// Fills the target if its plan says so; `begun` is its progress before the first byte.
    ///
    /// # Errors
    /// If writing failed.
    pub(crate) fn fill(
        &self,
        begun: &FillProgress,
        machine: &mut dyn Machine,
        events: &mut dyn EventSink,
    ) -> Result<(), MachineError> {
        let volume = &self.volume;
        if volume.fill_bytes == 0 {
            return Ok(());
        }
        let largest = self.demand.largest_block_bytes;
        let block = match volume.size_bytes.is_multiple_of(FILL_BLOCK_BYTES) {
            true => FILL_BLOCK_BYTES.max(largest),
            false => largest,
        };
        let job = target_jobs::fill(volume, &self.method, block).map_err(MachineError::of_run)?;
        let mut filled = |done_bytes| {
            events.event(CampaignEvent::Filling(FillProgress { done_bytes, ..begun.clone() }));
        };
        fill::fill(volume, job, machine, self.seed, &mut filled)
    }

    /// Runs one case once. `ceilings` are the rates that one core of the machine can drive.
    pub(crate) fn trial(
        &self,
        id: TrialId,
        case: &Case,
        ceilings: &[Ceiling],
        machine: &mut dyn Machine,
        events: &mut dyn EventSink,
    ) -> JudgedTrial {
        let (method, direct) = match self.access_of(case) {
            Ok(access) => access,
            Err(why) => {
                let failure = Some(why.to_string());
                return (Trial { failure, ..begun(id, jobs::JobText::default()) }, None);
            }
        };
        let (place, size_bytes) = (self.volume.place(), self.volume.size_bytes);
        let mut trial = begun(id, case.text(place, size_bytes, method.engine, direct));
        let done = self.jobs(case).map_err(MachineError::of_run).and_then(|jobs| {
            let context = self.context(id, case, &jobs[0], ceilings, machine);
            let run = self.run(id, case, jobs, machine, events)?;
            trial.mounts = run.mounts();
            let context = context.with_clients(machine.clients(), case.shares_rate);
            Ok((context.with_observations(&run.observations), run.outcome.result))
        });
        trial.cut_short = machine.stopping();
        match done {
            Ok((context, result)) => {
                let jobs = case.jobs().saturating_mul(machine.clients());
                let depth = method.effective_depth(case.depth()).saturating_mul(jobs);
                judge(&mut trial, case, (depth, jobs), &context, result);
                (trial, Some(context))
            }
            // A stop explains a run without figures; a machine that is lost does not stop for one.
            Err(why) if !trial.cut_short || why.kind == MachineErrorKind::Connection => {
                trial.failure = Some(why.to_string());
                (trial, None)
            }
            Err(_) => (trial, None),
        }
    }

    /// The job of a case, and of those beside it.
    ///
    /// # Errors
    /// If one of them is no job or cannot reach the target.
    fn jobs(&self, case: &Case) -> Result<Vec<JobSpec>, UnreachedCase> {
        let (place, size_bytes) = (self.volume.place(), self.volume.size_bytes);
        let job = |case: &Case| {
            let (method, direct) = self.access_of(case)?;
            Ok(case.job(place, size_bytes, method.engine, direct)?)
        };
        case.with_those_beside().map(job).collect()
    }

    /// Facts about a trial beside its result.
    fn context(
        &self,
        id: TrialId,
        case: &Case,
        job: &JobSpec,
        ceilings: &[Ceiling],
        machine: &mut dyn Machine,
    ) -> Context {
        let jobs = std::slice::from_ref(job);
        let context = known_of(&self.volume, machine.data_access(jobs).direct);
        let mut context = context.with_job(job).with_ceiling(ceiling_of(jobs, ceilings));
        // The first round of a case fills a cache that later rounds read from.
        if case.reach.cache == CachePolicy::Through && id.round > 0 {
            context.offsets = Offsets::Repeated;
        }
        context
    }

    fn run(
        &self,
        id: TrialId,
        case: &Case,
        jobs: Vec<JobSpec>,
        machine: &mut dyn Machine,
        events: &mut dyn EventSink,
    ) -> Result<MachineRun, MachineError> {
        let order = RunOrder {
            jobs,
            entropy: entropy_of(self.seed, case, id.round),
            volume: Some(self.volume.volume.clone()),
            clients: case.clients,
            shares_rate: case.shares_rate,
            network: NetworkProbe::Server,
            ..RunOrder::default()
        };
        machine.run(&order, &mut LiveRelay(events))
    }

    /// A case's access to the target: the engine, and whether it bypasses the page cache.
    ///
    /// # Errors
    /// If its engine does not work, or its cache policy is impossible.
    fn access_of(&self, case: &Case) -> Result<(&Method, bool), UnreachedCase> {
        let access = self.access.iter().find(|access| access.asked == case.reach.engine);
        let access = access.ok_or(UnreachedCase::Untried)?;
        let failure = || UnreachedCase::NoEngine(access.failure.clone().unwrap_or_default());
        let method = access.method.as_ref().ok_or_else(failure)?;
        match case.reach.cache {
            CachePolicy::Past if !method.direct => {
                let why = method.why_not_direct.as_deref().unwrap_or("it was refused");
                Err(UnreachedCase::NotDirect { why: why.to_owned() })
            }
            CachePolicy::Through if method.engine == IoEngine::Nfs => Err(UnreachedCase::NoCache),
            _ => Ok((method, case.is_direct(method.direct))),
        }
    }

    /// The command that repeats a case here; with the first choice of engine if none was requested.
    pub fn command_of(case: &Case, volume: &VolumePlan) -> String {
        let engine = case.reach.engine.unwrap_or(volume.place().first_engine());
        let direct = case.reach.cache != CachePolicy::Through;
        case.text(volume.place(), volume.size_bytes, engine, direct).command()
    }
}

fn resolve(
    volume: &VolumePlan,
    demand: &Demand,
    asked: Option<IoEngine>,
    seed: u64,
    machine: &mut dyn Machine,
) -> ResolvedAccess {
    let smallest = demand.direct_blocks_bytes.iter().min().copied();
    let block = smallest.unwrap_or(demand.largest_block_bytes);
    match method::find(volume, asked, block, machine, seed) {
        Ok(method) => ResolvedAccess { asked, method: Some(method), failure: None },
        Err(why) => ResolvedAccess { asked, method: None, failure: Some(why.to_string()) },
    }
}

/// Why a target cannot be measured: the error of the last engine tried.
fn unreached(
    volume: &VolumePlan,
    mut access: Vec<ResolvedAccess>,
    machine: &mut dyn Machine,
) -> MachineError {
    let why = access.pop().and_then(|access| access.failure).unwrap_or_default();
    let kind = match machine.stopping() {
        true => MachineErrorKind::Stopped,
        false => MachineErrorKind::NoEngine,
    };
    MachineError::new(kind, text!("cannot measure {}: {why}", volume.volume.name))
}

/// Why a case cannot reach its target.
#[fathom_text::translated]
#[derive(Clone, Debug, thiserror::Error)]
enum UnreachedCase {
    #[error("its engine was never tried")]
    Untried,
    /// Its engine does not work there.
    #[error("{0}")]
    NoEngine(String),
    #[error("direct I/O is not possible here ({why}), and the case asks for it")]
    NotDirect { why: String },
    #[error("an export has no page cache here; mount it to measure through one")]
    NoCache,
    #[error(transparent)]
    NoJob(#[from] RefusedJob),
}

/// The known facts about a job's target and access before it runs.
fn known_of(plan: &VolumePlan, direct: DirectIo) -> Context {
    let holes = match plan.volume.kind {
        TargetKind::ExistingFile { size_bytes, allocated_bytes, .. }
            if !plan.writes && size_bytes > 0 =>
        {
            Some(1.0 - (allocated_bytes as f64 / size_bytes as f64).min(1.0))
        }
        _ => None,
    };
    Context {
        direct,
        working_set_bytes: Some(plan.size_bytes),
        unwritten_share: holes.filter(|share| *share > 0.0),
        ..Context::of_volume(&plan.volume)
    }
}

/// A trial of this job, before it is run.
fn begun(id: TrialId, job: jobs::JobText) -> Trial<TrialId> {
    let command = job.command();
    Trial::new(id, job.options, command)
}

/// Takes a trial's figures from its result, and adds remarks. `depth` is the number of I/Os in
/// flight of its `jobs` together, on all machines that ran them.
fn judge(
    trial: &mut Trial<TrialId>,
    case: &Case,
    (depth, jobs): (u32, u32),
    context: &Context,
    result: RunResult,
) {
    let own = own_jobs(case, jobs, &result);
    let figures = CaseFigures::of(&[own.as_ref()], depth, case.block_bytes());
    trial.failure = failure_of(&result, figures.is_some(), trial.cut_short);
    trial.figures = figures.filter(|_| trial.failure.is_none());
    if let Some(figures) = &trial.figures {
        let all = remark::on_run(&figures.total);
        // A paced case does not need to keep its queue full.
        let meant = |r: &Remark| !(case.is_paced() && matches!(r, Remark::QueueNotFull { .. }));
        let mut remarks: Vec<Remark> = all.into_iter().filter(meant).collect();
        remarks.extend(remark::on_pause(&result));
        remarks.extend(remark::on_missing_clients(&result));
        trial.remarks = records(&remarks);
        trial.verdicts = verdicts::judge(&own, context);
    }
    trial.result = Some(result);
}

/// The result without the jobs that only ran beside the case's own.
fn own_jobs<'r>(case: &Case, jobs: u32, result: &'r RunResult) -> Cow<'r, RunResult> {
    if case.beside.is_empty() {
        return Cow::Borrowed(result);
    }
    let jobs = result.jobs.iter().take(jobs as usize).cloned().collect();
    Cow::Owned(RunResult { jobs, disks: Vec::new(), ..result.clone() })
}

/// Passes on live figures.
struct LiveRelay<'a>(&'a mut dyn EventSink);

impl Observer for LiveRelay<'_> {
    fn event(&mut self, event: &Event) {
        if let Event::Live(live) = event {
            self.0.event(CampaignEvent::Live(Box::new(live.clone())));
        }
    }

    fn wants_latency(&self) -> bool {
        true
    }
}

/// Why an ended run has no figures; none if it has some. A job's error outweighs its partial
/// result.
fn failure_of(result: &RunResult, has_figures: bool, cut_short: bool) -> Option<String> {
    if let Some(job) = result.jobs.iter().find(|job| job.error.is_error()) {
        return Some(job.error_text.clone());
    }
    let why = match (has_figures, cut_short) {
        (true, _) => return None,
        (false, true) => STOPPED,
        (false, false) => "no I/O completed in time: the volume may be stuck, or --time too short",
    };
    Some(why.to_owned())
}
