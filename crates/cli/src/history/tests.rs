//! The text output of the history, from made-up runs: wide and narrow.

use super::list::{Listed, line, table, time};
use super::show::{self, StoredResult};
use crate::terminal::screen::Screen;
use fathom_message::Lang;
use fathom_store::{HistoryFigure, HistoryOutcome, HistoryRun, Key, Sharing, Store};

const WIDE: Screen =
    Screen { width: 120, colour: false, unicode: true, live: false, lang: Lang::En };
const USUAL: Screen = Screen { width: 80, ..WIDE };

/// 2026-08-01 00:00:00 UTC.
const AUGUST_MS: u64 = 1_785_542_400_000;

fn figure(key: Key, label: &str) -> HistoryFigure {
    HistoryFigure {
        label: label.to_owned(),
        key,
        iops: Some(7090.4),
        bytes_per_s: Some(126e6),
        mean_ns: Some(500_000.0),
        p50_ns: Some(480_000.0),
        p99_ns: Some(1_250_000.0),
        p999_ns: Some(2_500_000.0),
        ..HistoryFigure::default()
    }
}

fn run(n: u64) -> HistoryRun {
    HistoryRun {
        kind: "measure".to_owned(),
        started_ms: AUGUST_MS + n * 1000,
        duration_ms: 42_000,
        host: "worker-7".to_owned(),
        folder: "/home/some one".to_owned(),
        command: ["fathom", "measure", "it's"].map(str::to_owned).to_vec(),
        title: "latency, IOPS, throughput".to_owned(),
        targets: vec![format!("/mnt/volumes/very/deep/volume{n}")],
        headline: vec![
            figure(Key::Latency, "4 KiB random read, QD 1"),
            figure(Key::Latency, "4 KiB random write, QD 1"),
            figure(Key::Iops, "4 KiB random read, QD 32"),
            figure(Key::BytesPerS, "1 MiB sequential read, QD 8"),
        ],
        outcome: HistoryOutcome::Ran,
        fathom_version: "0.1.0".to_owned(),
        ..HistoryRun::default()
    }
}

/// The runs as a store gives them, newest first.
fn entries(runs: &[HistoryRun]) -> Vec<Listed> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("history.sqlite3");
    let mut store = Store::open(&path, Sharing::OneHost).unwrap();
    for run in runs {
        store.record(run, "{}").unwrap();
    }
    let entries = store.list(&fathom_store::Filter::default()).unwrap();
    entries.into_iter().map(|entry| Listed { entry, killed: false }).collect()
}

/// The table without names and times, which differ from run to run and from place to place.
fn shown(entries: &[Listed], screen: &Screen) -> String {
    let mut text = table(entries, entries.len() as u64, screen);
    for Listed { entry, .. } in entries {
        let when = super::list::when(entry.run.started_ms);
        text = text.replace(&when, "2026-08-01 00:00");
        text = text.replace(&when[5..], "08-01 00:00");
        text = text.replace(&entry.short_id, &"x".repeat(entry.short_id.len()));
    }
    text
}

fn columns(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap_or(0)
}

fn some() -> Vec<Listed> {
    let labelled = HistoryRun { tags: vec!["before".into(), "nightly".into()], ..run(1) };
    let stopped = HistoryRun {
        outcome: HistoryOutcome::Interrupted,
        targets: vec!["/dev/sdb".into()],
        ..run(2)
    };
    entries(&[labelled, stopped])
}

fn of_bytes(document_bytes: u64) -> StoredResult {
    StoredResult { document_bytes, ..StoredResult::default() }
}

#[test]
fn a_wide_table_has_everything() {
    let text = shown(&some(), &Screen { width: 160, ..WIDE });
    for words in [
        "  randread 4k mean 500 us, 7,090 IOPS, read 1m 126 MB/s",
        "INTERRUPTED, randread 4k mean 500 us",
        "before, nightly",
        "/mnt/volumes/very/deep/volume1",
        "/dev/sdb",
    ] {
        assert!(text.contains(words), "{words}:\n{text}");
    }
    let wider = shown(&some(), &Screen { width: 200, ..WIDE });
    assert!(wider.contains("latency, IOPS, throughput\n"), "{wider}");
}

#[test]
fn the_usual_table_cuts_what_tells_least() {
    let text = shown(&some(), &USUAL);
    let expected = "
id        when         kind     targets     figures                 tags
xxxxxxxx  08-01 00:00  measure  /dev/sdb    INTERRUPTED
xxxxxxxx  08-01 00:00  measure  \u{2026}p/volume1  mean 500 us             before, nig\u{2026}
";
    assert_eq!(format!("\n{text}"), expected);
    assert!(columns(&text) <= 80, "{text}");
    let ascii = shown(&some(), &Screen { unicode: false, ..USUAL });
    assert!(ascii.is_ascii() && ascii.contains("..."), "{ascii}");
}

#[test]
fn sweeps_and_comparisons_are_listed_with_their_result() {
    let sweep = HistoryRun {
        kind: "sweep".into(),
        title: "iodepth".into(),
        headline: vec![figure(Key::Iops, "iodepth=16")],
        ..run(1)
    };
    let compare = HistoryRun {
        kind: "compare".into(),
        title: "b faster in 3 of 6 tests; 2 volumes, 6 tests in 5 rounds".into(),
        ..run(2)
    };
    let text = shown(&entries(&[sweep, compare]), &USUAL);
    assert!(text.contains("  7,090 IOPS (iodepth=16)\n"), "{text}");
    assert!(text.contains("  b faster in 3 of 6 tests\n"), "{text}");
}

#[test]
fn a_result_that_is_too_long_is_cut_between_words() {
    let compare = HistoryRun {
        kind: "compare".into(),
        title: "none of the volumes is the fastest in 6 of 60 tests; 9 volumes".into(),
        tags: vec!["before the change".into()],
        ..run(2)
    };
    let text = shown(&entries(&[compare]), &USUAL);
    let of = text.lines().last().unwrap_or_default();
    assert!(of.contains("  none of the") && columns(&text) <= 80, "{text}");
    let words = of.split("  ").find(|cell| cell.starts_with("none of")).unwrap();
    let last = words.trim_end_matches('\u{2026}').rsplit(' ').next().unwrap();
    let whole = ["the", "volumes", "is", "fastest", "in", "of", "tests"];
    assert!(words.ends_with('\u{2026}') && whole.contains(&last), "{words}");
}

#[test]
fn every_width_is_kept() {
    let entries = some();
    for width in 40..200 {
        let text = shown(&entries, &Screen { width, ..WIDE });
        assert!(columns(&text) <= width, "{width}: {text}");
        // Numbers are shown whole or not at all.
        for cut in ["7,0\u{2026}", "7,090\u{2026}", "50\u{2026}"] {
            assert!(!text.contains(cut), "{width}: {text}");
        }
    }
}

#[test]
fn an_export_loses_its_arguments_before_its_name() {
    let url = "nfs://nas/export?nfsport=20490&mountport=20491&nconnect=8";
    let some = entries(&[HistoryRun { targets: vec![url.to_owned()], ..run(1) }]);
    let narrow = shown(&some, &Screen { width: 110, ..USUAL });
    assert!(narrow.contains("nfs://nas/export ") && !narrow.contains('?'), "{narrow}");
    assert!(shown(&some, &Screen { width: 200, ..USUAL }).contains(url));
}

#[test]
fn that_there_are_more_is_said() {
    let text = table(&some(), 17, &USUAL);
    assert!(text.ends_with("\n2 of 17 runs; --limit 0 lists all.\n"), "{text}");
}

#[test]
fn a_run_without_its_process_is_none_that_goes_on() {
    let mut runs =
        entries(&[HistoryRun { outcome: HistoryOutcome::Running, headline: Vec::new(), ..run(1) }]);
    assert!(shown(&runs, &WIDE).contains("  RUNNING"));
    assert!(show::text(&runs[0], &of_bytes(2), &USUAL).contains("not yet: it is running"));
    runs[0].killed = true;
    let text = shown(&runs, &WIDE);
    assert!(text.contains("  KILLED") && !text.contains("RUNNING"), "{text}");
    assert!(show::text(&runs[0], &of_bytes(2), &USUAL).contains("WITHOUT A WORD: it was killed"));
}

#[test]
fn what_came_from_elsewhere_cannot_steer_the_terminal() {
    let evil = HistoryRun {
        kind: "a\x1b[2J".into(),
        title: "b\x07\n".into(),
        targets: vec!["/c\x1b]0;x\x07".into()],
        tags: vec!["d\r".into()],
        command: vec!["e\x1b".into()],
        headline: vec![figure(Key::Iops, "f\x1b[31m")],
        ..run(1)
    };
    let entries = entries(&[evil]);
    let mut texts = vec![line(&entries[0].entry), show::text(&entries[0], &of_bytes(2), &USUAL)];
    texts.extend([40, 80, 200].map(|width| shown(&entries, &Screen { width, ..WIDE })));
    for text in texts {
        assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
    }
}

#[test]
fn a_run_is_shown_with_what_repeats_it() {
    let entries = entries(&[HistoryRun { tags: vec!["before".into()], ..run(1) }]);
    let text = show::text(&entries[0], &of_bytes(35_840), &USUAL);
    let begun = time(AUGUST_MS + 1000).unwrap().format("%Y-%m-%d %H:%M:%S %:z");
    let expected = format!(
        "{id}  measure
  about     latency, IOPS, throughput
  begun     {begun}, took 42 s
  ended     all was measured
  host      worker-7
  target    /mnt/volumes/very/deep/volume1
  tags      before
  measured  by Fathom 0.1.0
  document  35 KiB of JSON: fathom history show {short} --json

To do it again
  cd '/home/some one' && fathom measure 'it'\\''s'

Figures
                      QD   IOPS  MB/s    mean     p50      p99    p99.9
  4 KiB random read    1  7,090   126  500 us  480 us  1.25 ms  2.50 ms
  4 KiB random write   1  7,090   126  500 us  480 us  1.25 ms  2.50 ms
  4 KiB random read   32  7,090   126  500 us  480 us  1.25 ms  2.50 ms
  1 MiB seq. read      8  7,090   126  500 us  480 us  1.25 ms  2.50 ms
",
        id = entries[0].entry.id,
        short = entries[0].entry.short_id
    );
    assert_eq!(text, expected);
    let less = show::text(&entries[0], &of_bytes(35_840), &Screen { width: 64, ..USUAL });
    let row = "  4 KiB random write, QD 1     7,090   126  500 us  1.25 ms\n";
    assert!(less.contains(row), "{less}");
    let narrow = show::text(&entries[0], &of_bytes(35_840), &Screen { width: 50, ..USUAL });
    let stacked =
        "  4 KiB random read, QD 1\n    7,090 IOPS, 126 MB/s, mean 500 us, p50 480 us, p99 1.25 ms";
    assert!(narrow.contains(stacked), "{narrow}");
}
