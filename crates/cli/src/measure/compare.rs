//! Several volumes side by side: a phase's figures below each other, with bars and the ratio to the
//! best figure. Bars begin at zero, so that twice as long is twice as much.
//!
//! A best volume is named only if rounds distinguish it from all others, and never on one disk: the
//! best figure of single runs may be chance.

use super::phase_words::{headline, short_name};
use super::table::depth_text;
use crate::terminal::bars;
use crate::terminal::screen::Screen;
use crate::terminal::style::Style;
use crate::terminal::table::{TextCell, TextTable, bar, cell, right};
use fathom_analysis::{Better, JudgeRule, LEAST_ROUNDS, Ranking, SharedRounds};
use fathom_campaign::{Figures, Goal, OverRounds, Phase, latency};
use fathom_message::words;
use fathom_report::change_words::NO_CHANGE;

/// One volume's figure in a phase.
struct Entry<'a> {
    volume: &'a str,
    figures: &'a Figures,
    /// Its value in each round.
    rounds: &'a [f64],
    value: f64,
    text: String,
}

/// The table of all phases with figures for more than one volume; empty if there is none. Volumes
/// of `one_disk` have no best.
pub fn comparison(names: &[&str], all: &[OverRounds], one_disk: bool, screen: &Screen) -> String {
    let groups = groups(names, all);
    if groups.iter().all(|(_, entries)| entries.len() < 2) {
        return String::new();
    }
    let several = groups.iter().filter(|(_, entries)| entries.len() > 1);
    let phases = groups.len();
    let mut table = TextTable::indented(2);
    table.bars_in(2);
    for (phase, entries) in several {
        let order = EntryOrder::of(phase, entries, phases, one_disk);
        group(&mut table, phase, entries, order, screen);
    }
    table.text(screen)
}

/// The column of p99 in the short table.
const P99_COLUMN: usize = 5;

/// The same with a line for each volume in each phase; the longer form if that does not fit.
pub fn brief(names: &[&str], all: &[OverRounds], one_disk: bool, screen: &Screen) -> String {
    let groups = groups(names, all);
    if groups.iter().all(|(_, entries)| entries.len() < 2) {
        return String::new();
    }
    let phases = groups.len();
    let mut table = TextTable::new();
    table.bars_in(3);
    table.give_way(&[(P99_COLUMN, 0)]);
    for (phase, entries) in groups.iter().filter(|(_, entries)| entries.len() > 1) {
        let order = EntryOrder::of(phase, entries, phases, one_disk);
        let mut title = brief_title(phase);
        for (at, mut cells, style) in rows(phase, entries, order, screen) {
            let text = if at == 0 { std::mem::take(&mut title) } else { String::new() };
            cells.insert(0, cell(text));
            table.styled_row(cells, style);
        }
    }
    match table.fits(screen) {
        true => table.text(screen),
        false => comparison(names, all, one_disk, screen),
    }
}

/// `4 KiB random read, QD 32`, and for latency the compared statistic.
fn brief_title(phase: &Phase) -> String {
    match phase.goal {
        // Shorter bars are better here, and only here.
        Goal::Latency => localized!("{} (less is better)", short_name(phase)),
        Goal::Iops | Goal::Throughput => {
            localized!("{}, QD {}", short_name(phase), depth_text(phase))
        }
    }
}

type PhaseEntries<'a> = (&'a Phase, Vec<Entry<'a>>);

/// The phases in order, each with the volumes that have figures for it.
fn groups<'a>(names: &[&'a str], all: &'a [OverRounds]) -> Vec<PhaseEntries<'a>> {
    let mut phases: Vec<&Phase> = Vec::new();
    for of in all {
        if !phases.contains(&&of.phase) {
            phases.push(&of.phase);
        }
    }
    phases.into_iter().map(|phase| (phase, entries(names, all, phase))).collect()
}

/// What is known of the entries of a phase beside each other.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EntryOrder {
    /// Rounds distinguish this one from all others.
    Winner(usize),
    /// Changes may be chance.
    Open,
    /// Changes are noise.
    OneDisk,
}

impl EntryOrder {
    fn of(phase: &Phase, entries: &[Entry<'_>], phases: usize, one_disk: bool) -> EntryOrder {
        let winner = || winner(phase, entries, phases).map(EntryOrder::Winner);
        match one_disk {
            true => EntryOrder::OneDisk,
            false => winner().unwrap_or(EntryOrder::Open),
        }
    }
}

/// The entry that rounds distinguish from all others.
fn winner(phase: &Phase, entries: &[Entry<'_>], phases: usize) -> Option<usize> {
    let enough = entries.iter().all(|entry| entry.rounds.len() >= LEAST_ROUNDS);
    let sides = entries.iter().enumerate().filter(|_| enough);
    let rounds = |rounds: &[f64]| rounds.iter().copied().map(Some).collect();
    let shared = SharedRounds::new(sides.map(|(at, of)| (at.to_string(), rounds(of.rounds))));
    let rule = JudgeRule::among_pairs(phases, entries.len());
    let ranking = Ranking::of_rounds(&shared, better(phase), rule);
    let told = ranking.not_told_apart().next().is_none();
    ranking.best().filter(|_| told)?.name.parse().ok()
}

/// Which figure of a phase is the better one.
fn better(phase: &Phase) -> Better {
    match phase.goal {
        Goal::Latency => Better::Lower,
        Goal::Iops | Goal::Throughput => Better::Higher,
    }
}

fn entries<'a>(names: &[&'a str], all: &'a [OverRounds], phase: &Phase) -> Vec<Entry<'a>> {
    let entry = |of: &'a OverRounds| {
        let figures = of.figures.as_ref()?;
        let (value, text) = headline(phase, figures);
        Some(Entry { volume: names.get(of.volume)?, figures, rounds: &of.values, value, text })
    };
    all.iter().filter(|of| of.phase == *phase).filter_map(entry).collect()
}

/// A phase: its title, and a row for each volume; the winner is emphasised, if there is one.
fn group(
    table: &mut TextTable,
    phase: &Phase,
    entries: &[Entry<'_>],
    order: EntryOrder,
    screen: &Screen,
) {
    table.text_between(title(phase) + "\n");
    for (_, cells, style) in rows(phase, entries, order, screen) {
        table.styled_row(cells, style);
    }
}

type EntryRow = (usize, Vec<TextCell>, Option<Style>);

/// A row for each volume: its name, its figure, a bar, the change from the best, its p99.
fn rows(phase: &Phase, entries: &[Entry<'_>], order: EntryOrder, screen: &Screen) -> Vec<EntryRow> {
    let less_is_better = phase.goal == Goal::Latency;
    let most = entries.iter().map(|entry| entry.value).fold(0.0, f64::max);
    let least = entries.iter().map(|entry| entry.value).fold(f64::INFINITY, f64::min);
    let best = if less_is_better { least } else { most };
    let row = |(at, entry): (usize, &Entry<'_>)| {
        let share = if most > 0.0 { entry.value / most } else { 0.0 };
        let is_winner = order == EntryOrder::Winner(at);
        let change = match entry.value == best || best <= 0.0 {
            _ if is_winner => words(screen.lang, "told-best"),
            _ if order == EntryOrder::OneDisk && at > 0 => words(screen.lang, "change-one-disk"),
            _ if order == EntryOrder::OneDisk => NO_CHANGE.to_owned(),
            true => NO_CHANGE.to_owned(),
            false => fathom_analysis::change(entry.value / best, better(phase)).text(screen.lang),
        };
        let unicode = screen.unicode;
        let cells = vec![
            cell(entry.volume),
            right(&entry.text),
            bar(move |columns| bars::bar(share, columns, unicode)),
            right(change),
            right(format!("p99 {}", latency(entry.figures.p99_ns as f64))),
        ];
        (at, cells, is_winner.then_some(Style::Green))
    };
    entries.iter().enumerate().map(row).collect()
}

/// The title. For latency, shorter bars are better, which it must say.
fn title(phase: &Phase) -> String {
    let name = phase.title();
    match phase.goal {
        Goal::Latency => localized!("{name}: mean latency (less is better)"),
        Goal::Iops | Goal::Throughput => name,
    }
}
