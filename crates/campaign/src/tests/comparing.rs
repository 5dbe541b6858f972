//! Comparisons of scripted volumes: the plan, the order, the findings, the state after a stop.

use super::scripted::{Act, Diary, OneJob, Scripted, device, fields, folder, machine};
use crate::Refusal;
use crate::cases::{Case, PreparedTarget};
use crate::compare::{CompareError, ComparePlan, CompareRequest, JobRequest, RoundCount, Work};
use crate::machine::RunOrder;
use crate::{CommonOptions, MeasuringTime};
use fathom_analysis::{Difference, GateOutcome, Lack, Tone};
use fathom_document::Provenance;
use fathom_document::compare::{CompareDocument, Judged, PhaseFinding, findings};
use fathom_document::verdicts::{Answer, Weight};
use fathom_document::{DocumentSummary, SuiteOptions, Volume};
use fathom_job::JobSpec;
use fathom_message::Lang;
use fathom_stats::RunResult;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

const GIB: u64 = 1 << 30;

fn asked(work: Work) -> CompareRequest {
    CompareRequest {
        judged: None,
        work,
        rounds: RoundCount::Exactly(5),
        sides: Vec::new(),
        margin_percent: 5.0,
        fail_if_worse_percent: None,
        common: CommonOptions { seed: 7, entropy: 9, ..CommonOptions::default() },
    }
}

fn suite() -> Work {
    Work::Suite(SuiteOptions { large_blocks_bytes: vec![1 << 20], ..SuiteOptions::default() })
}

fn job(patterns: &[&str]) -> Work {
    let patterns = patterns.iter().map(|rw| (*rw).to_owned()).collect();
    Work::Jobs(JobRequest { patterns, block_bytes: 4096, depth: 1, jobs: 10 })
}

fn volumes(count: usize) -> Vec<Volume> {
    let names = ["/mnt/hdd", "/mnt/ssd1", "/mnt/nas22"];
    names[..count].iter().map(|name| folder(Path::new(name), 500 * GIB)).collect()
}

#[test]
fn rounds_take_volumes_in_an_order_drawn_at_random_and_backwards() {
    let plan = ComparePlan::new(volumes(3), &asked(suite())).unwrap();
    let steps = plan.steps();
    assert_eq!(steps.len(), 3 * 6 * 5);
    let order = |round: u32, phase: usize| -> Vec<usize> {
        let those = steps.iter().filter(|step| (step.round, step.case) == (round, phase));
        those.map(|step| step.target).collect()
    };
    let backwards = |order: Vec<usize>| order.into_iter().rev().collect::<Vec<_>>();
    for phase in 0..6 {
        assert_eq!(order(1, phase), backwards(order(0, phase)));
        assert_eq!(order(3, phase), backwards(order(2, phase)));
    }
    let orders: BTreeSet<Vec<usize>> = (0..6).map(|phase| order(0, phase)).collect();
    assert!(orders.len() > 1, "{orders:?}");
    // All phases of a round before the next, and all volumes of a phase.
    assert!(steps.is_sorted_by_key(|step| step.round));
    let phases = |round: usize| -> Vec<usize> {
        steps[round * 18..][..18].chunks(3).map(|of| of[0].case).collect()
    };
    assert!(steps.chunks(3).all(|of| of.iter().all(|step| step.case == of[0].case)));
    assert_eq!(phases(0), [0, 1, 2, 3, 4, 5]);
    assert!(phases(1) != phases(2) || phases(2) != phases(3));
    assert_eq!(ComparePlan::new(volumes(3), &asked(suite())).unwrap().steps(), steps, "one seed");
    let titles: Vec<&str> = plan.phases.iter().map(|phase| phase.title.as_str()).collect();
    assert_eq!(titles[..2], ["4 KiB random read, QD 1", "4 KiB random write, QD 1"]);
    assert_eq!(titles[4], "1 MiB sequential read, QD 8");
    let judged: Vec<Judged> = plan.phases.iter().map(|phase| phase.judged).collect();
    assert_eq!(
        judged[1..5],
        [Judged::MeanLatencyNs, Judged::Iops, Judged::Iops, Judged::BytesPerS]
    );
    // 60 s a volume for 30 runs.
    assert_eq!((plan.time.run_us, plan.time.ramp_us), (2_000_000, 250_000));
    assert_eq!(plan.runs_us(), [90 * 2_250_000; 2]);
    assert_eq!(plan.writing_us(0), 15 * 2_250_000);
}

#[test]
fn case_a_s_job_is_taken_as_it_is() {
    let plan = ComparePlan::new(volumes(2), &asked(job(&["randread", "randwrite"]))).unwrap();
    let text = |case: &Case| PreparedTarget::command_of(case, &plan.volumes[1]);
    let command = text(&plan.phases[1].case);
    for option in ["--rw=randwrite", "--bs=4k", "--iodepth=1", "--numjobs=10", "--direct=1"] {
        assert!(command.contains(option), "{option}: {command}");
    }
    assert_eq!(plan.phases[0].title, "4 KiB random read, QD 1, 10 jobs");
    assert_eq!(plan.time.run_us, 6_000_000);
}

#[test]
fn what_compares_nothing_or_could_destroy_is_refused() {
    let refused = |volumes: Vec<Volume>, asked: &CompareRequest| {
        ComparePlan::new(volumes, asked).unwrap_err()
    };
    assert_eq!(refused(volumes(1), &asked(suite())), CompareError::OneVolume);
    let twice = vec![volumes(1).remove(0), volumes(1).remove(0)];
    assert!(matches!(refused(twice, &asked(suite())), CompareError::Place(Refusal::Twice { .. })));
    let devices = vec![device("/dev/sdb", GIB), device("/dev/sdcc", GIB)];
    let writes = asked(job(&["randwrite"]));
    assert_eq!(refused(devices.clone(), &writes), CompareError::NothingInCommon);
    let mut with_folders = volumes(2);
    with_folders.push(device("/dev/sdb", GIB));
    let alone = CompareError::NothingOn { path: "/dev/sdb".to_owned() };
    assert_eq!(refused(with_folders, &writes), alone);
    let mut short = asked(suite());
    short.common.time = Some(MeasuringTime::PerVolume(1_000_000));
    assert_eq!(refused(volumes(2), &short), CompareError::TooShort { run_ms: 33, runs: 30 });
    let mut only_read = writes;
    only_read.common.read_only = true;
    assert_eq!(refused(volumes(2), &only_read), CompareError::NothingInCommon);
    // Devices that are only read are compared by what reads.
    let plan = ComparePlan::new(devices, &asked(suite())).unwrap();
    assert!(plan.steps().iter().all(|step| !plan.phases[step.case].case.writes()));
    assert_eq!((plan.steps().len(), plan.fill_bytes()), (2 * 3 * 5, 0));
    let mut read_only = asked(suite());
    read_only.common.read_only = true;
    let plan = ComparePlan::new(volumes(2), &read_only).unwrap();
    assert_eq!(plan.phases.len(), 3);
    assert!(plan.phases.iter().enumerate().all(|(at, phase)| phase.case.index == at));
}

/// One script for each volume, told apart by the file, and a stop after so many jobs.
struct Apart {
    slow: Scripted,
    fast: Scripted,
    stop_after: usize,
    ran: Vec<String>,
}

impl OneJob for Apart {
    fn run_one(&mut self, job: &JobSpec, order: &RunOrder) -> Result<RunResult, String> {
        let path = job.target.filenames[0].display().to_string();
        let which = if path.contains("/fast/") { &mut self.fast } else { &mut self.slow };
        if !matches!(job.name.as_str(), "trial" | "fill") {
            self.ran.push(if path.contains("/fast/") { "fast" } else { "slow" }.to_owned());
        }
        which.run_one(job, order)
    }

    fn stops(&self) -> bool {
        self.ran.len() >= self.stop_after
    }
}

/// Compares two folders below `top`: I/Os of 200 us against those of 100 us.
fn compared(top: &Path, slow: Scripted, stop_after: usize) -> (CompareDocument, Apart) {
    compared_on(top, slow, stop_after, [1, 2])
}

/// The same on devices with these numbers.
fn compared_on(
    top: &Path,
    slow: Scripted,
    stop_after: usize,
    minors: [u32; 2],
) -> (CompareDocument, Apart) {
    let volumes = [("slow", minors[0]), ("fast", minors[1])].map(|(name, minor)| {
        let path = top.join(name);
        fs::create_dir_all(&path).unwrap();
        let mut volume = folder(&path, 1 << 40);
        volume.mount.minor = minor;
        volume
    });
    let plan = ComparePlan::new(volumes.to_vec(), &asked(suite())).unwrap();
    let fast = Scripted { usual: Some(Act::Latency(100_000)), ..Scripted::default() };
    let mut executor = Apart { slow, fast, stop_after, ran: Vec::new() };
    let mut machine = machine(&mut executor);
    let runner = plan.begin(&mut machine).unwrap();
    let from = Provenance::default();
    let document = plan.run(&runner, from, &mut machine, &mut Diary::default());
    drop(machine);
    (document, executor)
}

fn slow() -> Scripted {
    Scripted { usual: Some(Act::Latency(200_000)), ..Scripted::default() }
}

fn ratio(document: &CompareDocument, phase: usize) -> (bool, f64) {
    let finding = &document.findings[phase];
    let difference = &finding.standings[1].over_first.as_ref().unwrap().difference;
    (difference.is_shown(), difference.bounds().map_or(f64::NAN, |of| of.ratio))
}

#[test]
fn a_volume_twice_as_fast_is_found_so_in_every_phase() {
    let top = tempfile::tempdir().unwrap();
    let (document, executor) = compared(top.path(), slow(), usize::MAX);
    assert!(document.is_whole());
    assert_eq!((document.runs.len(), document.findings.len()), (60, 6));
    assert!(executor.ran.chunks(2).all(|pair| pair[0] != pair[1]));
    for (phase, finding) in document.findings.iter().enumerate() {
        let expected = if finding.judged == Judged::MeanLatencyNs { 0.5 } else { 2.0 };
        let (shown, ratio) = ratio(&document, phase);
        assert!(shown && (ratio - expected).abs() < 1e-9, "{}: {ratio}", finding.title);
        assert_eq!(finding.standings[0].values.iter().flatten().count(), 5);
        assert_eq!((finding.sentences.len(), finding.ranking.is_some()), (1, false));
    }
    assert!(
        document.findings[0].sentences[0].contains("x faster (99 %"),
        "{:?}",
        document.findings[0]
    );
    // On both volumes the same offsets in the same round, others in the next.
    assert_eq!(executor.slow.entropies[1..], executor.fast.entropies[1..]);
    let mut seeds = executor.slow.entropies[1..].to_vec();
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 30);
    let left = |name: &str| fs::read_dir(top.path().join(name)).unwrap().count();
    assert_eq!((left("slow"), left("fast")), (0, 0));
}

#[test]
fn each_run_is_judged_and_documents_without_verdicts_read() {
    let top = tempfile::tempdir().unwrap();
    let cached = Scripted { disk_percent: Some(10), ..Scripted::default() };
    let (document, _) = compared(top.path(), cached, usize::MAX);
    for run in &document.runs {
        let told = run.verdicts.iter().any(|verdict| {
            let cached = matches!(&verdict.answer, Answer::Cached(f) if f.tone() >= Tone::Warning);
            cached && verdict.weight == Weight::Loud
        });
        // The first volume is the one that has a cache.
        assert_eq!(told, run.volume == 0, "{}: {:?}", run.title, run.verdicts);
    }
    let said =
        "kind schema fathom_version started_ms summary interrupted host volumes plan runs findings";
    assert_eq!(fields(&document), said);
    let mut json = serde_json::to_value(&document).unwrap();
    for run in json["runs"].as_array_mut().unwrap() {
        assert!(run.as_object_mut().unwrap().remove("verdicts").is_some());
    }
    assert!(serde_json::from_value::<CompareDocument>(json).is_ok());
}

#[test]
fn of_one_disk_no_difference_is_named_and_a_gate_is_undecided() {
    let top = tempfile::tempdir().unwrap();
    let (document, _) = compared_on(top.path(), slow(), usize::MAX, [1, 1]);
    for finding in &document.findings {
        let comparison = finding.standings[1].over_first.as_ref().unwrap();
        let lack = Difference::NotEnough { lack: Lack::OneDisk };
        assert_eq!(comparison.difference, lack, "{}", finding.title);
        // The figures of each round are there for who looks for the reason.
        assert!(finding.standings.iter().all(|of| of.values.iter().flatten().count() == 5));
        assert_eq!(finding.one_sided(&finding.standings[1]), None);
    }
    assert_eq!(document.summary(Lang::En), "Same disk: differences are noise.");
    let document = document.with_gate(5.0).with_summary();
    assert_eq!(document.gate.as_ref().map(|gate| gate.outcome), Some(GateOutcome::Undecided));
    let said = document.summary(Lang::En);
    assert!(said.starts_with("UNDECIDED: ") && said.matches("noise").count() == 1, "{said}");
}

#[test]
fn equal_volumes_are_not_told_apart() {
    let top = tempfile::tempdir().unwrap();
    let (document, _) = compared(top.path(), Scripted::default(), usize::MAX);
    assert!((0..6).all(|phase| ratio(&document, phase) == (false, 1.0)));
    let said = &document.findings[2].sentences[0];
    assert!(said.ends_with("are equal within 5.0 % (95 % sure, from 5 rounds)"), "{said}");
}

#[test]
fn a_stop_keeps_whole_rounds_and_its_last_run_counts_in_no_ratio() {
    let top = tempfile::tempdir().unwrap();
    let (document, _) = compared(top.path(), slow(), 3 * 12 + 2);
    assert!(document.interrupted && !document.is_whole());
    assert_eq!(document.runs.len(), 38);
    assert!(document.runs[37].cut_short && document.runs[37].figures.is_some());
    // The fourth round's first run is whole, but has no partner.
    let known = |of: &PhaseFinding| {
        of.standings.iter().map(|of| of.values.iter().flatten().count()).collect::<Vec<_>>()
    };
    let known: Vec<Vec<usize>> = document.findings.iter().map(known).collect();
    assert_eq!(known.iter().filter(|of| **of == [3, 3]).count(), 5, "{known:?}");
    assert!(known.contains(&vec![3, 4]) || known.contains(&vec![4, 3]), "{known:?}");
    assert!(ratio(&document, 0).0);
    let text = serde_json::to_string(&document).unwrap();
    let read: CompareDocument = serde_json::from_str(&text).unwrap();
    assert_eq!(read.findings, document.findings);
    // Two rounds are too few to tell.
    let (document, _) = compared(top.path(), slow(), 2 * 12);
    assert!(ratio(&document, 0).1.is_nan());
    let (document, _) = compared(top.path(), slow(), 0);
    assert!(document.runs.is_empty() && document.findings.is_empty() && document.interrupted);
}

#[test]
fn a_run_that_fails_costs_that_phase_of_that_volume_only() {
    let top = tempfile::tempdir().unwrap();
    let acts = vec![("randwrite-4k-32", Act::Fail("No space left on device"))];
    let (document, _) = compared(top.path(), Scripted { acts, ..slow() }, usize::MAX);
    assert!(!document.is_whole() && !document.interrupted);
    assert_eq!((document.runs.len(), document.findings.len()), (60, 5));
    assert!(document.findings.iter().all(|finding| !finding.title.contains("write, QD 32")));
    let acts = vec![("fill", Act::Fail("No space left on device"))];
    let (document, _) = compared(top.path(), Scripted { acts, ..slow() }, usize::MAX);
    assert_eq!((document.runs.len(), document.findings.len()), (30, 0));
    assert_eq!(document.volumes[0].failure.as_deref(), Some("No space left on device"));
}

#[test]
fn the_figure_that_is_shown_is_the_one_that_is_judged() {
    let top = tempfile::tempdir().unwrap();
    let (mut document, _) = compared(top.path(), slow(), usize::MAX);
    let first = document.runs.iter_mut().find(|run| (run.volume, run.phase) == (0, 0)).unwrap();
    first.figures.as_mut().unwrap().total.mean_ns *= 1.5;
    let found = findings(&document);
    let [first, second] = [0, 1].map(|at| found[0].standings[at].figure());
    let ratio =
        found[0].standings[1].over_first.as_ref().unwrap().difference.bounds().unwrap().ratio;
    assert!((ratio - second / first).abs() < 1e-12, "{ratio} {first} {second}");
}

/// The request of a comparison that goes on until it decides.
fn until_decided(fail_if_worse_percent: Option<f64>) -> CompareRequest {
    CompareRequest {
        rounds: RoundCount::UntilDecided(None),
        fail_if_worse_percent,
        ..asked(suite())
    }
}

#[test]
fn short_runs_have_fewer_rounds_and_a_longer_time_has_more() {
    let schedule = |time_s: u64, most_s: Option<u64>| {
        let mut asked = until_decided(None);
        asked.rounds = RoundCount::UntilDecided(most_s.map(|most| most * 1_000_000));
        asked.common.time = Some(MeasuringTime::PerVolume(time_s * 1_000_000));
        let plan = ComparePlan::new(volumes(2), &asked).unwrap();
        (plan.rounds(), plan.time.run_us, plan.schedule.looks().len())
    };
    assert_eq!(schedule(60, None), (15, 666_000, 3));
    assert_eq!(schedule(18, None), (10, 300_000, 2));
    assert_eq!(schedule(6, None), (5, 200_000, 1));
    assert_eq!(schedule(60, Some(600)), (150, 666_000, 8));
    assert_eq!(schedule(60, Some(10)), (15, 666_000, 3));
}

#[test]
fn a_comparison_ends_when_it_is_decided_and_goes_on_with_what_is_not() {
    let top = tempfile::tempdir().unwrap();
    let run = |fast: Scripted, asked: &CompareRequest| {
        let volumes = ["slow", "fast"].map(|name| {
            let path = top.path().join(name);
            fs::create_dir_all(&path).unwrap();
            let mut volume = folder(&path, 1 << 40);
            volume.mount.minor = name.len() as u32 + u32::from(name == "fast");
            volume
        });
        let plan = ComparePlan::new(volumes.to_vec(), asked).unwrap();
        let mut executor = Apart { slow: slow(), fast, stop_after: usize::MAX, ran: Vec::new() };
        let mut machine = machine(&mut executor);
        let runner = plan.begin(&mut machine).unwrap();
        let mut diary = Diary::default();
        plan.run(&runner, Provenance::default(), &mut machine, &mut diary)
    };
    let fast = || Scripted { usual: Some(Act::Latency(100_000)), ..Scripted::default() };
    let decided = run(fast(), &until_decided(None));
    assert!(decided.is_whole());
    assert_eq!((decided.runs.len(), decided.plan.rounds, decided.plan.looks), (2 * 6 * 5, 15, 3));
    // A gate that is decided needs no more, whatever else is open.
    let gated = run(fast(), &until_decided(Some(5.0)));
    assert_eq!(gated.runs.len(), 2 * 6 * 5);
    assert_eq!(gated.gate.as_ref().map(|gate| gate.outcome), Some(GateOutcome::Pass));
    // One test that swings goes on alone.
    let swing = Act::Swing(&[50_000, 900_000, 110_000, 400_000, 60_000, 1_500_000, 200_000]);
    let swinging = Scripted { acts: vec![("randread-4k-32", swing)], ..slow() };
    let open = run(swinging, &until_decided(None));
    assert_eq!(open.runs.len(), 2 * 5 * 5 + 2 * 15, "{}", open.summary(Lang::En));
    assert!(open.summary(Lang::En).contains("tests, not told apart yet in 1"));
}

/// Four folders, each on a device of its own, two a side.
fn in_sides(names: [&str; 4]) -> CompareDocument {
    let top = tempfile::tempdir().unwrap();
    let volume = |(at, name): (usize, &&str)| {
        let path = top.path().join(name);
        fs::create_dir_all(&path).unwrap();
        let mut volume = folder(&path, 1 << 40);
        volume.mount.minor = at as u32 + 1;
        volume
    };
    let volumes: Vec<Volume> = names.iter().enumerate().map(volume).collect();
    let asked = CompareRequest {
        sides: vec![vec![0, 1], vec![2, 3]],
        fail_if_worse_percent: Some(10.0),
        ..asked(job(&["randread"]))
    };
    let plan = ComparePlan::new(volumes, &asked).unwrap();
    let fast = Scripted { usual: Some(Act::Latency(100_000)), ..Scripted::default() };
    let mut executor = Apart { slow: slow(), fast, stop_after: usize::MAX, ran: Vec::new() };
    let mut machine = machine(&mut executor);
    let runner = plan.begin(&mut machine).unwrap();
    plan.run(&runner, Provenance::default(), &mut machine, &mut Diary::default())
}

#[test]
fn of_sides_the_volume_is_the_unit_and_rounds_are_not() {
    let apart = in_sides(["1/slow", "2/slow", "3/fast", "4/fast"]);
    let [finding] = &apart.findings[..] else { panic!("{:?}", apart.findings) };
    assert_eq!((finding.standings.len(), &finding.ranking), (2, &None));
    let (is_shown, twice) = ratio(&apart, 0);
    assert!(is_shown && (twice - 2.0).abs() < 0.05, "{twice}");
    assert_eq!(apart.short_name(2), "3/fast, 4/fast");
    let gate = apart.gate.as_ref().unwrap();
    assert_eq!((gate.outcome, gate.of), (GateOutcome::Pass, 1));
    assert!(apart.summary(Lang::En).contains("1/slow, 2/slow is 2.0x slower"));
    // However well each volume is known by its rounds: those of a side differ as far as the sides.
    let mixed = in_sides(["1/slow", "1/fast", "2/slow", "2/fast"]);
    let over = mixed.findings[0].standings[1].over_first.as_ref().unwrap();
    assert!(!over.difference.is_decided(), "{over:?}");
    assert_eq!(over.count(), 2, "volumes, not rounds");
    assert_eq!(mixed.gate.as_ref().unwrap().outcome, GateOutcome::Undecided);
    assert_eq!(mixed.findings[0].one_sided(&mixed.findings[0].standings[1]), None);
}
