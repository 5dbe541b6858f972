//! Runs a search: each step is a case on the target, and its result becomes the reading.

use super::document::Searched;
use super::plan::LimitPlan;
use super::search::{Probe, search};
use crate::cases::{PreparedTarget, Runner};
use crate::event::{CampaignEvent, EventSink, TrialBegin};
use crate::machine::{Machine, MachineError};
use fathom_analysis::{CapFinding, ClientSign, RateUnit, fastest_tenth_ns};
use fathom_document::limit::{Criterion, HostDelay, LatencyGoal, Parts, StepFinding, StepReading};
use fathom_document::limit::{Halt, LoadLevel};
use fathom_document::limit::{StepKey, StepRecord};
use fathom_document::verdicts::{Answer, Verdict, suppress};
use fathom_document::{Trial, TrialId, test_title};
use fathom_document::{latency, thousands};
use fathom_message::Tell;
use fathom_stats::{DepthCounts, DirectionStats, JobResult, LatencyStats, OpenLoop};
use fathom_text::Text;
use fathom_vocab::Direction;

impl LimitPlan {
    /// Makes the target of this search ready.
    ///
    /// # Errors
    /// If the test file cannot be made or no engine works.
    pub fn begin(&self, machine: &mut dyn Machine) -> Result<Runner, MachineError> {
        let cases = vec![self.case(0, LoadLevel::Deep).map_err(MachineError::of_run)?];
        Runner::begin_one(&self.volume, cases, self.asked.common.seed, machine)
    }

    /// Fills the target if necessary, then takes step after step to the answer.
    pub fn run(
        &self,
        runner: &Runner,
        machine: &mut dyn Machine,
        events: &mut dyn EventSink,
    ) -> Searched {
        let filled = runner.fill(self.usual_us(), machine, events);
        let in_the_way = match (filled.stopped, filled.failures.into_iter().next()) {
            (true, _) => Some(Halt::Stopped),
            (false, failure) => failure.map(|(_, why)| Halt::Failed(why)),
        };
        let steps = Vec::new();
        let mut probe = TargetProbe { plan: self, runner, machine, events, steps, in_the_way };
        let limit = search(&self.asked.target, self.asked.effort, &mut probe);
        Searched { limit, stopped: probe.machine.stopping(), steps: probe.steps }
    }
}

/// How often a full-speed step in which the process was stopped is repeated; the search repeats
/// steps at a rate.
const MOST_REPEATS: usize = 3;

/// The share of a step's I/Os whose latency is that of a volume without a backlog.
const QUICKEST_PERCENT: f64 = 10.0;

/// Puts loads on a target.
struct TargetProbe<'a> {
    plan: &'a LimitPlan,
    runner: &'a Runner,
    machine: &'a mut dyn Machine,
    events: &'a mut dyn EventSink,
    steps: Vec<StepRecord>,
    /// Why the first step is not tried: the target was not filled, or the user stopped the run.
    in_the_way: Option<Halt>,
}

impl Probe for TargetProbe<'_> {
    fn step(&mut self, load: LoadLevel) -> Result<StepReading, Halt> {
        if let Some(halt) = self.in_the_way.take() {
            return Err(halt);
        }
        let mut trial = self.trial(load)?;
        let read = self.read(load, &trial);
        let finding = match (load, &read) {
            (LoadLevel::Rate { rate_iops }, Ok(reading)) => {
                Some(self.plan.asked.target.judge(rate_iops, reading))
            }
            _ => None,
        };
        if finding.is_some_and(StepFinding::kept_up) {
            // The client waits between I/Os by spinning, which delays nothing.
            trial.verdicts.retain(|verdict| !matches!(verdict.answer, Answer::Client(_)));
        }
        suppress(&mut trial.verdicts, |answer| is_deliberate(load, finding, answer));
        let record = trial.keyed(StepKey { load, finding, reading: read.as_ref().ok().cloned() });
        let summary = summary(&record, &self.plan.asked.target);
        self.events.event(CampaignEvent::End { summary });
        self.steps.push(record);
        read
    }
}

impl TargetProbe<'_> {
    fn target(&self) -> &PreparedTarget {
        &self.runner.targets[0]
    }

    /// Runs a load as its own case, and again if the process was stopped meanwhile: I/Os that
    /// waited then say nothing about the volume.
    fn trial(&mut self, load: LoadLevel) -> Result<Trial<TrialId>, Halt> {
        let step = self.steps.len();
        self.events.event(CampaignEvent::Begin(TrialBegin {
            before: step as u64,
            of: None,
            title: Text::of(test_title(&load.title(self.plan.depth))),
            time_us: self.plan.step_us(),
            path: self.plan.volume.shown_path(),
        }));
        let case = self.plan.case(step, load).map_err(|why| Halt::Failed(why.to_string()))?;
        let id = TrialId { round: 0, case: step, target: 0 };
        let mut run = || self.runner.trial(id, &case, self.machine, self.events).0;
        let mut trial = run();
        for _ in 0..MOST_REPEATS {
            let pause_ms = trial.result.as_ref().map_or(0, |result| result.pause_ms);
            if pause_ms == 0 || trial.cut_short || matches!(load, LoadLevel::Rate { .. }) {
                break;
            }
            trial = run();
        }
        Ok(trial)
    }

    /// The reading of a run from its one job, which each machine ran, and one direction.
    fn read(&self, load: LoadLevel, trial: &Trial<TrialId>) -> Result<StepReading, Halt> {
        if trial.cut_short || trial.is_stopped() {
            return Err(Halt::Stopped);
        }
        if let Some(why) = &trial.failure {
            return Err(Halt::Failed(why.clone()));
        }
        let jobs = trial.result.as_ref().map(|result| result.jobs.as_slice());
        let job = match jobs {
            None | Some([]) => return Err(Halt::Failed("the run has no job".to_owned())),
            Some([first, others @ ..]) => {
                let mut sum = first.clone();
                others.iter().for_each(|job| sum.merge(job));
                sum
            }
        };
        let direction = self.plan.asked.pattern.direction();
        let stats = &job.dirs[direction];
        let parts = |criterion: &Criterion| parts(criterion, direction, &job);
        let open = job.open_loop.as_deref();
        Ok(StepReading {
            iops: stats.iops_mean(),
            ios: stats.total_ios,
            overdue_ios: open.map_or(0, |open| open.overdue_ios[direction]),
            waiting_ios: open.map_or(0, |open| waiting_ios(open, direction, self.plan.time.run_us)),
            chance_percent: self.chance_percent(load),
            was_full: self.was_full(load, &job),
            delay: host_delay(trial),
            others_busy: others_busy(&trial.verdicts).filter(|_| !self.is_slow_throughout(stats)),
            group_iops: group_iops(&trial.verdicts, self.plan.asked.block_bytes),
            parts: self.plan.asked.target.criteria.iter().map(parts).collect(),
        })
    }

    /// Whether even the fastest tenth of the I/Os was too slow, which no other program explains:
    /// the rule of assertions and checks.
    fn is_slow_throughout(&self, stats: &DirectionStats) -> bool {
        let tenth_ns = fastest_tenth_ns(&stats.lat);
        tenth_ns.is_some_and(|ns| self.plan.asked.target.is_missed_by(ns as u64))
    }

    fn chance_percent(&self, load: LoadLevel) -> f64 {
        let LoadLevel::Rate { rate_iops } = load else { return 0.0 };
        let expected_ios = rate_iops as f64 * self.plan.time.run_us as f64 / 1e6;
        self.plan.asked.arrivals.chance_percent(expected_ios)
    }

    /// Depths are counted in powers of two, so a depth that may have been full counts as full.
    fn was_full(&self, load: LoadLevel, job: &JobResult) -> bool {
        let asked = if load == LoadLevel::Alone { 1 } else { self.plan.depth };
        let depth = self.target().method.effective_depth(asked);
        let mut full = DepthCounts::default();
        full.record(depth, 1);
        job.depth.0.iter().zip(full.0).any(|(ios, full)| *ios > 0 && full > 0)
    }
}

/// I/Os that were in flight at the end of `run_us`, without those that a volume with the step's
/// quickest responses has in flight at any moment. Of a growing backlog only the first I/Os respond
/// quickly, so that it remains.
fn waiting_ios(open: &OpenLoop, direction: Direction, run_us: u64) -> u64 {
    let response = &open.response[direction];
    let due_ios = (response.moments.count + open.overdue_ios[direction]) as f64;
    let per_ns = due_ios / (run_us.max(1) as f64 * 1e3);
    let usual_ios = per_ns * response.percentile(QUICKEST_PERCENT) as f64;
    open.in_flight_ios.saturating_sub(usual_ios.ceil() as u64)
}

/// The delays of this machine, from its counters and the verdicts.
fn host_delay(trial: &Trial<TrialId>) -> Option<HostDelay> {
    let pause_ms = trial.result.as_ref().map_or(0, |result| result.pause_ms);
    let stopped = (pause_ms > 0).then_some(HostDelay::Stopped { pause_ms });
    let signs = trial.verdicts.iter().flat_map(|verdict| match &verdict.answer {
        Answer::Client(finding) => finding.signs.as_slice(),
        _ => &[],
    });
    let held_up = |sign: &ClientSign| match *sign {
        ClientSign::Throttled { share, .. } => Some(HostDelay::Quota { share }),
        ClientSign::Stolen { share } => Some(HostDelay::Steal { share }),
        _ => None,
    };
    stopped.or_else(|| signs.filter_map(held_up).next())
}

/// What other programs used of the processors, if the step may have been slower for it. A cap holds
/// the rate whatever they do.
fn others_busy(verdicts: &[Verdict]) -> Option<f64> {
    let mut answers = verdicts.iter().map(|verdict| &verdict.answer);
    if answers.clone().any(Answer::is_plain_cap) {
        return None;
    }
    answers.find_map(|answer| match answer {
        Answer::Client(finding) => finding.others_busy(),
        _ => None,
    })
}

/// I/Os a second of this size that a control group lets through, if one held the step. An I/O that
/// the kernel splits counts as its parts, so that the real number may be lower.
fn group_iops(verdicts: &[Verdict], block_bytes: u64) -> Option<f64> {
    let limits = verdicts.iter().filter_map(|verdict| match &verdict.answer {
        Answer::Capped(CapFinding::Capped(cap)) => cap.known_limit(),
        _ => None,
    });
    let iops = limits.map(|limit| match limit.unit {
        RateUnit::Ios => limit.per_second,
        RateUnit::Bytes => limit.per_second / block_bytes as f64,
    });
    iops.reduce(f64::min)
}

/// A step in a line: `1,022 IOPS, p99 2.28 ms: keeps`.
fn summary(step: &StepRecord, target: &LatencyGoal) -> Text {
    let Some(reading) = &step.reading else { return step.summary() };
    let mut text = Text::of(format_args!("{} IOPS", thousands(reading.iops)));
    for (criterion, parts) in target.criteria.iter().zip(&reading.parts) {
        let (measure, response) = (criterion.measure.tell(), latency(parts.response_ns));
        text = Text::of(format_args!("{text}, {measure} {response}"));
    }
    match step.finding {
        Some(finding) => Text::of(format_args!("{text}: {}", finding.tell())),
        None => text,
    }
}

/// Whether a step's own load explains an answer. A given rate says nothing about the volume's own
/// rate, and above the limit a step is meant to create a backlog, with its latencies. Answers about
/// caches and the client, and all answers at full speed, stay: they decide whether the answer is
/// the volume's.
fn is_deliberate(load: LoadLevel, finding: Option<StepFinding>, answer: &Answer) -> bool {
    match answer {
        Answer::Cached(_) | Answer::Client(_) => false,
        // The table shows wait and service at each rate.
        Answer::OpenLoop(_) => true,
        Answer::Humps(_) => finding == Some(StepFinding::Overload),
        _ => matches!(load, LoadLevel::Rate { .. }),
    }
}

fn parts(criterion: &Criterion, direction: Direction, job: &JobResult) -> Parts {
    let of = |stats: &LatencyStats| criterion.measure.of(stats);
    let service_ns = of(&job.dirs[direction].lat);
    match &job.open_loop {
        Some(open) => Parts {
            wait_ns: of(&open.wait[direction]),
            service_ns,
            response_ns: of(&open.response[direction]),
            least_response_ns: criterion.measure.least_of(&open.response[direction]),
        },
        None => Parts {
            wait_ns: 0.0,
            service_ns,
            response_ns: service_ns,
            least_response_ns: criterion.measure.least_of(&job.dirs[direction].lat),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_analysis::{Cap, CapConfidence, CapFinding, CapKind, ClientFinding, ClientVerdict};

    #[test]
    fn ios_in_flight_wait_unless_the_latency_of_the_quickest_explains_them() {
        // A second of 2,000 I/Os: the first responds in `first_ns`, and each later than the last.
        let open = |first_ns: u64, later_ns: u64| {
            let mut open = OpenLoop { in_flight_ios: 200, ..OpenLoop::default() };
            (0..2000).for_each(|at| open.response.read.record(first_ns + at * later_ns));
            open
        };
        let waiting = |open| waiting_ios(&open, Direction::Read, 1_000_000);
        // Each takes 100 ms: 200 of 2,000 a second are in flight all the time.
        assert!(waiting(open(100_000_000, 0)) <= 2, "{}", waiting(open(100_000_000, 0)));
        // A backlog that grows to 100 ms.
        assert!((175..=185).contains(&waiting(open(0, 50_000))), "{}", waiting(open(0, 50_000)));
    }

    #[test]
    fn other_programs_are_felt_where_no_cap_holds_the_rate() {
        let beside = |busy, more: Option<Answer>| {
            let client = Answer::Client(ClientFinding {
                verdict: ClientVerdict::Tight,
                host: None,
                headroom: None,
                signs: vec![ClientSign::Others { busy }],
                is_capped: false,
            });
            let verdicts = std::iter::once(client).chain(more).map(Verdict::from);
            others_busy(&verdicts.collect::<Vec<_>>())
        };
        assert_eq!((beside(0.8, None), beside(0.3, None)), (Some(0.8), None));
        let capped = |confidence| {
            let (kind, evidence) = (CapKind::Iops, Vec::new());
            let cap = Cap { kind, value: 2000.0, or: None, evidence, confidence };
            Some(Answer::Capped(CapFinding::Capped(cap)))
        };
        assert_eq!(beside(0.8, capped(CapConfidence::High)), None);
        assert_eq!(beside(0.8, capped(CapConfidence::Low)), Some(0.8), "that may be no cap");
    }
}
