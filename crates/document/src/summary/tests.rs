//! The sentence of a measurement in each situation, in English and in Korean, and of other
//! documents.

use super::*;
use crate::check::{CheckDocument, Standing};
use crate::measure::{Document, PlanRecord};
use crate::method::Method;
use crate::record::{Head, Provenance, RemarkRecord, VolumeRecord};
use crate::remark::Remark;
use crate::suite::Phase;
use crate::suite::{PhaseKey, PhaseRecord};
use crate::summary_of;
use crate::sweep::{Curve, Headline, Point};
use crate::trial::STOPPED;
use crate::usual::usual_latency;
use fathom_analysis::CaseFigures;
use fathom_analysis::Figures;
use fathom_analysis::Goal;
use fathom_analysis::promise::PromiseEvidence;
use fathom_analysis::verdicts::{Answer, Verdict, VolumeVerdicts};
use fathom_analysis::{
    CacheFinding, CacheVerdict, Cap, CapConfidence, CapFinding, CapKind, ClientFinding,
    ClientVerdict, Estimate, Evidence, Knee, KnownLimit, LoadKind, LoadPoint, RateUnit, RunsAtCap,
};
use fathom_host::System;
use fathom_vocab::{Direction, IoEngine};
use serde_json::json;

pub(crate) fn volume(name: &str, io_path: &str) -> VolumeRecord {
    let place = serde_json::from_value(json!({
        "name": name, "kind": {"is": "folder"},
        "mount": {"mount_point": "/", "root": "/", "source": "/dev/vda", "fstype": "ext4",
            "options": [], "major": 8, "minor": 0},
        "storage": {"kind": "virtual", "fstype": "ext4"},
        "space": null, "io_path": io_path, "test_file": true, "size_bytes": 1u64 << 30,
        "fill_bytes": 0, "writes": true
    }));
    let method = Method {
        engine: IoEngine::IoUring,
        direct: true,
        why_not_direct: None,
        why_not_first_engine: None,
    };
    VolumeRecord { place: place.unwrap(), method, remarks: Vec::new(), failure: None }
}

/// A run of a phase at so many I/Os a second, of which half take `p50_ns` at most.
pub(crate) fn run(volume: usize, phase: Phase, iops: f64, p50_ns: u64) -> PhaseRecord {
    let mb_per_s = iops * phase.block_bytes as f64 / 1e6;
    let mean_ns = 1.1 * p50_ns as f64;
    let figures = Figures { ios: 1, iops, mb_per_s, mean_ns, p50_ns, ..Figures::default() };
    PhaseRecord {
        key: PhaseKey { phase, round: 0, volume },
        job: Vec::new(),
        command: String::new(),
        figures: Some(figures),
        failure: None,
        cut_short: false,
        remarks: Vec::new(),
        verdicts: Vec::new(),
        result: None,
        mounts: Vec::new(),
    }
}

/// The usual phases on a volume: one I/O at a time, small I/Os, large ones.
fn phases(volume: usize, singly: f64, deep: f64, large: f64, p50_ns: u64) -> Vec<PhaseRecord> {
    let mut all = Vec::new();
    for way in [Direction::Read, Direction::Write] {
        let slower = if way == Direction::Read { 1.0 } else { 0.9 };
        all.push(run(volume, Phase::new(Goal::Latency, way, 4096, 1), singly * slower, p50_ns));
        all.push(run(volume, Phase::new(Goal::Iops, way, 4096, 32), deep * slower, 286_000));
        let phase = Phase::new(Goal::Throughput, way, 1 << 18, 32);
        all.push(run(volume, phase, large * slower, 4_620_000));
    }
    all
}

pub(crate) fn document(volumes: Vec<VolumeRecord>, phases: Vec<PhaseRecord>) -> Document {
    Document {
        head: Head::new("fathom-measure", 1, &Provenance::default()),
        interrupted: false,
        host: System::default(),
        volumes,
        plan: PlanRecord {
            phase_us: 1,
            ramp_us: 0,
            phases: phases.len(),
            rounds: 1,
            seed: None,
            fill_bytes: 0,
        },
        phases,
        over_phases: Vec::new(),
        over_rounds: Vec::new(),
        client: None,
    }
}

/// One volume without a cap, measured as `.`.
fn plain() -> Document {
    let own = phases(0, 13_781.0, 111_965.0, 7_120.0, 68_100);
    document(vec![volume(".", "/tmp/vol/.fathom-1-0")], own)
}

/// The same behind a cap of 3,000 I/Os and 125 MiB a second, which reads one at a time meet, too.
fn capped(confidence: CapConfidence) -> Document {
    let own = phases(0, 3_001.0, 3_000.0, 500.0, 61_700);
    let mut document = document(vec![volume("/mnt/data", "/mnt/data/.fathom-1-0")], own);
    let iops = cap(CapKind::Iops, 2_999.0, 3_000.0, confidence);
    let bandwidth = cap(CapKind::Bandwidth, 131.0e6, 131_072_000.0, confidence);
    let verdicts =
        [bandwidth, iops].map(|cap| Verdict::from(Answer::Capped(CapFinding::Capped(cap))));
    document.over_phases = vec![VolumeVerdicts { volume: 0, verdicts: verdicts.to_vec() }];
    document
}

fn cap(kind: CapKind, value: f64, round: f64, confidence: CapConfidence) -> Cap {
    let (reads, writes, from_bytes, to_bytes) = (true, true, 4096, 1 << 18);
    let runs = RunsAtCap { runs: 4, of: 6, reads, writes, from_bytes, to_bytes };
    let evidence =
        vec![Evidence::Runs(runs), Evidence::RoundNumber { value: round, unit: kind.unit() }];
    Cap { kind, value, or: None, evidence, confidence }
}

/// With `answer` as a verdict of the runs that `of` names.
fn judged(mut document: Document, answer: &Answer, of: impl Fn(&Phase) -> bool) -> Document {
    for run in document.phases.iter_mut().filter(|run| of(&run.phase)) {
        run.verdicts.push(Verdict::from(answer.clone()));
    }
    document
}

fn cached(verdict: CacheVerdict) -> Answer {
    Answer::Cached(CacheFinding { direction: Direction::Read, verdict, signs: Vec::new() })
}

fn bound() -> Answer {
    Answer::Client(ClientFinding {
        verdict: ClientVerdict::Bound,
        host: None,
        headroom: None,
        signs: Vec::new(),
        is_capped: false,
    })
}

fn english(document: &impl DocumentSummary) -> String {
    document.summary(Lang::En)
}

/// Words between the name of the target and the first full stop.
fn claim_words(sentence: &str) -> usize {
    let claim = sentence.split_once(": ").unwrap().1;
    claim.split(". ").next().unwrap().split(' ').count()
}

#[test]
fn a_volume_without_a_cap_is_told_by_three_figures() {
    let sentence = english(&plain());
    let expected = "/tmp/vol: median 68 us reads; 112,000 IOPS (4 KiB reads); 1.9 GB/s seq. reads.";
    assert_eq!(sentence, expected);
    assert!(claim_words(&sentence) <= 12);
    let korean =
        "/tmp/vol: 읽기 지연 시간 중앙값 68 us, 4 KiB 읽기 112,000 IOPS, 순차 읽기 1.9 GB/s.";
    assert_eq!(plain().summary(Lang::Ko), korean);
}

#[test]
fn a_cap_is_the_answer_and_what_it_does_not_hold_stands_beside_it() {
    let sentence = english(&capped(CapConfidence::High));
    let expected =
        "/mnt/data: capped at 3,000 IOPS and 125 MiB/s. Median read below the cap: 62 us.";
    assert_eq!(sentence, expected);
    let korean =
        "/mnt/data: 3,000 IOPS, 125 MiB/s 제한. 제한에 걸리지 않은 읽기의 중앙값은 62 us입니다.";
    assert_eq!(capped(CapConfidence::High).summary(Lang::Ko), korean);
    let probably = english(&capped(CapConfidence::Medium));
    assert!(probably.starts_with("/mnt/data: probably capped at 3,000 IOPS and"), "{probably}");
    let perhaps = english(&capped(CapConfidence::Low));
    assert!(perhaps.contains("median 62 us reads; 3,000 IOPS (4 KiB reads)"), "{perhaps}");
    assert!(perhaps.ends_with(" perhaps capped at 3,000 IOPS and 125 MiB/s."), "{perhaps}");
}

#[test]
fn how_sure_a_cap_is_stands_beside_its_own_words() {
    let medium = cap(CapKind::Iops, 3_000.0, 3_000.0, CapConfidence::Medium);
    let low = cap(CapKind::Iops, 1_000.0, 1_000.0, CapConfidence::Low);
    let scopes = [
        super::caps::CapScope { cap: &medium, reads: true, writes: false },
        super::caps::CapScope { cap: &low, reads: false, writes: true },
    ];
    let claim = super::caps::capped(&scopes).text(Lang::En);
    assert_eq!(claim, "reads probably capped at 3,000 IOPS, writes perhaps at 1,000 IOPS");
}

#[test]
fn a_read_that_waits_for_the_cap_is_not_told_as_one_below_it() {
    let mut document = capped(CapConfidence::High);
    document.phases[0].figures.as_mut().unwrap().p50_ns = 333_000;
    assert_eq!(english(&document), "/mnt/data: capped at 3,000 IOPS and 125 MiB/s.");
}

#[test]
fn what_is_set_is_told_and_reads_apart_from_writes() {
    let mut document = capped(CapConfidence::High);
    let mut reads = cap(CapKind::Iops, 2_950.0, 2_950.0, CapConfidence::High);
    let mut writes = cap(CapKind::Iops, 1_000.0, 1_000.0, CapConfidence::High);
    let known = |per_second| KnownLimit {
        unit: RateUnit::Ios,
        per_second,
        reached: per_second,
        others: 0.0,
        group: "g".into(),
        both_ways: false,
    };
    reads.evidence.push(Evidence::Known(known(3_000.0)));
    for (cap, of_reads) in [(&mut reads, true), (&mut writes, false)] {
        if let Some(Evidence::Runs(runs)) = cap.evidence.first_mut() {
            (runs.reads, runs.writes) = (of_reads, !of_reads);
        }
    }
    let verdict = |cap: &Cap| Verdict::from(Answer::Capped(CapFinding::Capped(cap.clone())));
    document.over_phases[0].verdicts = vec![verdict(&reads), verdict(&writes)];
    let sentence = english(&document);
    assert!(sentence.contains("reads capped at 3,000 IOPS, writes at 1,000 IOPS."), "{sentence}");
    // Another program took a part.
    reads.evidence.pop();
    reads.evidence.push(Evidence::Known(KnownLimit { others: 1_000.0, ..known(3_000.0) }));
    document.over_phases[0].verdicts = vec![verdict(&reads), verdict(&writes)];
    let sentence = english(&document);
    let shared =
        "reads capped at 3,000 IOPS (other I/O took 1,000 IOPS of it), writes at 1,000 IOPS.";
    assert!(sentence.contains(shared), "{sentence}");
}

#[test]
fn a_cap_is_told_though_a_cache_may_have_served_a_part() {
    let doubted = judged(capped(CapConfidence::High), &cached(CacheVerdict::Suspected), |_| true);
    let expected = "/mnt/data: capped at 3,000 IOPS and 125 MiB/s. A cache may have served a part.";
    assert_eq!(english(&doubted), expected);
    let memory = judged(capped(CapConfidence::High), &cached(CacheVerdict::Memory), |_| true);
    assert!(english(&memory).ends_with("these are figures of memory, not of a disk."));
}

#[test]
fn a_limit_that_is_set_for_both_directions_is_told_once() {
    let mut document = capped(CapConfidence::High);
    let set = |kind: CapKind, value: f64, reads: bool, both_ways: bool| {
        let mut cap = cap(kind, 0.95 * value, 0.95 * value, CapConfidence::High);
        if let Some(Evidence::Runs(runs)) = cap.evidence.first_mut() {
            runs.reads = reads;
        }
        let (unit, group) = (kind.unit(), "g".to_owned());
        let limit =
            KnownLimit { unit, per_second: value, reached: value, others: 0.0, group, both_ways };
        cap.evidence.push(Evidence::Known(limit));
        Verdict::from(Answer::Capped(CapFinding::Capped(cap)))
    };
    // A busy host kept the reads from the limit of I/Os.
    let mut of = |both_ways| {
        document.over_phases[0].verdicts = vec![
            set(CapKind::Iops, 3_000.0, false, both_ways),
            set(CapKind::Bandwidth, 131_072_000.0, true, both_ways),
        ];
        english(&document)
    };
    let once = of(true);
    assert!(once.starts_with("/mnt/data: capped at 3,000 IOPS and 125 MiB/s."), "{once}");
    let apart = of(false);
    assert!(apart.contains(": writes capped at 3,000 IOPS, all at 125 MiB/s."), "{apart}");
}

#[test]
fn figures_that_say_nothing_of_the_volume_are_not_told() {
    let all = |_: &Phase| true;
    for (answer, claim) in [
        (cached(CacheVerdict::Memory), "these are figures of memory, not of a disk"),
        (
            cached(CacheVerdict::Cached { share: 0.97 }),
            "these are figures of a cache, not of the disk",
        ),
        (bound(), "these are figures of this host, not of the volume"),
    ] {
        let document = judged(plain(), &answer, all);
        assert_eq!(english(&document), format!("/tmp/vol: {claim}."));
        assert!(document.summary(Lang::Ko).contains("아니라"), "{claim}");
    }
    let korean = judged(plain(), &cached(CacheVerdict::Cached { share: 0.97 }), all);
    assert_eq!(korean.summary(Lang::Ko), "/tmp/vol: 디스크가 아니라 캐시가 응답했습니다.");
}

#[test]
fn figures_of_which_a_cache_may_have_served_a_part_are_told_with_the_doubt() {
    let document = judged(plain(), &cached(CacheVerdict::Suspected), |_| true);
    let sentence = english(&document);
    assert!(sentence.starts_with("/tmp/vol: median 68 us reads; "), "{sentence}");
    assert!(sentence.ends_with(". A cache may have served a part."), "{sentence}");
}

#[test]
fn what_others_did_takes_away_neither_the_figures_nor_the_cap() {
    let foreign = cached(CacheVerdict::Foreign { times: 2.0 });
    let free = judged(plain(), &foreign, |_| true);
    let doubt = ". Other I/O ran on the device meanwhile.";
    let figures = "/tmp/vol: median 68 us reads; 112,000 IOPS (4 KiB reads); 1.9 GB/s seq. reads";
    assert_eq!(english(&free), format!("{figures}{doubt}"));
    let held = judged(capped(CapConfidence::High), &foreign, |_| true);
    assert_eq!(english(&held), format!("/mnt/data: capped at 3,000 IOPS and 125 MiB/s{doubt}"));
    let korean =
        "/mnt/data: 3,000 IOPS, 125 MiB/s 제한. 측정 중에 장치에서 다른 I/O가 실행되었습니다.";
    assert_eq!(held.summary(Lang::Ko), korean);
}

#[test]
fn reads_that_others_disturbed_stay_the_answer() {
    let single = |phase: &Phase| phase.direction == Direction::Read && phase.goal == Goal::Latency;
    let beside = |times| judged(plain(), &cached(CacheVerdict::Foreign { times }), single);
    let figures = "/tmp/vol: median 68 us reads; 112,000 IOPS (4 KiB reads); 1.9 GB/s seq. reads";
    let doubt = "1 of 6 tests: other I/O ran on the device meanwhile; measure again.";
    assert_eq!(english(&beside(2.0)), format!("{figures}. {doubt}"));
    assert_eq!(usual_latency(&beside(0.5), true), usual_latency(&plain(), true));
    // Beside more I/O of others than its own, it is not what the volume usually takes.
    assert_eq!(usual_latency(&beside(2.0), true), None);
    // The same where others read beside the reads.
    let more = |times| judged(plain(), &cached(CacheVerdict::SawMore { times }), single);
    assert_eq!(english(&more(200.0)), format!("{figures}. {doubt}"));
    assert_eq!(usual_latency(&more(200.0), true), None);
    // A thousandth of the bytes.
    let caution = "Caution: other I/O on the device.";
    assert_eq!(english(&beside(0.0011)), format!("{figures}. {caution}"));
}

#[test]
fn warnings_about_the_tests_of_the_answer_stand_in_it() {
    let more = cached(CacheVerdict::SawMore { times: 2.0 });
    let swinging =
        Answer::Sure(Estimate::of_repeats(&[100.0, 900.0, 200.0, 800.0, 100.0]).unwrap());
    let reads = |phase: &Phase| phase.direction == Direction::Read;
    let all = judged(judged(plain(), &more, reads), &swinging, |_| true);
    let told = english(&all);
    assert!(told.ends_with(" reads. Caution: other I/O on the device, uncertain means."), "{told}");
    let korean = all.summary(Lang::Ko);
    assert!(korean.ends_with(" 주의: 장치에 다른 I/O 있음, 평균 불확실."), "{korean}");
    // Of one figure it is named.
    let one = |goal| english(&judged(plain(), &swinging, move |phase| phase.goal == goal));
    for (goal, words) in [
        (Goal::Latency, "uncertain mean latency."),
        (Goal::Iops, "uncertain IOPS."),
        (Goal::Throughput, "uncertain throughput."),
    ] {
        assert!(one(goal).ends_with(&format!(". Caution: {words}")), "{}", one(goal));
    }
    // Those of other tests are none of the answer's, and a cap holds all the same.
    let others = judged(plain(), &more, |phase| phase.direction == Direction::Write);
    assert_eq!(english(&others), english(&plain()));
    let held = judged(capped(CapConfidence::High), &more, |_| true);
    assert_eq!(english(&held), english(&capped(CapConfidence::High)));
}

#[test]
fn doubt_about_some_tests_leaves_the_others() {
    let reads = |phase: &Phase| phase.direction == Direction::Read && phase.goal != Goal::Latency;
    let document = judged(plain(), &cached(CacheVerdict::Cached { share: 0.9 }), reads);
    assert_eq!(
        english(&document),
        "/tmp/vol: median 68 us reads; 101,000 IOPS (4 KiB writes); 1.7 GB/s seq. writes. \
         2 of 6 tests: these are figures of a cache, not of the disk."
    );
}

#[test]
fn a_cap_holds_whatever_the_client_does() {
    let held = Answer::Capped(CapFinding::Capped(cap(
        CapKind::Iops,
        3_000.0,
        3_000.0,
        CapConfidence::High,
    )));
    let document = judged(judged(capped(CapConfidence::High), &held, |_| true), &bound(), |_| true);
    assert!(english(&document).contains("capped at 3,000 IOPS"), "{}", english(&document));
}

#[test]
fn what_failed_or_was_stopped_says_so() {
    let mut failed = plain();
    failed.volumes[0].failure = Some("no space left.".into());
    assert_eq!(english(&failed), "/tmp/vol: FAILED: no space left.");
    let mut some = plain();
    (some.phases[1].figures, some.phases[1].failure) = (None, Some("EIO".into()));
    assert!(english(&some).ends_with("1 of 6 tests FAILED."), "{}", english(&some));
    for run in &mut some.phases {
        (run.figures, run.failure) = (None, Some("EIO".into()));
    }
    assert_eq!(english(&some), "/tmp/vol: FAILED: EIO.");
    let mut stopped = plain();
    stopped.interrupted = true;
    stopped.phases.truncate(2);
    let expected =
        "/tmp/vol: median 68 us reads; 112,000 IOPS (4 KiB reads). Stopped after test 2 of 6.";
    assert_eq!(english(&stopped), expected);
    stopped.phases.truncate(1);
    (stopped.phases[0].figures, stopped.phases[0].failure) = (None, Some(STOPPED.into()));
    assert!(english(&stopped).starts_with("/tmp/vol: nothing was measured."));
    assert!(stopped.summary(Lang::Ko).contains("중단"), "{}", stopped.summary(Lang::Ko));
}

fn several() -> Document {
    let runs = [phases(0, 1e4, 1e5, 8e3, 90_000), phases(1, 1e3, 2e5, 800.0, 1_060_000)].concat();
    document(vec![volume("/mnt/a", "/mnt/a/f"), volume("/mnt/b", "/mnt/b/f")], runs)
}

#[test]
fn several_volumes_have_one_sentence_that_says_which_is_ahead_in_what() {
    let mut document = several();
    assert_eq!(document.sentences().len(), 1);
    let chance = "Fewer than 3 rounds: it may be chance (--repeat 3).";
    let ahead = "Ahead: /mnt/a in latency (99 us mean) and throughput (2.1 GB/s); /mnt/b in IOPS \
                 (200,000).";
    assert_eq!(english(&document), format!("{ahead} {chance}"));
    document.plan.rounds = 3;
    assert_eq!(english(&document), ahead);
    assert!(document.summary(Lang::Ko).starts_with("앞선 볼륨: /mnt/a, 지연 시간(평균 99 us)"));
    let remark = Remark::SamePlace { other: "/mnt/a".into() };
    document.volumes[1].remarks = vec![RemarkRecord { remark, text: String::new() }];
    assert_eq!(english(&document), "Same disk: differences are noise.");
}

#[test]
fn what_figures_cannot_show_stands_beside_the_sentence_of_all() {
    let mut document = several();
    for run in document.phases.iter_mut().filter(|run| run.volume == 1) {
        run.verdicts.push(cached(CacheVerdict::Memory).into());
    }
    // Nothing to compare: each has its own.
    assert_eq!(
        english(&document),
        "/mnt/a: mean 99 us reads; 100,000 IOPS (4 KiB reads); 2.1 GB/s seq. reads. \
         /mnt/b: these are figures of memory, not of a disk."
    );
    let mut document = several();
    document.phases[11].figures = None;
    document.phases[11].failure = Some("no space".into());
    let text = english(&document);
    assert!(text.starts_with("Ahead: /mnt/a in "), "{text}");
    assert!(text.contains("/mnt/b: ") && text.contains("1 of 6 tests FAILED."), "{text}");
}

#[test]
fn the_document_holds_the_sentence_in_english() {
    let document = plain().with_summary();
    let value = serde_json::to_value(&document).unwrap();
    assert_eq!(value["summary"], english(&plain()));
    let mut old = document.clone();
    old.head.summary = "as it was".into();
    assert_eq!(
        (english(&old), old.summary(Lang::Ko)),
        ("as it was".into(), plain().summary(Lang::Ko))
    );
    let text = value.to_string();
    assert_eq!(summary_of(&text, Lang::En), Some(english(&plain())));
    assert_eq!(summary_of(&text, Lang::Ko), Some(plain().summary(Lang::Ko)));
    assert_eq!(summary_of("{\"kind\": \"else\"}", Lang::Ko), None);
    let mut none = value;
    none.as_object_mut().unwrap().remove("summary");
    let none: Document = serde_json::from_value(none).unwrap();
    assert_eq!(english(&none), english(&plain()));
}

#[test]
fn cases_that_others_disturbed_are_counted() {
    let foreign = Verdict::from(Answer::Cached(CacheFinding {
        direction: Direction::Read,
        verdict: CacheVerdict::Foreign { times: 2.0 },
        signs: Vec::new(),
    }));
    let disturbed = [foreign];
    let tests: [&[Verdict]; 3] = [&disturbed, &[], &disturbed];
    let told = |tests: &[&[Verdict]]| -> Vec<String> {
        let all = super::measure::doubted(tests.iter().copied());
        all.iter().map(|one| one.text(Lang::En)).collect()
    };
    let others = "2 of 3 cases: other I/O ran on the device meanwhile; measure again.";
    assert_eq!(told(&tests), [others]);
    assert_eq!(told(&[&[]]), [] as [&str; 0]);
    let cached = [Verdict::from(Answer::Cached(CacheFinding {
        direction: Direction::Write,
        verdict: CacheVerdict::Cached { share: 0.9 },
        signs: Vec::new(),
    }))];
    // Of each reason its own number of cases.
    assert_eq!(
        told(&[&disturbed, &cached, &disturbed]),
        ["1 of 3 cases: these are figures of a cache, not of the disk.", others]
    );
}

#[test]
fn a_cache_counts_from_half_of_the_runs_on() {
    let cached = |verdict| {
        let signs = Vec::new();
        [Verdict::from(Answer::Cached(CacheFinding { direction: Direction::Read, verdict, signs }))]
    };
    let (part, all) =
        (cached(CacheVerdict::Suspected), cached(CacheVerdict::Cached { share: 0.9 }));
    let plain: &[Verdict] = &[];
    let claim = |runs: &[&[Verdict]]| {
        super::measure::mostly_cached(runs.iter().copied()).map(|of| of.text(Lang::En))
    };
    let words = |text: &str| Some(text.to_owned());
    assert_eq!(claim(&[&part, plain]), words("these may be figures of a cache in part"));
    assert_eq!(claim(&[&part, &all]), words("these are figures of a cache, not of the disk"));
    assert_eq!([claim(&[&part, plain, plain]), claim(&[])], [None, None]);
}

#[test]
fn a_sweep_that_falls_beyond_its_knee_says_so() {
    let point =
        |load: u64, iops: f64| LoadPoint { load, iops, latency_ns: load as f64 * 1e9 / iops };
    let rates = [(1, 9_000.0), (8, 35_000.0), (16, 40_000.0), (32, 32_890.0), (64, 33_100.0)];
    let points: Vec<LoadPoint> = rates.iter().map(|(load, iops)| point(*load, *iops)).collect();
    let at = |load: u64, iops: f64| Point {
        value: load.to_string(),
        position: Some(load),
        case: 0,
        figures: Some(CaseFigures {
            total: Figures { iops, ..Figures::default() },
            ..CaseFigures::default()
        }),
        rounds_iops: vec![iops],
        failures: Vec::new(),
        scaling_percent: None,
    };
    let curve = Curve {
        settings: Vec::new(),
        axis: "iodepth".into(),
        headline: Headline::Iops,
        points: rates.iter().map(|(load, iops)| at(*load, *iops)).collect(),
        knee: Some(Knee::find(LoadKind::Depth, &points)),
        cap: None,
        connections: None,
    };
    let told = sweep::claim(&[], &curve, &curve.points[2]).to_string();
    let expected = "Peak 40,000 IOPS at iodepth=16; 33,100 at 64: more load makes it slower";
    assert_eq!(told, expected);
}

/// A check of a block SSD in which every run met a cap of this share of its promise.
fn check(share: f64, standing: Standing) -> CheckDocument {
    let text = include_str!("../../../report/fixtures/check.json");
    let mut document: CheckDocument = serde_json::from_str(text).unwrap();
    document.standing = standing;
    for run in &mut document.runs {
        let value = run.key.load.promised.rate.unwrap().iops * share;
        let held = cap(CapKind::Iops, value, value, CapConfidence::High);
        let finding = run.key.finding.as_mut().unwrap();
        finding.cap = Some(CapFinding::Capped(held));
        for line in &mut finding.judgement.verdicts {
            if let PromiseEvidence::Mean(mean) = &mut line.evidence {
                mean.iops = mean.limit_iops * share;
            }
        }
    }
    document
}

#[test]
fn a_check_says_whether_the_cap_is_the_one_that_is_sold() {
    let kept = english(&check(1.0, Standing::Kept));
    assert!(kept.ends_with(": PASS: capped at 20,000 IOPS, as sold (naver.block_ssd)."), "{kept}");
    assert!(kept.starts_with('/') && claim_words(&kept) <= 12, "{kept}");
    let missed = english(&check(0.25, Standing::Missed));
    let expected = ": FAIL: capped at 5,000 IOPS, less than is sold (naver.block_ssd).";
    assert!(missed.ends_with(expected), "{missed}");
    let korean = check(0.25, Standing::Missed).summary(Lang::Ko);
    assert!(
        korean.ends_with("FAIL(미달): 5,000 IOPS 제한, 보장 성능(naver.block_ssd)보다 낮음."),
        "{korean}"
    );
    let mut here = check(0.25, Standing::Missed);
    for run in &mut here.runs {
        let Some(CapFinding::Capped(cap)) = &mut run.key.finding.as_mut().unwrap().cap else {
            panic!()
        };
        let (per_second, group) = (cap.value, "/limited".to_owned());
        let known = KnownLimit {
            unit: cap.kind.unit(),
            per_second,
            reached: per_second,
            others: 0.0,
            group,
            both_ways: true,
        };
        cap.evidence.push(Evidence::Known(known));
    }
    let expected = ": FAIL: capped at 5,000 IOPS by control group /limited, below naver.block_ssd.";
    let limited = english(&here);
    assert!(limited.ends_with(expected) && claim_words(&limited) <= 12, "{limited}");
    let more = english(&check(1.3, Standing::Kept));
    let expected = ": PASS: naver.block_ssd, 2 of 2 limits kept. Seen: capped at 26,000 IOPS.";
    assert!(more.ends_with(expected), "{more}");
    let undecided = english(&check(1.0, Standing::CouldNotTell));
    assert!(undecided.contains("UNDECIDED: naver.block_ssd"), "{undecided}");
    let above = english(&check(1.6, Standing::Kept));
    assert!(
        above.contains(": PASS, but not a block_ssd: 1.6x the promise. Wrong --promise"),
        "{above}"
    );
    assert!(claim_words(&above) <= 12, "{above}");
    let mut without = check(1.0, Standing::Kept);
    without.runs.iter_mut().for_each(|run| run.key.finding.as_mut().unwrap().cap = None);
    let without = english(&without);
    assert!(without.ends_with(": PASS: naver.block_ssd, 2 of 2 limits kept."), "{without}");
}

#[test]
fn a_check_that_failed_names_the_caps_that_failed_it() {
    let mut document = check(0.25, Standing::Missed);
    let promised = document.runs[1].key.load.promised.rate.unwrap().iops;
    let (missed, enough) = document.runs.split_at_mut(1);
    missed[0].key.finding.as_mut().unwrap().standing = Standing::Missed;
    let enough = enough[0].key.finding.as_mut().unwrap();
    enough.standing = Standing::Kept;
    let value = promised * 0.95;
    enough.cap = Some(CapFinding::Capped(cap(CapKind::Iops, value, value, CapConfidence::High)));
    let told = english(&document);
    let expected = ": FAIL: reads capped at 5,000 IOPS, less than is sold (naver.block_ssd).";
    assert!(told.ends_with(expected), "{told}");
}
