//! A sweep as a report: first the fastest case and the point where more load stops paying, then
//! every chart that its axes allow, then every case.

mod answers;
mod blocks;
mod grid;
mod heights;
mod load;
mod mix;
mod table;
mod tails;

use super::drawing::Charts;
use super::place;
use super::server_tables;
use super::statements::said;
use crate::model::{Repeat, Report, Statement};
use fathom_analysis::Tone;
use fathom_document::DocumentSummary;
use fathom_document::sweep::{SessionRecord, SweepDocument};
use fathom_document::verdicts::{Verdict, Weight};
use fathom_message::{Lang, Message, words};
use grid::{AxisKind, Grid};
pub(super) use table::settings;
pub(super) use tails::{nines_axis, percentiles, seconds_axis};

/// Charts of one kind; a reader does not leaf through more, and the table has every figure.
const MOST_OF_A_KIND: usize = 12;

/// The report of a sweep, finished or not.
pub fn report(document: &SweepDocument, lang: Lang) -> Report {
    let grid = Grid::of(document, lang);
    let mut charts = Charts::default();
    let left_out = draw(document, &grid, &mut charts, lang);
    let session = document.sessions.last();
    let target = session.map(|session| session.setup.volume.target());
    let target = target.unwrap_or(document.plan.target.as_str());
    let title = Message::new("charts-sweep-of").with("volume", target).text(lang);
    let mut verdicts = doubts(document, &grid, lang);
    verdicts.extend(place::remarks(&all_remarks(document), lang));
    verdicts.extend((left_out > 0).then(|| without_charts(left_out, lang)));
    Report {
        lang,
        title,
        origin: place::origin(
            place::host_name(&document.head, session.map(|of| &of.setup), lang).as_deref(),
            document.head.started_ms,
        ),
        reasons: answers::connections(document, lang).take(1).collect(),
        tiles: answers::tiles(document, &grid, lang),
        facts: facts(document, session, lang),
        answers: std::iter::once(document.summary(lang))
            .chain(answers::answers(document, &grid, lang))
            .collect(),
        verdicts,
        charts: charts.done(),
        tables: std::iter::once(table::cases(document, &grid, lang))
            .chain(server_tables::of_sweep(document, lang))
            .collect(),
        repeat: place::with_whole(&document.head.command, commands(document, &grid), lang),
        ..Report::default()
    }
}

/// That so many charts are left out.
fn without_charts(count: usize, lang: Lang) -> Statement {
    let sentence = Message::new("charts-left-out").with("count", count as u64).text(lang);
    Statement { outcome: None, tone: Tone::Note, about: String::new(), sentence }
}

/// Draws the charts that the axes allow, the most important first; returns the number of omitted
/// charts.
fn draw(document: &SweepDocument, grid: &Grid, charts: &mut Charts, lang: Lang) -> usize {
    let mut left_out = 0;
    let mut add = |of_a_kind: Vec<crate::model::Chart>| {
        left_out += of_a_kind.len().saturating_sub(MOST_OF_A_KIND);
        of_a_kind.into_iter().take(MOST_OF_A_KIND).for_each(|chart| {
            charts.add(chart);
        });
    };
    // Who adds clients wants to know how they add up.
    if let Some(clients) = grid.clients() {
        add(load::client_scale(document, grid, clients, lang));
    }
    if let Some(mix) = grid.axis(AxisKind::Mix) {
        add(mix::mixes(grid, mix, lang));
    }
    let load = grid.axis(AxisKind::Depth).or(grid.axis(AxisKind::Jobs));
    if let Some(depth) = grid.axis(AxisKind::Depth) {
        add(load::rates(document, grid, depth, lang));
    }
    if let Some(load) = load {
        add(load::hockey_sticks(grid, load, lang));
    }
    if let Some(jobs) = grid.axis(AxisKind::Jobs) {
        add(load::scale_out(grid, jobs, lang));
    }
    if let Some(bs) = grid.axis(AxisKind::Block) {
        add(blocks::curves(grid, bs, lang));
    }
    for (other, _) in grid.axes.iter().enumerate().filter(|(_, of)| of.kind == AxisKind::Scale) {
        add(load::rates(document, grid, other, lang));
    }
    if grid.axes.iter().all(|axis| axis.kind == AxisKind::Words) {
        add(blocks::bars(grid, lang));
    }
    add(blocks::maps(grid, lang));
    add(tails::tails(grid, load, lang).into_iter().collect());
    let (times, without) = tails::times(document, grid, lang);
    add(times);
    left_out + without
}

fn facts(
    document: &SweepDocument,
    session: Option<&SessionRecord>,
    lang: Lang,
) -> Vec<crate::model::Fact> {
    let setup = session.map(|session| &session.setup);
    let mut facts = place::facts_of(lang, &document.head, setup);
    let runs = format!("{} / {}", document.cases.len(), document.turns);
    facts.push(crate::model::Fact { name: words(lang, "charts-fact-runs"), value: runs });
    facts
}

fn all_remarks(document: &SweepDocument) -> Vec<fathom_document::RemarkRecord> {
    document.sessions.iter().flat_map(|session| session.setup.remarks.clone()).collect()
}

/// Doubts about figures, once for each kind, with the number of cases: five hundred cases would
/// repeat the same verdict.
fn doubts(document: &SweepDocument, grid: &Grid, lang: Lang) -> Vec<Statement> {
    let mut kinds: Vec<(&Verdict, usize, usize)> = Vec::new();
    for record in &document.cases {
        let loud =
            |verdict: &&Verdict| verdict.weight == Weight::Loud && verdict.tone >= Tone::Warning;
        for verdict in record.verdicts.iter().filter(loud) {
            let same = |(other, ..): &&mut (&Verdict, usize, usize)| {
                std::mem::discriminant(&other.answer) == std::mem::discriminant(&verdict.answer)
                    && other.tone == verdict.tone
            };
            match kinds.iter_mut().find(same) {
                Some((_, _, count)) => *count += 1,
                None => kinds.push((verdict, record.case, 1)),
            }
        }
    }
    kinds.sort_by_key(|(verdict, ..)| std::cmp::Reverse(verdict.tone));
    let told = |(verdict, case, count): (&Verdict, usize, usize)| {
        let first = grid.cells.iter().find(|cell| cell.record.case == case);
        let about = Message::new("charts-about-cases")
            .with("first", first.map(|cell| grid.title(cell)).unwrap_or_default())
            .with("more", count as u64 - 1);
        Statement {
            outcome: None,
            tone: verdict.tone,
            about: about.text(lang),
            sentence: said(verdict, lang),
        }
    };
    kinds.into_iter().map(told).collect()
}

fn commands(document: &SweepDocument, grid: &Grid) -> Vec<Repeat> {
    let named = grid.cells.iter().map(|cell| place::repeat(grid.title(cell), &cell.record.command));
    let failed = document.cases.iter().filter(|record| record.figures.is_none()).map(|record| {
        let settings = record.settings.iter().map(|s| format!("{}={}", s.axis, s.value));
        place::repeat(settings.collect::<Vec<_>>().join(", "), &record.command)
    });
    named.chain(failed).collect()
}

#[cfg(test)]
mod tests;
#[cfg(test)]
pub(super) use tests::run as simulated;
