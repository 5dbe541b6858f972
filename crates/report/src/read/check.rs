//! A check as a report: the promises and their outcomes, row by row and over time, and the volume's
//! position on its provider's line of capacity.

use super::capacity;
use super::drawing::{
    Charts, at, blank, bytes_axis, direction_group, iops_axis, latency_axis, level, names_axis,
    series, shown,
};
use super::place;
use super::series::iops as iops_over_time;
use super::statements::{self, load as titled};
use super::sweep::seconds_axis;
use super::tiles;
use super::verdict_groups::{VerdictGroups, join_cautions};
use crate::model::{
    Chart, ChartAxis, ChartPoint, ChartUnit, Column, Report, Scale, Shape, Statement, Table,
    TableCell, Tile,
};
use fathom_analysis::promise::PromiseEvidence;
use fathom_analysis::{RowOutcome, Tone};
use fathom_document::check::{CheckDocument, CheckTrial, LimitRow, RunFinding, Standing};
use fathom_document::{DocumentSummary, Goal};
use fathom_message::{Lang, Message, Tell, words};
use fathom_vocab::Direction;

/// Points of a series: a screen is about twice as wide.
const MOST_POINTS: usize = 600;

/// The report of a check.
pub fn report(document: &CheckDocument, lang: Lang) -> Report {
    let title = Message::new("charts-check-of")
        .with("volume", document.setup.volume.target())
        .part("promise", document.basis.tell());
    let mut charts = Charts::default();
    for goal in [Goal::Iops, Goal::Throughput, Goal::Latency] {
        bullets(document, goal, lang).map(|chart| charts.add(chart));
    }
    for run in &document.runs {
        over_time(document, run, lang).map(|chart| charts.add(chart));
    }
    capacity::chart(&[document], lang).map(|chart| charts.add(chart));
    Report {
        lang,
        title: title.text(lang),
        origin: place::origin_of(&document.head, &document.setup, lang),
        tiles: tiles(document, lang),
        facts: facts(document, lang),
        answers: answers(document, lang),
        verdicts: verdicts(document, lang),
        charts: charts.done(),
        tables: vec![table(document, lang)],
        repeat: place::with_whole(&document.head.command, commands(document, lang), lang),
        ..Report::default()
    }
}

fn commands(document: &CheckDocument, lang: Lang) -> Vec<crate::model::Repeat> {
    let runs = document.runs.iter();
    runs.map(|run| place::repeat(titled(&run.load, lang), &run.command)).collect()
}

fn facts(document: &CheckDocument, lang: Lang) -> Vec<crate::model::Fact> {
    let mut facts = place::facts_of(lang, &document.head, Some(&document.setup));
    let promise = document.basis.promise();
    let said = promise.map(|promise| format!("{} ({})", promise.name, promise.as_of));
    let value = said.unwrap_or_else(|| document.basis.tell().text(lang));
    let name = words(lang, document.basis.either("charts-fact-promise", "charts-fact-limits"));
    facts.push(crate::model::Fact { name, value });
    facts
}

/// The outcomes, met, missed or undecided: the total, then the missed limits, then the others.
fn answers(document: &CheckDocument, lang: Lang) -> Vec<String> {
    let mut answers = vec![document.summary(lang)];
    if let Some(why) = &document.failure {
        answers.push(Message::new("charts-no-run").with("why", why).text(lang));
    }
    let mut runs: Vec<&CheckTrial> = document.runs.iter().collect();
    runs.sort_by_key(|run| std::cmp::Reverse(run.standing()));
    let rows = |run| CheckTrial::rows(run).into_iter().map(move |row| (run, row));
    let mut rows: Vec<(&CheckTrial, LimitRow<'_>)> = runs.into_iter().flat_map(rows).collect();
    rows.sort_by_key(|(_, row)| std::cmp::Reverse(row.standing));
    answers.extend(rows.iter().filter_map(|(run, row)| row_says(document, run, row, lang)));
    answers
}

/// The total outcome, then the limits, the missed ones first.
fn tiles(document: &CheckDocument, lang: Lang) -> Vec<Tile> {
    let rows: Vec<LimitRow<'_>> = document.runs.iter().flat_map(CheckTrial::rows).collect();
    let Some(worst) = rows.iter().map(|row| row.standing).max() else { return Vec::new() };
    let count = |standing| rows.iter().filter(|row| row.standing == standing).count();
    let kept = count(Standing::Kept);
    let others = [Standing::Missed, Standing::CouldNotTell].map(|of| (of, count(of)));
    let all = Tile {
        name: words(lang, "report-tile-limits-kept"),
        value: TableCell::Text(format!("{kept} / {}", rows.len())),
        unit: ChartUnit::Plain,
        detail: match worst {
            Standing::Kept => statements::outcome(worst.outcome(), lang),
            _ => counted(&others, lang),
        },
        outcome: Some(worst.outcome()),
    };
    let rows = of_all_goals(rows);
    let of_row = |row: &LimitRow<'_>| {
        let unit = unit(row.load.goal);
        let said = |limit| stated(document, unit, limit).text(lang);
        let detail = row.limit.map(said).unwrap_or_default();
        let name = row.title(titled(row.load, lang)).text(lang);
        let tile = tiles::number(name, unit, row.measured?, detail);
        Some(Tile { outcome: Some(row.standing.outcome()), ..tile })
    };
    std::iter::once(all).chain(rows.iter().filter_map(of_row)).take(tiles::MOST).collect()
}

/// The missed ones first; of one standing a row of each goal before the second of any.
fn of_all_goals(rows: Vec<LimitRow<'_>>) -> Vec<LimitRow<'_>> {
    let earlier = |at: usize, row: &LimitRow<'_>| {
        let before = rows[..at].iter();
        before.filter(|of| of.standing == row.standing && of.load.goal == row.load.goal).count()
    };
    let places: Vec<usize> = rows.iter().enumerate().map(|(at, row)| earlier(at, row)).collect();
    let mut placed: Vec<(usize, LimitRow<'_>)> = places.into_iter().zip(rows).collect();
    placed.sort_by_key(|(place, row)| (std::cmp::Reverse(row.standing), *place));
    placed.into_iter().map(|(_, row)| row).collect()
}

/// `4 FAIL, 2 UNDECIDED`.
fn counted(all: &[(Standing, usize)], lang: Lang) -> String {
    let some = all.iter().filter(|(_, count)| *count > 0);
    let said = some.map(|(standing, count)| {
        let told = Message::new("report-tile-outcomes").with("count", count);
        told.part("outcome", standing.tell()).text(lang)
    });
    said.collect::<Vec<String>>().join(", ")
}

/// `promised 3,000 IOPS`; of limits by hand `limit 3,000 IOPS`.
fn stated(document: &CheckDocument, unit: ChartUnit, limit: f64) -> Message {
    let id = document.basis.either("charts-mark-promised", "charts-mark-limit");
    Message::new(id).with("rate", shown(unit, limit))
}

/// `promised`, or `limit`.
fn promised_or_limit(document: &CheckDocument, lang: Lang) -> String {
    words(lang, document.basis.either("charts-promised", "charts-limit-by-hand"))
}

/// The outcome of a limit, with its figure, and why it is not kept if the figure does not show it.
fn row_says(
    document: &CheckDocument,
    run: &CheckTrial,
    row: &LimitRow<'_>,
    lang: Lang,
) -> Option<String> {
    let (measured, limit) = (row.measured?, row.limit?);
    let id = match row.standing {
        Standing::Kept => "charts-run-kept",
        Standing::CouldNotTell => "charts-run-untold",
        Standing::Missed => "charts-run-missed",
    };
    let unit = unit(row.load.goal);
    let says = Message::new(id)
        .part("run", row.title(titled(row.load, lang)))
        .with("measured", shown(unit, measured))
        .part("limit", stated(document, unit, limit));
    let says = match run.reason(row) {
        Some(why) => Message::new("charts-run-why").part("says", says).part("why", why.short),
        None => says,
    };
    Some(says.text(lang))
}

fn verdicts(document: &CheckDocument, lang: Lang) -> Vec<Statement> {
    let mut judgements = Vec::new();
    for (run, finding) in document.runs.iter().filter_map(|run| Some((run, run.finding.as_ref()?)))
    {
        judgements.extend(judged(run, finding, lang));
    }
    let mut said = join_cautions(judgements, lang);
    said.extend(doubts(document, lang));
    said.sort_by_key(|said| std::cmp::Reverse((said.outcome, said.tone)));
    let beside = caveats(document, lang).into_iter();
    said.extend(beside.map(|sentence| Statement {
        outcome: None,
        tone: Tone::Note,
        about: String::new(),
        sentence,
    }));
    said.extend(place::remarks(&document.setup.remarks, lang));
    said
}

/// What casts doubt on the figures of the runs, beside what was judged with the promise: the
/// terminal shows it too.
fn doubts(document: &CheckDocument, lang: Lang) -> Vec<Statement> {
    let mut alike = VerdictGroups::of_tests();
    for run in &document.runs {
        let doubts = run.verdicts.iter().filter(|verdict| verdict.tone >= Tone::Warning);
        alike.add(0, &titled(&run.load, lang), &doubts.cloned().collect::<Vec<_>>(), lang);
    }
    alike.said(lang)
}

/// What is said of a run: an outcome only beside the figure that was held against the promise. What
/// else it shows, as a cap or a busy host, bears on the figure and is no outcome.
fn judged(run: &CheckTrial, finding: &RunFinding, lang: Lang) -> Vec<(Statement, Option<Message>)> {
    let about = titled(&run.load, lang);
    let before = finding.doubts().len();
    let lines = finding.judgement.verdicts.as_slice();
    let of_cap = before + lines.len();
    let after_cap = of_cap + if finding.held_by().is_some() { 2 } else { 0 };
    let with = |outcome| lines.iter().position(|line| line.outcome.row() == outcome);
    let deciding = with(finding.standing.outcome()).or_else(|| with(RowOutcome::Fail));
    let messages = finding.messages(&run.load);
    let statement = |(at, sentence): (usize, String)| {
        let place = at.checked_sub(before).filter(|place| *place < lines.len());
        let outcome = place.and_then(|place| match lines[place].evidence {
            PromiseEvidence::Latency { .. } if finding.doubt.is_none() => {
                Some(lines[place].outcome.row())
            }
            PromiseEvidence::Latency { .. } => Some(RowOutcome::Undecided),
            _ => (place == deciding.unwrap_or(0)).then(|| finding.standing.outcome()),
        });
        let is_note = place.is_some() && outcome.is_none() || (of_cap..after_cap).contains(&at);
        let tone = if is_note { Tone::Note } else { finding.trust() };
        (Statement { outcome, tone, about: about.clone(), sentence }, messages.get(at).cloned())
    };
    finding.told(&run.load, lang).into_iter().enumerate().map(statement).collect()
}

/// What is to be known beside the promise, and of bursts that outlast a run: English as it was
/// kept, other languages from the promise.
fn caveats(document: &CheckDocument, lang: Lang) -> Vec<String> {
    let of_promise = || document.basis.promise().into_iter().flat_map(|promise| &promise.caveats);
    let mut said = match lang {
        Lang::En => document.caveats.clone(),
        _ => {
            let other_size = document.basis.other_size().map(|said| said.text(lang));
            let caveats = of_promise().map(|caveat| caveat.tell().text(lang));
            other_size.into_iter().chain(caveats).collect()
        }
    };
    said.extend(document.bursts.iter().map(|burst| burst.tell().text(lang)));
    said
}

/// The unit of a goal.
fn unit(goal: Goal) -> ChartUnit {
    match goal {
        Goal::Iops => ChartUnit::Iops,
        Goal::Throughput => ChartUnit::BytesPerS,
        Goal::Latency => ChartUnit::Ns,
    }
}

/// The least value that meets the promise: a share of a rate; for a latency the promise itself.
fn least(run: &CheckTrial, finding: Option<&RunFinding>) -> Option<f64> {
    if run.load.goal == Goal::Latency {
        return None;
    }
    let enough = finding?.judgement.means().next()?.enough;
    let rate = run.load.promised.rate?;
    let limit = if run.load.goal == Goal::Iops { rate.iops } else { rate.bytes_per_s };
    Some(limit * enough)
}

/// Measured beside promised, a bar for each run of a goal.
fn bullets(document: &CheckDocument, goal: Goal, lang: Lang) -> Option<Chart> {
    let own = document.runs.iter().filter(|run| run.load.goal == goal);
    let rows = own.flat_map(|run| run.rows().into_iter().map(move |row| (run, row)));
    let rows: Vec<_> = rows.filter(|(_, row)| row.measured.is_some()).collect();
    let bar = |(place, (run, row)): (usize, &(&CheckTrial, LimitRow<'_>))| ChartPoint {
        high: row.limit,
        low: least(run, run.finding.as_ref()),
        tone: Some(mark(row.standing)),
        ..at(place as f64, row.measured.unwrap_or(f64::NAN))
    };
    let of = |direction: Direction| -> Vec<ChartPoint> {
        let own = rows.iter().enumerate().filter(|(_, (run, _))| run.load.direction == direction);
        own.map(bar).collect()
    };
    let y = match goal {
        Goal::Iops => iops_axis(lang),
        Goal::Throughput => bytes_axis(lang),
        Goal::Latency => ChartAxis { scale: Scale::Linear, ..latency_axis(lang) },
    };
    let says = bullets_say(&rows);
    let title = Message::new("charts-bullet-title")
        .with("what", &y.name)
        .with("limit", promised_or_limit(document, lang));
    let name = |row: &LimitRow<'_>| row.title(titled(row.load, lang)).text(lang);
    let names = rows.iter().map(|(_, row)| name(row)).collect();
    let x = names_axis(words(lang, "charts-run"), names);
    let line = |(direction, name): (Direction, &'static str)| {
        series(words(lang, name), Shape::Bullet, direction_group(direction), of(direction))
    };
    let ways = [(Direction::Read, "charts-reads"), (Direction::Write, "charts-writes")];
    Some(Chart {
        y: vec![y],
        series: ways.into_iter().map(line).collect(),
        stated: promised_or_limit(document, lang),
        ..blank(format!("promise-{}", goal.name()), title.text(lang), says.text(lang), x)
    })
}

/// How many limits are kept, and what the dotted lines are where there are any.
fn bullets_say(rows: &[(&CheckTrial, LimitRow<'_>)]) -> Message {
    let kept = rows.iter().filter(|(_, row)| row.standing == Standing::Kept).count();
    let id = match rows.iter().any(|(run, _)| least(run, run.finding.as_ref()).is_some()) {
        true => "charts-bullet-says-least",
        false => "charts-bullet-says",
    };
    Message::new(id).with("kept", kept).with("all", rows.len())
}

/// How a bullet is drawn: with a tick, a question mark or a cross.
fn mark(standing: Standing) -> Tone {
    match standing {
        Standing::Kept => Tone::Good,
        Standing::CouldNotTell => Tone::Warning,
        Standing::Missed => Tone::Bad,
    }
}

/// A run second by second, with its promise and the share of it that counts as reaching it.
fn over_time(document: &CheckDocument, run: &CheckTrial, lang: Lang) -> Option<Chart> {
    let finding = run.finding.as_ref()?;
    let promised = run.load.promised.rate?;
    // In what the promise is in: I/Os, or bytes.
    let (y, promised, times) = match run.load.goal {
        Goal::Throughput => (bytes_axis(lang), promised.bytes_per_s, run.load.block_bytes as f64),
        Goal::Iops | Goal::Latency => (iops_axis(lang), promised.iops, 1.0),
    };
    let points = second_by_second(run, times)?;
    if points.len() < 2 {
        return None;
    }
    let share = finding.reached as f64 / finding.seconds.max(1) as f64 * 100.0;
    let enough = format!("{:.0} %", finding.enough * 100.0);
    let says = Message::new("charts-reached")
        .with("reached", finding.reached)
        .with("seconds", finding.seconds)
        .with("enough", &enough)
        .with("share", format!("{share:.0} %"));
    let mark = stated(document, y.unit, promised).text(lang);
    let title = Message::new("charts-run-over-time").with("run", titled(&run.load, lang));
    let id = format!("time-{}-{}", run.load.goal.name(), run.load.direction.name());
    Some(Chart {
        series: vec![series(
            y.name.clone(),
            Shape::Line,
            direction_group(run.load.direction),
            points,
        )],
        y: vec![y],
        marks: vec![level(mark, promised), level(enough, promised * finding.enough)],
        ..blank(id, title.text(lang), says.text(lang), seconds_axis(lang))
    })
}

/// What the run did in each second: I/Os, each worth so much.
fn second_by_second(run: &CheckTrial, worth: f64) -> Option<Vec<ChartPoint>> {
    let jobs = &run.result.as_ref()?.jobs;
    let points = iops_over_time(jobs, Some(run.load.direction), MOST_POINTS).into_iter();
    let scaled = |point: ChartPoint| ChartPoint {
        y: point.y * worth,
        low: point.low.map(|low| low * worth),
        high: point.high.map(|high| high * worth),
        ..point
    };
    Some(points.map(scaled).collect())
}

fn table(document: &CheckDocument, lang: Lang) -> Table {
    let text = |key: &str, name| Column { key: key.to_owned(), name, unit: None };
    let figure = |key: &str, name, unit| Column { key: key.to_owned(), name, unit: Some(unit) };
    let limit = promised_or_limit(document, lang);
    let promised = |axis: ChartAxis| format!("{} ({limit})", axis.name);
    let columns = vec![
        text("run", words(lang, "charts-run")),
        text("standing", words(lang, "charts-standing")),
        figure("iops", iops_axis(lang).name, ChartUnit::Iops),
        figure("promised_iops", promised(iops_axis(lang)), ChartUnit::Iops),
        figure("bytes_per_s", bytes_axis(lang).name, ChartUnit::BytesPerS),
        figure("promised_bytes_per_s", promised(bytes_axis(lang)), ChartUnit::BytesPerS),
        figure("mean_ns", words(lang, "charts-mean-latency"), ChartUnit::Ns),
        figure("limited_ns", words(lang, "charts-limited-latency"), ChartUnit::Ns),
        figure("promised_ns", promised(latency_axis(lang)), ChartUnit::Ns),
        figure("p99_ns", words(lang, "charts-p99"), ChartUnit::Ns),
        text("reason", words(lang, "charts-reason")),
        text("failure", words(lang, "charts-failure")),
    ];
    let limits =
        document.runs.iter().flat_map(|run| run.rows().into_iter().map(move |row| (run, row)));
    let rows = limits.map(|(run, limit)| row(run, &limit, lang)).collect();
    Table { id: "runs".to_owned(), title: words(lang, "charts-runs"), columns, rows }
}

fn row(run: &CheckTrial, limit: &LimitRow<'_>, lang: Lang) -> Vec<TableCell> {
    let number = |value: Option<f64>| value.map_or(TableCell::Nothing, TableCell::Number);
    let total = run.figures.as_ref().map(|figures| figures.total);
    let rate = run.load.promised.rate;
    let reason = run.reason(limit).map(|why| why.short.text(lang));
    let of_latency = |value: Option<f64>| value.filter(|_| run.load.goal == Goal::Latency);
    vec![
        TableCell::Text(limit.title(titled(&run.load, lang)).text(lang)),
        TableCell::Text(limit.standing.tell().text(lang)),
        number(total.map(|total| total.iops)),
        number(rate.map(|rate| rate.iops)),
        number(total.map(|total| total.mb_per_s * 1e6)),
        number(rate.map(|rate| rate.bytes_per_s)),
        number(total.map(|total| total.mean_ns)),
        number(of_latency(limit.measured)),
        number(of_latency(limit.limit)),
        number(total.map(|total| total.p99_ns as f64)),
        reason.map_or(TableCell::Nothing, TableCell::Text),
        run.failure.clone().map_or(TableCell::Nothing, TableCell::Text),
    ]
}

#[cfg(test)]
mod tests;
