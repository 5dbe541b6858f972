//! The verdicts: a line for each run, and under it what is to be said of it.

use super::heading::promised;
use crate::measure::screen::{Screen, wrapped};
use crate::measure::table::{bare, heading, right, text_of};
use crate::verdicts::{self, Detail};
use comfy_table::{Attribute, Cell};
use fathom_analysis::Tone;
use fathom_campaign::check::{CheckDocument, RunRecord, Standing};
use fathom_campaign::{Goal, latency, megabytes_per_s, thousands};

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
    text + "\n" + &wrapped(&answer(document), screen.width, "", "  ")
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

fn promises(document: &CheckDocument, screen: &Screen) -> String {
    let enough = document.runs.iter().find_map(|run| run.finding.as_ref()).map(|f| f.enough);
    let share = format!("seconds >= {:.0} %", enough.unwrap_or(0.9) * 100.0);
    let mut table = bare(screen);
    table.set_header(heading(&["", "promised", "measured", &share, "verdict"]));
    for run in &document.runs {
        table.add_row(vec![
            Cell::new(run.load.title()),
            right(promised(&run.load)),
            right(measured(run)),
            right(seconds(run)),
            verdict(run.standing(), screen),
        ]);
    }
    text_of(&table)
}

/// The figure that the promise is about, in its terms: of rates, the mean that was judged.
fn measured(run: &RunRecord) -> String {
    let Some(figures) = &run.figures else { return "failed".to_owned() };
    let judged = run.finding.as_ref().filter(|finding| finding.seconds > 0);
    let iops = judged.map_or(figures.total.iops, |finding| finding.iops);
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

fn verdict(standing: Standing, screen: &Screen) -> Cell {
    let text = match standing {
        Standing::Missed => "MISSED",
        other => other.name(),
    };
    match standing.tone() {
        Tone::Good => right(text),
        _ if screen.colour => right(text).add_attribute(Attribute::Bold),
        _ => right(text),
    }
}

/// What is to be said of a run, a sentence each.
fn said(run: &RunRecord, screen: &Screen) -> String {
    let mut text = format!("\n{}: {}\n", run.load.title(), run.standing().name());
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

/// The whole in a sentence.
pub fn answer(document: &CheckDocument) -> String {
    let of = |standing| document.runs.iter().filter(|run| run.standing() == standing).count();
    let (planned, missed) = (document.planned, of(Standing::Missed));
    let untold = planned - missed - of(Standing::Kept);
    let whose = document.basis.name();
    let text = match document.standing {
        Standing::Kept => format!("Kept: {whose}, in all {planned} runs"),
        Standing::Missed => format!("MISSED: {whose}, in {missed} of {planned} runs"),
        Standing::CouldNotTell => {
            format!("Could not tell: {whose}, in {untold} of {planned} runs")
        }
    };
    let bursts = match (document.standing, document.bursts.is_empty()) {
        (Standing::Kept, false) => "; of what bursts, only the burst was checked",
        _ => "",
    };
    match document.left_out.len() {
        0 => format!("{text}{bursts}."),
        left => format!("{text}{bursts}; {left} that write were left out."),
    }
}
