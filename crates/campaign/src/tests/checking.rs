//! Checks of scripted volumes: the runs, and their outcomes.

use super::provider::{GP3, Provider};
use super::scripted::{OneJob, ceiling, device, fields, folder, machine};
use crate::check::{CheckError, CheckPlan, CheckRequest, CheckSink};
use crate::machine::RunOrder;
use crate::{CampaignEvent, EventSink};
use crate::{CommonOptions, MeasuringTime};
use fathom_analysis::promise::{
    Catalogue, Config, HandLimits, LatencyFigure, LatencyLimit, PromiseEvidence, PromiseOutcome,
    Stretch,
};
use fathom_analysis::{
    Cap, CapConfidence, CapFinding, CapKind, ClientInputs, CpuLimit, Evidence, KnownLimit, Tone,
    find_client,
};
use fathom_document::Provenance;
use fathom_document::check::{
    BurstNotice, CheckBasis, CheckDocument, CheckLoad, Doubt, RunFinding, SizeFrom, Standing,
};
use fathom_document::verdicts::Answer;
use fathom_document::{Ceiling, DocumentSummary, Goal};
use fathom_job::JobSpec;
use fathom_message::Lang;
use fathom_stats::RunResult;
use std::path::PathBuf;

#[derive(Default)]
struct Diary(Vec<Standing>);

impl EventSink for Diary {
    fn event(&mut self, _: CampaignEvent) {}
}

impl CheckSink for Diary {
    fn keep(&mut self, document: &CheckDocument) {
        self.0.push(document.runs.last().unwrap().standing());
    }
}

fn promise(id: &str, size: &str) -> CheckBasis {
    let catalogue = Catalogue::builtin().unwrap();
    let config = Config { size: Some(size.parse().unwrap()), ..Config::default() };
    let promise = catalogue.find(id).unwrap().promise(&config).unwrap();
    CheckBasis::Provider { promise: Box::new(promise), size_from: SizeFrom::Said }
}

fn asked(basis: CheckBasis) -> CheckRequest {
    CheckRequest {
        basis,
        cpus: 2,
        until_decided_us: Some(0),
        common: CommonOptions { seed: 1, entropy: 2, ..CommonOptions::default() },
    }
}

fn plan(basis: CheckBasis) -> CheckPlan {
    CheckPlan::new(&asked(basis), folder(&PathBuf::from("/data"), 1 << 40)).unwrap()
}

/// Reads of an existing device, so that no file is made and nothing filled.
fn check(basis: CheckBasis, mut provider: Provider) -> CheckDocument {
    let volume = device("/dev/sdz", 1 << 40);
    let plan = CheckPlan::new(&asked(basis), volume).unwrap();
    let mut machine = machine(&mut provider);
    let mut runner = plan.begin(&mut machine).unwrap();
    let mut diary = Diary::default();
    let from = Provenance::default();
    let document = plan.run(&mut runner, from, &mut machine, &mut diary);
    let told: Vec<Standing> = document.runs.iter().map(|run| run.standing()).collect();
    assert_eq!(diary.0, told);
    document
}

fn titles(loads: &[&CheckLoad]) -> Vec<String> {
    loads.iter().map(|load| load.title()).collect()
}

fn steps(plan: &CheckPlan) -> Vec<String> {
    titles(&plan.steps.iter().map(|step| &step.load).collect::<Vec<_>>())
}

fn standings(document: &CheckDocument) -> Vec<(Goal, Standing)> {
    document.runs.iter().map(|run| (run.load.goal, run.standing())).collect()
}

#[test]
fn only_what_is_promised_is_run_and_latency_by_itself() {
    assert_eq!(
        steps(&plan(promise("naver.block_ssd", "500GB"))),
        ["4 KiB random read, QD 128", "4 KiB random write, QD 128"]
    );
    assert_eq!(
        steps(&plan(promise("aws.gp3", "500GiB"))),
        [
            "4 KiB random read, QD 1",
            "4 KiB random write, QD 1",
            "4 KiB random read, QD 32",
            "4 KiB random write, QD 32",
            "256 KiB sequential read, QD 16",
            "256 KiB sequential write, QD 16",
        ]
    );
    let bytes_per_s = Some(125e6);
    let limits = HandLimits { bytes_per_s, ..HandLimits::default() };
    let by_hand = steps(&plan(CheckBasis::Hand { limits }));
    assert_eq!(by_hand.len(), 2);
    // 20 IOPS carry 5 MB/s in blocks of 256 KiB: only larger ones can show 20.
    let limits = HandLimits { iops: Some(20.0), bytes_per_s: Some(20e6), ..HandLimits::default() };
    let few = steps(&plan(CheckBasis::Hand { limits }));
    assert_eq!(few[2], "1 MiB sequential read, QD 16");
}

#[test]
fn the_block_size_is_the_one_that_the_provider_counts_by() {
    // st1 charges a whole MiB for any random I/O.
    let of_st1 = steps(&plan(promise("aws.st1", "2048GiB")));
    assert!(of_st1.iter().all(|title| title.starts_with("1 MiB")), "{of_st1:?}");
    let of_balanced = steps(&plan(promise("google.pd_balanced", "500GiB")));
    assert!(of_balanced[0].starts_with("4 KiB random read"), "{of_balanced:?}");
}

#[test]
fn the_queue_is_at_least_as_deep_as_providers_reckon() {
    for iops in [100.0, 500.0, 4_000.0, 16_000.0, 64_000.0, 160_000.0] {
        let limits = HandLimits { iops: Some(iops), ..HandLimits::default() };
        let plan = plan(CheckBasis::Hand { limits });
        let load = &plan.steps[0].load;
        let wanted = (iops * 2e-3f64).ceil() as u32;
        assert!((wanted..=1024).contains(&load.in_flight()), "{iops}: {load:?}");
        assert!(load.jobs <= 2 && load.depth >= 32, "{load:?}");
        assert_eq!(plan.steps[0].case.depth(), load.depth);
        assert_eq!(plan.steps[0].case.jobs(), load.jobs);
    }
}

#[test]
fn a_volume_that_gives_what_is_promised_has_kept_it_and_its_caps_are_named() {
    let document = check(promise("aws.gp3", "500GiB"), GP3);
    assert_eq!(document.standing, Standing::Kept);
    let kept = [Goal::Latency, Goal::Iops, Goal::Throughput].map(|goal| (goal, Standing::Kept));
    assert_eq!(standings(&document), kept);
    assert_eq!(document.left_out.len(), 3);
    let [iops, rate] = [1, 2].map(|at| document.runs[at].finding.as_ref().unwrap());
    assert_eq!((iops.seconds, iops.reached), (30, 30));
    assert!((iops.held_by().unwrap().value / 3000.0 - 1.0).abs() < 0.01);
    assert!(iops.sentences.iter().any(|s| s == "Capped at 3,000 IOPS; the check asks for 3,000."));
    assert!((rate.held_by().unwrap().value / 131_072_000.0 - 1.0).abs() < 0.01);
    // Of a run for latency nothing is said of rates, and of one for rates nothing of latency.
    let of_latency = document.runs[0].finding.as_ref().unwrap();
    assert!(of_latency.cap.is_none());
    for (run, latency) in document.runs.iter().zip([true, false, false]) {
        let lines = &run.finding.as_ref().unwrap().judgement.verdicts;
        let is = |evidence: &PromiseEvidence| matches!(evidence, PromiseEvidence::Latency { .. });
        assert!(!lines.is_empty() && lines.iter().all(|line| is(&line.evidence) == latency));
    }
}

#[test]
fn what_a_promise_does_not_judge_by_is_judged_beside_it() {
    let document = check(promise("aws.gp3", "500GiB"), GP3);
    for run in &document.runs {
        let has = |what: fn(&Answer) -> bool| run.verdicts.iter().any(|v| what(&v.answer));
        assert!(has(|answer| matches!(answer, Answer::Steady(_) | Answer::Burst(_))));
        // These stand with the promise, and are not said twice.
        let own =
            |a: &Answer| matches!(a, Answer::Capped(_) | Answer::Client(_) | Answer::Cached(_));
        assert!(!has(own), "{:?}", run.verdicts);
    }
    let said = "kind schema fathom_version started_ms summary seed host volume ways remarks basis caveats \
                bursts time planned left_out runs standing gate stopped failure";
    assert_eq!(fields(&document), said);
    let mut json = serde_json::to_value(&document).unwrap();
    for run in json["runs"].as_array_mut().unwrap() {
        assert!(run.as_object_mut().unwrap().remove("verdicts").is_some());
    }
    assert!(serde_json::from_value::<CheckDocument>(json).is_ok());
}

#[test]
fn too_few_iops_are_missed_and_the_cap_says_where_they_end() {
    let document = check(promise("aws.gp3", "500GiB"), Provider { iops: 2500.0, ..GP3 });
    assert_eq!(document.standing, Standing::Missed);
    let missed = standings(&document).into_iter().filter(|(_, s)| *s == Standing::Missed);
    assert_eq!(missed.collect::<Vec<_>>(), [(Goal::Iops, Standing::Missed)]);
    let finding = document.runs[1].finding.as_ref().unwrap();
    assert_eq!((finding.reached, finding.doubt), (0, None));
    assert!(
        finding.sentences.iter().any(|s| s == "Capped at 2,500 IOPS; the check asks for 3,000.")
    );
}

#[test]
fn a_miss_beside_others_says_so() {
    let unsteady = Provider { iops: 2500.0, swings: 0.15, bytes_per_s: 1e9, ..GP3 };
    let of = |others_percent| {
        let provider = Provider { others_percent, ..unsteady.clone() };
        let document = check(promise("aws.gp3", "500GiB"), provider);
        let finding = document.runs[1].finding.clone().unwrap();
        (finding.standing, finding.trust(), finding.sentences.join(" "))
    };
    let (standing, trust, said) = of(20);
    assert_eq!((standing, trust), (Standing::Missed, Tone::Warning));
    assert!(said.contains("Other I/O ran"), "{said}");
    let (standing, trust, said) = of(0);
    assert_eq!((standing, trust), (Standing::Missed, Tone::Good));
    assert!(!said.contains("Other I/O ran"), "{said}");
}

/// 130 IOPS of 1 MiB are 130 MiB/s, and it is bytes that are sold.
#[test]
fn a_cap_is_named_in_what_is_promised() {
    let bytes_per_s = 130.0 * 1_048_576.0;
    let provider = Provider { seconds: 5, iops: 500.0, bytes_per_s, ..GP3 };
    let document = check(promise("aws.st1", "3328GiB"), provider);
    let finding = document.runs.last().unwrap().finding.clone().unwrap();
    let cap = finding.held_by().unwrap();
    assert_eq!((cap.kind, cap.or), (CapKind::Bandwidth, None), "{:?}", finding.sentences);
    assert!(finding.sentences.join(" ").contains("130 MiB/s is the promised rate."));
}

/// Nothing is promised where the user states the limits.
#[test]
fn a_cap_at_a_limit_by_hand_is_no_promise() {
    let bytes_per_s = 130.0 * 1_048_576.0;
    let provider = Provider { seconds: 5, bytes_per_s, ..GP3 };
    let limits = HandLimits { bytes_per_s: Some(bytes_per_s), ..HandLimits::default() };
    let document = check(CheckBasis::Hand { limits }, provider);
    let said = document.runs.last().unwrap().finding.clone().unwrap().sentences.join(" ");
    assert!(said.contains("130 MiB/s is the limit given by hand."), "{said}");
    assert!(!said.contains("promise"), "{said}");
}

#[test]
fn a_client_at_its_end_makes_a_miss_untold_unless_a_cap_shows() {
    let busy = Provider { iops: 2500.0, busy: 0.97, ..GP3 };
    let unsteady = Provider { swings: 0.15, bytes_per_s: 1e9, ..busy.clone() };
    let of = |provider| {
        let document = check(promise("aws.gp3", "500GiB"), provider);
        let finding = document.runs[1].finding.clone().unwrap();
        (finding.standing, finding.doubt, document.standing)
    };
    let (told, untold) = (Standing::Missed, Standing::CouldNotTell);
    assert_eq!(of(unsteady.clone()), (untold, Some(Doubt::Client), untold));
    assert_eq!(of(busy), (told, None, told));
    assert_eq!(of(Provider { busy: 0.1, ..unsteady.clone() }), (told, None, told));
    let kept = of(Provider { iops: 4000.0, ..unsteady });
    assert_eq!(kept, (Standing::Kept, None, Standing::Kept));
}

/// The finding of a run beside others that kept the processors almost wholly busy.
fn beside_others(document: &CheckDocument, run: usize) -> RunFinding {
    let others = ClientInputs {
        machine_busy: Some(0.998),
        own_busy: Some(0.05),
        cpus: 2,
        ..ClientInputs::default()
    };
    let run = &document.runs[run];
    let finding = run.finding.clone().unwrap();
    RunFinding { client: find_client(&others), ..finding }.concluded(&run.load, false)
}

#[test]
fn a_rate_missed_on_a_busy_host_is_undecided_unless_a_cap_below_the_promise_shows() {
    let (told, untold) = (Standing::Missed, Standing::CouldNotTell);
    let unsteady = Provider { iops: 2500.0, swings: 0.15, bytes_per_s: 1e9, ..GP3 };
    let document = check(promise("aws.gp3", "500GiB"), unsteady);
    assert_eq!(document.runs[1].standing(), told);
    let busy = beside_others(&document, 1);
    assert_eq!((busy.standing, busy.doubt), (untold, Some(Doubt::Client)));
    assert!(busy.sentences[0].contains("99.8 %"), "{:?}", busy.sentences);
    assert!(busy.sentences[1].contains("quiet host"), "{:?}", busy.sentences);
    // Below a cap of 2,500 the host explains nothing.
    let capped = check(promise("aws.gp3", "500GiB"), Provider { iops: 2500.0, ..GP3 });
    let capped = beside_others(&capped, 1);
    assert!(capped.held_by().is_some());
    assert_eq!((capped.standing, capped.doubt), (told, None));
    // A cap at the promise does not say why a run stayed below it.
    let mut finding = capped;
    let Some(CapFinding::Capped(cap)) = &mut finding.cap else { panic!("{:?}", finding.cap) };
    cap.value = 3000.0;
    assert_eq!(finding.concluded(&document.runs[1].load, false).standing, untold);
    // A cache beside it is no excuse: the busy host is.
    let cached = Provider { iops: 2500.0, swings: 0.15, bytes_per_s: 1e9, seen_percent: 20, ..GP3 };
    let cached = check(promise("aws.gp3", "500GiB"), cached);
    let both = beside_others(&cached, 1);
    assert_eq!((both.standing, both.doubt), (untold, Some(Doubt::Client)));
    // What was kept all the same is kept.
    let kept = check(promise("aws.gp3", "500GiB"), GP3);
    assert_eq!(beside_others(&kept, 1).standing, Standing::Kept);
}

#[test]
fn a_rate_missed_behind_a_cpu_quota_or_beside_others_in_one_limit_is_undecided() {
    let unsteady = Provider { iops: 2500.0, swings: 0.15, bytes_per_s: 1e9, ..GP3 };
    let document = check(promise("aws.gp3", "500GiB"), unsteady);
    let run = &document.runs[1];
    let finding = || run.finding.clone().unwrap();
    assert_eq!(finding().standing, Standing::Missed);
    let quota = CpuLimit { cpus: 0.5, of: 2, group: "/pod".to_owned(), file: "cpu.max".to_owned() };
    let stopped = ClientInputs {
        quota: Some(quota),
        throttled_us: 4_800_000,
        elapsed_us: 10_000_000,
        ..ClientInputs::default()
    };
    let stopped = RunFinding { client: find_client(&stopped), ..finding() };
    let stopped = stopped.concluded(&run.load, false);
    assert_eq!((stopped.standing, stopped.doubt), (Standing::CouldNotTell, Some(Doubt::Client)));
    let said = stopped.sentences.join(" ");
    assert!(said.contains("(cpu.max)") && !said.contains("quiet host"), "{said}");
    let shared = |others: f64| {
        let (unit, per_second) = (CapKind::Iops.unit(), 3000.0);
        let (reached, group, both_ways) = (per_second, "/pod".to_owned(), false);
        let limit = KnownLimit { unit, per_second, reached, others, group, both_ways };
        let cap = Cap {
            kind: CapKind::Iops,
            value: per_second,
            or: None,
            evidence: vec![Evidence::Known(limit)],
            confidence: CapConfidence::High,
        };
        let cap = Some(CapFinding::Capped(cap));
        let finding = RunFinding { cap, ..finding() }.concluded(&run.load, false);
        (finding.standing, finding.doubt)
    };
    assert_eq!(shared(500.0), (Standing::CouldNotTell, Some(Doubt::OtherUse)));
    assert_eq!(shared(0.0), (Standing::Missed, None));
}

#[test]
fn a_latency_missed_on_a_busy_host_is_undecided_and_one_that_was_kept_is_kept() {
    let limit = |of, limit_ns| LatencyLimit { of, limit_ns };
    for (of, kept) in [
        (LatencyFigure::Percentile(99.0), LatencyFigure::Mean),
        (LatencyFigure::Mean, LatencyFigure::Percentile(99.0)),
    ] {
        let latency = vec![limit(of, 300_000.0), limit(kept, 700_000.0)];
        let limits = HandLimits { latency, ..HandLimits::default() };
        let mut document = check(CheckBasis::Hand { limits }, GP3);
        assert_eq!(document.standing, Standing::Missed);
        // All I/Os took as long: that is none of the host's.
        assert_eq!(beside_others(&document, 0).standing, Standing::Missed);
        let finding = document.runs[0].key.finding.as_mut().unwrap();
        for verdict in &mut finding.judgement.verdicts {
            if let PromiseEvidence::Latency { fastest_tenth_ns, .. } = &mut verdict.evidence {
                *fastest_tenth_ns = Some(100_000.0);
            }
        }
        document.runs[0].key.finding = Some(beside_others(&document, 0));
        assert_eq!(document.stands(), Standing::CouldNotTell);
        let rows = document.runs[0].rows();
        let standings: Vec<_> = rows.iter().map(|row| (row.figure, row.standing)).collect();
        let untold = (Some(of), Standing::CouldNotTell);
        assert_eq!(standings, [untold, (Some(kept), Standing::Kept)]);
    }
}

#[test]
fn what_a_cache_gave_is_not_kept_and_what_was_missed_in_spite_of_it_is_missed() {
    let of = |iops| {
        let cached = Provider { iops, seen_percent: 20, ..GP3 };
        check(promise("aws.gp3", "500GiB"), cached)
    };
    let document = of(3000.0);
    assert_eq!(document.standing, Standing::CouldNotTell);
    let doubts = document.runs.iter().map(|run| run.finding.as_ref().unwrap().doubt);
    assert!(doubts.into_iter().all(|doubt| doubt == Some(Doubt::Cached)));
    let first = &document.runs[1].finding.as_ref().unwrap().sentences[0];
    assert!(first.contains("80 %"), "{first}");
    // A cache makes a volume faster, never slower.
    let document = of(2500.0);
    assert_eq!(document.standing, Standing::Missed);
    let finding = document.runs[1].finding.as_ref().unwrap();
    assert_eq!((finding.standing, finding.doubt), (Standing::Missed, None));
}

#[test]
fn a_load_that_asked_for_too_little_tells_nothing() {
    // Each I/O took half a millisecond: 32 of them would have been 64,000 a second.
    let hasty = Provider { iops: 2500.0, fills_queue: false, ..GP3 };
    let document = check(promise("aws.gp3", "500GiB"), hasty);
    let finding = document.runs[1].finding.as_ref().unwrap();
    assert_eq!((finding.standing, finding.doubt), (Standing::CouldNotTell, Some(Doubt::NotAsked)));
}

#[test]
fn burst_and_baseline_are_told_apart_and_said_beforehand() {
    let basis = promise("aws.gp2", "100GiB");
    let plan = plan(basis.clone());
    let notices: Vec<String> = plan.bursts.iter().map(BurstNotice::to_string).collect();
    assert_eq!(
        notices[0],
        "aws.gp2 may give 3,000 IOPS for 33 min 20 s before its baseline of 300 IOPS shows: \
         --time-per-run 40m to see it, or this checks the burst only."
    );
    // 300 IOPS carry 78.6 MB/s at most, so the bytes burst with the I/Os.
    assert_eq!(notices.len(), 2, "{notices:?}");
    let mut long = asked(basis.clone());
    long.common.time = Some(MeasuringTime::PerRun(40 * 60 * 1_000_000));
    let long = CheckPlan::new(&long, folder(&PathBuf::from("/data"), 1 << 40)).unwrap();
    assert_eq!(long.bursts, []);
    let iops_of = |document: &CheckDocument| {
        let run = document.runs.iter().find(|run| run.load.goal == Goal::Iops).unwrap();
        let finding = run.finding.clone().unwrap();
        let stretch = |evidence: &PromiseEvidence| match evidence {
            PromiseEvidence::Mean(mean) => Some(mean.stretch),
            _ => None,
        };
        let lines = finding.judgement.verdicts.iter();
        let told: Vec<(Stretch, PromiseOutcome)> =
            lines.filter_map(|line| Some((stretch(&line.evidence)?, line.outcome))).collect();
        (finding.standing, told)
    };
    let bursting = Provider { burst: Some((15, 3000.0)), iops: 300.0, ..GP3 };
    let both =
        vec![(Stretch::Burst, PromiseOutcome::Kept), (Stretch::Baseline, PromiseOutcome::Kept)];
    assert_eq!(iops_of(&check(basis.clone(), bursting.clone())), (Standing::Kept, both));
    let slow = Provider { iops: 200.0, ..bursting.clone() };
    assert_eq!(iops_of(&check(basis.clone(), slow)).0, Standing::Missed);
    let only_burst = check(basis, Provider { burst: Some((60, 3000.0)), ..bursting });
    let (standing, told) = iops_of(&only_burst);
    assert_eq!((standing, told), (Standing::Kept, vec![(Stretch::Burst, PromiseOutcome::Kept)]));
}

#[test]
fn latency_by_hand_is_judged_by_each_of_its_figures() {
    let limit = |of, limit_ns| LatencyLimit { of, limit_ns };
    let limits = |p99_ns| HandLimits {
        latency: vec![
            limit(LatencyFigure::Mean, 600_000.0),
            limit(LatencyFigure::Percentile(99.0), p99_ns),
        ],
        ..HandLimits::default()
    };
    for (p99_ns, standing) in [(700_000.0, Standing::Kept), (300_000.0, Standing::Missed)] {
        let document = check(CheckBasis::Hand { limits: limits(p99_ns) }, GP3);
        assert_eq!(standings(&document), [(Goal::Latency, standing)]);
        assert_eq!(document.runs[0].load.in_flight(), 1);
        assert_eq!(document.runs[0].finding.as_ref().unwrap().judgement.verdicts.len(), 2);
    }
}

#[test]
fn what_was_missed_while_the_process_was_stopped_is_undecided() {
    let document = check(promise("aws.gp3", "500GiB"), Provider { iops: 2500.0, ..GP3 });
    let missed = document.runs.iter().find_map(|run| {
        let finding = run.finding.clone()?;
        (finding.standing == Standing::Missed).then_some((run, finding))
    });
    let (run, missed) = missed.unwrap();
    let stopped = RunFinding { is_interrupted: true, ..missed }.concluded(&run.load, false);
    let doubt = Some(Doubt::Interrupted);
    assert_eq!((stopped.standing, stopped.doubt), (Standing::CouldNotTell, doubt));
    assert!(stopped.sentences[0].starts_with("The process was stopped"), "{stopped:?}");
}

#[test]
fn a_stop_keeps_what_was_measured_and_tells_nothing() {
    let document = check(promise("aws.gp3", "500GiB"), Provider { stops_in: Some(2), ..GP3 });
    assert!(document.stopped && !document.is_whole());
    assert_eq!(document.standing, Standing::CouldNotTell);
    assert_eq!(document.runs.len(), 2);
    let doubts = document.runs.iter().map(|run| run.finding.as_ref().unwrap().doubt);
    assert_eq!(doubts.collect::<Vec<_>>(), [None, Some(Doubt::CutShort)]);
}

#[test]
fn what_cannot_be_checked_is_refused_before_anything_is_touched() {
    let volume = || folder(&PathBuf::from("/data"), 1 << 40);
    let nothing = asked(CheckBasis::Hand { limits: HandLimits::default() });
    // What others measured is no promise.
    for nothing in [nothing, asked(promise("naver.nas", "500GB"))] {
        let refused = CheckPlan::new(&nothing, volume()).unwrap_err();
        assert!(matches!(refused, CheckError::NothingPromised { .. }), "{refused}");
    }
    let mut short = asked(promise("aws.gp3", "500GiB"));
    short.common.time = Some(MeasuringTime::PerRun(1_999_999));
    let refused = CheckPlan::new(&short, volume()).unwrap_err();
    assert_eq!(refused, CheckError::TooShort { time_ms: 1999 });
    let mut reads = asked(promise("aws.gp3", "500GiB"));
    reads.common.read_only = true;
    let plan = CheckPlan::new(&reads, volume()).unwrap();
    assert_eq!((plan.steps.len(), plan.left_out.len(), plan.writing_us()), (3, 3, 0));
}

#[test]
fn a_promise_that_is_missed_near_the_clients_ceiling_cannot_be_told() {
    let short = Provider { iops: 2500.0, swings: 0.15, bytes_per_s: 1e9, ..GP3 };
    let of = |ceiling: Option<Ceiling>| {
        let document = check(promise("aws.gp3", "500GiB"), Provider { ceiling, ..short.clone() });
        let run = document.runs.iter().find(|run| run.load.goal == Goal::Iops).unwrap();
        let finding = run.finding.as_ref().unwrap();
        (finding.standing, finding.doubt, finding.sentences.join(" "))
    };
    let (standing, doubt, said) = of(Some(ceiling(2_600.0)));
    assert_eq!((standing, doubt), (Standing::CouldNotTell, Some(Doubt::Client)), "{said}");
    assert!(said.contains("of what one core of this host can drive"), "{said}");
    for far in [None, Some(ceiling(260_000.0))] {
        assert_eq!(of(far).0, Standing::Missed);
    }
}

/// Seconds that swing: the mean is known to within a third at best.
#[test]
fn a_limit_within_the_error_of_an_unstable_mean_is_undecided_unless_a_cap_holds() {
    let volume = Provider { swings: 0.6, bytes_per_s: 1e9, ..GP3 };
    let of = |iops, volume| {
        let limits = HandLimits { iops: Some(iops), ..HandLimits::default() };
        let document = check(CheckBasis::Hand { limits }, volume);
        let run = document.runs.last().unwrap();
        let finding = run.finding.clone().unwrap();
        (finding.standing, finding.doubt, finding.sentences.concat(), document.summary(Lang::En))
    };
    let near = of(2_900.0, volume.clone());
    assert_eq!((near.0, near.1), (Standing::CouldNotTell, Some(Doubt::Unstable)), "{near:?}");
    let told = "The limit lies within the error of the mean (± ";
    assert!(near.2.contains(told) && near.3.contains(told), "{near:?}");
    let far = of(300.0, volume);
    assert_eq!((far.0, far.1), (Standing::Kept, None), "{far:?}");
    let capped = of(3_000.0, GP3);
    assert_eq!((capped.0, capped.1), (Standing::Kept, None), "{capped:?}");
}

/// A volume that swings in its first runs.
struct Settling(Provider, usize);

impl OneJob for Settling {
    fn run_one(&mut self, job: &JobSpec, order: &RunOrder) -> Result<RunResult, String> {
        if self.0.runs >= self.1 {
            self.0.swings = 0.0;
        }
        self.0.run_one(job, order)
    }

    fn stops(&self) -> bool {
        false
    }
}

#[test]
fn a_limit_that_is_undecided_is_measured_again_within_the_time_of_the_plan() {
    let of = |swinging_runs: usize, until_decided_us: Option<u64>| {
        let limits = HandLimits { iops: Some(2_900.0), ..HandLimits::default() };
        let asked = CheckRequest { until_decided_us, ..asked(CheckBasis::Hand { limits }) };
        let plan = CheckPlan::new(&asked, device("/dev/sdz", 1 << 40)).unwrap();
        let mut volume = Settling(Provider { swings: 0.6, bytes_per_s: 1e9, ..GP3 }, swinging_runs);
        let mut machine = machine(&mut volume);
        let mut runner = plan.begin(&mut machine).unwrap();
        let from = Provenance::default();
        let document = plan.run(&mut runner, from, &mut machine, &mut Diary::default());
        assert_eq!(document.runs.len(), 1);
        let run = &document.runs[0];
        let again = run.remarks.iter().map(|of| of.text.clone()).collect::<String>();
        (volume.0.runs, document.standing, again, plan.runs_us())
    };
    let said = "A first run of 30 s did not decide; the one of 30 s after it counts.";
    let (runs, standing, again, time) = of(1, None);
    assert_eq!((runs, standing, again.as_str()), (2, Standing::Kept, said));
    assert_eq!(time[1], 2 * time[0]);
    // The time is over before it is decided.
    let (runs, standing, ..) = of(9, None);
    assert_eq!((runs, standing), (2, Standing::CouldNotTell));
    // It goes on as long as is asked for, and judges three times at most.
    let (runs, standing, ..) = of(2, Some(600_000_000));
    assert!((2..=3).contains(&runs), "{runs}");
    assert!(runs == 2 || standing == Standing::Kept, "{standing:?}");
    let (runs, standing, _, time) = of(9, Some(0));
    assert_eq!((runs, standing, time[0]), (1, Standing::CouldNotTell, time[1]));
    let (runs, ..) = of(0, None);
    assert_eq!(runs, 1, "what is decided runs once");
}

/// The answer of a check at a cap below the limit says so, with the share that is enough.
#[test]
fn a_rate_that_passes_below_its_limit_is_told_with_what_is_enough() {
    let below = || Provider { iops: 2_900.0, ..GP3 };
    let sold = check(promise("aws.gp3", "500GiB"), below());
    let told = sold.summary(Lang::En);
    assert!(told.contains(": PASS: 2,900 of 3,000 IOPS, 90 % is enough (aws.gp3). "), "{told}");
    let why = "promises 90 % of a rate in 99 % of the time; 3 that write were left out. ";
    assert!(told.contains(why) && !told.contains("as sold"), "{told}");
    let by_hand = |tolerance, volume| {
        let limits = HandLimits { iops: Some(3_000.0), tolerance, ..HandLimits::default() };
        let document = check(CheckBasis::Hand { limits }, volume);
        (document.standing, document.summary(Lang::En))
    };
    let (standing, told) = by_hand(None, below());
    assert_eq!(standing, Standing::Kept);
    assert!(told.contains(" of 3,000 IOPS, 95 % is enough. "), "{told}");
    assert!(told.contains("; with --tolerance 0 a rate below its limit fails; "), "{told}");
    assert_eq!(by_hand(Some(0.0), below()).0, Standing::Missed);
    assert!(!by_hand(None, GP3).1.contains("enough"));
}
