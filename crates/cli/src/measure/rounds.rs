//! The spread of a phase's rounds: the goal's figure in the smallest and the largest round, and the
//! confidence of the mean.

use super::phase_words::{goal_text, short_name};
use crate::terminal::screen::{Screen, wrapped};
use crate::terminal::table::{TextTable, cell, heading, right};
use fathom_analysis::NOT_STABLE_PERCENT;
use fathom_campaign::OverRounds;

/// The table of all phases with more than one round; empty if there is none.
pub fn spread(phases: &[&OverRounds], screen: &Screen) -> String {
    let rows: Vec<[String; 5]> = phases.iter().filter_map(|of| row(of)).collect();
    let Some(rounds) = phases.iter().map(|of| of.values.len()).max().filter(|_| !rows.is_empty())
    else {
        return String::new();
    };
    let mut table = TextTable::new();
    table.row(heading(&["", "least", "most", "spread", "mean known to"]));
    for [name, figures @ ..] in &rows {
        let cells = [cell(name)].into_iter().chain(figures.iter().map(right)).collect();
        table.row(cells);
    }
    let body = match table.fits(screen) {
        true => table.text(screen),
        false => rows.iter().map(|row| stacked(row, screen)).collect(),
    };
    let title = localized!(
        "How far {rounds} rounds lie apart (spread: most less least, over the mean; the mean is \
         known with 95 % confidence)"
    );
    format!("\n{}{body}", wrapped(&title, screen.width, "", "  "))
}

fn row(of: &OverRounds) -> Option<[String; 5]> {
    let spread_percent = of.spread_percent?;
    let least = of.values.iter().copied().fold(f64::INFINITY, f64::min);
    let most = of.values.iter().copied().fold(0.0, f64::max);
    let known = of.estimate.as_ref().and_then(|estimate| estimate.half_width_percent());
    Some([
        short_name(&of.phase),
        goal_text(of.phase.goal, least),
        goal_text(of.phase.goal, most),
        percent(spread_percent),
        known.map_or("-".to_owned(), |half| match half {
            // A wider interval has no other meaning.
            NOT_STABLE_PERCENT.. => localized!("uncertain"),
            half => format!("± {}", percent(half)),
        }),
    ])
}

fn stacked([name, least, most, spread, known]: &[String; 5], screen: &Screen) -> String {
    let text = localized!("{name}: {least} to {most}, spread {spread}, known to {known}");
    wrapped(&text, screen.width, "  ", "    ")
}

fn percent(value: f64) -> String {
    match value {
        value if value < 9.95 => format!("{value:.1} %"),
        value => format!("{value:.0} %"),
    }
}
