//! The short output of a comparison of volumes: a line for each volume in each phase, and the most
//! important notes, at most forty lines for three volumes.

use crate::phrasebook::label;
use crate::terminal::notes::{self, NoteText};
use crate::terminal::screen::{Screen, wrapped};
use crate::terminal::style::Style;
use crate::terminal::table::{TextTable, cell, right};
use crate::terminal::verdicts;
use fathom_analysis::{Difference, Tone};
use fathom_campaign::compare::{
    CompareDocument, CompareTrial, Judged, PhaseFinding, VolumeStanding,
};
use fathom_campaign::latency;
use fathom_message::{Lang, words};
use fathom_report::change_words::{NO_CHANGE, change_legend, change_with_interval, value};

/// The table and the notes; `with_remarks` if no remarks on the volumes were printed before. None
/// if the screen is too narrow for the table.
pub fn results(document: &CompareDocument, with_remarks: bool, screen: &Screen) -> Option<String> {
    let mut table = TextTable::new();
    for finding in &document.findings {
        rows(&mut table, finding, document.is_one_disk());
    }
    // Mean latency is in the document.
    table.give_way(&[(4, 0)]);
    let notes = notes(document, with_remarks, screen.lang);
    table.fits(screen).then(|| {
        table.text(screen)
            + &legend(document, screen)
            + &notes::foremost(notes, notes::MOST_LINES_OF_SEVERAL, screen)
    })
}

/// What `?` and `unstable` mean, if they stand in the table.
fn legend(document: &CompareDocument, screen: &Screen) -> String {
    let standings = document.findings.iter().flat_map(|finding| &finding.standings);
    let over_first: Vec<&Difference> =
        standings.filter_map(|of| Some(&of.over_first.as_ref()?.difference)).collect();
    let mut marks = Vec::new();
    if over_first.iter().any(|of| of.change().is_none()) {
        marks.push("?".to_owned());
    }
    if over_first.iter().any(|of| of.is_unstable()) {
        marks.push(words(screen.lang, "change-unstable"));
    }
    let line = change_legend(marks);
    line.map(|of| wrapped(&of.text(screen.lang), screen.width, "  ", "    ")).unwrap_or_default()
}

fn rows(table: &mut TextTable, finding: &PhaseFinding, one_disk: bool) {
    let mut title = title(finding);
    for standing in &finding.standings {
        let waited = match finding.judged {
            Judged::MeanLatencyNs => String::new(),
            _ => format!("{} {}", label("mean"), latency(standing.mean_latency_ns)),
        };
        let cells = vec![
            cell(std::mem::take(&mut title)),
            cell(&standing.side.name),
            right(value(finding.judged, standing.mean())),
            cell(change(standing)),
            right(waited),
        ];
        let better = !one_disk && is_shown_better(finding, standing);
        table.styled_row(cells, better.then_some(Style::Green));
    }
}

/// The change from the first volume.
pub fn change(standing: &VolumeStanding) -> String {
    standing.over_first.as_ref().map_or(NO_CHANGE.to_owned(), change_with_interval)
}

/// Whether the volume is proved better than the first.
pub fn is_shown_better(finding: &PhaseFinding, standing: &VolumeStanding) -> bool {
    let over = standing.over_first.as_ref().map(|comparison| &comparison.difference);
    match over {
        Some(Difference::Shown { ratio, .. }) => finding.judged.better().is_second(*ratio),
        _ => false,
    }
}

/// `256 KiB seq. read, QD 32`; for a latency also its statistic.
fn title(finding: &PhaseFinding) -> String {
    let title = finding.title.replace("sequential", "seq.");
    match finding.judged {
        Judged::MeanLatencyNs => format!("{}: {}", label(&title), label("mean")),
        Judged::Iops | Judged::BytesPerS => title,
    }
}

fn notes(document: &CompareDocument, with_remarks: bool, lang: Lang) -> Vec<NoteText> {
    let volume = |at: usize| document.volumes.get(at).map_or("", |of| &of.place.volume.name);
    let name = |run: &CompareTrial| format!("{}, {}", volume(run.volume), run.title);
    let runs = document.runs.iter();
    let failed = runs.clone().filter(|run| !run.cut_short && !run.is_stopped());
    let failed = failed.filter_map(|run| Some((name(run), run.failure.as_deref()?)));
    let mut notes = notes::failures(failed, lang);
    let sound = runs.clone().filter(|run| run.figures.is_some());
    let judged: Vec<_> = sound.map(|run| (name(run), run.verdicts.as_slice())).collect();
    notes.extend(verdicts::brief(&judged, false, lang));
    for volume in document.volumes.iter().filter(|_| with_remarks) {
        let remark = |text| NoteText::new(Tone::Warning, text);
        let name = &volume.place.volume.name;
        notes.extend(volume.remarks.iter().map(|of| remark(format!("{name}: {}", of.told(lang)))));
    }
    notes.extend(notes::remarks(runs.map(|run| (name(run), run.remarks.as_slice())), lang));
    notes
}
