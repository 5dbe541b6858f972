//! The text output of a comparison of runs, from fio's JSON with chosen figures.

use super::{CompareArgs, judged, runs_text};
use crate::output::show::typed;
use crate::terminal::screen::Screen;
use fathom_campaign::compare::{Recording, RunsDocument};
use fathom_document::compare::RecordingDifference;
use fathom_message::Lang;
use fathom_report::{Input, csv, markdown, read, read_data};
use serde_json::json;

const WIDE: Screen =
    Screen { width: 80, colour: false, unicode: true, live: false, lang: Lang::En };

fn recording(name: &str, jobs: &[(&str, f64)]) -> Recording {
    let job = |(name, iops): &(&str, f64)| {
        json!({ "jobname": name, "error": 0, "read": {
            "total_ios": 1000, "iops": iops, "bw_bytes": iops * 4096.0, "iops_stddev": 30.0,
            "iops_samples": 60, "lat_ns": { "mean": 32e9 / iops },
        } })
    };
    let jobs: Vec<_> = jobs.iter().map(job).collect();
    let text = json!({ "fio version": "fio-3.33", "jobs": jobs }).to_string();
    Recording::read(name, &text).unwrap()
}

/// Three runs each, so that they can be judged by how far these lie apart.
fn document() -> RunsDocument {
    let runs = |name: &str, factor: f64| {
        let run = |part: f64| {
            let old = [("old", 1.0)];
            let both = [("a", 3000.0 * factor * (1.0 + part)), ("b", 500.0 * (1.0 + 20.0 * part))];
            let jobs = [&both[..], if factor == 1.0 { &old } else { &[] }].concat();
            recording(&format!("{name}.json"), &jobs)
        };
        Recording::baseline(name, &[-0.001, 0.0, 0.001].map(run))
    };
    RunsDocument::new(&[runs("before", 1.0), runs("after", 0.9)])
}

/// The same of one run a side.
fn of_single_runs() -> RunsDocument {
    let before = recording("before.json", &[("a", 3000.0), ("b", 500.0), ("old", 1.0)]);
    let after = recording("after.json", &[("a", 2700.0), ("b", 505.0)]);
    RunsDocument::new(&[before, after])
}

#[test]
fn a_change_stands_with_both_figures_its_interval_and_a_verdict() {
    let text = runs_text::text(&document(), false, &WIDE);
    let head = "before (fio-3.33); after (fio-3.33)
  ! before: the baseline is 3 runs: before.json, before.json, before.json
  ! after: the baseline is 3 runs: after.json, after.json, after.json

after against before
  a, read
    IOPS  3,000 IOPS ± 0.25 % -> 2,700 IOPS ± 0.25 %  10.0 % slower
";
    assert!(text.starts_with(head), "{text}");
    for words in ["(99 % sure of all 2): WORSE", "equal within 5 %", "! only in before: old"] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

#[test]
fn one_run_a_side_is_shown_without_a_verdict() {
    let text = runs_text::text(&of_single_runs(), false, &Screen { colour: true, ..WIDE });
    let expected = "
before.json (fio-3.33); after.json (fio-3.33)

after.json against before.json
  a, read
    IOPS  3,000 IOPS ± 0.47 % -> 2,700 IOPS ± 0.52 %   10 % slower
  b, read
    IOPS     500 IOPS ± 2.8 % ->    505 IOPS ± 2.8 %  1.0 % faster
  ! one run a side: shown, not judged; use `measure --repeat 10` or --baseline
  ! only in before.json: old, read
";
    // Only the marks of notes have a colour.
    let plain = text.replace("\x1b[33m!\x1b[0m", "!");
    assert_eq!(format!("\n{plain}"), expected);
}

#[test]
fn runs_stand_with_their_ids_once() {
    let mut document = of_single_runs();
    document.sources[0].id = Some("1m8azb84".to_owned());
    document.sources[1].id = Some("after.json".to_owned());
    let text = runs_text::text(&document, false, &WIDE);
    let sources = "before.json = 1m8azb84 (fio-3.33); after.json (fio-3.33)\n\n";
    assert!(text.starts_with(sources), "{text}");
}

/// Rounds of which nothing can be told, and rounds that are merely uneven.
#[test]
fn words_for_uneven_figures_have_a_legend_and_a_lack_stands_once() {
    let runs = |name: &str, level: [f64; 3]| {
        let run = |iops| recording(name, &[("a", iops), ("b", 10.0 * iops)]);
        Recording::baseline(name, &level.map(run))
    };
    let uneven = RunsDocument::new(&[
        runs("before", [10.0, 3000.0, 500.0]),
        runs("after", [500.0, 501.0, 502.0]),
    ]);
    let text = runs_text::text(&uneven, true, &WIDE);
    assert!(text.contains("  uncertain: too few rounds, or too far apart; --"), "{text}");
    let gated = uneven.with_gate(5.0);
    let text = runs_text::text(&gated, true, &WIDE);
    assert!(text.contains("  uncertain: too few rounds, or too far apart.\n"), "{text}");
    let line = gated.gate_line().map(|line| line.text(Lang::En)).unwrap_or_default();
    // The gate says what to do.
    assert!(line.contains(" rounds a side would decide (`measure --repeat "), "{line}");
    let even = runs_text::text(&document(), true, &WIDE);
    assert!(!even.contains("too far apart"), "{even}");
}

#[test]
fn a_change_is_judged_in_the_reader_s_language_on_screens_and_pages() {
    let korean = runs_text::text(&document(), false, &Screen { lang: Lang::Ko, ..WIDE });
    for words in
        ["    IOPS  ", "신뢰도 99 %): 더 나쁨", "5 % 이내로 같음", "  ! before에만 있음: old"]
    {
        assert!(korean.contains(words), "{words:?}: {korean}");
    }
    assert!(!korean.contains("WORSE") && !korean.contains("no spread"), "{korean}");
    let note = "! before: 기준 실행은 3회입니다";
    assert!(korean.contains(note), "{korean}");
    assert!(page(&document(), Lang::En).contains("| WORSE |"));
    let page = page(&document(), Lang::Ko);
    for words in ["비교\n", "| 지표 | before | after | 변화 |", "| 더 나쁨 |"] {
        assert!(page.contains(words), "{words:?}: {page}");
    }
    assert!(!page.contains("WORSE") && !page.contains("against"), "{page}");
}

#[test]
fn how_runs_differ_beside_their_figures_is_a_warning_for_ci() {
    let mut document = document();
    assert_eq!(judged::warnings(&document), Vec::<String>::new());
    let (before, after) = ("measure".to_owned(), "fio-3.33".to_owned());
    document.pairs[0].unlike.push(RecordingDifference::Command { before, after });
    let warnings = judged::warnings(&document);
    assert!(matches!(&warnings[..], [only] if only.contains("fio-3.33")), "{warnings:?}");
}

#[test]
fn narrow_and_plain_screens_lose_no_figure() {
    let narrow = Screen { width: 50, unicode: false, ..WIDE };
    let text = runs_text::text(&document(), true, &narrow);
    assert!(text.is_ascii() && text.lines().all(|line| line.len() <= 50), "{text}");
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in ["3,000 IOPS +- 0.25 % -> 2,700 IOPS", "WORSE", "only in before"] {
        assert!(flat.contains(words), "{words}: {text}");
    }
    let coloured = runs_text::text(&document(), true, &Screen { colour: true, ..WIDE });
    assert_eq!(coloured.matches("\x1b[31m").count(), 1, "{coloured}");
}

fn input(document: &RunsDocument) -> [Input; 1] {
    [Input::new("x.json", serde_json::to_string(document).unwrap())]
}

fn page(document: &RunsDocument, lang: Lang) -> String {
    markdown(&read(&input(document), lang).unwrap())
}

#[test]
fn programs_get_a_line_for_each_figure() {
    let rows = |document: &RunsDocument| {
        let text = csv(&read_data(&input(document), Lang::En).unwrap()).unwrap();
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let all = rows(&document());
    assert_eq!(all.len(), 3, "{all:#?}");
    assert!(
        all[0].starts_with("name,figure,first,first_value,other,other_value,ratio,"),
        "{all:#?}"
    );
    assert!(all[1].starts_with("\"a, read\",IOPS,before,3000,after,2700,0.9,"), "{all:#?}");
    assert!(all[1].ends_with(",WORSE") && all[2].ends_with(",equal"), "{all:#?}");
    let single = rows(&of_single_runs());
    assert!(single.iter().skip(1).all(|row| row.ends_with(",,,not enough to tell")), "{single:#?}");
    let page = page(&document(), Lang::En);
    assert!(
        page.contains(
            "**after: slower in 1 of 2 tests (10 %); equal within 5 % in 1 of 2 tests.**"
        ),
        "{page}"
    );
    assert!(page.contains("| a, read | IOPS | 3,000 IOPS ± 0.25 % | 2,700 IOPS"), "{page}");
}

#[test]
fn vs_stands_once_between_two_or_more_volumes_on_either_side() {
    let parse = |line: &str| typed::<CompareArgs>(line).unwrap().in_sides();
    let args = parse("compare /a1 /a2 vs /b1 /b2 /b3").unwrap();
    assert_eq!(args.targets.len(), 5);
    assert_eq!(args.sides, [vec![0, 1], vec![2, 3, 4]]);
    assert!(parse("compare /a ./vs").unwrap().sides.is_empty());
    for wrong in ["/a vs /b", "/a1 /a2 vs /b", "vs /a /b", "/a /b vs", "/a /b vs /c /d vs /e /f"] {
        let why = parse(&format!("compare {wrong}")).unwrap_err();
        assert!(why.code() == 2 && why.to_string().contains("a1 a2 a3 vs b1 b2 b3"), "{wrong}");
    }
}
