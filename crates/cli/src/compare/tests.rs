//! What people see of runs that are compared, from fio's JSON with figures of our choosing.

use super::runs_text;
use crate::terminal::screen::Screen;
use fathom_campaign::compare::{Recording, RunsDocument};
use fathom_message::Lang;
use fathom_report::detail::{runs_csv, runs_markdown};
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

fn document() -> RunsDocument {
    let before = recording("before.json", &[("a", 3000.0), ("b", 500.0), ("old", 1.0)]);
    let after = recording("after.json", &[("a", 2700.0), ("b", 505.0)]);
    RunsDocument::new(&[before, after])
}

#[test]
fn a_change_stands_with_both_figures_its_interval_and_a_verdict() {
    let text = runs_text::text(&document(), false, &WIDE);
    let expected = "
before.json (fio-3.33)
after.json (fio-3.33)

after.json against before.json
  a, read
    IO/s          3,000 IO/s ± 0.47 % -> 2,700 IO/s ± 0.52 %    -10 %
      -11 % to -9.4 % (95 % sure): WORSE
    mean latency              10.7 ms ->             11.9 ms    +11 %
      no spread known, so no confidence
  b, read
    IO/s             500 IO/s ± 2.8 % ->    505 IO/s ± 2.8 %   +1.0 %
      -2.8 % to +4.9 % (95 % sure): no difference shown (under 5.5 % would often
        not show)
    mean latency              64.0 ms ->             63.4 ms  -0.99 %
      no spread known, so no confidence
  ! only in before.json: old, read

Where a side is one run, its intervals say how well that run is known, not how
the next would differ; `fathom compare` on the volumes repeats.
";
    assert_eq!(format!("\n{text}"), expected);
}

#[test]
fn a_change_is_judged_in_korean_on_screens_and_in_english_in_documents() {
    let korean = runs_text::text(&document(), false, &Screen { lang: Lang::Ko, ..WIDE });
    for words in ["(신뢰도 95 %): 더 나쁨", "차이가 확인되지 않음", "  ! before.json에만 있음: old"]
    {
        assert!(korean.contains(words), "{words:?}: {korean}");
    }
    assert!(!korean.contains("WORSE") && !korean.contains("no spread"), "{korean}");
    assert!(runs_markdown(&document()).contains("| WORSE |"));
}

#[test]
fn narrow_and_plain_screens_lose_no_figure() {
    let narrow = Screen { width: 50, unicode: false, ..WIDE };
    let text = runs_text::text(&document(), true, &narrow);
    assert!(text.is_ascii() && text.lines().all(|line| line.len() <= 50), "{text}");
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in ["3,000 IO/s +- 0.47 % -> 2,700 IO/s", "WORSE", "only in before.json"] {
        assert!(flat.contains(words), "{words}: {text}");
    }
    let coloured = runs_text::text(&document(), true, &Screen { colour: true, ..WIDE });
    assert_eq!(coloured.matches("\x1b[31m").count(), 1, "{coloured}");
}

#[test]
fn programs_get_a_line_for_each_figure() {
    let csv = runs_csv(&document());
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(rows.len(), 5, "{csv}");
    assert!(rows[1].starts_with("before.json,after.json,\"a, read\",read,iops,3000.000,"), "{csv}");
    assert!(rows[1].ends_with(",worse") && rows[2].ends_with(",,,unknown"), "{csv}");
    let page = runs_markdown(&document());
    assert!(page.contains("| a, read | IO/s | 3,000 IO/s ± 0.47 % | 2,700 IO/s"), "{page}");
}
