//! A search for a limit as a report: the rate that meets the target and its confidence, response
//! time against rate, and the course of the search.

use super::drawing::{
    Charts, MISSED, at, axis, blank, iops_axis, latency_axis, level, plain_group, rate, series,
};
use super::place;
use super::sweep::{nines_axis, percentiles};
use super::tiles;
use super::verdict_groups::VerdictGroups;
use crate::model::{
    Chart, ChartAxis, ChartPoint, ChartSeries, ChartUnit, Column, Mark, Report, Scale, Shape,
    Statement, Table, TableCell, Tile,
};
use fathom_analysis::Tone;
use fathom_document::DocumentSummary;
use fathom_document::limit::{
    Criterion, LimitDocument, LoadLevel, SearchVerdict, StepFinding, StepReading, StepRecord,
    subject,
};
use fathom_message::{Lang, Message, Tell, words};

/// The report of a search.
pub fn report(document: &LimitDocument, lang: Lang) -> Report {
    let mut charts = Charts::default();
    for (place, criterion) in document.question.target.criteria.iter().enumerate() {
        charts.add(response(document, place, criterion, lang));
    }
    charts.add(bracket(document, lang));
    charts.add(tails(document, lang));
    let title = Message::new("charts-limit-of")
        .with("volume", document.setup.volume.target())
        .part("load", load(document));
    let mut verdicts: Vec<Statement> = document.cautions(lang).into_iter().map(caution).collect();
    let mut alike = VerdictGroups::of_steps();
    for step in &document.steps {
        alike.add(0, &name(step, lang), &step.verdicts, lang);
    }
    verdicts.extend(alike.said(lang));
    verdicts.extend(place::remarks(&document.setup.remarks, lang));
    verdicts.sort_by_key(|said| std::cmp::Reverse(said.tone));
    Report {
        lang,
        title: title.text(lang),
        origin: place::origin_of(&document.head, &document.setup, lang),
        tiles: tiles(document, lang),
        facts: facts(document, lang),
        answers: answers(document, lang),
        verdicts,
        charts: charts.done(),
        tables: vec![table(document, lang)],
        repeat: place::with_whole(&document.head.command, commands(document, lang), lang),
        ..Report::default()
    }
}

fn caution(sentence: String) -> Statement {
    Statement { outcome: None, tone: Tone::Warning, about: String::new(), sentence }
}

/// `4 KiB random read`.
fn load(document: &LimitDocument) -> Message {
    subject(document.question.rw, document.question.block_bytes)
}

fn commands(document: &LimitDocument, lang: Lang) -> Vec<crate::model::Repeat> {
    let steps = document.steps.iter();
    steps.map(|step| place::repeat(name(step, lang), &step.command)).collect()
}

fn facts(document: &LimitDocument, lang: Lang) -> Vec<crate::model::Fact> {
    let mut facts = place::facts_of(lang, &document.head, Some(&document.setup));
    let value = document.question.target.tell().text(lang);
    facts.push(crate::model::Fact { name: words(lang, "charts-fact-target"), value });
    facts
}

/// The answer as in the terminal, and its confidence: how often its runs agreed.
fn answers(document: &LimitDocument, lang: Lang) -> Vec<String> {
    let answer = &document.answer;
    let (summary, told) = (document.summary(lang), format!("{}.", document.told(lang)));
    // With the next rate and why it fails, if the sentence omits that.
    let more = (!summary.ends_with(&told)).then_some(told);
    let mut answers: Vec<String> = std::iter::once(summary).chain(more).collect();
    answers.extend(document.repeatability(lang).map(|said| format!("{said}.")));
    if answer.verdict == SearchVerdict::Ceiling {
        answers.push(words(lang, "charts-limit-ceiling"));
    }
    answers
}

/// The passing rate, the latency there, the lowest failing rate, and the full speed.
fn tiles(document: &LimitDocument, lang: Lang) -> Vec<Tile> {
    let answer = &document.answer;
    let tile =
        |id, unit, value: f64, detail: String| tiles::number(words(lang, id), unit, value, detail);
    let target = document.question.target.tell().text(lang);
    let low = answer.low.map(|low| low as f64);
    let at_low = low.and_then(|low| longest_kept(document, low));
    let deep = document.steps.iter().find(|step| step.load == LoadLevel::Deep);
    let deep = deep.and_then(|step| step.reading.as_ref()).map(|reading| reading.iops);
    let high = answer.high.map(|high| high as f64);
    let criterion = document.question.target.criteria.first();
    let figure = criterion.map(|first| response_name(first, lang)).unwrap_or_default();
    [
        low.map(|low| tile("report-tile-keeps", ChartUnit::Iops, low, target)),
        at_low.map(|ns| tile("report-tile-at-limit", ChartUnit::Ns, ns, figure)),
        high.map(|high| tile("report-tile-misses", ChartUnit::Iops, high, String::new())),
        deep.map(|iops| {
            tile("report-tile-unlimited", ChartUnit::Iops, iops, load(document).text(lang))
        }),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// The longest response time of the runs at `low` that met the target: one that this machine was
/// late with says nothing of the volume.
fn longest_kept(document: &LimitDocument, low: f64) -> Option<f64> {
    let kept = document.steps.iter().filter(|step| outcome(step) == StepOutcome::Pass);
    let at_low = kept.filter_map(at_rate).filter(|(rate, _)| *rate == low);
    let times = at_low.filter_map(|(_, reading)| Some(reading.parts.first()?.response_ns));
    times.max_by(f64::total_cmp)
}

/// The rate of a step that had one, with its result.
fn at_rate(step: &StepRecord) -> Option<(f64, &StepReading)> {
    match step.load {
        LoadLevel::Rate { rate_iops } => Some((rate_iops as f64, step.reading.as_ref()?)),
        _ => None,
    }
}

/// What a chart makes of a step: one that this machine was late with is no miss of the volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StepOutcome {
    Pass,
    Fail,
    HostLate,
}

fn outcome(step: &StepRecord) -> StepOutcome {
    match step.finding {
        Some(StepFinding::Keeps) => StepOutcome::Pass,
        Some(StepFinding::Late) => StepOutcome::HostLate,
        _ => StepOutcome::Fail,
    }
}

/// The dots of the steps that this machine was late with, where there are any.
fn late_dots(points: Vec<ChartPoint>, lang: Lang) -> Option<ChartSeries> {
    let name = || StepFinding::Late.tell().text(lang);
    (!points.is_empty()).then(|| series(name(), Shape::Dots, plain_group(1), points))
}

/// Response time against the offered rate, for passing and failing steps.
fn response(document: &LimitDocument, place: usize, criterion: &Criterion, lang: Lang) -> Chart {
    let kept = responses(document, place, StepOutcome::Pass);
    let missed = responses(document, place, StepOutcome::Fail);
    let late = late_dots(responses(document, place, StepOutcome::HostLate), lang);
    let says = Message::new("charts-response-says")
        .with("kept", kept.len())
        .with("missed", missed.len())
        .part("target", criterion.tell());
    let y = ChartAxis { name: response_name(criterion, lang), ..latency_axis(lang) };
    let target = level(criterion.tell().text(lang), criterion.under_ns as f64);
    let answer = document.answer.low.map(|low| Mark {
        name: rate(low as f64),
        at: low as f64,
        upright: true,
        axis: 0,
    });
    let title = Message::new("charts-response-title").part("figure", criterion.measure.tell());
    let judged = [
        series(words(lang, "charts-kept"), Shape::Dots, plain_group(0), kept),
        series(words(lang, "charts-missed"), Shape::Dots, MISSED, missed),
    ];
    Chart {
        y: vec![y],
        series: judged.into_iter().chain(late).collect(),
        marks: std::iter::once(target).chain(answer).collect(),
        ..blank(
            format!("response-{}", criterion.measure),
            title.text(lang),
            says.text(lang),
            asked_axis(lang),
        )
    }
}

/// The steps with an outcome, as points by their rate.
fn responses(document: &LimitDocument, place: usize, wanted: StepOutcome) -> Vec<ChartPoint> {
    let is_asked = |step: &&StepRecord| outcome(step) == wanted;
    let point = |step| {
        let (rate, reading) = at_rate(step)?;
        Some(at(rate, reading.parts.get(place)?.response_ns))
    };
    let steps = document.steps.iter().filter(is_asked);
    let mut points: Vec<ChartPoint> = steps.filter_map(point).collect();
    points.sort_by(|a, b| a.x.total_cmp(&b.x));
    points
}

fn response_name(criterion: &Criterion, lang: Lang) -> String {
    Message::new("charts-axis-response").part("figure", criterion.measure.tell()).text(lang)
}

fn asked_axis(lang: Lang) -> ChartAxis {
    axis(lang, "charts-axis-asked", ChartUnit::Iops, Scale::Log10)
}

/// The rates step by step, and how the range of the limit narrowed.
fn bracket(document: &LimitDocument, lang: Lang) -> Chart {
    let rates: Vec<(f64, f64, StepOutcome)> = document
        .steps
        .iter()
        .enumerate()
        .filter_map(|(number, step)| {
            let (rate, _) = at_rate(step)?;
            Some((number as f64 + 1.0, rate, outcome(step)))
        })
        .collect();
    let dots = |wanted: StepOutcome| -> Vec<ChartPoint> {
        rates.iter().filter(|step| step.2 == wanted).map(|(x, y, _)| at(*x, *y)).collect()
    };
    let (low, high) = ends(&rates);
    let says = Message::new("charts-bracket-says").with("steps", document.steps.len() as u64);
    let late = late_dots(dots(StepOutcome::HostLate), lang);
    let (kept, missed) = (dots(StepOutcome::Pass), dots(StepOutcome::Fail));
    let judged = [
        series(words(lang, "charts-kept"), Shape::Dots, plain_group(0), kept),
        series(words(lang, "charts-missed"), Shape::Dots, MISSED, missed),
        series(words(lang, "charts-highest-kept"), Shape::Step, plain_group(0), low),
        series(words(lang, "charts-lowest-missed"), Shape::Step, MISSED, high),
    ];
    Chart {
        y: vec![asked_axis(lang)],
        series: judged.into_iter().chain(late).collect(),
        ..blank(
            "bracket",
            words(lang, "charts-bracket-title"),
            says.text(lang),
            axis(lang, "charts-axis-step", ChartUnit::Plain, Scale::Linear),
        )
    }
}

/// After each step, the highest rate known to pass below the lowest failing one, and that one, by
/// the majority of the runs at each rate.
fn ends(rates: &[(f64, f64, StepOutcome)]) -> (Vec<ChartPoint>, Vec<ChartPoint>) {
    let (mut low, mut high) = (Vec::new(), Vec::new());
    for (place, (step, ..)) in rates.iter().enumerate() {
        let known = &rates[..=place];
        let lead = |rate: f64| -> i64 {
            let runs = known.iter().filter(|run| run.1 == rate);
            runs.map(|run| match run.2 {
                StepOutcome::Pass => 1,
                StepOutcome::Fail => -1,
                StepOutcome::HostLate => 0,
            })
            .sum()
        };
        let missed = known.iter().map(|run| run.1).filter(|rate| lead(*rate) < 0);
        let lowest = missed.fold(f64::INFINITY, f64::min);
        let kept = known.iter().map(|run| run.1).filter(|rate| *rate < lowest && lead(*rate) > 0);
        // Charts drop values that are not finite: an end that is not known yet.
        high.push(at(*step, lowest));
        low.push(at(*step, kept.fold(f64::NEG_INFINITY, f64::max)));
    }
    (low, high)
}

/// Latency percentiles of the two runs at full speed, and of a run at the limit.
fn tails(document: &LimitDocument, lang: Lang) -> Chart {
    let at_limit = |step: &&StepRecord| {
        document.answer.low.is_some_and(|low| step.load == LoadLevel::Rate { rate_iops: low })
    };
    let first = |load: LoadLevel| document.steps.iter().find(move |step| step.load == load);
    let steps =
        [first(LoadLevel::Alone), document.steps.iter().find(at_limit), first(LoadLevel::Deep)];
    let lines = steps.into_iter().flatten().enumerate().filter_map(|(group, step)| {
        Some(series(
            name(step, lang),
            Shape::Line,
            plain_group(group),
            percentiles(step.result.as_ref()?),
        ))
    });
    let title = words(lang, "charts-tails-title");
    Chart {
        y: vec![latency_axis(lang)],
        series: lines.collect(),
        ..blank("percentiles", title, words(lang, "charts-limit-tails"), nines_axis(lang))
    }
}

/// The name of a step.
fn name(step: &StepRecord, lang: Lang) -> String {
    match step.load {
        LoadLevel::Deep => words(lang, "charts-step-deep"),
        LoadLevel::Alone => words(lang, "charts-step-alone"),
        LoadLevel::Rate { rate_iops } => rate(rate_iops as f64),
    }
}

fn table(document: &LimitDocument, lang: Lang) -> Table {
    let column = |key: &str, name: String, unit| Column { key: key.to_owned(), name, unit };
    let mut columns = vec![
        column("step", words(lang, "charts-axis-step"), None),
        column("asked_iops", asked_axis(lang).name, Some(ChartUnit::Iops)),
        column("iops", iops_axis(lang).name, Some(ChartUnit::Iops)),
        column("finding", words(lang, "charts-standing"), None),
    ];
    columns.extend(document.question.target.criteria.iter().map(|criterion| {
        let key = format!("response_{}_ns", criterion.measure);
        column(&key, response_name(criterion, lang), Some(ChartUnit::Ns))
    }));
    columns.push(column("failure", words(lang, "charts-failure"), None));
    let rows = document.steps.iter().map(|step| row(document, step, lang)).collect();
    Table { id: "steps".to_owned(), title: words(lang, "charts-steps"), columns, rows }
}

fn row(document: &LimitDocument, step: &StepRecord, lang: Lang) -> Vec<TableCell> {
    let number = |value: Option<f64>| value.map_or(TableCell::Nothing, TableCell::Number);
    let finding = step.finding.map(|finding| finding.tell().text(lang));
    let mut cells = vec![
        TableCell::Text(name(step, lang)),
        number(at_rate(step).map(|(rate, _)| rate)),
        number(step.reading.as_ref().map(|reading| reading.iops)),
        finding.map_or(TableCell::Nothing, TableCell::Text),
    ];
    let parts = |place: usize| Some(step.reading.as_ref()?.parts.get(place)?.response_ns);
    cells.extend((0..document.question.target.criteria.len()).map(|place| number(parts(place))));
    cells.push(step.failure.clone().map_or(TableCell::Nothing, TableCell::Text));
    cells
}

#[cfg(test)]
mod tests;
