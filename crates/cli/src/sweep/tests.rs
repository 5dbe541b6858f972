//! The text output of a sweep, from scripted figures: wide and narrow, with colour and without.

use super::table;
use crate::terminal::screen::{Screen, widest};
use crate::terminal::verdicts::VerdictDetail;
use fathom_campaign::cases::{CaseTime, Setting};
use fathom_campaign::sweep::{
    CaseKey, CaseRecord, Question, SweepDocument, SweepPlan, SweepRequest, curves,
};
use fathom_campaign::{CommonOptions, MeasuringTime};
use fathom_campaign::{Remark, RemarkRecord, cases::CaseFigures};
use fathom_message::Lang;
use fathom_report::read::sweep::report;
use fathom_report::{csv, markdown};
use fathom_stats::{JobResult, RunResult};
use fathom_vocab::Direction;

const WIDE: Screen =
    Screen { width: 80, colour: false, unicode: true, live: false, lang: Lang::En };

/// A document whose cases have the results that `measure` gives for their settings.
fn document(
    axes: &[(&str, &str)],
    measure: impl Fn(&[Setting]) -> Result<RunResult, &'static str>,
) -> SweepDocument {
    let pairs = axes.iter().map(|(name, list)| ((*name).to_owned(), (*list).to_owned()));
    let asked = SweepRequest {
        axes: pairs.collect(),
        rounds: 1,
        common: CommonOptions {
            time: Some(MeasuringTime::PerRun(1_000_000)),
            ..CommonOptions::default()
        },
        ..SweepRequest::default()
    };
    let question = Question::new(&"/mnt".into(), asked).unwrap();
    let mut document: SweepDocument = serde_json::from_value(serde_json::json!({
        "kind": "fathom-sweep", "schema": 1, "fathom_version": "0", "plan_hash": "",
        "status": "finished", "started_ms": 0, "seed": 1, "plan": question.record(),
        "turns": 0, "left_out": [], "sessions": [], "cases": [], "curves": [],
    }))
    .unwrap();
    assert_eq!(SweepPlan::hash(&question).len(), 16);
    assert_eq!(question.time, CaseTime { run_us: 1_000_000, ramp_us: 125_000 });
    for case in question.cases().unwrap() {
        let result = measure(&case.settings);
        let figures = result.as_ref().ok().and_then(|result| {
            CaseFigures::of(&[result], case.depth() * case.jobs(), case.block_bytes())
        });
        document.cases.push(CaseRecord {
            key: CaseKey {
                case: case.index,
                round: 0,
                session: 0,
                depth: case.depth(),
                block_bytes: case.block_bytes(),
                settings: case.settings,
            },
            job: Vec::new(),
            command: format!("fathom fio --name={}", case.name),
            figures,
            failure: result.as_ref().err().map(|why| (*why).to_owned()),
            cut_short: false,
            remarks: Vec::new(),
            verdicts: Vec::new(),
            result: result.ok(),
            mounts: Vec::new(),
        });
    }
    document.curves = curves(&document);
    document
}

/// A second of so many reads and writes of `block` bytes.
fn second(reads: u64, writes: u64, block: u64, latency_ns: u64) -> RunResult {
    let mut job = JobResult::default();
    for (way, ios) in [(Direction::Read, reads), (Direction::Write, writes)] {
        let stats = &mut job.dirs[way];
        (stats.total_ios, stats.io_bytes) = (ios, ios * block);
        stats.runtime_ms = if ios > 0 { 1000 } else { 0 };
        (0..ios.min(1)).for_each(|_| stats.lat.record(latency_ns));
    }
    RunResult { jobs: vec![job], ..RunResult::default() }
}

fn value(settings: &[Setting], axis: &str) -> String {
    settings.iter().find(|s| s.axis == axis).map(|s| s.value.clone()).unwrap()
}

/// Capped at 20,000 reads and 7,090 writes, as the SSD of case A.
fn depths() -> SweepDocument {
    document(&[("rw", "randread,randwrite"), ("iodepth", "1..64")], |settings| {
        let depth: u64 = value(settings, "iodepth").parse().unwrap();
        let (cap, read) = match value(settings, "rw").as_str() {
            "randread" => (20_000, true),
            _ => (7_090, false),
        };
        let ios = (depth * 2_000).min(cap);
        let latency_ns = depth * 1_000_000_000 / ios;
        Ok(second(ios * u64::from(read), ios * u64::from(!read), 4096, latency_ns))
    })
}

#[test]
fn curves_have_bars_a_best_and_a_knee() {
    let text = table::results(&depths(), false, VerdictDetail::Telling, &WIDE);
    let expected = "
rw=randread, by iodepth
  QD    IOPS  MB/s     mean      p99
   1   2,000  8.19   500 us   500 us  ███▋
   2   4,000  16.4   500 us   500 us  ███████▎
   4   8,000  32.8   500 us   500 us  ██████████████▍
   8  16,000  65.5   500 us   500 us  ████████████████████████████▊
  16  20,000  81.9   800 us   799 us  ████████████████████████████████████  knee
  32  20,000  81.9  1.60 ms  1.60 ms  ████████████████████████████████████
  64  20,000  81.9  3.20 ms  3.19 ms  ████████████████████████████████████
  randread: from QD 16 on IOPS stay at 20,000 while latency doubles with queue
    depth: 800 us at 16, 3.20 ms at 64.
  Probably a cap: 20,000 IOPS is a round number.

rw=randwrite, by iodepth
  QD    IOPS  MB/s     mean      p99
   1   2,000  8.19   500 us   500 us  ███▋
";
    assert!(format!("\n{text}").starts_with(expected), "{text}");
    assert!(text.contains("randwrite: from QD 4 on IOPS stay at 7,090"), "{text}");
    assert!(text.contains("\nBest: 20,000 IOPS with rw=randread, iodepth=16"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn the_brief_form_is_the_table_and_what_to_doubt() {
    let brief =
        |document: &SweepDocument| table::results(document, false, VerdictDetail::Brief, &WIDE);
    let one = document(&[("iodepth", "1..64")], |settings| {
        let depth: u64 = value(settings, "iodepth").parse().unwrap();
        let ios = (depth * 2_000).min(20_000);
        Ok(second(ios, 0, 4096, depth * 1_000_000_000 / ios))
    });
    let text = brief(&one);
    assert!(text.starts_with("  QD    IOPS  MB/s     mean      p99\n"), "{text}");
    assert_eq!(text.lines().count(), 8, "{text}");
    let text = brief(&depths());
    assert_eq!(text.lines().filter(|line| line.starts_with("rw=")).count(), 2, "{text}");
    assert_eq!(text.lines().count(), 18, "{text}");
    // A load that did not reach the volume is a warning, and warnings stay.
    let flat = document(&[("iodepth", "1..8")], |_| Ok(second(2_000, 0, 4096, 500_000)));
    assert!(brief(&flat).contains("  ! raising queue depth did not reach the volume"));
    let sizes = document(&[("bs", "4k,8k")], |_| Ok(second(2_000, 0, 4096, 500_000)));
    assert!(brief(&sizes).starts_with("  bs  "), "{}", brief(&sizes));
}

#[test]
fn the_knee_and_the_best_are_told_in_korean_within_the_width() {
    for width in [40, 80, 120] {
        let screen = Screen { width, lang: Lang::Ko, ..WIDE };
        let text = table::results(&depths(), false, VerdictDetail::Telling, &screen);
        assert!(width == 40 || text.contains(" 포화점\n"), "{text}");
        let whole = text.replace("\n  ", " ");
        assert!(whole.contains("최대: 20,000 IOPS(rw=randread, iodepth=16)"), "{text}");
        assert!(!text.contains("knee") && !text.contains("Best"), "{text}");
        assert!(widest(&text) <= width, "{width}: {text}");
    }
}

#[test]
fn mixes_show_reads_writes_and_both() {
    let axes = [("cache", "in,out"), ("rwmix", "100:0..0:100/50")];
    let document = document(&axes, |settings| {
        let part: u64 = if value(settings, "cache") == "in" { 1 } else { 2 };
        Ok(match value(settings, "rwmix").as_str() {
            "100:0" => second(40_000 / part, 0, 4096, 100_000),
            "50:50" => second(10_000 / part, 10_000 / part, 4096, 200_000),
            _ => second(0, 10_000 / part, 4096, 400_000),
        })
    });
    let text = table::results(
        &document,
        false,
        VerdictDetail::Telling,
        &Screen { unicode: false, ..WIDE },
    );
    let expected = "
cache=in, by rwmix
    mix  reads/s  writes/s    IOPS  MB/s    mean      p99
  100:0   40,000         -  40,000   164  100 us  99.8 us  ###############  best
  50:50   10,000    10,000  20,000  81.9  200 us   200 us  ####====
  0:100        -    10,000  10,000  41.0  400 us   399 us  ####

cache=out, by rwmix
";
    assert!(format!("\n{text}").starts_with(expected), "{text}");
    let half = "  100:0   20,000         -  20,000  81.9  100 us  99.8 us  ########         best\n";
    assert!(text.contains(half), "{text}");
}

#[test]
fn a_narrow_screen_gets_the_same_figures_under_each_other() {
    let text =
        table::results(&depths(), false, VerdictDetail::Telling, &Screen { width: 30, ..WIDE });
    assert!(
        text.contains("  16\n    20,000 IOPS, 81.9 MB/s\n    mean 800 us, p99 799 us\n"),
        "{text}"
    );
    assert!(text.lines().all(|line| line.chars().count() <= 30), "{text}");
    let without_bars =
        table::results(&depths(), false, VerdictDetail::Telling, &Screen { width: 46, ..WIDE });
    assert!(without_bars.contains("   800 us   799 us  knee\n"), "{without_bars}");
}

#[test]
fn the_knee_is_green_where_colour_is() {
    let text =
        table::results(&depths(), false, VerdictDetail::Telling, &Screen { colour: true, ..WIDE });
    assert_eq!(text.matches("\x1b[32m").count(), 2);
    assert_eq!(text.matches("knee\x1b[0m\n").count(), 2);
}

#[test]
fn what_failed_and_what_is_to_know_is_told_once() {
    let mut document =
        document(&[("iodepth", "1..8")], |settings| match value(settings, "iodepth").as_str() {
            "4" => Err("No space left on device"),
            _ => Ok(second(2_000, 0, 4096, 500_000)),
        });
    for case in [0, 1, 3] {
        let remark = Remark::ShortTransfers { off_percent: -9.0 };
        let text = remark.to_string();
        document.cases[case].remarks.push(RemarkRecord { remark, text });
    }
    let text = table::results(&document, false, VerdictDetail::Telling, &WIDE);
    assert!(text.contains("   4      -     -       -       -\n"), "{text}");
    assert!(text.contains("  ! iodepth=4: FAILED: No space left on device\n"), "{text}");
    assert!(text.contains("  ! iodepth=1: MB/s lie -9 % from"), "{text}");
    assert_eq!(text.matches("MB/s lie").count(), 1);
    assert!(text.contains("(2 more runs are alike.)"), "{text}");
    // Latency does not grow though depth does: the load did not get there.
    assert!(
        text.contains("  ! raising queue depth did not reach the volume: from QD 1 to"),
        "{text}"
    );
}

#[test]
fn a_spreadsheet_gets_a_line_for_each_case_and_each_failure() {
    let mut document = depths();
    document.cases[3].failure = Some("a \"word\", and more".to_owned());
    document.cases.reverse();
    let text = csv(&report(&document, Lang::En)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let heading = "rw,iodepth,iops,read_iops,write_iops,bytes_per_s,mean_ns,p50_ns,p99_ns,p999_ns,\
                   max_ns,rounds,spread_percent,failure";
    assert_eq!(lines[0], heading);
    let first = "randread,1,2000,,,8192000,500000,500000,500000,500000,500000,1,,";
    assert!(lines.contains(&first), "{text}");
    assert!(text.contains(",\"a \"\"word\"\", and more\""), "{text}");
}

#[test]
fn a_page_in_markdown_has_every_case_and_what_bends_its_curves() {
    let text = markdown(&report(&depths(), Lang::En));
    let sentence = "**/mnt: 20,000 IOPS from bs=4k rw=randread iodepth=16 on; more only waits \
                    longer.**";
    assert!(text.starts_with(&format!("# Sweep of /mnt\n\n- {sentence}\n")), "{text}");
    assert!(text.contains("| rw | iodepth | IOPS | Throughput (MB/s) |"), "{text}");
    assert!(text.contains("| randread | 1 | 2,000 | 8.19 | 500 us |"), "{text}");
    assert!(text.contains("From QD 16 on IOPS stay at 20,000"), "{text}");
    let korean = markdown(&report(&depths(), Lang::Ko));
    assert!(
        korean.contains("# /mnt 스윕\n") && korean.contains("## 다시 측정하는 방법"),
        "{korean}"
    );
    assert!(!korean.contains("stay at"), "{korean}");
}
