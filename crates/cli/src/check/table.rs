//! The verdicts: a line for each run, and under it what is to be said of it.

use super::heading::promised;
use crate::terminal::bars;
use crate::terminal::screen::{Screen, columns, from_left, wrapped};
use crate::terminal::table::{TextCell, TextTable, bar, cell, heading, right};
use crate::terminal::verdicts::{self, Detail};
use fathom_analysis::Tone;
use fathom_analysis::promise::{Evidence, LatencyFigure, Verdict};
use fathom_campaign::check::{CheckDocument, RunRecord, Standing};
use fathom_campaign::{Goal, latency, megabytes_per_s, thousands};
use fathom_message::Tell;

/// All of it, the answer last.
pub fn results(document: &CheckDocument, detail: Detail, screen: &Screen) -> String {
    let mut text = String::new();
    if !document.runs.is_empty() {
        text += &promises(document, screen);
        for run in &document.runs {
            text += &said(run, screen);
        }
        text += &judged(document, detail, screen);
    }
    if let Some(why) = &document.failure {
        text += &wrapped(&format!("FAILED: {why}"), screen.width, "  ! ", "    ");
    }
    let answer = format!("{}.", document.tell().text(screen.lang));
    text + "\n" + &wrapped(&answer, screen.width, "", "  ")
}

/// What may be said of the runs' figures beside their promises.
fn judged(document: &CheckDocument, detail: Detail, screen: &Screen) -> String {
    let sound = document.runs.iter().filter(|run| run.figures.is_some());
    let runs: Vec<_> = sound.map(|run| (run.load.title(), run.verdicts.as_slice())).collect();
    match verdicts::text(&runs, detail, screen).as_str() {
        "" => String::new(),
        text => format!("\n{text}"),
    }
}

/// The table with bars: beside it where there is room, else beneath it; where it does not fit
/// itself, a few lines a run.
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

/// Columns before what is said of a run on lines of its own.
const INDENT: usize = 4;

/// What counts as reaching the promised rate in a second: `seconds >= 90 %`.
fn enough(document: &CheckDocument) -> String {
    let enough = document.runs.iter().find_map(|run| run.finding.as_ref()).map(|f| f.enough);
    format!("seconds >= {:.0} %", enough.unwrap_or(0.9) * 100.0)
}

/// A row for each run, with a bar.
fn grid(document: &CheckDocument, screen: &Screen) -> TextTable {
    let unicode = screen.unicode;
    let mut table = TextTable::new();
    table.bars_in(5);
    table.row(heading(&["", "promised", "measured", &enough(document), "verdict"]));
    for run in &document.runs {
        let mut cells = vec![
            cell(run.load.title()),
            right(promised(&run.load)),
            right(measured(run)),
            right(seconds(run)),
            verdict(run.standing(), screen),
        ];
        let share = share(run).filter(|share| share.is_finite());
        cells.extend(share.map(|share| bar(move |columns| bars::gauge(share, columns, unicode))));
        table.row(cells);
    }
    table
}

/// The same where it does not fit.
fn stacked(document: &CheckDocument, run: &RunRecord, screen: &Screen) -> String {
    let line = |text: &str| wrapped(text, screen.width, "    ", "      ");
    let title = format!("{}: {}", run.load.title(), told(run.standing(), screen));
    let mut text = wrapped(&title, screen.width, "  ", "    ");
    text += &line(&format!("promised {}, measured {}", promised(&run.load), measured(run)));
    match seconds(run).as_str() {
        "" => {}
        seconds => text += &line(&format!("{}: {seconds}", enough(document))),
    }
    let gauge = gauge(run, bars::room(screen, INDENT), screen);
    text + &gauge.map_or(String::new(), |gauge| format!("{:INDENT$}{gauge}\n", ""))
}

/// The bars on lines of their own, under a table that leaves no room for them.
fn beneath(document: &CheckDocument, screen: &Screen) -> String {
    let titles = document.runs.iter().map(|run| run.load.title());
    let name = titles.map(|title| columns(&title)).max().unwrap_or(0);
    let room = bars::room(screen, name + 2);
    let bar = |run: &RunRecord| {
        let gauge = gauge(run, room, screen)?;
        Some(format!("{}  {gauge}\n", from_left(&run.load.title(), name)))
    };
    match document.runs.iter().filter_map(bar).collect::<String>().as_str() {
        "" => String::new(),
        bars => format!("\n{}{bars}", legend(document, room, screen)),
    }
}

/// What bars in so many columns are of; nothing where there are none.
fn legend(document: &CheckDocument, bar: usize, screen: &Screen) -> String {
    let drawn = || document.runs.iter().filter(|run| gauge(run, bar, screen).is_some());
    if drawn().next().is_none() {
        return String::new();
    }
    let id = match drawn().any(|run| run.load.goal == Goal::Latency) {
        true => "check-bars-latency",
        false => "check-bars",
    };
    bars::legend(id, screen)
}

/// What was measured beside what was promised, where both are known.
fn gauge(run: &RunRecord, columns: usize, screen: &Screen) -> Option<String> {
    let share = share(run).filter(|share| columns > 0 && share.is_finite())?;
    Some(bars::gauge(share, columns, screen.unicode))
}

/// The measured figure of a run as a share of the promised one. Of latency only where its mean is
/// promised: a mean beside the limit of a percentile would look better than it is.
fn share(run: &RunRecord) -> Option<f64> {
    let promised = &run.load.promised;
    let mean_is_promised = |limit: f64| {
        let is_mean = |line: &Verdict| {
            matches!(line.evidence, Evidence::Latency { figure: LatencyFigure::Mean, limit_ns, .. }
                if limit_ns == limit)
        };
        run.finding.as_ref().is_some_and(|of| of.judgement.verdicts.iter().any(is_mean))
    };
    match run.load.goal {
        Goal::Iops => Some(iops(run)? / promised.rate?.iops),
        Goal::Throughput => {
            Some(iops(run)? * run.load.block_bytes as f64 / promised.rate?.bytes_per_s)
        }
        Goal::Latency => {
            let limit = promised.latency_ns.filter(|limit| mean_is_promised(*limit))?;
            Some(run.figures.as_ref()?.total.mean_ns / limit)
        }
    }
}

/// I/Os a second of a run: the mean that was judged.
fn iops(run: &RunRecord) -> Option<f64> {
    let figures = run.figures.as_ref()?;
    let judged = run.finding.as_ref().filter(|finding| finding.seconds > 0);
    Some(judged.map_or(figures.total.iops, |finding| finding.iops))
}

/// The figure that the promise is about, in its terms: of rates, the mean that was judged.
fn measured(run: &RunRecord) -> String {
    let (Some(figures), Some(iops)) = (&run.figures, iops(run)) else {
        return "failed".to_owned();
    };
    match run.load.goal {
        Goal::Iops => format!("{} IO/s", thousands(iops)),
        Goal::Throughput => {
            let mb_per_s = iops * run.load.block_bytes as f64 / 1e6;
            format!("{} MB/s", megabytes_per_s(mb_per_s))
        }
        Goal::Latency => latency(figures.total.mean_ns),
    }
}

/// `30 of 30 (100 %)`; rounded down, since 99.96 % of the time is not all of it.
fn seconds(run: &RunRecord) -> String {
    let of_rate = run.finding.as_ref().filter(|_| run.load.promised.rate.is_some());
    let Some(finding) = of_rate.filter(|finding| finding.seconds > 0) else {
        return String::new();
    };
    let percent = finding.reached * 100 / finding.seconds;
    format!("{} of {} ({percent} %)", finding.reached, finding.seconds)
}

/// A standing in a word, which is louder where it was missed.
fn told(standing: Standing, screen: &Screen) -> String {
    let word = standing.tell().text(screen.lang);
    match standing {
        Standing::Missed => word.to_uppercase(),
        _ => word,
    }
}

fn verdict(standing: Standing, screen: &Screen) -> TextCell {
    let text = told(standing, screen);
    match standing.tone() {
        Tone::Good => right(text),
        _ => right(text).bold(),
    }
}

/// What is to be said of a run, a sentence each.
fn said(run: &RunRecord, screen: &Screen) -> String {
    let title = format!("{}: {}", run.load.title(), run.standing().tell().text(screen.lang));
    let mut text = format!("\n{}", wrapped(&title, screen.width, "", "  "));
    if let Some(why) = &run.failure {
        text += &wrapped(&format!("FAILED: {why}"), screen.width, "  ! ", "    ");
    }
    let told = run.finding.iter().flat_map(|finding| finding.told(&run.load, screen.lang));
    for sentence in told {
        text += &wrapped(&sentence, screen.width, "  ", "    ");
    }
    for remark in &run.remarks {
        text += &wrapped(&remark.told(screen.lang), screen.width, "  ! ", "    ");
    }
    text
}
