//! The text output of a search, from scripted steps: wide and narrow, successful and not.

use super::table;
use crate::terminal::screen::{Screen, widest};
use crate::terminal::verdicts::VerdictDetail;
use fathom_analysis::{Cap, CapConfidence, CapFinding, CapKind, Evidence, RateUnit};
use fathom_campaign::limit::{
    Criterion, CriterionMeasure, LimitDocument, LoadLevel, Parts, SearchVerdict, StepFinding,
    StepKey, StepReading, StepRecord,
};
use fathom_campaign::verdicts::Answer;
use fathom_campaign::{DocumentSummary, Remark, RemarkRecord};
use fathom_host::System;
use fathom_message::Lang;
use serde_json::{Value, json};

const WIDE: Screen =
    Screen { width: 80, colour: false, unicode: true, live: false, lang: Lang::En };

/// A document with these criteria (percentile and nanoseconds) and steps, and an answer.
fn document(criteria: &[(f64, u64)], steps: Vec<StepRecord>, low: Option<u64>) -> LimitDocument {
    let criterion = |(percent, under_ns): &(f64, u64)| Criterion {
        measure: CriterionMeasure::Percentile { percent: *percent },
        under_ns: *under_ns,
    };
    let criteria: Vec<Criterion> = criteria.iter().map(criterion).collect();
    let volume = json!({
        "name": "/mnt", "kind": {"is": "folder"}, "path": "/mnt",
        "mount": {"mount_point": "/mnt", "root": "", "source": "/dev/sda", "fstype": "xfs",
                  "options": ["rw"], "major": 8, "minor": 0},
        "storage": {"kind": "virtual", "fstype": "xfs"}, "space": null,
        "io_path": "/mnt/.fathom-1-0", "test_file": true, "size_bytes": 1 << 30,
        "fill_bytes": 1 << 30, "writes": true,
    });
    serde_json::from_value(json!({
        "kind": "fathom-limit", "schema": 1, "fathom_version": "0", "started_ms": 1,
        "interrupted": false, "host": System::default(), "volume": volume, "ways": [],
        "remarks": [],
        "question": {
            "criteria": criteria, "rw": "randread", "block_bytes": 4096, "depth": 256,
            "arrivals": "poisson", "time": {"run_us": 10_000_000, "ramp_us": 1_250_000},
            "precision": 0.03, "most_steps": 30, "seed": 1,
        },
        "answer": {
            "verdict": "found", "rate_iops": low, "low": low, "high": 13_000, "odd": [],
            "failure": null, "text": "4 KiB random read: 12,400 IOPS keep p99 under 1 ms",
            "cautions": [],
        },
        "steps": steps,
    }))
    .unwrap()
}

fn parts(response_ms: f64) -> Parts {
    Parts {
        wait_ns: response_ms * 4e5,
        service_ns: response_ms * 7e5,
        response_ns: response_ms * 1e6,
        least_response_ns: None,
    }
}

fn step(load: LoadLevel, finding: Option<StepFinding>, responses_ms: &[f64]) -> StepRecord {
    let overdue_ios = if finding == Some(StepFinding::Overload) { 10_000 } else { 0 };
    let iops = match load {
        LoadLevel::Rate { rate_iops } => rate_iops as f64,
        _ => 21_345.0,
    };
    let parts = responses_ms.iter().map(|ms| parts(*ms)).collect();
    let was_full = true;
    let reading =
        StepReading { iops, ios: 90_000, overdue_ios, was_full, parts, ..StepReading::default() };
    StepRecord {
        key: StepKey { load, finding, reading: Some(reading) },
        job: Vec::new(),
        command: String::new(),
        figures: None,
        failure: None,
        cut_short: false,
        remarks: Vec::new(),
        verdicts: Vec::new(),
        result: None,
        mounts: Vec::new(),
    }
}

fn results(document: &LimitDocument, quiet: bool, screen: &Screen) -> String {
    table::results(document, quiet, VerdictDetail::Telling, screen)
}

fn at(rate_iops: u64, finding: StepFinding, responses_ms: &[f64]) -> StepRecord {
    step(LoadLevel::Rate { rate_iops }, Some(finding), responses_ms)
}

fn usual() -> LimitDocument {
    let steps = vec![
        step(LoadLevel::Deep, None, &[12.0]),
        step(LoadLevel::Alone, None, &[0.2]),
        at(9, StepFinding::Keeps, &[0.2]),
        at(12_400, StepFinding::Keeps, &[0.9]),
        at(13_000, StepFinding::TooSlow, &[4.2]),
        at(21_000, StepFinding::Overload, &[800.0]),
    ];
    document(&[(99.0, 1_000_000)], steps, Some(12_400))
}

#[test]
fn every_step_has_a_row_and_the_answer_stands_below() {
    assert_eq!(
        results(&usual(), false, &WIDE),
        "\
Wait, service and response at p99; what counts is response, from due to done.
Bars: response beside what it must stay under (│); ▸ lies beyond.
    offered    IOPS     wait  service  response
max, QD 256  21,345        -  8.40 ms   12.0 ms  ███████████████▸  ceiling
  max, QD 1  21,345        -   140 us    200 us  ███            │  floor
     9 IOPS     9.0  80.0 us   140 us    200 us  ███            │  PASS
12,400 IOPS  12,400   360 us   630 us    900 us  █████████████▌ │  PASS
13,000 IOPS  13,000  1.68 ms  2.94 ms   4.20 ms  ███████████████▸  FAIL
21,000 IOPS  21,000   320 ms   560 ms    800 ms  ███████████████▸  overload 10 %
12,400 IOPS kept it in 1 of 1 runs, 13,000 IOPS missed it in 1 of 1.
"
    );
}

#[test]
fn the_brief_form_has_the_steps_that_decide() {
    let text = table::results(&usual(), false, VerdictDetail::Brief, &WIDE);
    let expected = "
  offered        IOPS      p99
  max, QD 256  21,345  12.0 ms  ceiling
  max, QD 1    21,345   200 us  floor
  12,400 IOPS  12,400   900 us  PASS
  13,000 IOPS  13,000  4.20 ms  FAIL
  - 2 more steps: --verbose shows them.
";
    assert_eq!(format!("\n{text}"), expected);
    let mut long = usual();
    let again = at(13_000, StepFinding::TooSlow, &[4.2]);
    long.steps.extend(std::iter::repeat_n(again, 20));
    let text = table::results(&long, false, VerdictDetail::Brief, &WIDE);
    assert_eq!(text.lines().count(), 10, "{text}");
    assert!(text.contains("18 more steps"), "{text}");
    // Where no rate was judged, the last ones stand.
    (long.answer.low, long.answer.high) = (None, None);
    let text = table::results(&long, false, VerdictDetail::Brief, &WIDE);
    assert_eq!(text.matches("  13,000 IOPS").count(), 6, "{text}");
    let narrow = Screen { width: 30, ..WIDE };
    let text = table::results(&usual(), false, VerdictDetail::Brief, &narrow);
    assert!(text.contains("  12,400 IOPS: PASS\n    12,400, 900 us\n"), "{text}");
}

/// The rows of the brief form, and the sentence on runs that disagreed.
fn brief(document: &LimitDocument, lang: Lang) -> String {
    table::results(document, false, VerdictDetail::Brief, &Screen { lang, ..WIDE })
}

/// The answer's own run that failed is older than all the others.
#[test]
fn a_run_at_the_answer_that_failed_has_a_row_and_a_sentence() {
    assert!(!brief(&usual(), Lang::En).contains("kept it in"));
    let mut split = usual();
    let own = [StepFinding::Overload, StepFinding::Keeps, StepFinding::Keeps, StepFinding::Keeps];
    split.steps.truncate(2);
    split.steps.extend(own.map(|finding| at(12_400, finding, &[0.9])));
    split.steps.push(at(13_000, StepFinding::Keeps, &[0.9]));
    let missed = at(13_000, StepFinding::TooSlow, &[4.2]);
    split.steps.extend(std::iter::repeat_n(missed, 3));
    let text = brief(&split, Lang::En);
    let rows = [
        "  12,400 IOPS  12,400   900 us  overload 10 %\n",
        "  12,400 IOPS  12,400   900 us  PASS\n",
        "  13,000 IOPS  13,000   900 us  PASS\n",
        "  13,000 IOPS  13,000  4.20 ms  FAIL\n",
    ];
    assert!(rows.iter().all(|row| text.contains(row)), "{text}");
    let told = "  - 12,400 IOPS kept it in 3 of 4 runs, 13,000 IOPS missed it in 3 of 4.\n";
    assert!(text.ends_with(told) && text.lines().count() == 10, "{text}");
    let korean = brief(&split, Lang::Ko);
    assert!(
        korean.contains("  - 12,400 IOPS는 4회 중 3회 충족, 13,000 IOPS는 4회 중 3회 미달.\n"),
        "{korean}"
    );
}

#[test]
fn the_rate_at_which_this_machine_was_late_has_rows() {
    let mut late = usual();
    late.steps.truncate(4);
    let spoilt = at(13_000, StepFinding::Late, &[16.7]);
    late.steps.extend(std::iter::repeat_n(spoilt, 4));
    late.answer.high = None;
    late.answer.late_iops = Some(13_000);
    assert!(!brief(&late, Lang::En).contains("machine late"), "a lower rate decided");
    late.answer.verdict = SearchVerdict::HostLate;
    let text = brief(&late, Lang::En);
    assert_eq!(text.matches("  13,000 IOPS  13,000  16.7 ms  machine late\n").count(), 4, "{text}");
    assert!(text.contains("  12,400 IOPS  12,400   900 us  PASS\n"), "{text}");
    let summary = late.clone().with_summary().head.summary;
    let told = "12,400 IOPS or more keep p99 under 1 ms; this host was late at 13,000 IOPS.";
    assert!(summary.contains(": UNDECIDED: ") && summary.ends_with(told), "{summary}");
}

#[test]
fn bars_fit_the_width_and_words_are_in_the_readers_language() {
    for (width, bar) in [(40, 0), (68, 0), (80, 13), (120, 50)] {
        for lang in Lang::ALL {
            // Korean words are narrower here, and leave the bar more.
            let text = results(&usual(), false, &Screen { width, lang, ..WIDE });
            let row = text.lines().find(|line| line.contains("21,000 IOPS  21,000"));
            let gauge = row.map_or(0, |row| row.chars().filter(|c| "█▸".contains(*c)).count());
            assert!(gauge >= bar && (bar > 0 || lang == Lang::Ko || gauge == 0), "{width}: {text}");
            assert!(text.lines().all(|line| widest(line) <= width.max(48)), "{width}: {text}");
        }
    }
    let korean = results(&usual(), false, &Screen { lang: Lang::Ko, ..WIDE });
    for words in [
        "  최대 속도\n",
        "  최소 지연\n",
        "  PASS(충족)\n",
        "  FAIL(미달)\n",
        "  과부하 10 %\n",
        "막대:",
    ] {
        assert!(korean.contains(words), "{words:?}: {korean}");
    }
    let plain = results(&usual(), false, &Screen { unicode: false, ..WIDE });
    assert!(plain.is_ascii() && plain.contains("############>  FAIL\n"), "{plain}");
}

#[test]
fn other_criteria_have_columns_of_their_own_and_narrow_screens_lines() {
    let steps = vec![
        step(LoadLevel::Alone, None, &[0.1, 0.2]),
        at(12_400, StepFinding::Keeps, &[0.3, 0.9]),
        at(21_000, StepFinding::Overload, &[700.0, 800.0]),
    ];
    let document = document(&[(50.0, 400_000), (99.0, 1_000_000)], steps, Some(12_400));
    let wide = results(&document, false, &WIDE);
    assert!(wide.lines().all(|line| line.chars().count() <= 80), "{wide}");
    assert!(wide.contains("offered    IOPS     p50"), "{wide}");
    let narrow = results(&document, false, &Screen { width: 40, ..WIDE });
    assert!(narrow.lines().all(|line| line.chars().count() <= 48), "{narrow}");
    assert!(narrow.contains("  12,400 IOPS: PASS\n    12,400 IOPS, p50 300 us, p99 900 us\n"));
    assert!(narrow.contains("    wait 360 us, service 630 us\n"), "{narrow}");
    assert!(narrow.contains("  max, QD 1: floor\n"), "{narrow}");
}

#[test]
fn colour_marks_what_the_answer_rests_on() {
    let text = results(&usual(), false, &Screen { colour: true, ..WIDE });
    let green: Vec<&str> = text.lines().filter(|line| line.contains("\x1b[32m")).collect();
    assert!(green.len() == 1 && green[0].contains("12,400 IOPS"), "{text}");
}

#[test]
fn a_step_of_few_ios_or_beside_other_programs_is_no_plain_fail() {
    let mut beside = at(13_000, StepFinding::TooSlow, &[4.2]);
    beside.key.reading.as_mut().unwrap().others_busy = Some(0.8);
    let steps = vec![at(12_400, StepFinding::TooFew, &[4.2]), beside];
    let document = document(&[(99.0, 1_000_000)], steps, None);
    let text = results(&document, false, &WIDE);
    assert!(text.contains("▸  too few I/Os\n") && text.contains("▸  FAIL, host busy\n"), "{text}");
    let korean = results(&document, false, &Screen { lang: Lang::Ko, ..WIDE });
    assert!(
        korean.contains("▸  I/O 부족\n") && korean.contains("▸  FAIL(미달), 다른 부하"),
        "{korean}"
    );
}

#[test]
fn what_went_wrong_and_what_to_know_stand_above_the_answer() {
    let mut document = usual();
    let busy = Remark::QueueNotFull { depth: 8, in_flight: 7.1 };
    let record = RemarkRecord { text: busy.to_string(), remark: busy };
    document.steps[4].remarks.push(record.clone());
    document.steps[5].remarks.push(record);
    let mut failed = at(14_000, StepFinding::Keeps, &[]);
    (failed.key.reading, failed.key.finding) = (None, None);
    failed.failure = Some("Input/output error".to_owned());
    document.steps.push(failed.clone());
    (failed.failure, failed.cut_short) = (None, true);
    document.steps.push(failed);
    document.answer.cautions.push("Steps of 2 s are short.".to_owned());
    let text = results(&document, false, &WIDE);
    for words in [
        "14,000 IOPS       -        -        -         -                    failed\n",
        "14,000 IOPS       -        -        -         -                    stopped\n",
        "\n  ! 14,000 IOPS: FAILED: Input/output error\n",
        "  ! Queues were not full in 2 of 8 steps",
        "  ! Steps of 2 s are short.\n12,400 IOPS kept it",
    ] {
        assert!(text.contains(words), "{words:?}: {text}");
    }
}

#[test]
fn with_the_heading_gone_its_remarks_stand_first() {
    let mut document = usual();
    let memory = Remark::Memory { what: "tmpfs".to_owned() };
    document.setup.remarks.push(RemarkRecord { text: memory.to_string(), remark: memory });
    assert!(results(&document, true, &WIDE).starts_with("  ! tmpfs is memory"));
    assert!(!results(&document, false, &WIDE).contains("tmpfs"));
    document.answer.cautions.push("Steps of 2 s are short.".to_owned());
    let warnings = table::warnings(&document);
    for words in ["tmpfs is memory", "Steps of 2 s are short."] {
        assert!(warnings.iter().any(|text| text.starts_with(words)), "{words:?}: {warnings:?}");
    }
}

#[test]
fn a_cap_that_a_step_met_is_named() {
    let mut document = usual();
    let cap = Cap {
        kind: CapKind::Iops,
        value: 20_990.0,
        or: None,
        evidence: vec![Evidence::RoundNumber { value: 21_000.0, unit: RateUnit::Ios }],
        confidence: CapConfidence::High,
    };
    let told = |document: &LimitDocument| document.clone().with_summary().head.summary;
    assert!(!told(&document).contains("capped"), "{}", told(&document));
    document.steps[0].verdicts = vec![Answer::Capped(CapFinding::Capped(cap)).into()];
    assert!(told(&document).ends_with("Seen: capped at 21,000 IOPS."), "{}", told(&document));
}

#[test]
fn a_document_reads_back_as_it_was_written() {
    let value: Value = serde_json::to_value(usual()).unwrap();
    assert_eq!(value["steps"][3]["load"], "rate");
    assert_eq!(value["steps"][3]["rate_iops"], 12_400);
    assert_eq!(value["steps"][3]["finding"], "keeps");
    assert_eq!(value["question"]["criteria"][0]["percent"], 99.0);
}
