//! Comparisons of two recordings, from figures with a known spread.

use super::{ContrastVerdict, Contrasts, RunsDocument, usual_distance};
use crate::DocumentSummary;
use crate::compare::{Judged, Known, RecordedLoad, Recording, RecordingEntry, SideCap, Unjudged};
use crate::summary::tests::document;
use fathom_analysis::verdicts::VolumeVerdicts;
use fathom_analysis::{Better, Comparison, Estimate, GateOutcome, JudgeRule};
use fathom_message::Lang;
use fathom_vocab::Direction;
use serde_json::json;

/// Rounds around `mean`, so many percent apart at most.
fn known(mean: f64, percent: f64) -> Known {
    let values = [-1.0, -0.5, 0.0, 0.5, 1.0].map(|part| mean * (1.0 + part * percent / 100.0));
    Known::of_rounds(mean, values.to_vec())
}

fn entry(name: &str, iops: f64, block_bytes: f64) -> RecordingEntry {
    RecordingEntry {
        name: name.to_owned(),
        direction: Direction::Read,
        load: None,
        iops: known(iops, 1.0),
        bytes_per_s: known(iops * block_bytes, 1.0),
        latency_ns: known(32e9 / iops, 1.0),
        p99_ns: None,
    }
}

fn recording(name: &str, entries: Vec<RecordingEntry>) -> Recording {
    let kind = "fathom-measure".to_owned();
    Recording {
        name: name.to_owned(),
        kind,
        targets: vec![],
        file_systems: vec![],
        size_bytes: None,
        run_us: None,
        entries,
        notes: vec![],
        caps: vec![],
        is_baseline: false,
    }
}

fn verdicts(document: &RunsDocument) -> Vec<(Judged, ContrastVerdict)> {
    document.pairs[0].contrasts.iter().map(|of| (of.judged, of.verdict)).collect()
}

#[test]
fn a_test_is_judged_once_by_latency_where_one_io_is_in_flight() {
    let of = |depth: u32, options: Option<Vec<String>>| {
        let load = RecordedLoad {
            rw: "randread".to_owned(),
            block_bytes: (4096, 4096),
            depth,
            jobs: 1,
            options,
        };
        let own = RecordingEntry { load: Some(load), ..entry("a", 3000.0, 4096.0) };
        let document =
            RunsDocument::new(&[recording("x", vec![own.clone()]), recording("y", vec![own])]);
        verdicts(&document).into_iter().map(|(judged, _)| judged).collect::<Vec<_>>()
    };
    assert_eq!(of(1, None), [Judged::MeanLatencyNs]);
    assert_eq!(of(32, None), [Judged::Iops]);
    // A pace of its own makes the rate.
    assert_eq!(of(32, Some(vec!["rate_iops=100".to_owned()])), [Judged::MeanLatencyNs]);
}

#[test]
fn a_drop_of_a_tenth_is_worse() {
    let before = recording("before", vec![entry("a", 3000.0, 4096.0)]);
    let after = recording("after", vec![entry("a", 2700.0, 4096.0)]);
    let worse = RunsDocument::new(&[before.clone(), after.clone()]);
    assert_eq!(verdicts(&worse), [(Judged::Iops, ContrastVerdict::Worse)]);
    let contrast = &worse.pairs[0].contrasts[0];
    assert!((contrast.change_percent + 10.0).abs() < 1e-9, "{contrast:?}");
    let (low, high) = contrast.change_ends_percent().unwrap();
    assert!(low < -10.0 && -10.0 < high && high < 0.0, "{low} {high}");
    let better = RunsDocument::new(&[after, before]);
    assert_eq!(verdicts(&better), [(Judged::Iops, ContrastVerdict::Better)]);
    assert_eq!(better.with_gate(0.0).gate.unwrap().to_string(), "PASS");
}

#[test]
fn a_run_against_itself_is_equal() {
    let one = recording("one", vec![entry("a", 3000.0, 4096.0), entry("b", 90.0, 1048576.0)]);
    let document = RunsDocument::new(&[one.clone(), one]);
    // Large blocks are told in MB/s.
    let figures: Vec<Judged> = verdicts(&document).iter().map(|(judged, _)| *judged).collect();
    assert_eq!(figures, [Judged::Iops, Judged::BytesPerS]);
    assert!(verdicts(&document).iter().all(|(_, verdict)| *verdict == ContrastVerdict::Equal));
    assert_eq!(document.with_gate(0.0).gate.unwrap().outcome, GateOutcome::Pass);
}

/// What a gate says of a drop by 10 % where so many percent are allowed and rounds lie so far
/// apart.
fn gate_of_a_tenth(apart_percent: f64, allowed_percent: f64) -> String {
    let of =
        |iops: f64| RecordingEntry { iops: known(iops, apart_percent), ..entry("a", iops, 4096.0) };
    let before = recording("before", vec![of(3000.0)]);
    let after = recording("after", vec![of(2700.0)]);
    RunsDocument::new(&[before, after]).with_gate(allowed_percent).gate.unwrap().to_string()
}

#[test]
fn a_gate_fails_only_where_the_near_end_lies_beyond_what_is_allowed() {
    assert_eq!(gate_of_a_tenth(0.1, 5.0), "FAIL (1 of 1 figures)");
    assert_eq!(gate_of_a_tenth(0.1, 12.0), "PASS");
    // What was seen is not allowed, and lies too near to that to fail.
    assert!(gate_of_a_tenth(0.1, 9.99).starts_with("UNDECIDED"));
    // A tenth is allowed, and twice as much would not have shown.
    assert!(gate_of_a_tenth(8.0, 12.0).starts_with("UNDECIDED"));
    // Worse by 10 %, and from rounds that scatter like these perhaps not at all, or twice as much.
    let unclear = gate_of_a_tenth(8.0, 5.0);
    let words = "UNDECIDED (0 of 1 figures could be judged: a, read, IOPS may be up to ";
    assert!(unclear.starts_with(words), "{unclear}");
}

#[test]
fn one_run_a_side_is_shown_and_never_judged() {
    // Two hundred intervals of which none is as low as the other run's highest.
    let single = |iops: f64| {
        let intervals: Vec<f64> = (0..200).map(|at| iops + f64::from(at % 7)).collect();
        let known = Known::judged(iops, Estimate::of_intervals(&intervals));
        RecordingEntry {
            iops: known.clone(),
            latency_ns: known.clone(),
            bytes_per_s: known,
            ..entry("a", iops, 4096.0)
        }
    };
    let before = recording("before", vec![single(3000.0)]);
    let after = recording("after", vec![single(1500.0)]);
    let document = RunsDocument::new(&[before, after]).with_gate(5.0);
    let iops = &document.pairs[0].contrasts[0];
    assert_eq!((iops.verdict, iops.unjudged), (ContrastVerdict::Unknown, Some(Unjudged::OneRun)));
    assert_eq!(
        document.gate.unwrap().to_string(),
        "UNDECIDED (0 of 1 figures could be judged: one run a side; repeat it with --more, or use \
         `measure --repeat 10` or \
         --baseline)"
    );
}

#[test]
fn a_single_run_is_held_against_how_far_the_runs_of_a_baseline_lie_apart() {
    let of = |iops: f64| {
        let mut entry = entry("a", iops, 4096.0);
        (entry.iops, entry.latency_ns) = (Known::bare(iops), Known::bare(32e9 / iops));
        recording("run", vec![entry])
    };
    let earlier = [3000.0, 2900.0, 3080.0, 2960.0, 3040.0].map(of);
    let baseline = Recording::baseline("tag:main", &earlier);
    let held = |iops: f64| RunsDocument::new(&[baseline.clone(), of(iops)]).with_gate(5.0);
    let outcome = |iops: f64| held(iops).gate.unwrap().outcome;
    // Runs lie 2.4 % apart (standard deviation); a third less is beyond all of it.
    assert_eq!(verdicts(&held(2900.0))[0].1, ContrastVerdict::Unknown);
    assert_eq!(outcome(2900.0), GateOutcome::Pass);
    assert_eq!(outcome(2700.0), GateOutcome::Undecided);
    // The baseline has its figures with it.
    assert_eq!(held(2900.0).sources[0].entries.len(), 1);
    assert_eq!(verdicts(&held(2000.0))[0].1, ContrastVerdict::Worse);
    assert_eq!(outcome(2000.0), GateOutcome::Fail);
    let two = Recording::baseline("two", &earlier[..2]);
    let few = RunsDocument::new(&[two, of(2000.0)]);
    let unjudged = few.pairs[0].contrasts[0].unjudged;
    assert_eq!(unjudged, Some(Unjudged::Few { n: 2, needed: 3 }));
}

#[test]
fn a_phase_that_is_gone_leaves_a_gate_undecided() {
    let before = recording("before", vec![entry("a", 3000.0, 4096.0), entry("b", 90.0, 4096.0)]);
    let after = recording("after", vec![entry("a", 3000.0, 4096.0)]);
    let gate = RunsDocument::new(&[before, after]).with_gate(5.0).gate.unwrap();
    assert_eq!(
        gate.to_string(),
        "UNDECIDED (1 of 2 figures could be judged; b, read is in before only)"
    );
}

#[test]
fn without_a_spread_there_is_a_ratio_and_no_verdict() {
    let mut bare = entry("a", 1500.0, 4096.0);
    bare.iops = Known::bare(1500.0);
    let before = recording("before", vec![entry("a", 3000.0, 4096.0)]);
    let document = RunsDocument::new(&[before, recording("after", vec![bare])]);
    let iops = &document.pairs[0].contrasts[0];
    assert!((iops.change_percent + 50.0).abs() < 0.01, "{iops:?}");
    assert_eq!(iops.verdict, ContrastVerdict::Unknown);
    assert_eq!((&iops.comparison, iops.change_ends_percent()), (&None, None));
    let gate = document.with_gate(1.0).gate.unwrap();
    assert_eq!((gate.outcome, gate.judged), (GateOutcome::Undecided, 0));
}

#[test]
fn a_great_change_of_single_runs_is_told_though_it_is_not_judged() {
    let single = |name: &str, iops: [f64; 2]| {
        let of = |name: &str, iops: f64| RecordingEntry {
            iops: Known::bare(iops),
            bytes_per_s: Known::bare(iops * 4096.0),
            latency_ns: Known::bare(32e9 / iops),
            ..entry(name, iops, 4096.0)
        };
        recording(name, vec![of("a", iops[0]), of("b", iops[1])])
    };
    let said = |iops| {
        let document = RunsDocument::new(&[single("before", [3000.0; 2]), single("after", iops)]);
        document.summary(Lang::En)
    };
    let told = "after: 0 of 2 tests could be judged; the greatest change of means that are well known is 3.6x faster (b, read: IOPS).";
    assert_eq!(said([2900.0, 10_800.0]), told);
    assert_eq!(said([2900.0, 4000.0]), "after: 0 of 2 tests could be judged.");
    // A mean that swings is no change, nor is one between folders of one file system.
    let uncertain = |mut of: Recording| {
        of.entries.iter_mut().for_each(|of| {
            of.iops = known(of.iops.mean, 90.0);
            of.bytes_per_s = known(of.bytes_per_s.mean, 90.0);
            of.latency_ns = known(of.latency_ns.mean, 90.0);
        });
        of
    };
    let swinging = uncertain(single("after", [2900.0, 10_800.0]));
    assert!(swinging.entries[0].iops.is_uncertain());
    let document = RunsDocument::new(&[single("before", [3000.0; 2]), swinging]);
    assert_eq!(document.summary(Lang::En), "after: 0 of 2 tests could be judged.");
    let folder = |name: &str, iops| Recording {
        targets: vec![format!("/{name}")],
        file_systems: vec!["vm /dev/vda /".to_owned()],
        ..single(name, iops)
    };
    let folders = [folder("before", [3000.0; 2]), folder("after", [2900.0, 10_800.0])];
    let summary = RunsDocument::new(&folders).summary(Lang::En);
    assert_eq!(summary, "after: 0 of 2 tests could be judged.");
}

#[test]
fn names_pair_figures_and_the_rest_is_listed() {
    let before = recording("b", vec![entry("a", 1.0, 4096.0), entry("old", 1.0, 4096.0)]);
    let after = recording("n", vec![entry("random read", 1.0, 4096.0), entry("a", 1.0, 4096.0)]);
    let pair = RunsDocument::new(&[before.clone(), after.clone()]).pairs.remove(0);
    assert_eq!((pair.contrasts.len(), pair.contrasts[0].name.as_str()), (1, "a, read"));
    assert_eq!(
        (pair.only_before, pair.only_after),
        (vec!["old, read".to_owned()], vec!["random read".to_owned()])
    );
    // No name in common and one entry each: these two are meant.
    let single = recording("s", vec![entry("t", 1.0, 4096.0)]);
    let other = recording("o", vec![entry("u", 1.0, 4096.0)]);
    let pair = RunsDocument::new(&[single.clone(), other]).pairs.remove(0);
    assert_eq!(pair.contrasts[0].name, "t / u, read");
    let pair = RunsDocument::new(&[single, before]).pairs.remove(0);
    assert!(pair.contrasts.is_empty() && pair.only_after.len() == 2);
}

#[test]
fn entries_of_other_names_are_paired_by_what_was_asked() {
    let load = |rw: &str, depth| {
        let (rw, block_bytes) = (rw.to_owned(), (4096, 4096));
        Some(RecordedLoad { rw, block_bytes, depth, jobs: 1, options: None })
    };
    let with = |name: &str, load| RecordingEntry { load, ..entry(name, 3000.0, 4096.0) };
    let before = || {
        let own = vec![
            with("iops-read-4k", load("randread", 32)),
            with("latency-read-4k", load("randread", 1)),
            with("both", load("randrw", 8)),
        ];
        recording("before", own)
    };
    let after = recording(
        "after",
        vec![with("randread-4k", load("randread", 32)), with("both", load("randrw", 8))],
    );
    let found = Contrasts::between(&before(), &after);
    let names: Vec<&str> = found.contrasts.iter().map(|of| of.name.as_str()).collect();
    assert!(names.contains(&"iops-read-4k / randread-4k"), "{names:?}");
    assert_eq!((names.len(), found.only_after.len()), (2, 0), "{names:?}");
    assert_eq!(found.only_before, ["latency-read-4k"]);
    // Two with one load: which of them is meant cannot be told.
    let twice = vec![with("x", load("randread", 32)), with("y", load("randread", 32))];
    let found = Contrasts::between(&before(), &recording("after", twice));
    assert_eq!(found.contrasts.len(), 0);
}

#[test]
fn runs_of_other_volumes_commands_or_loads_are_said_to_differ() {
    let with = |kind: &str, target: &str, depth: u32| {
        let load = RecordedLoad {
            rw: "randread".to_owned(),
            block_bytes: (4096, 4096),
            depth,
            jobs: 1,
            options: None,
        };
        let entries = vec![RecordingEntry { load: Some(load), ..entry("a", 3000.0, 4096.0) }];
        let (kind, targets) = (kind.to_owned(), vec![target.to_owned()]);
        Recording { kind, targets, ..recording("x", entries) }
    };
    let said = |after: Recording, lang: Lang| {
        let before = with("fathom-measure", "/mnt/a", 1);
        let note = Contrasts::between(&before, &after).unlike_sentence();
        note.map(|note| note.text(lang))
    };
    assert_eq!(said(with("fathom-measure", "/mnt/a", 1), Lang::En), None);
    // The file of a job in the folder that was measured.
    let within = with("fathom-measure", "/mnt/a/file", 1);
    assert_eq!(said(within, Lang::En), None);
    let other = || with("fathom-run", "/mnt/b", 32);
    let differing = "These runs differ in volume (/mnt/a / /mnt/b), command (measure / run) and \
                     load, although they have one name (a).";
    assert_eq!(said(other(), Lang::En).as_deref(), Some(differing));
    let korean = "두 실행은 볼륨(/mnt/a / /mnt/b), 명령(measure / run), 이름이 같은 작업의 \
                  부하(a)가 다릅니다.";
    assert_eq!(said(other(), Lang::Ko).as_deref(), Some(korean));
    let folder = |target: &str, of: &str| Recording {
        file_systems: vec![of.to_owned()],
        ..with("fathom-measure", target, 1)
    };
    let folders = |after: &str| {
        let pair = Contrasts::between(&folder("/a", "vm /dev/vda /"), &folder("/b", after));
        pair.unlike_sentence().map(|note| note.text(Lang::En)).unwrap()
    };
    let same = "These runs differ in folder (/a / /b: the same file system, so that differences \
                are noise).";
    assert_eq!(folders("vm /dev/vda /"), same);
    assert_eq!(folders("vm /dev/vdb /b"), "These runs differ in volume (/a / /b).");
    let nowhere = Recording { targets: vec![], ..with("fathom-measure", "", 1) };
    assert_eq!(said(nowhere, Lang::En), None, "what is not known is no difference");
}

#[test]
fn an_undecided_gate_says_how_many_rounds_or_runs_would_decide_it() {
    let reason = |before: Recording, after: Recording| {
        let gate = RunsDocument::new(&[before, after]).with_gate(5.0).gate.unwrap();
        (gate.outcome, gate.reason.unwrap_or_default())
    };
    let with = |name: &str, iops: Known| {
        let latency_ns = known(1e6, 0.01);
        recording(name, vec![RecordingEntry { iops, latency_ns, ..entry("a", 1.0, 4096.0) }])
    };
    // Three rounds are few, not far apart.
    let few = |mean: f64| Known::of_rounds(mean, vec![mean * 0.96, mean, mean * 1.04]);
    let (outcome, said) = reason(with("before", few(3000.0)), with("after", few(3000.0)));
    assert_eq!(outcome, GateOutcome::Undecided);
    assert!(said.contains(" rounds a side would decide (`measure --repeat "), "{said}");
    // Rounds that lie so far apart that the next command may lie anywhere.
    let (_, said) = reason(with("before", known(3000.0, 20.0)), with("after", known(3000.0, 20.0)));
    let words = "; 60 rounds a side would not decide: measure on a quiet host";
    assert!(said.ends_with(words), "{said}");
    // The run of a baseline stands where a side of rounds would.
    let earlier = [2900.0, 3000.0, 3120.0].map(|iops| with("run", Known::bare(iops)));
    let baseline = Recording::baseline("tag:main", &earlier);
    let (outcome, said) = reason(baseline, with("after", Known::bare(3000.0)));
    assert_eq!(outcome, GateOutcome::Undecided);
    assert!(said.contains(" runs in the baseline would decide"), "{said}");
}

#[test]
fn with_a_gate_its_outcome_is_the_first_sentence_and_the_last_line() {
    let of = |name: &str, iops: f64| recording(name, vec![entry("a", iops, 4096.0)]);
    let single = |name: &str| {
        let (iops, latency_ns) = (Known::bare(3000.0), Known::bare(1e6));
        recording(name, vec![RecordingEntry { iops, latency_ns, ..entry("a", 1.0, 4096.0) }])
    };
    let gated = |before, after| RunsDocument::new(&[before, after]).with_gate(5.0);
    let failed = gated(of("before", 3000.0), of("after", 2000.0));
    let passed = gated(of("before", 3000.0), of("after", 3000.0));
    let open = gated(single("before"), single("after"));
    let line = |of: &RunsDocument, lang| of.gate_line().unwrap().text(lang);
    for document in [&failed, &passed, &open] {
        let gate = document.gate.as_ref().unwrap();
        assert_eq!(line(document, Lang::En), format!("gate: {gate}"));
    }
    let korean = "판정: UNDECIDED(판정 불가), 수치 1개 모두 판정할 수 없음: 한쪽이 실행 한 번뿐입니다. \
                  --more로 반복하거나, `measure --repeat 10` 또는 --baseline을 쓰십시오";
    assert_eq!(line(&open, Lang::Ko), korean);
    assert_eq!(line(&failed, Lang::Ko), "판정: FAIL(미달), 수치 1개 중 1개");
    for (document, english, korean) in [
        (
            failed,
            "FAIL: 1 of 1 figures is worse by more than 5 % (a, read: IOPS 33 % slower). after: \
             slower in 1 of 1 tests (33 %).",
            "FAIL(미달): 수치 1개 중 1개가 5 % 넘게 나빠짐(a, read: IOPS 33 % 느림). after: 테스트 1개 중 \
             1개에서 느림(33 %).",
        ),
        (
            passed,
            "PASS: 1 figure, none worse by more than 5 %. after: equal within 5 %.",
            "PASS(충족): 수치 1개 중 5 % 넘게 나빠진 것 없음. after: 5 % 이내로 같음.",
        ),
        (
            open,
            "UNDECIDED: 0 of 1 figures could be judged: one run a side.",
            "UNDECIDED(판정 불가): 수치 1개 모두 판정할 수 없음: 한쪽이 실행 한 번뿐입니다.",
        ),
    ] {
        assert_eq!(document.summary(Lang::En), english);
        assert_eq!(document.summary(Lang::Ko), korean);
    }
}

#[test]
fn the_reason_of_a_gate_is_a_sentence_in_korean() {
    let uneven = |name: &str| {
        let iops = known(3000.0, 20.0);
        let own = RecordingEntry { iops, ..entry("4 KiB random read, QD 32", 1.0, 4096.0) };
        recording(name, vec![own])
    };
    let document = RunsDocument::new(&[uneven("before"), uneven("after")]).with_gate(5.0);
    let line = document.gate_line().unwrap().text(Lang::Ko);
    let words = "4 KiB 랜덤 읽기, 큐 깊이 32의 IOPS가 ";
    assert!(line.contains(words), "{line}");
    assert!(line.contains("라운드를 60회 해도 판정할 수 없으니"), "{line}");
}

#[test]
fn the_caps_of_the_sides_are_named() {
    let run = |name: &str| {
        let cap = json!({
            "finding": "capped", "kind": "iops", "value": name.len() as f64 * 1e3,
            "evidence": [], "confidence": "high",
        });
        let verdict = json!({
            "question": "capped", "finding": cap, "tone": "note", "weight": "loud",
            "sentence": "",
        });
        let mut measured = document(Vec::new(), Vec::new());
        let verdicts = vec![serde_json::from_value(verdict).unwrap()];
        measured.over_phases = vec![VolumeVerdicts { volume: 0, verdicts }];
        let caps = super::super::side_cap::of_document(&measured);
        Recording { caps, ..recording(name, vec![entry("a", 3000.0, 4096.0)]) }
    };
    let said = |before: &str, after: &str, lang| {
        let document = RunsDocument::new(&[run(before), run(after)]);
        document.caps_sentence().map(|of| of.text(lang))
    };
    let english = "ssd: capped at 3,000 IOPS; data: capped at 4,000 IOPS.";
    assert_eq!(said("ssd", "data", Lang::En).as_deref(), Some(english));
    let korean = "ssd: 3,000 IOPS 제한; data: 4,000 IOPS 제한.";
    assert_eq!(said("ssd", "data", Lang::Ko).as_deref(), Some(korean));
    let both = "ssd, nas: capped at 3,000 IOPS.";
    assert_eq!(said("ssd", "nas", Lang::En).as_deref(), Some(both));
    let none = RunsDocument::new(&[recording("a", vec![]), recording("b", vec![])]);
    assert_eq!(none.caps_sentence(), None);
}

#[test]
fn p99_is_judged_in_its_steps_and_only_where_it_is_known() {
    let of = |name: &str, p99_ns: Option<Known>| {
        recording(name, vec![RecordingEntry { p99_ns, ..entry("a", 3000.0, 4096.0) }])
    };
    let judged = |before: Option<Known>, after: Option<Known>| {
        let both = [of("before", before), of("after", after)];
        RunsDocument::judged(JudgeRule::among(1), Some(Judged::P99LatencyNs), &both).with_gate(20.0)
    };
    let slow = judged(Some(known(1e6, 1.0)), Some(known(2e6, 1.0)));
    assert_eq!(verdicts(&slow), [(Judged::P99LatencyNs, ContrastVerdict::Worse)]);
    assert_eq!(slow.gate.unwrap().outcome, GateOutcome::Fail);
    // Two neighbouring bins of a histogram may be one latency.
    let bins = judged(Some(known(1e6, 0.01)), Some(known(1.0155e6, 0.01)));
    assert_eq!(verdicts(&bins)[0].1, ContrastVerdict::Equal);
    let narrow = |grain_percent: f64| {
        let rule = JudgeRule { margin_percent: 0.1, grain_percent, ..JudgeRule::among(1) };
        let [a, b] = [1e6, 1.0155e6].map(|mean| known(mean, 0.01));
        let [a, b] = a.sides(&b, ["a", "b"], [None; 2]).unwrap();
        Comparison::apart(a, b, Better::Lower, rule).difference.is_shown()
    };
    assert!(narrow(0.0) && !narrow(Judged::P99LatencyNs.grain_percent()));
    let unknown = judged(Some(known(1e6, 1.0)), None);
    assert_eq!(unknown.pairs[0].contrasts[0].unjudged, Some(Unjudged::Unknown));
    let gate = unknown.gate.unwrap().to_string();
    let why = "its p99 is not known: it takes 1,000 I/Os or more";
    assert_eq!(gate, format!("UNDECIDED (0 of 1 figures could be judged: {why})"));
}

/// A run at a limit that a control group sets.
fn at_limit(name: &str, limit: f64, measured: f64, others: Option<f64>) -> Recording {
    let known = json!({
        "sign": "known", "group": "/people", "per_second": limit, "reached": measured, "unit": "ios",
        "both_ways": false, "others": others.unwrap_or(0.0),
    });
    let cap = json!({
        "kind": "iops", "value": measured, "evidence": [known], "confidence": "high",
    });
    let caps =
        vec![SideCap { cap: serde_json::from_value(cap).unwrap(), reads: true, writes: false }];
    let own = RecordingEntry {
        iops: Known::bare(measured),
        bytes_per_s: Known::bare(measured * 4096.0),
        latency_ns: Known::bare(32e9 / measured),
        ..entry("a", measured, 4096.0)
    };
    Recording { caps, ..recording(name, vec![own]) }
}

#[test]
fn limits_that_the_host_names_decide_with_one_run_a_side() {
    let judged = |before: Recording, after: Recording| {
        let document = RunsDocument::new(&[before, after]).with_gate(5.0);
        let of = &document.pairs[0].contrasts[0];
        (of.verdict, of.comparison.is_some(), document.gate.unwrap().outcome)
    };
    let at = |limit, measured| at_limit("x", limit, measured, None);
    let worse = (ContrastVerdict::Worse, true, GateOutcome::Fail);
    assert_eq!(judged(at(3000.0, 2993.0), at(2400.0, 2410.0)), worse);
    // One limit is one volume, whatever short runs show of it.
    let equal = (ContrastVerdict::Equal, true, GateOutcome::Pass);
    assert_eq!(judged(at(3000.0, 2900.0), at(3000.0, 3100.0)), equal);
    // Neither a run below its limit, nor one beside others, nor one without a limit shows it.
    let open = (ContrastVerdict::Unknown, false, GateOutcome::Undecided);
    assert_eq!(judged(at(3000.0, 2993.0), at(3000.0, 2400.0)), open);
    assert_eq!(judged(at(3000.0, 2993.0), at_limit("x", 2400.0, 2400.0, Some(900.0))), open);
    let single = |iops| Recording { caps: vec![], ..at(iops, iops) };
    assert_eq!(judged(at(3000.0, 2993.0), single(12_000.0)), open);
    // Beside rounds it takes one run of the limited side.
    let rounds = recording("y", vec![entry("a", 12_000.0, 4096.0)]);
    let (verdict, is_judged, _) = judged(at(3000.0, 2993.0), rounds);
    assert_eq!((verdict, is_judged), (ContrastVerdict::Better, true));
}

#[test]
fn more_runs_are_made_while_a_gate_or_a_difference_is_undecided() {
    let of = |iops: Known| recording("x", vec![RecordingEntry { iops, ..entry("a", 3e3, 4096.0) }]);
    let document = |after: Known| RunsDocument::new(&[of(known(3000.0, 1.0)), of(after)]);
    assert!(!document(known(3000.0, 1.0)).is_open());
    assert!(document(known(2800.0, 9.0)).is_open());
    assert!(document(Known::bare(3000.0)).is_open());
    // What is worse by less than is allowed is decided.
    assert!(!document(known(2600.0, 1.0)).with_gate(20.0).is_open());
    let unknown = [of(known(3000.0, 1.0)), of(known(3000.0, 1.0))];
    let by_p99 = RunsDocument::judged(JudgeRule::among(1), Some(Judged::P99LatencyNs), &unknown);
    assert!(!by_p99.is_open(), "no number of runs makes a p99 known");
}

#[test]
fn a_look_of_several_has_its_part_of_the_probability_of_error() {
    let rounds = |mean: f64| recording("x", vec![entry("a", mean, 4096.0)]);
    let of = |looks| {
        let rule = JudgeRule { looks, ..JudgeRule::among(1) };
        let document = RunsDocument::judged(rule, None, &[rounds(3000.0), rounds(2700.0)]);
        document.pairs[0].contrasts[0].change_ends_percent().unwrap()
    };
    let (once, often) = (of(1), of(6));
    assert!(often.0 < once.0 && once.1 < often.1, "{once:?} {often:?}");
}

#[test]
fn runs_of_one_plan_usually_lie_as_far_apart_as_the_widest_test_of_them() {
    let run = |a: f64, b: f64| {
        let of = |name: &str, iops: f64| RecordingEntry {
            iops: Known::bare(iops),
            ..entry(name, iops, 4096.0)
        };
        recording("run", vec![of("a", a), of("b", b)])
    };
    let told = usual_distance(&[run(3000.0, 100.0), run(3030.0, 112.0), run(2990.0, 106.0)]);
    let words = "The last 3 runs of this plan lay up to 12 % apart (b: IOPS); ";
    assert!(told.unwrap().to_string().starts_with(words));
}
