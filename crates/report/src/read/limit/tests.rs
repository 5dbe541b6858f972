//! The report of a real search.

use super::*;
use crate::read::laws;
use crate::read::sweep::simulated;

fn document() -> LimitDocument {
    let text = include_str!("../../../fixtures/limit.json");
    let mut document: LimitDocument = serde_json::from_str(text).unwrap();
    for step in &mut document.steps {
        step.result = Some(simulated(2, 4096, 100, 1.0, 0));
    }
    document
}

fn both(document: &LimitDocument) -> Report {
    let [english, korean] = Lang::ALL.map(|lang| report(document, lang));
    laws::hold(&english);
    laws::hold(&korean);
    english
}

fn series_of<'r>(report: &'r Report, id: &str, name: &str) -> &'r [ChartPoint] {
    let chart = report.charts.iter().find(|chart| chart.id == id).unwrap();
    let series = chart.series.iter().find(|series| series.name == name);
    series.map_or(&[], |series| &series.points)
}

#[test]
fn the_limit_comes_first_with_how_often_its_runs_agreed() {
    let mut document = document();
    (document.answer.verdict, document.answer.low, document.answer.high) =
        (SearchVerdict::Found, Some(12_400), Some(13_020));
    document.answer.text = "12,400 IOPS keep it".to_owned();
    let report = both(&document);
    // The steps of the document were at other rates: of these ends none was run.
    let sentence =
        "/mnt/ssd: 4 KiB random read: 12,400 IOPS keep p50 under 1 ms and p99 under 2 ms.";
    assert_eq!(report.answers, [sentence, "12,400 IOPS keep it."]);
    let mut agreed = document.clone();
    for (rate_iops, finding) in [(12_400, StepFinding::Keeps), (13_020, StepFinding::TooSlow)] {
        let mut step = agreed.steps.iter().find(|step| step.reading.is_some()).unwrap().clone();
        (step.key.load, step.key.finding) = (LoadLevel::Rate { rate_iops }, Some(finding));
        agreed.steps.push(step);
    }
    let said = &both(&agreed).answers[2];
    assert!(said.contains(" IOPS kept it in ") && said.contains(" runs, "), "{said}");
    // Other languages tell it from the steps, as the terminal does.
    let korean = super::report(&document, Lang::Ko);
    assert_eq!(korean.answers[1], format!("{}.", document.told(Lang::Ko)));
    assert!(korean.answers[0].contains("12,400 IOPS까지"), "{:?}", korean.answers);
    document.answer.verdict = SearchVerdict::Never;
    // The sentence and the answer as it is held: without an answer no runs agreed on one.
    assert_eq!(both(&document).answers.len(), 2);
    document.answer.verdict = SearchVerdict::Halted;
    (document.answer.low, document.answer.high) = (None, None);
    assert_eq!(both(&document).answers.len(), 2);
}

#[test]
fn a_busy_host_is_said_once_of_all_steps() {
    use fathom_analysis::{ClientFinding, ClientSign, ClientVerdict};
    use fathom_document::verdicts::{Answer, Verdict};
    let mut document = document();
    for (at, step) in document.steps.iter_mut().enumerate() {
        let busy = 0.9 - at as f64 / 100.0;
        step.verdicts = vec![Verdict::from(Answer::Client(ClientFinding {
            verdict: ClientVerdict::Tight,
            host: None,
            headroom: None,
            signs: vec![ClientSign::Others { busy }],
            is_capped: false,
        }))];
    }
    let report = both(&document);
    let said = report.verdicts.iter().filter(|said| said.sentence.contains("87 to 90 %"));
    assert_eq!(said.count(), 1, "{:?}", report.verdicts);
}

#[test]
fn each_figure_has_a_chart_with_its_target_and_steps_apart() {
    let document = document();
    let report = both(&document);
    for (id, under) in [("response-p50", 1e6), ("response-p99", 2e6)] {
        let chart = report.charts.iter().find(|chart| chart.id == id).unwrap();
        assert_eq!((chart.marks[0].at, chart.marks[0].upright), (under, false));
    }
    let drawn = series_of(&report, "response-p99", "PASS").len()
        + series_of(&report, "response-p99", "FAIL").len();
    let had = document.steps.iter().filter(|step| at_rate(step).is_some()).count();
    assert!(had > 1 && drawn == had, "{drawn} of {had}");
}

#[test]
fn the_range_becomes_narrow_and_an_end_that_tips_opens_it_again() {
    use StepOutcome::{Fail, HostLate, Pass};
    let steps = [(1.0, 100.0, Fail), (2.0, 50.0, Pass), (3.0, 75.0, Fail), (4.0, 75.0, Pass)];
    let (low, high) = ends(&steps);
    let heights = |points: &[ChartPoint]| points.iter().map(|point| point.y).collect::<Vec<_>>();
    assert_eq!(heights(&high), [100.0, 100.0, 75.0, 100.0]);
    assert_eq!(heights(&low)[1..], [50.0, 50.0, 50.0]);
    assert!(!heights(&low)[0].is_finite());
    // A step that this machine was late with is no end.
    let (low, high) = ends(&[(1.0, 100.0, Fail), (2.0, 50.0, HostLate)]);
    assert_eq!((heights(&high), low[1].y.is_finite()), (vec![100.0, 100.0], false));
}

#[test]
fn a_step_that_this_machine_was_late_with_is_not_drawn_as_a_miss() {
    let mut document = document();
    let rates = |document: &LimitDocument| {
        document.steps.iter().filter(|step| at_rate(step).is_some()).count()
    };
    let had = rates(&document);
    for step in &mut document.steps {
        if step.finding.is_some() {
            step.key.finding = Some(StepFinding::Late);
        }
    }
    let report = both(&document);
    for id in ["response-p99", "bracket"] {
        assert_eq!(series_of(&report, id, "machine late").len(), had, "{id}");
        assert!(series_of(&report, id, "FAIL").is_empty(), "{id}");
    }
}

/// A run at the same rate that this machine was late with comes first: it is none that holds.
#[test]
fn the_latency_at_the_limit_is_that_of_a_run_that_met_it() {
    let mut document = document();
    (document.answer.verdict, document.answer.low) = (SearchVerdict::Found, Some(12_400));
    let findings = [StepFinding::Late, StepFinding::Keeps, StepFinding::Keeps];
    for (finding, response_ns) in findings.into_iter().zip([2.9e6, 995e3, 1.63e6]) {
        let mut step = document.steps.iter().find(|step| step.reading.is_some()).unwrap().clone();
        step.key.load = LoadLevel::Rate { rate_iops: 12_400 };
        step.key.finding = Some(finding);
        step.key.reading.as_mut().unwrap().parts[0].response_ns = response_ns;
        document.steps.push(step);
    }
    let tile = &both(&document).tiles[1];
    assert_eq!((tile.name.as_str(), &tile.value), ("Latency there", &TableCell::Number(1.63e6)));
}
