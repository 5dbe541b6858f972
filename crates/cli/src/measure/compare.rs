//! Several volumes side by side: a phase's figures under each other, with bars and the ratio to
//! the best figure. Bars begin at zero, so that twice as long is twice as much.
//!
//! A best is named only where rounds tell it apart from all others, and never on one disk: the best
//! figure of single runs may be chance.

use crate::bars;
use crate::measure::screen::{Screen, columns, from_left, to_right};
use crate::measure::table::{headline, phase_name};
use fathom_analysis::{Better, LEAST_ROUNDS, Ranking, Side};
use fathom_campaign::{Figures, Goal, OverRounds, Phase, latency};
use fathom_message::words;

/// One volume's figure in a phase.
struct Entry<'a> {
    volume: &'a str,
    figures: &'a Figures,
    /// What it was in each round.
    rounds: &'a [f64],
    value: f64,
    text: String,
}

/// The table of all phases that more than one volume has figures for; empty if there is none.
/// Volumes of `one_disk` have no best.
pub fn comparison(names: &[&str], all: &[OverRounds], one_disk: bool, screen: &Screen) -> String {
    let mut phases: Vec<&Phase> = Vec::new();
    for of in all {
        if !phases.contains(&&of.phase) {
            phases.push(&of.phase);
        }
    }
    let groups: Vec<(&Phase, Vec<Entry<'_>>)> =
        phases.into_iter().map(|phase| (phase, entries(names, all, phase))).collect();
    if groups.iter().all(|(_, entries)| entries.len() < 2) {
        return String::new();
    }
    let widths = Columns::of(&groups, screen);
    let several = groups.iter().filter(|(_, entries)| entries.len() > 1);
    let phases = groups.len() as u64;
    let group = |(phase, entries): &(&Phase, Vec<Entry<'_>>)| {
        let winner = winner(phase, entries, phases).filter(|_| !one_disk);
        group(phase, entries, winner, &widths, screen)
    };
    several.map(group).collect()
}

/// The entry that rounds tell apart from all others.
fn winner(phase: &Phase, entries: &[Entry<'_>], phases: u64) -> Option<usize> {
    let enough = entries.iter().all(|entry| entry.rounds.len() >= LEAST_ROUNDS);
    let sides = entries.iter().enumerate().filter(|_| enough);
    let sides = sides.map(|(at, entry)| Side::of_repeats(at.to_string(), entry.rounds)).collect();
    let better = match phase.goal {
        Goal::Latency => Better::Lower,
        Goal::Iops | Goal::Throughput => Better::Higher,
    };
    let ranking = Ranking::among(sides, better, Some(phases));
    let told = ranking.not_told_apart().next().is_none();
    ranking.best().filter(|_| told)?.name.parse().ok()
}

fn entries<'a>(names: &[&'a str], all: &'a [OverRounds], phase: &Phase) -> Vec<Entry<'a>> {
    let entry = |of: &'a OverRounds| {
        let figures = of.figures.as_ref()?;
        let (value, text) = headline(phase, figures);
        Some(Entry { volume: names.get(of.volume)?, figures, rounds: &of.values, value, text })
    };
    all.iter().filter(|of| of.phase == *phase).filter_map(entry).collect()
}

/// How wide each column is, over all phases, so that bars can be compared down the page.
struct Columns {
    volume: usize,
    figure: usize,
    bar: usize,
}

/// `24.8x`, or `best` where one is named; and `p99 12.3 ms`.
const RATIO: usize = 5;
const P99: usize = 11;

impl Columns {
    fn of(groups: &[(&Phase, Vec<Entry<'_>>)], screen: &Screen) -> Columns {
        let widest = |get: &dyn Fn(&Entry<'_>) -> usize| {
            groups.iter().flat_map(|(_, entries)| entries).map(get).max().unwrap_or(0)
        };
        let volume = widest(&|entry| columns(entry.volume));
        let figure = widest(&|entry| columns(&entry.text));
        // Two columns before each of the five.
        let taken = volume + figure + RATIO + P99 + 5 * 2;
        let bar = bars::room(screen, taken);
        Columns { volume, figure, bar }
    }
}

fn group(
    phase: &Phase,
    entries: &[Entry<'_>],
    winner: Option<usize>,
    widths: &Columns,
    screen: &Screen,
) -> String {
    let less_is_better = phase.goal == Goal::Latency;
    let most = entries.iter().map(|entry| entry.value).fold(0.0, f64::max);
    let least = entries.iter().map(|entry| entry.value).fold(f64::INFINITY, f64::min);
    let best = if less_is_better { least } else { most };
    let mut text = title(phase) + "\n";
    for (at, entry) in entries.iter().enumerate() {
        let share = if most > 0.0 { entry.value / most } else { 0.0 };
        let is_winner = winner == Some(at);
        let ratio = match entry.value == best || best <= 0.0 {
            _ if is_winner => words(screen.lang, "told-best"),
            true => "1x".to_owned(),
            false => times(entry.value / best),
        };
        let line = line(entry, share, &ratio, widths, screen);
        text += &if is_winner && screen.colour { format!("\x1b[32m{line}\x1b[0m") } else { line };
        text.push('\n');
    }
    text
}

fn line(entry: &Entry<'_>, share: f64, ratio: &str, widths: &Columns, screen: &Screen) -> String {
    let Columns { volume, figure, bar: bar_columns } = *widths;
    let name = from_left(entry.volume, volume);
    let mut line = format!("  {name}  {:>figure$}", entry.text);
    if bar_columns > 0 {
        let bar = bars::bar(share, bar_columns, screen.unicode);
        line += &format!("  {bar:<bar_columns$}");
    }
    let p99 = format!("p99 {}", latency(entry.figures.p99_ns as f64));
    line + &format!("  {}  {p99:>P99$}", to_right(ratio, RATIO))
}

/// What is compared: for latency, shorter bars are better, which must be said.
fn title(phase: &Phase) -> String {
    let name = phase_name(phase);
    match phase.goal {
        Goal::Latency => format!("{name}: mean latency (less is better)"),
        Goal::Iops | Goal::Throughput => name,
    }
}

fn times(ratio: f64) -> String {
    match ratio {
        r if r >= 99.5 => format!("{r:.0}x"),
        r if r >= 9.95 => format!("{r:.1}x"),
        r => format!("{r:.2}x"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_have_three_figures() {
        assert_eq!([0.0407, 1.5, 24.78, 812.3].map(times), ["0.04x", "1.50x", "24.8x", "812x"]);
    }
}
