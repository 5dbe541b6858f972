//! Reports of real checks.

use super::*;
use crate::read::laws;
use crate::read::sweep::simulated;
use fathom_analysis::RowOutcome;
use fathom_analysis::promise::PromiseVerdict;

fn document(text: &str) -> CheckDocument {
    let mut document: CheckDocument = serde_json::from_str(text).unwrap();
    for run in &mut document.runs {
        // What the document leaves out of its results: ten minutes of 16,000 I/Os a second.
        run.result = Some(simulated(2, 4096, 100, 0.8, 600));
    }
    document
}

fn by_provider() -> CheckDocument {
    document(include_str!("../../../fixtures/check.json"))
}

/// Changes the finding of each run, and concludes it again.
fn conclude(document: &mut CheckDocument, cut_short: bool, change: impl Fn(&mut RunFinding)) {
    for run in &mut document.runs {
        let load = run.key.load.clone();
        let mut finding = run.key.finding.take().unwrap();
        change(&mut finding);
        run.key.finding = Some(finding.concluded(&load, cut_short));
    }
}

fn both(document: &CheckDocument) -> Report {
    let [english, korean] = Lang::ALL.map(|lang| report(document, lang));
    laws::hold(&english);
    laws::hold(&korean);
    english
}

fn chart<'r>(report: &'r Report, id: &str) -> &'r Chart {
    let ids: Vec<&str> = report.charts.iter().map(|chart| chart.id.as_str()).collect();
    report.charts.iter().find(|chart| chart.id == id).unwrap_or_else(|| panic!("{ids:?}"))
}

#[test]
fn a_bullet_has_its_promise_and_the_least_that_keeps_it() {
    let document = by_provider();
    let report = both(&document);
    let bullet = chart(&report, "promise-iops").series[0].points[0];
    assert_eq!((bullet.high, bullet.low), (Some(20_000.0), Some(19_000.0)));
    // The mean that was judged, as everywhere else on the page.
    assert_eq!(bullet.y, document.runs[0].figures.as_ref().unwrap().total.iops);
    assert_eq!(chart(&report, "promise-iops").series[0].shape, Shape::Bullet);
    let says = &chart(&report, "promise-iops").says;
    assert!(says.ends_with("A dotted line is the least that passes."), "{says}");
}

#[test]
fn the_tiles_have_a_limit_of_each_goal() {
    let document = document(include_str!("../../../fixtures/hand.json"));
    let goals = |rows: Vec<LimitRow<'_>>| -> Vec<Goal> {
        of_all_goals(rows).iter().map(|row| row.load.goal).collect()
    };
    let row = |goal, standing| {
        let rows = document.runs.iter().flat_map(CheckTrial::rows);
        let own = rows.filter(|row| row.load.goal == goal).take(1);
        own.map(move |row| LimitRow { standing, ..row }).next().unwrap()
    };
    let (missed, kept) = (Standing::Missed, Standing::Kept);
    let rows = || {
        vec![
            row(Goal::Iops, kept),
            row(Goal::Iops, kept),
            row(Goal::Throughput, kept),
            row(Goal::Throughput, kept),
        ]
    };
    use Goal::{Iops, Throughput};
    assert_eq!(goals(rows()), [Iops, Throughput, Iops, Throughput]);
    let late = [rows(), vec![row(Throughput, missed)]].concat();
    assert_eq!(goals(late), [Throughput, Iops, Throughput, Iops, Throughput]);
}

#[test]
fn a_run_over_time_has_its_promise_as_a_mark_and_says_how_much_of_it_was_enough() {
    let mut document = by_provider();
    let finding = document.runs[0].key.finding.as_mut().unwrap();
    (finding.seconds, finding.reached) = (600, 450);
    let report = both(&document);
    let time = chart(&report, "time-iops-read");
    assert_eq!(time.marks[0].at, 20_000.0);
    assert_eq!(time.marks[1].at, 18_000.0);
    assert!(time.says.contains("450 of 600 seconds (75 %) reached 90 %"), "{}", time.says);
}

#[test]
fn a_throughput_is_drawn_in_bytes_beside_its_promise() {
    let mut document = by_provider();
    let load = &mut document.runs[0].key.load;
    (load.goal, load.block_bytes) = (Goal::Throughput, 262_144);
    let promised = load.promised.rate.unwrap().bytes_per_s;
    let report = both(&document);
    let time = chart(&report, "time-throughput-read");
    assert_eq!((time.y[0].unit, time.marks[0].at), (ChartUnit::BytesPerS, promised));
    let iops = iops_over_time(&document.runs[0].result.as_ref().unwrap().jobs, None, MOST_POINTS);
    assert_eq!(time.series[0].points[0].y, iops[0].y * 262_144.0);
}

#[test]
fn a_volume_named_by_a_dot_is_called_by_its_path() {
    let mut place = by_provider().setup.volume;
    assert_eq!(place::short_name(&place), place.volume.name);
    for name in [".", "..", "./"] {
        (place.volume.name, place.io_path) = (name.into(), "/mnt/data/.fathom-1-0".into());
        assert_eq!(place::short_name(&place), "data", "{name}");
    }
}

#[test]
fn the_volume_lies_on_its_providers_line() {
    let report = both(&by_provider());
    let capacity = chart(&report, "capacity");
    assert_eq!(capacity.series[0].points[1].x, 100e9);
    assert_eq!(capacity.series[1].points[0].x, 500e9);
    assert_eq!(capacity.series[1].shape, Shape::Dots);
    // A promise that the catalogue does not give, as from a file of the user's own.
    let mut document = by_provider();
    for run in &mut document.runs {
        run.key.load.promised.rate.as_mut().unwrap().iops = 12_345.0;
    }
    assert!(!both(&document).charts.iter().any(|chart| chart.id == "capacity"));
}

#[test]
fn what_was_missed_is_said_first() {
    let mut document = by_provider();
    document.standing = Standing::Missed;
    document.runs[1].key.finding.as_mut().unwrap().standing = Standing::Missed;
    document.runs[0].key.finding.as_mut().unwrap().standing = Standing::Kept;
    let report = both(&document);
    assert_eq!(report.answers[0], format!("/mnt/ssd: {}.", document.tell()));
    assert!(report.answers[0].starts_with("/mnt/ssd: FAIL: naver.block_ssd, 1 of "));
    assert!(report.answers[1].contains("write") && report.answers[1].contains(": FAIL, "));
    assert!(report.answers[2].contains("read") && report.answers[2].contains(": PASS, "));
    // That it was missed is no word on how far it can be trusted.
    let first = &report.verdicts[0];
    assert_eq!(first.outcome, Some(RowOutcome::Fail));
    assert_ne!(first.tone, Tone::Bad);
    let page = crate::html(&report).unwrap();
    assert!(
        page.contains("<strong>FAIL</strong>") && !page.contains("<strong>Do not rely"),
        "{first:?}"
    );
}

#[test]
fn a_limit_that_its_figure_does_not_explain_has_its_reason_at_its_row() {
    use fathom_analysis::promise::{IntervalShare, JudgedDirections, PromiseOutcome};
    let mut document = by_provider();
    let run = &mut document.runs[0];
    let load = run.key.load.clone();
    let mut finding = run.key.finding.take().unwrap();
    finding.client.verdict = fathom_analysis::ClientVerdict::Roomy;
    finding.judgement.verdicts.push(PromiseVerdict {
        way: JudgedDirections::Read,
        outcome: PromiseOutcome::Missed,
        evidence: PromiseEvidence::Intervals(IntervalShare {
            intervals: 30,
            interval_s: 1.0,
            reached: 28,
            threshold_iops: 18_000.0,
            share_of_time: 0.99,
        }),
    });
    run.key.finding = Some(finding.clone().concluded(&load, false));
    let why = "93.3 % of the seconds reached the promise; 99 % are promised.";
    let missed = both(&document);
    assert!(missed.answers[1].contains(": FAIL, ") && missed.answers[1].ends_with(why));
    let cells = &missed.tables[0].rows[0];
    assert!(cells.contains(&TableCell::Text(why.to_owned())), "{cells:?}");
    assert_eq!(missed.tiles[0].detail, "1 FAIL");
    // The line that missed has the outcome, and not the mean before it.
    finding.cached.verdict = fathom_analysis::CacheVerdict::Foreign { times: 0.3 };
    document.runs[0].key.finding = Some(finding.concluded(&load, false));
    let shared = both(&document);
    assert!(shared.answers[1].contains("Other I/O ran on the device"), "{:?}", shared.answers);
    let with = shared.verdicts.iter().find(|said| said.outcome == Some(RowOutcome::Undecided));
    assert!(with.unwrap().sentence.contains("28 of 30"), "{:?}", shared.verdicts);
}

#[test]
fn the_first_tile_counts_what_was_missed_and_what_is_undecided() {
    let mut document = by_provider();
    let stand = |document: &mut CheckDocument, standings: [Standing; 2]| {
        for (run, standing) in document.runs.iter_mut().zip(standings) {
            run.key.finding.as_mut().unwrap().standing = standing;
        }
        let detail = |lang| report(document, lang).tiles[0].detail.clone();
        (detail(Lang::En), detail(Lang::Ko))
    };
    let said = |english: &str, korean: &str| (english.to_owned(), korean.to_owned());
    let both = stand(&mut document, [Standing::CouldNotTell, Standing::Missed]);
    assert_eq!(both, said("1 FAIL, 1 UNDECIDED", "FAIL(미달) 1개, 판정 불가 1개"));
    let untold = stand(&mut document, [Standing::CouldNotTell; 2]);
    assert_eq!(untold, said("2 UNDECIDED", "판정 불가 2개"));
    let kept = stand(&mut document, [Standing::Kept; 2]);
    assert_eq!(kept, said("PASS", "PASS(충족)"));
}

#[test]
fn advice_on_a_busy_host_is_no_outcome() {
    use fathom_analysis::{ClientSign, ClientVerdict};
    let mut document = by_provider();
    conclude(&mut document, false, |finding| {
        finding.client.verdict = ClientVerdict::Tight;
        finding.client.signs = vec![ClientSign::Others { busy: 0.9 }];
        finding.judgement.verdicts[0].outcome = fathom_analysis::promise::PromiseOutcome::Missed;
    });
    let report = both(&document);
    let with: Vec<_> = report.verdicts.iter().filter(|said| said.outcome.is_some()).collect();
    assert!(with.len() == 2 && with.iter().all(|of| of.sentence.contains("averaged")), "{with:?}");
}

#[test]
fn only_limits_have_an_outcome_and_each_has_one() {
    let mut document = by_provider();
    conclude(&mut document, true, |finding| {
        finding.client.verdict = fathom_analysis::ClientVerdict::Tight;
    });
    let report = both(&document);
    let with = report.verdicts.iter().filter(|said| said.outcome.is_some()).count();
    let rows: usize = document.runs.iter().map(|run| run.rows().len()).sum();
    assert_eq!(with, rows, "{:?}", report.verdicts);
    // That a run was cut short is said of each of them, and is no outcome.
    let caution = report.verdicts.iter().find(|said| said.tone == Tone::Warning).unwrap();
    assert!(report.verdicts.iter().any(|said| said.outcome.is_none()), "{caution:?}");
}

#[test]
fn limits_by_hand_have_bullets_of_every_kind_and_no_line_of_capacity() {
    let mut document = document(include_str!("../../../fixtures/hand.json"));
    // What an earlier version called the limits stays in its documents.
    for run in &mut document.runs {
        run.key.finding.as_mut().unwrap().sentences.clear();
    }
    let report = both(&document);
    let ids: Vec<&str> = report.charts.iter().map(|chart| chart.id.as_str()).collect();
    assert!(ids.starts_with(&["promise-iops", "promise-throughput", "promise-latency"]), "{ids:?}");
    assert!(!ids.contains(&"capacity"));
    assert_eq!(report.tables[0].rows.len(), 3);
    let names: Vec<&str> = report.tables[0].columns.iter().map(|of| of.name.as_str()).collect();
    assert!(names.contains(&"IOPS (limit)"), "{names:?}");
    let markdown = crate::markdown(&report);
    assert!(markdown.contains("; limit ") && !markdown.contains("promise"), "{markdown}");
}

#[test]
fn what_casts_doubt_on_a_figure_is_in_the_report_as_in_the_terminal() {
    use fathom_analysis::{ClientFinding, ClientSign, ClientVerdict};
    use fathom_document::verdicts::{Answer, Verdict};
    let mut document = by_provider();
    let before = both(&document).verdicts.len();
    let busy = Verdict::from(Answer::Client(ClientFinding {
        verdict: ClientVerdict::Tight,
        host: None,
        headroom: None,
        signs: vec![ClientSign::Others { busy: 0.83 }],
        is_capped: false,
    }));
    document.runs[0].verdicts.push(busy.clone());
    for lang in Lang::ALL {
        let verdicts = report(&document, lang).verdicts;
        assert_eq!(verdicts.len(), before + 1);
        let said = statements::said(&busy, lang);
        assert!(verdicts.iter().any(|of| of.sentence == said), "{verdicts:?}");
    }
}

#[test]
fn checks_of_several_sizes_are_one_line_beside_the_promise() {
    // 40 IOPS for each GB, as the provider promises from 100 to 500 GB.
    let of_kind = |volume: &str, gb: u64| {
        let mut value: serde_json::Value =
            serde_json::from_str(include_str!("../../../fixtures/check.json")).unwrap();
        value["basis"]["promise"]["volume"] = volume.into();
        value["basis"]["promise"]["size_bytes"] = (gb * 1_000_000_000).into();
        for run in value["runs"].as_array_mut().unwrap() {
            run["promised"]["rate"]["iops"] = (gb * 40).into();
            run["result"] = serde_json::to_value(simulated(2, 4096, 100, 0.8, 60)).unwrap();
        }
        crate::read::Input::new(format!("{gb}GB"), value.to_string())
    };
    let of_size = |gb| of_kind("naver.block_ssd", gb);
    let inputs = [250, 100, 500].map(of_size);
    let report = crate::read::read(&inputs, Lang::En).unwrap();
    let capacity = &report.charts[0];
    assert_eq!(capacity.id, "capacity");
    let sizes = |at: usize| -> Vec<f64> {
        capacity.series[at].points.iter().map(|point| point.x / 1e9).collect()
    };
    assert_eq!(sizes(1), [100.0, 250.0, 500.0]);
    assert_eq!((capacity.series[1].shape, capacity.series[0].points[1].y), (Shape::Line, 4000.0));
    let says = &report.answers[0];
    assert!(
        says.contains("by size: 100 GB: ") && says.contains("of the promised 4,000 IOPS"),
        "{says}"
    );
    // One size twice, or volumes of two kinds, are no line.
    let twice = crate::read::read(&[of_size(100), of_size(100)], Lang::En).unwrap();
    assert!(twice.charts.iter().all(|chart| chart.id != "capacity"));
    let other = [of_size(100), of_kind("naver.block_hdd", 500)];
    let other = crate::read::read(&other, Lang::En).unwrap();
    assert!(other.charts.iter().all(|chart| chart.id != "capacity"));
}
