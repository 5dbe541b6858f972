//! The search for a limit through cases and an executor: its jobs, its document, its refusals.

use super::queue::{Queue, md1_limit};
use super::scripted::{Diary, Fills, OneJob, device, fields, folder, machine};
use super::searching::p99_under;
use crate::Refusal;
use crate::limit::{LimitError, LimitPlan, LimitRequest, Searched};
use crate::machine::RunOrder;
use crate::{CommonOptions, MeasuringTime};
use fathom_analysis::Tone;
use fathom_document::Provenance;
use fathom_document::limit::{
    Arrivals, Effort, LatencyGoal, LimitDocument, LimitPattern, LoadLevel, SearchVerdict,
    StepFinding, StepRecord,
};
use fathom_document::verdicts::{Answer, Weight};
use fathom_document::{Remark, Volume};
use fathom_job::JobSpec;
use fathom_stats::{JobResult, OpenLoop, RunResult};
use fathom_vocab::Direction;
use fathom_vocab::SplitMix;
use proptest::prelude::*;
use std::path::Path;

/// Runs jobs on a simulated queue: at most `break_at` of them, trials and fills left out.
struct Simulated {
    queue: Queue,
    jobs: Vec<JobSpec>,
    entropies: Vec<u64>,
    break_at: usize,
    stop_at: usize,
    fill: Result<(), &'static str>,
}

impl Simulated {
    fn new(queue: Queue) -> Simulated {
        let (jobs, entropies) = (Vec::new(), Vec::new());
        let never = usize::MAX;
        Simulated { queue, jobs, entropies, break_at: never, stop_at: never, fill: Ok(()) }
    }
}

impl OneJob for Simulated {
    fn run_one(&mut self, job: &JobSpec, order: &RunOrder) -> Result<RunResult, String> {
        match job.name.as_str() {
            "trial" => {
                return Ok(RunResult { jobs: vec![JobResult::default()], ..RunResult::default() });
            }
            "fill" => return self.fill.map(|()| RunResult::default()).map_err(str::to_owned),
            _ => {}
        }
        if self.jobs.len() == self.break_at {
            return Err("Input/output error".to_owned());
        }
        self.jobs.push(job.clone());
        self.entropies.push(order.entropy);
        self.queue.poisson = job.pace.poisson;
        self.queue.chance = SplitMix::new(order.entropy);
        Ok(RunResult { jobs: vec![self.measured(job)], ..RunResult::default() })
    }

    fn stops(&self) -> bool {
        self.jobs.len() >= self.stop_at
    }
}

impl Simulated {
    fn measured(&mut self, job: &JobSpec) -> JobResult {
        let direction = if job.pattern.rw.write { Direction::Write } else { Direction::Read };
        let load = match (job.pace.rate_iops[direction], job.engine.iodepth) {
            (0, 1) => LoadLevel::Alone,
            (0, _) => LoadLevel::Deep,
            (rate_iops, _) => LoadLevel::Rate { rate_iops },
        };
        let run = self.queue.run(load);
        let mut measured = JobResult::default();
        let stats = &mut measured.dirs[direction];
        (stats.total_ios, stats.io_bytes) = (run.ios, run.ios * 4096);
        stats.runtime_ms = (run.lasted_ns / 1e6) as u64;
        stats.lat = run.service;
        // A backlog waits with all slots in flight, so that it waits for the volume.
        measured.depth.record(job.engine.iodepth, run.ios);
        if let LoadLevel::Rate { .. } = load {
            let mut open = OpenLoop::default();
            open.wait[direction] = run.wait;
            open.response[direction] = run.response;
            open.overdue_ios[direction] = run.overdue_ios;
            open.in_flight_ios = run.in_flight_ios;
            measured.open_loop = Some(Box::new(open));
        }
        measured
    }
}

fn asked(under_ns: u64) -> LimitRequest {
    LimitRequest {
        target: p99_under(under_ns),
        pattern: LimitPattern::RandRead,
        block_bytes: 4096,
        depth: None,
        arrivals: Arrivals::Poisson,
        effort: Effort { precision: 0.03, most_steps: 40 },
        until_decided_us: None,
        common: CommonOptions {
            time: Some(MeasuringTime::PerRun(30_000_000)),
            seed: 5,
            entropy: 9,
            ..CommonOptions::default()
        },
    }
}

fn timed(time: Option<MeasuringTime>, under_ns: u64) -> LimitRequest {
    let mut asked = asked(under_ns);
    asked.common.time = time;
    asked
}

fn planned(volume: Volume, asked: LimitRequest) -> Result<LimitPlan, LimitError> {
    LimitPlan::new(asked, volume)
}

fn searched(asked: LimitRequest, executor: &mut Simulated) -> (Searched, LimitDocument, Diary) {
    let top = tempfile::tempdir().unwrap();
    let plan = planned(folder(top.path(), 1 << 40), asked).unwrap();
    let mut machine = machine(executor);
    let runner = plan.begin(&mut machine).unwrap();
    assert!(plan.volume.path.exists());
    let mut heard = Diary::default();
    let searched = plan.run(&runner, &mut machine, &mut heard);
    let document = plan.document(&runner.targets[0], &searched, Provenance::default());
    drop(machine);
    assert_eq!(std::fs::read_dir(top.path()).unwrap().count(), 0);
    (searched, document, heard)
}

#[test]
fn jobs_are_paced_deep_and_judged_by_response() {
    let mut executor = Simulated::new(Queue::md1(5e5, 0));
    let (searched, document, heard) = searched(asked(5_000_000), &mut executor);
    let truth = md1_limit(5e5, 5e6, 99.0);
    let low = searched.limit.low.unwrap() as f64;
    assert!((low / truth - 1.0).abs() < 0.06, "{low}, not {truth:.0}");
    assert_eq!(heard.0[..2], ["fill ", "0 max, QD 256"]);
    assert!(heard.0[2].starts_with("end: ") && heard.0[2].contains(" IOPS, p99 "), "{heard:?}");
    let [deep, alone, first, ..] = &executor.jobs[..] else { panic!("{:?}", executor.jobs) };
    assert_eq!((deep.engine.iodepth, alone.engine.iodepth, first.engine.iodepth), (256, 1, 256));
    assert_eq!((deep.pace.rate_iops.read, alone.pace.rate_iops.read), (0, 0));
    assert!(first.pace.poisson && first.pace.rate_iops.read == 1000, "{:?}", first.pace);
    assert!(executor.jobs.iter().all(|job| job.engine.direct && !job.pattern.randrepeat));
    let mut seeds = executor.entropies.clone();
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), executor.jobs.len(), "each step has offsets and arrivals of its own");
    // An I/O of 500 us that responds in 5 ms has waited: the device's latency alone keeps anything.
    let step =
        searched.steps.iter().find(|step| step.finding == Some(StepFinding::TooSlow)).unwrap();
    let parts = step.reading.as_ref().unwrap().parts[0];
    assert!(parts.service_ns < 6e5 && parts.response_ns >= 5e6, "{parts:?}");
    let command = &document.steps[2].command;
    for words in ["--rate_iops=1000", "--rate_process=poisson", "--iodepth=256", "--runtime=30s"] {
        assert!(command.contains(words), "{words}: {command}");
    }
}

/// A volume that a cap holds, which lets through at once what it saved up while it was idle.
fn held(cap_iops: f64, burst_s: f64, seconds: f64) -> Queue {
    let burst_ns = burst_s * 1e9;
    Queue { burst_ns, seconds, ..Queue::md1(1e9 / cap_iops, 0) }
}

/// The search on such a volume, in steps of its length, for p99 under `under_ns`.
fn searched_held(under_ns: u64, queue: Queue) -> (Searched, LimitDocument) {
    let time = Some(MeasuringTime::PerRun((queue.seconds * 1e6) as u64));
    let (searched, document, _) = searched(timed(time, under_ns), &mut Simulated::new(queue));
    (searched, document)
}

/// A step of a second, in which a backlog responds within 200 ms all the while.
#[test]
fn a_rate_that_a_cap_held_back_does_not_pass_in_a_short_step() {
    let mut queue = held(2000.0, 0.0, 1.0);
    let run = queue.run(LoadLevel::Rate { rate_iops: 2200 });
    let p99_ms = run.response.percentile(99.0) / 1_000_000;
    let backlog = (run.overdue_ios, run.in_flight_ios);
    assert!(backlog.0 == 0 && backlog.1 > 100 && p99_ms < 200, "{backlog:?}, {p99_ms} ms");
    let (searched, document) = searched_held(200_000_000, queue);
    assert!(searched.limit.low.is_some_and(|low| low <= 2000), "{:?}", searched.limit.low);
    assert!(document.answer.text.contains("all that the volume gives"), "{}", document.answer.text);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_answer_lies_above_the_cap(cap in 50f64..4000.0, burst_s in 0f64..0.2,
                                    seconds in 0.3f64..4.0, under_ms in 5u64..500) {
        let (searched, document) = searched_held(under_ms * 1_000_000, held(cap, burst_s, seconds));
        // What the volume had saved up adds to each step, and an I/O at its edges; a result has
        // whole milliseconds, rounded down.
        let most = (cap * (seconds + burst_s) + 2.0) / ((seconds * 1e3).floor() / 1e3);
        let low = searched.limit.low.unwrap_or(0) as f64;
        prop_assert!(low <= most, "{low}, not {most}: {}", document.answer.text);
        for step in searched.limit.steps {
            let LoadLevel::Rate { rate_iops } = step.load else { continue };
            let behind = step.reading.behind_percent(rate_iops);
            prop_assert!(behind <= 3.0 || step.finding != Some(StepFinding::Keeps), "{behind}");
        }
    }
}

#[test]
fn the_document_holds_all_of_it_and_reads_back() {
    let (searched, document, _) =
        searched(asked(5_000_000), &mut Simulated::new(Queue::md1(5e5, 0)));
    assert_eq!((document.head.kind.as_str(), document.head.schema), ("fathom-limit", 1));
    assert_eq!(document.steps.len(), searched.limit.steps.len());
    assert_eq!(document.answer.rate_iops, searched.limit.low);
    assert!(document.answer.text.starts_with("4 KiB random read: "), "{}", document.answer.text);
    let said = "kind schema fathom_version started_ms summary interrupted host volume ways remarks \
                question answer gate steps";
    assert_eq!(fields(&document), said);
    let text = serde_json::to_string(&document).unwrap();
    let read: LimitDocument = serde_json::from_str(&text).unwrap();
    assert_eq!(read.answer.text, document.answer.text);
    assert!(read.steps.iter().zip(&document.steps).all(|(one, other)| one.result == other.result));
    assert_eq!(read.question.target, document.question.target);
    // Every reading can be had again from the whole result.
    for step in &document.steps {
        let (reading, job) =
            (step.reading.as_ref().unwrap(), &step.result.as_ref().unwrap().jobs[0]);
        let response =
            job.open_loop.as_ref().map_or(&job.dirs.read.lat, |open| &open.response.read);
        assert_eq!(reading.parts[0].response_ns, response.percentile(99.0) as f64);
    }
}

#[test]
fn waiting_above_the_limit_is_kept_and_shouts_at_nobody() {
    let (_, document, _) = searched(asked(5_000_000), &mut Simulated::new(Queue::md1(5e5, 0)));
    assert!(document.steps.iter().all(|step| !step.verdicts.is_empty()));
    let open = |step: &StepRecord| {
        let verdicts = step.verdicts.iter();
        verdicts.clone().find(|v| matches!(v.answer, Answer::OpenLoop(_))).cloned()
    };
    let late =
        document.steps.iter().find(|step| step.finding == Some(StepFinding::TooSlow)).unwrap();
    let verdict = open(late).unwrap();
    assert!(verdict.sentence.contains("before the I/O is even submitted"), "{}", verdict.sentence);
    assert_eq!((verdict.tone, verdict.weight), (Tone::Warning, Weight::Silent));
    let paced = document.steps.iter().filter(|step| matches!(step.load, LoadLevel::Rate { .. }));
    for step in paced {
        let loud = step.verdicts.iter().filter(|verdict| verdict.weight == Weight::Loud);
        let own = |answer: &Answer| matches!(answer, Answer::Cached(_) | Answer::Humps(_));
        let shouting: Vec<_> = loud.filter(|verdict| !own(&verdict.answer)).collect();
        assert!(shouting.is_empty(), "{:?}: {shouting:?}", step.load);
    }
}

#[test]
fn a_document_from_before_steps_had_verdicts_reads() {
    let (_, document, _) = searched(asked(5_000_000), &mut Simulated::new(Queue::md1(5e5, 0)));
    let mut json = serde_json::to_value(&document).unwrap();
    for step in json["steps"].as_array_mut().unwrap() {
        assert!(step.as_object_mut().unwrap().remove("verdicts").is_some());
    }
    let read: LimitDocument = serde_json::from_value(json).unwrap();
    assert!(read.steps.iter().all(|step| step.verdicts.is_empty()));
}

#[test]
fn even_arrivals_are_asked_for_as_such() {
    let asked = LimitRequest { arrivals: Arrivals::Even, ..asked(5_000_000) };
    let mut executor = Simulated::new(Queue::md1(5e5, 0));
    let (searched, ..) = searched(asked, &mut executor);
    assert!(executor.jobs.iter().all(|job| !job.pace.poisson));
    assert_eq!(searched.limit.verdict, SearchVerdict::Ceiling);
    assert!(searched.limit.low.unwrap() >= 1940, "{:?}", searched.limit.low);
}

#[test]
fn a_step_that_fails_or_is_stopped_leaves_what_was_known() {
    let mut executor = Simulated { break_at: 5, ..Simulated::new(Queue::md1(5e5, 0)) };
    let (broken, document, _) = searched(asked(5_000_000), &mut executor);
    assert_eq!((broken.limit.verdict, broken.limit.low), (SearchVerdict::Halted, Some(1410)));
    assert_eq!(document.steps.len(), 6);
    assert_eq!(document.steps[5].failure.as_deref(), Some("Input/output error"));
    assert_eq!(document.answer.failure.as_deref(), Some("Input/output error"));
    assert!(document.answer.text.contains("by then 1,410 IOPS kept"), "{}", document.answer.text);
    let mut executor = Simulated { stop_at: 5, ..Simulated::new(Queue::md1(5e5, 0)) };
    let (stopped, document, _) = searched(asked(5_000_000), &mut executor);
    assert!(stopped.stopped && document.interrupted && document.answer.failure.is_none());
    assert_eq!((stopped.limit.low, stopped.steps.len()), (Some(1410), 5));
    assert!(document.steps[4].cut_short && document.steps[4].reading.is_none());
    let fill = Err("No space left on device");
    let mut executor = Simulated { fill, ..Simulated::new(Queue::md1(5e5, 0)) };
    let (unfilled, ..) = searched(asked(5_000_000), &mut executor);
    assert!(unfilled.steps.is_empty() && unfilled.limit.verdict == SearchVerdict::Halted);
}

/// A user who sees the fill wants to know when the answer is there.
#[test]
fn the_time_left_while_filling_has_that_of_the_usual_steps() {
    let top = tempfile::tempdir().unwrap();
    let plan = planned(folder(top.path(), 1 << 40), asked(5_000_000)).unwrap();
    let mut executor = Simulated::new(Queue::md1(5e5, 0));
    let mut machine = machine(&mut executor);
    let runner = plan.begin(&mut machine).unwrap();
    let mut fills = Fills::default();
    plan.run(&runner, &mut machine, &mut fills);
    let steps_us = plan.usual_steps() as u64 * plan.step_us();
    assert!(!fills.0.is_empty());
    assert!(fills.0.iter().all(|of| of.trials_us == steps_us), "{:?}", fills.0);
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let refused = |change: &dyn Fn(&mut LimitRequest), volume: Volume| {
        let mut asked = asked(1_000_000);
        change(&mut asked);
        planned(volume, asked).map(|_| ()).unwrap_err()
    };
    let dir = || folder(Path::new("/mnt"), 1 << 40);
    let none = refused(&|asked| asked.target = LatencyGoal { criteria: Vec::new() }, dir());
    assert_eq!(none, LimitError::NoTarget);
    let idle = |asked: &mut LimitRequest| {
        let more = p99_under(2_000_000).criteria;
        asked.target.criteria.splice(0..0, more);
    };
    assert!(matches!(refused(&idle, dir()), LimitError::Idle { .. }));
    assert!(matches!(
        refused(&|asked| asked.common.time = Some(MeasuringTime::PerRun(50_000)), dir()),
        LimitError::TooShort { time_ms: 50 }
    ));
    let writes = |asked: &mut LimitRequest| asked.pattern = LimitPattern::RandWrite;
    let why = refused(&writes, device("/dev/sdx", 1 << 40)).to_string();
    assert!(why.contains("--destroy-data-on /dev/sdx"), "{why}");
    let both = |asked: &mut LimitRequest| {
        (asked.pattern, asked.common.read_only) = (LimitPattern::Write, true);
    };
    assert!(matches!(refused(&both, dir()), LimitError::Contradiction { .. }));
    let odd = refused(&|asked| asked.block_bytes = 1000, dir());
    assert!(matches!(odd, LimitError::Place(Refusal::Unaligned { .. })), "{odd:?}");
}

#[test]
fn steps_are_long_enough_for_their_target() {
    let planned = |under_ns, time_us: Option<u64>| {
        let time = time_us.map(MeasuringTime::PerRun);
        planned(folder(Path::new("/mnt"), 1 << 40), timed(time, under_ns)).unwrap()
    };
    let of = |under_ns| planned(under_ns, None).time;
    assert_eq!((of(1_000_000).run_us, of(1_000_000).ramp_us), (10_000_000, 1_250_000));
    assert_eq!((of(1_000_000_000).run_us, of(1_000_000_000).ramp_us), (50_000_000, 5_000_000));
    assert_eq!(planned(1_000_000_000, None).caution(), None);
    let short = planned(1_000_000_000, Some(2_000_000)).caution().unwrap().to_string();
    assert!(short.contains("Steps of 2 s") && short.contains("--time-per-run 50s"), "{short}");
}

#[test]
fn the_depth_follows_the_size_of_the_ios_and_data_that_is_named_may_go() {
    let depth = |block_bytes, depth| {
        let asked = LimitRequest { block_bytes, depth, ..asked(1_000_000) };
        planned(folder(Path::new("/mnt"), 1 << 40), asked).unwrap().depth
    };
    assert_eq!([depth(4096, None), depth(1 << 20, None), depth(32 << 20, None)], [256, 64, 8]);
    assert_eq!(depth(1 << 20, Some(3)), 3);
    let mut named = asked(1_000_000);
    (named.pattern, named.common.destroy) = (LimitPattern::RandWrite, vec!["/dev/sdx".into()]);
    let plan = planned(device("/dev/sdx", 1 << 40), named).unwrap();
    assert!(plan.volume.writes && plan.volume.fill_bytes > 0);
    let destroys = |remark: &Remark| matches!(remark, Remark::Destroys { .. });
    assert!(plan.volume.remarks.iter().any(destroys));
    assert_eq!((plan.usual_steps(), plan.step_us()), (15, 33_750_000));
}
