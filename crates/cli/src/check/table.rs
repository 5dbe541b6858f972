//! The verdicts: a line for each run, with its remarks below.

use super::heading::in_terms;
use crate::terminal::bars;
use crate::terminal::screen::{Screen, columns, from_left, wrapped};
use crate::terminal::table::{TextCell, TextTable, bar, cell, heading, right};
use crate::terminal::verdicts::{self, VerdictDetail};
use fathom_campaign::Goal;
use fathom_campaign::check::{CheckDocument, CheckTrial, LimitRow, Standing};
use fathom_message::Tell;

/// The results without the answer, which is the first sentence.
pub fn results(document: &CheckDocument, detail: VerdictDetail, screen: &Screen) -> String {
    let mut text = String::new();
    if !document.runs.is_empty() {
        text += &promises(document, screen);
        for run in &document.runs {
            text += &explained(run, detail, screen);
        }
        text += &judged(document, detail, screen);
    }
    if let Some(why) = &document.failure {
        text += &wrapped(&format!("FAILED: {why}"), screen.width, "  ! ", "    ");
    }
    text
}

/// Verdicts on the runs' figures beside their promises.
fn judged(document: &CheckDocument, detail: VerdictDetail, screen: &Screen) -> String {
    let sound = document.runs.iter().filter(|run| run.figures.is_some());
    let runs: Vec<_> = sound.map(|run| (run.load.title(), run.verdicts.as_slice())).collect();
    match verdicts::text(&runs, detail, screen).as_str() {
        "" => String::new(),
        text => format!("\n{text}"),
    }
}

/// The table with bars: beside the table if they fit, otherwise below it; if the table itself does
/// not fit, a few lines for each run.
fn promises(document: &CheckDocument, screen: &Screen) -> String {
    let table = grid(document, screen);
    if !table.fits(screen) {
        let stacked = document.runs.iter().map(|run| stacked(document, run, screen));
        return legend(document, bars::room(screen, INDENT), screen) + &stacked.collect::<String>();
    }
    match table.bar_columns(screen) {
        0 => table.text(screen) + &beneath(document, screen),
        beside => legend(document, beside, screen) + &table.text(screen),
    }
}

/// Indent of remarks on a run, which have their own lines.
const INDENT: usize = 4;

/// The rule by which a second reaches the promised rate: `seconds >= 90 %`.
fn enough(document: &CheckDocument) -> String {
    let enough = document.runs.iter().find_map(|run| run.finding.as_ref()).map(|f| f.enough);
    format!("seconds >= {:.0} %", enough.unwrap_or(0.9) * 100.0)
}

/// A row for each limit, with a bar.
fn grid(document: &CheckDocument, screen: &Screen) -> TextTable {
    let unicode = screen.unicode;
    let mut table = TextTable::new();
    table.bars_in(5);
    table.row(heading(&["", "promised", "measured", &enough(document), "verdict"]));
    let rows =
        document.runs.iter().flat_map(|run| run.rows().into_iter().map(move |row| (run, row)));
    for (run, row) in rows {
        let mut cells = vec![
            cell(title(&row, screen)),
            right(shown(&row, row.limit, "nothing")),
            right(measured(run, &row)),
            right(seconds(run)),
            verdict(row.standing, screen),
        ];
        let share = row.share();
        cells.extend(share.map(|share| bar(move |columns| bars::gauge(share, columns, unicode))));
        table.row(cells);
    }
    table
}

/// The title of a row: its load, and for a latency its statistic.
fn title(row: &LimitRow<'_>, screen: &Screen) -> String {
    row.title(row.load.title()).text(screen.lang)
}

/// A figure of a row in its terms.
fn shown(row: &LimitRow<'_>, value: Option<f64>, without: &str) -> String {
    value.map_or(without.to_owned(), |value| in_terms(row.load.goal, value))
}

/// The figure that was limited.
fn measured(run: &CheckTrial, row: &LimitRow<'_>) -> String {
    let without = if run.figures.is_some() { "-" } else { "failed" };
    shown(row, row.measured, without)
}

/// The same, if it does not fit.
fn stacked(document: &CheckDocument, run: &CheckTrial, screen: &Screen) -> String {
    let line = |text: &str| wrapped(text, screen.width, "    ", "      ");
    let mut text = String::new();
    for row in run.rows() {
        let head = format!("{}: {}", title(&row, screen), told(row.standing, screen));
        text += &wrapped(&head, screen.width, "  ", "    ");
        let promised = shown(&row, row.limit, "nothing");
        text += &line(&format!("promised {promised}, measured {}", measured(run, &row)));
        match seconds(run).as_str() {
            "" => {}
            seconds => text += &line(&format!("{}: {seconds}", enough(document))),
        }
        let gauge = gauge(&row, bars::room(screen, INDENT), screen);
        text += &gauge.map_or(String::new(), |gauge| format!("{:INDENT$}{gauge}\n", ""));
    }
    text
}

/// The bars on their own lines, below a table that leaves no space for them.
fn beneath(document: &CheckDocument, screen: &Screen) -> String {
    let name = rows(document).map(|row| columns(&title(&row, screen))).max().unwrap_or(0);
    let room = bars::room(screen, name + 2);
    let bar = |row: LimitRow<'_>| {
        let gauge = gauge(&row, room, screen)?;
        Some(format!("{}  {gauge}\n", from_left(&title(&row, screen), name)))
    };
    match rows(document).filter_map(bar).collect::<String>().as_str() {
        "" => String::new(),
        bars => format!("\n{}{bars}", legend(document, room, screen)),
    }
}

/// Every limit of every run.
fn rows(document: &CheckDocument) -> impl Iterator<Item = LimitRow<'_>> {
    document.runs.iter().flat_map(CheckTrial::rows)
}

/// The meaning of the bars; empty if there are none.
fn legend(document: &CheckDocument, bar: usize, screen: &Screen) -> String {
    let drawn = || rows(document).filter(|row| gauge(row, bar, screen).is_some());
    if drawn().next().is_none() {
        return String::new();
    }
    let id = match drawn().any(|row| row.load.goal == Goal::Latency) {
        true => "check-bars-latency",
        false => "check-bars",
    };
    bars::legend(id, screen)
}

/// A bar of the measured beside the promised value, if both are known.
fn gauge(row: &LimitRow<'_>, columns: usize, screen: &Screen) -> Option<String> {
    let share = row.share().filter(|_| columns > 0)?;
    Some(bars::gauge(share, columns, screen.unicode))
}

/// `30 of 30 (100 %)`; rounded down, because 99.96 % of the time is not 100 %.
fn seconds(run: &CheckTrial) -> String {
    let of_rate = run.finding.as_ref().filter(|_| run.load.promised.rate.is_some());
    let Some(finding) = of_rate.filter(|finding| finding.seconds > 0) else {
        return String::new();
    };
    let percent = finding.reached * 100 / finding.seconds;
    format!("{} of {} ({percent} %)", finding.reached, finding.seconds)
}

/// A standing in a word.
fn told(standing: Standing, screen: &Screen) -> String {
    standing.tell().text(screen.lang)
}

fn verdict(standing: Standing, screen: &Screen) -> TextCell {
    let text = told(standing, screen);
    match standing {
        Standing::Kept => right(text),
        _ => right(text).bold(),
    }
}

/// Sentences that explain a run's row. The row alone suffices for a limit that was met, unless the
/// user asked for all verdicts.
fn explained(run: &CheckTrial, detail: VerdictDetail, screen: &Screen) -> String {
    let plain = run.standing() == Standing::Kept && detail == VerdictDetail::Telling;
    if plain && run.remarks.is_empty() && run.failure.is_none() {
        return String::new();
    }
    let title = format!("{}: {}", run.load.title(), run.standing().tell().text(screen.lang));
    let mut text = format!("\n{}", wrapped(&title, screen.width, "", "  "));
    if let Some(why) = &run.failure {
        text += &wrapped(&format!("FAILED: {why}"), screen.width, "  ! ", "    ");
    }
    let finding = run.finding.iter().filter(|_| !plain);
    for sentence in finding.flat_map(|finding| finding.told(&run.load, screen.lang)) {
        text += &wrapped(&sentence, screen.width, "  ", "    ");
    }
    for remark in &run.remarks {
        text += &wrapped(&remark.told(screen.lang), screen.width, "  ! ", "    ");
    }
    text
}
