//! A volume's figures as a table, each phase over all its rounds, with the consistency check
//! (Little's law) below it.
//!
//! Made only from outcomes and a [`Screen`], so that tests see the same text as users.

use super::phase_words::{headline, short_name};
use crate::language::{lang, word};
use crate::measure::rounds;
use crate::terminal::screen::{Screen, warning, wrapped};
use crate::terminal::table::{TextCell, TextTable, bar, cell, heading, right};
use crate::terminal::verdicts::{self, VerdictDetail};
use crate::terminal::{bars, connections};
use fathom_campaign::test_title;
use fathom_campaign::verdicts::Verdict;
use fathom_campaign::{
    Figures, Goal, Headroom, OverRounds, Phase, PhaseRecord, binary_bytes, latency,
    megabytes_per_s, thousands,
};
use fathom_message::Message;
use std::mem::discriminant;

/// The heading of a goal's rows.
fn goal_title(goal: Goal) -> &'static str {
    match goal {
        Goal::Latency => "Latency",
        Goal::Iops => "IOPS",
        Goal::Throughput => "Throughput",
    }
}

/// Whether a volume is the only one. Bars of one volume are as long as its own highest figure;
/// beside those of another they would be read as if both had one scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableLayout {
    /// The only volume.
    Alone,
    /// There are others, and a comparison with bars follows.
    Others,
}

/// The whole text of a volume: its figures, the spread of rounds, the consistency check, the
/// reading of case C, remarks on single runs.
pub fn volume(
    phases: &[&OverRounds],
    (runs, together): (&[&PhaseRecord], &[Verdict]),
    layout: TableLayout,
    detail: VerdictDetail,
    screen: &Screen,
) -> String {
    let mut text = figures(phases, layout, screen);
    text += &rounds::spread(phases, screen);
    text += &identities(phases, screen);
    text += &reading(phases, screen);
    text += &notes(runs, screen);
    text += &over_connections(runs, screen);
    // Rounds share one name, so that common verdicts are printed once.
    let several = detail == VerdictDetail::All && runs.iter().any(|run| run.round > 0);
    let judged = runs.iter().filter(|run| run.figures.is_some());
    let judged: Vec<_> = judged.map(|o| (run_name(o, several), o.verdicts.as_slice())).collect();
    match verdicts::over_runs(together, &judged, detail, screen).as_str() {
        "" => text,
        verdicts => format!("{text}\n{verdicts}"),
    }
}

/// The connections of each run, if there are several.
fn over_connections(runs: &[&PhaseRecord], screen: &Screen) -> String {
    let several = runs.iter().any(|run| run.round > 0);
    let results: Vec<_> = runs
        .iter()
        .filter_map(|run| Some((run_name(run, several), run.result.as_ref()?)))
        .collect();
    connections::table(&results, screen)
}

/// A run's phase, and with several rounds its round.
fn run_name(run: &PhaseRecord, several: bool) -> String {
    let name = test_title(&run.phase.title()).text(lang());
    if several { localized!("{name}, round {}", run.round + 1) } else { name }
}

fn measured<'a>(phases: &[&'a OverRounds]) -> Vec<(&'a Phase, &'a Figures)> {
    let with_figures = |of: &&'a OverRounds| Some((&of.phase, of.figures.as_ref()?));
    phases.iter().filter_map(with_figures).collect()
}

/// The heading over bars of latency; only there shorter is better.
const LESS_IS_BETTER: &str = "less is better";

fn figures(phases: &[&OverRounds], layout: TableLayout, screen: &Screen) -> String {
    let rows = measured(phases);
    if rows.is_empty() {
        return String::new();
    }
    let table = grid(&rows, layout, screen.unicode);
    if table.fits(screen) { table.text(screen) } else { stacked(phases, &[]) }
}

/// Stands before the name of a phase whose figures are in doubt.
const MARK: &str = "!";

/// The figures of the only volume, a line for each phase, with a mark at those of `marked`; empty
/// if there are none.
pub fn brief(phases: &[&OverRounds], marked: &[&Phase], screen: &Screen) -> String {
    let rows = measured(phases);
    if rows.is_empty() {
        return String::new();
    }
    let table = plain_grid(&rows, marked, screen);
    if table.fits(screen) { table.text(screen) } else { stacked(phases, marked) }
}

/// The rows without headings for their goals; the goal's figure is emphasised.
fn plain_grid(rows: &[(&Phase, &Figures)], marked: &[&Phase], screen: &Screen) -> TextTable {
    let mut table = TextTable::new();
    table.bars_in(BARS);
    let order = ColumnOrder::of(rows);
    let mut heads = heading(&order.heads());
    let several = |goal| rows.iter().filter(|(phase, _)| phase.goal == goal).count() > 1;
    if several(Goal::Latency) {
        heads.push(cell(word(LATENCY_LESS_IS_BETTER)));
    }
    table.row(heads);
    for group in rows.chunk_by(|(one, _), (next, _)| one.goal == next.goal) {
        let most = greatest(group);
        for (phase, figures) in group {
            let drawn = group.len() > 1 && most > 0.0;
            let mut cells = row(phase, figures, order);
            if marked.contains(phase) {
                cells[0] = cell(format!("{MARK}{}", short_name(phase)));
            }
            table.row(with_bar(cells, (phase, figures), drawn.then_some(most), screen.unicode));
        }
    }
    table
}

/// The largest figure of a group, which has the full bar.
fn greatest(group: &[(&Phase, &Figures)]) -> f64 {
    group.iter().map(|(phase, figures)| headline(phase, figures).0).fold(0.0, f64::max)
}

/// Adds a bar relative to the `most` of its group, if there is one.
fn with_bar(
    mut cells: Vec<TextCell>,
    (phase, figures): (&Phase, &Figures),
    most: Option<f64>,
    unicode: bool,
) -> Vec<TextCell> {
    if let Some(most) = most {
        let share = headline(phase, figures).0 / most;
        cells.push(bar(move |columns| bars::bar(share, columns, unicode)));
    }
    cells
}

/// The order of the columns, the same in all rows of a table, so that each column has one meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ColumnOrder {
    /// If any row is about latency: it is the first figure that such a row is read for, and rates
    /// stand beside the bars.
    LatencyFirst,
    /// If all rows are about rates.
    RateFirst,
}

impl ColumnOrder {
    fn of(rows: &[(&Phase, &Figures)]) -> ColumnOrder {
        match rows.iter().any(|(phase, _)| phase.goal == Goal::Latency) {
            true => ColumnOrder::LatencyFirst,
            false => ColumnOrder::RateFirst,
        }
    }

    fn heads(self) -> [&'static str; 8] {
        let rates = ["IOPS", "MB/s"];
        self.columns(["", "QD"], rates, ["mean", "p50", "p99", "p99.9"])
    }

    fn columns<T>(self, first: [T; 2], rates: [T; 2], latencies: [T; 4]) -> [T; 8] {
        let ([name, depth], [iops, mb], [mean, p50, p99, p999]) = (first, rates, latencies);
        match self {
            ColumnOrder::LatencyFirst => [name, depth, mean, p50, p99, p999, iops, mb],
            ColumnOrder::RateFirst => [name, depth, iops, mb, mean, p50, p99, p999],
        }
    }
}

/// The same as [`LESS_IS_BETTER`] over all bars.
const LATENCY_LESS_IS_BETTER: &str = "latency: less is better";
/// The column of bars.
const BARS: usize = 8;

/// The rows under their goals. Each goal's bars have their own unit and scale, and appear only with
/// two rows to compare and a single volume.
fn grid(rows: &[(&Phase, &Figures)], layout: TableLayout, unicode: bool) -> TextTable {
    let mut table = TextTable::new();
    table.bars_in(BARS);
    let order = ColumnOrder::of(rows);
    table.row(heading(&order.heads()));
    for group in rows.chunk_by(|(one, _), (next, _)| one.goal == next.goal) {
        let most = greatest(group);
        let drawn = layout == TableLayout::Alone && group.len() > 1 && most > 0.0;
        let goal = group[0].0.goal;
        let mut title = vec![cell(word(goal_title(goal)))];
        if drawn && goal == Goal::Latency {
            title.resize_with(BARS, || cell(""));
            title.push(cell(word(LESS_IS_BETTER)));
        }
        table.row(title);
        for (phase, figures) in group {
            let cells = row(phase, figures, order);
            table.row(with_bar(cells, (phase, figures), drawn.then_some(most), unicode));
        }
    }
    table
}

/// A row, with its goal's figure emphasised.
fn row(phase: &Phase, figures: &Figures, order: ColumnOrder) -> Vec<TextCell> {
    let key = |goal, text: String| match goal == phase.goal {
        true => right(text).bold(),
        false => right(text),
    };
    let name = [cell(format!(" {}", short_name(phase))), right(depth_text(phase))];
    let rates = [
        key(Goal::Iops, thousands(figures.iops)),
        key(Goal::Throughput, megabytes_per_s(figures.mb_per_s)),
    ];
    let at = |ns: u64| right(latency(ns as f64));
    let latencies = [
        key(Goal::Latency, latency(figures.mean_ns)),
        at(figures.p50_ns),
        at(figures.p99_ns),
        at(figures.p999_ns),
    ];
    order.columns(name, rates, latencies).into()
}

/// I/Os in flight: `32`; of several jobs those of each, and how many jobs: `32 x 4`.
pub fn depth_text(phase: &Phase) -> String {
    match phase.jobs {
        1 => phase.depth.to_string(),
        jobs => format!("{} x {jobs}", phase.depth),
    }
}

/// The same figures if the table does not fit: three short lines a phase.
fn stacked(phases: &[&OverRounds], marked: &[&Phase]) -> String {
    let one = |(phase, figures): (&Phase, &Figures)| {
        let at = |ns: u64| latency(ns as f64);
        let (iops, mb) = (thousands(figures.iops), megabytes_per_s(figures.mb_per_s));
        let rates = format!("{iops} IOPS, {mb} MB/s");
        let mean = latency(figures.mean_ns);
        let [p50, p99, p999] = [figures.p50_ns, figures.p99_ns, figures.p999_ns].map(at);
        let lines = match phase.goal {
            Goal::Latency => {
                [localized!("mean {mean}, p50 {p50}, p99 {p99}"), format!("p99.9 {p999}, {rates}")]
            }
            _ => {
                [localized!("{rates}, mean {mean}"), format!("p50 {p50}, p99 {p99}, p99.9 {p999}")]
            }
        };
        let mark = if marked.contains(&phase) { MARK } else { " " };
        let title = test_title(&phase.title()).text(lang());
        format!(" {mark}{title}\n    {}\n", lines.join("\n    "))
    };
    measured(phases).into_iter().map(one).collect()
}

/// Both sides of each identity: computed from the other figures, and measured.
fn identities(phases: &[&OverRounds], screen: &Screen) -> String {
    let rows = measured(phases);
    if rows.is_empty() {
        return String::new();
    }
    let mut table = TextTable::new();
    table.row(heading(&[
        "",
        "depth / mean",
        "= IOPS",
        "measured",
        "x block = MB/s",
        "measured",
        "",
    ]));
    for (phase, figures) in rows {
        let identity = &figures.identity;
        table.row(vec![
            cell(short_name(phase)),
            right(format!("{} / {}", identity.depth, latency(figures.mean_ns))),
            right(thousands(identity.iops_computed)),
            right(thousands(figures.iops)),
            right(megabytes_per_s(identity.mb_per_s_computed)),
            right(megabytes_per_s(figures.mb_per_s)),
            right(if identity.holds() { "" } else { "!" }),
        ]);
    }
    let title = "How they hang together: depth / mean latency = IOPS; IOPS x block size = MB/s";
    let body = match table.fits(screen) {
        true => table.text(screen),
        // On a phone's width the reading below must do.
        false if screen.width < 60 => return String::new(),
        false => identity_lines(phases, screen),
    };
    format!("\n{}{body}", wrapped(word(title), screen.width, "", "  "))
}

/// The same as sentences, for a screen that is too narrow for the table.
fn identity_lines(phases: &[&OverRounds], screen: &Screen) -> String {
    let line = |(phase, figures): (&Phase, &Figures)| {
        let identity = &figures.identity;
        let text = localized!(
            "{}: {} / {} = {} IOPS (measured {}), {} MB/s (measured {}){}",
            short_name(phase),
            identity.depth,
            latency(figures.mean_ns),
            thousands(identity.iops_computed),
            thousands(figures.iops),
            megabytes_per_s(identity.mb_per_s_computed),
            megabytes_per_s(figures.mb_per_s),
            if identity.holds() { "" } else { " !" }
        );
        wrapped(&text, screen.width, " ", "   ")
    };
    measured(phases).into_iter().map(line).collect()
}

/// The meaning of the latency, step by step, as the author of case C explains it.
fn reading(phases: &[&OverRounds], screen: &Screen) -> String {
    let rows = measured(phases);
    // Of several machines one at a time on each is several at a time.
    let mut alone =
        rows.into_iter().filter(|(phase, of)| phase.depth == 1 && of.identity.depth == 1);
    let Some((phase, figures)) = alone.next() else { return String::new() };
    let ms = figures.mean_ns / 1e6;
    let iops = figures.identity.iops_computed;
    let block = phase.block_bytes as f64;
    let decimals = if ms < 0.1 { 4 } else { 3 };
    let text = Message::new("told-one-at-a-time")
        .with("work", short_name(phase))
        .with("ms", format_args!("{ms:.decimals$}"))
        .with("iops", thousands(iops))
        .with("block", binary_bytes(phase.block_bytes))
        .with("kib", thousands(iops * block / 1024.0))
        .with("mb", megabytes_per_s(iops * block / 1e6))
        .text(screen.lang);
    format!("\n{}", wrapped(&text, screen.width, "", "  "))
}

/// Remarks on single runs, and failures. A remark that several rounds of a phase share is printed
/// once, with the figures of the first.
fn notes(runs: &[&PhaseRecord], screen: &Screen) -> String {
    let (mut notes, mut said) = (Vec::new(), Vec::new());
    let several = runs.iter().any(|run| run.round > 0);
    for outcome in runs {
        let name = run_name(outcome, several);
        if let Some(why) = outcome.failure.as_ref().filter(|_| !outcome.is_stopped()) {
            notes.push(localized!("{name}: FAILED: {why}"));
        }
        if outcome.cut_short && outcome.figures.is_some() {
            let told = Message::new("told-cut-short").with("name", &name);
            notes.push(told.text(screen.lang));
        }
        for record in &outcome.remarks {
            let which = (&outcome.phase, discriminant(&record.remark));
            if !said.contains(&which) {
                said.push(which);
                let told = record.told(screen.lang);
                let title = test_title(&outcome.phase.title()).text(screen.lang);
                notes.push(format!("{title}: {told}"));
            }
        }
    }
    if notes.is_empty() {
        return String::new();
    }
    let lines = notes.iter().map(|note| warning(note, screen));
    format!("\n{}", lines.collect::<String>())
}

/// The rate that one core could drive; empty if unknown.
pub fn headroom(client: &Headroom, screen: &Screen) -> String {
    let line = |text: String| format!("\n{}", wrapped(&text, screen.width, "", "  "));
    client.told().map_or(String::new(), |told| line(told.text(screen.lang)))
}
