//! The text output of a comparison of three volumes, from rounds with chosen figures.

use super::{brief, table};
use crate::terminal::screen::Screen;
use crate::terminal::verdicts::VerdictDetail;
use fathom_analysis::{Difference, JudgeRule, Lack, Ranking, SharedRounds};
use fathom_campaign::compare::{CompareDocument, Judged, PhaseFinding, VolumeStanding};
use fathom_document::{Remark, RemarkRecord};
use fathom_message::Lang;
use serde_json::{Value, json};

const SCREEN: Screen =
    Screen { width: 80, colour: false, unicode: true, live: false, lang: Lang::En };

fn volume(name: &str) -> Value {
    json!({
        "name": name, "kind": {"is": "folder"},
        "mount": {"mount_point": "/", "root": "/", "source": "/dev/vda", "fstype": "ext4",
            "options": [], "major": 8, "minor": 0},
        "storage": {"kind": "virtual", "fstype": "ext4"},
        "space": null, "io_path": format!("{name}/file"), "test_file": true,
        "size_bytes": 1u64 << 30, "fill_bytes": 0, "writes": true,
        "method": {"engine": "io_uring", "direct": true, "why_not_direct": null,
            "why_not_first_engine": null},
        "remarks": [], "failure": null,
    })
}

/// A test of the volumes in these rounds.
fn finding(title: &str, judged: Judged, names: &[&str], rounds: &[[f64; 5]]) -> PhaseFinding {
    let values = |at: usize| rounds[at].map(Some).to_vec();
    let shared = SharedRounds::new((0..names.len()).map(|at| (names[at].to_owned(), values(at))));
    let (better, rule) = (judged.better(), JudgeRule::among(4));
    let standing = |at: usize| VolumeStanding {
        volume: at,
        side: shared.side(at),
        values: values(at),
        mean_latency_ns: 1e6,
        over_first: (at > 0).then(|| shared.compare([0, at], better, rule)),
    };
    PhaseFinding {
        phase: 0,
        title: title.to_owned(),
        judged,
        standings: (0..names.len()).map(standing).collect(),
        ranking: Some(Ranking::of_rounds(&shared, better, rule)),
        sentences: Vec::new(),
    }
}

/// Two volumes of one speed and a slow one that varies, in one test and in another that shows less.
fn document(names: [&str; 3]) -> CompareDocument {
    let steady = |level: f64| [1.0, 1.01, 0.99, 1.005, 0.995].map(|part| part * level);
    let rates = [[100.0, 300.0, 90.0, 310.0, 240.0], steady(3000.0), steady(3001.0)];
    let slow = [3e6, 20e6, 2e6, 1.8e6, 4e6];
    let latencies = [slow, steady(0.332e6), steady(0.331e6)];
    let mut document: CompareDocument = serde_json::from_value(json!({
        "kind": "fathom-compare", "schema": 1, "fathom_version": "0", "started_ms": 0,
        "interrupted": false, "host": fathom_host::System::default(),
        "volumes": names.map(volume),
        "plan": {"phases": [], "rounds": 5, "time": {"run_us": 1, "ramp_us": 0}, "steps": 1,
                 "seed": 1, "fill_bytes": 0},
        "runs": [], "findings": [],
    }))
    .unwrap();
    document.findings = vec![
        finding("4 KiB random read, QD 32", Judged::Iops, &names, &rates),
        finding("4 KiB random write, QD 1", Judged::MeanLatencyNs, &names, &latencies),
    ];
    document
}

fn text(document: &CompareDocument, screen: &Screen) -> String {
    brief::results(document, false, screen).unwrap()
}

#[test]
fn the_best_two_of_three_are_marked_and_rounds_on_one_side_have_their_range() {
    let document = document(["/mnt/hdd", "/mnt/ssd", "/mnt/nas"]);
    let said = text(&document, &SCREEN);
    assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
    let row = |name: &str, nth: usize| -> Vec<&str> {
        let mut rows = said.lines().filter(|line| line.contains(name));
        rows.nth(nth).unwrap_or_default().split("  ").map(str::trim).collect()
    };
    assert!(!row("hdd", 0).contains(&"= best") && !row("hdd", 1).contains(&"= best"), "{said}");
    for name in ["ssd", "nas"] {
        assert!(row(name, 0).contains(&"= best"), "{said}");
        assert!(row(name, 1).contains(&"= best"), "{said}");
    }
    assert!(row("ssd", 0).iter().any(|cell| cell.contains("x faster (")), "{said}");
    // Whether or not the statistics show it, the reader sees the factor and its direction.
    assert!(row("ssd", 1).iter().any(|cell| cell.contains("x faster")), "{said}");
    assert!(said.contains("  = best: equal to the best.\n"), "{said}");
    let korean = text(&document, &Screen { lang: Lang::Ko, ..SCREEN });
    assert!(korean.contains("배 빠름(") && korean.contains("공동 1위"), "{korean}");
}

#[test]
fn long_paths_keep_the_ends_that_tell_them_apart() {
    let names = ["hdd", "ssd", "nas"].map(|name| format!("/srv/storage/benchmarks/today/{name}"));
    let [hdd, ssd, nas] = &names;
    let said = text(&document([hdd, ssd, nas]), &SCREEN);
    assert!(said.lines().all(|line| line.chars().count() <= 80), "{said}");
    assert!(said.contains("/ssd  ") && said.contains("= best"), "{said}");
}

#[test]
fn the_long_table_marks_the_best_too() {
    let document = document(["/mnt/hdd", "/mnt/ssd", "/mnt/nas"]);
    let said = table::results(&document, false, VerdictDetail::All, &SCREEN);
    assert_eq!(said.matches("  = best").count(), 5, "{said}");
}

#[test]
fn rounds_on_one_side_that_are_not_shown_have_their_range() {
    let document = document(["/mnt/hdd", "/mnt/ssd", "/mnt/nas"]);
    let mut finding = document.findings[1].clone();
    let lack = Lack::NearZero { side: "/mnt/hdd".to_owned() };
    for standing in &mut finding.standings {
        if let Some(over) = &mut standing.over_first {
            over.difference = Difference::NotEnough { lack: lack.clone() };
        }
    }
    let open = CompareDocument { findings: vec![finding], ..document };
    let said = text(&open, &SCREEN);
    assert!(said.contains("  ? (5x to 60"), "{said}");
    assert!(said.contains("x faster)  "), "{said}");
    assert!(
        said.contains("  ? (…): cannot tell yet, though every round lay in this range."),
        "{said}"
    );
    assert!(!said.contains("too far apart"), "{said}");
    let korean = text(&open, &Screen { lang: Lang::Ko, ..SCREEN });
    assert!(korean.contains("?(5배~60") && korean.contains("배 빠름)"), "{korean}");
}

#[test]
fn volumes_of_one_disk_have_their_figures_and_no_change_also_in_older_documents() {
    // Documents of before were judged, whatever the disk.
    let mut document = document(["/mnt/a", "/mnt/b", "/mnt/c"]);
    for volume in document.volumes.iter_mut().skip(1) {
        let remark = Remark::SamePlace { other: "/mnt/a".to_owned() };
        volume.remarks = vec![RemarkRecord { text: String::new(), remark }];
    }
    let said = text(&document, &SCREEN);
    assert_eq!(said.matches("  same disk").count(), 4, "{said}");
    for words in ["faster", "best", "(…)", "uncertain", "%"] {
        assert!(!said.contains(words), "{words}: {said}");
    }
    let korean = text(&document, &Screen { lang: Lang::Ko, ..SCREEN });
    assert_eq!(korean.matches("  같은 디스크").count(), 4, "{korean}");
}
