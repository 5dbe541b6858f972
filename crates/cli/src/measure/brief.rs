//! The short output of a measurement: the sentence, a table, and the most important notes, at most
//! twenty lines for one volume and forty for three.
//!
//! `--verbose`, the document and the report have the omitted details.

use super::{compare, rounds, table};
use crate::terminal::notes::{self, JudgedUnit, NoteText};
use crate::terminal::screen::Screen;
use crate::terminal::summary;
use crate::terminal::verdicts;
use fathom_analysis::Tone;
use fathom_campaign::verdicts::{Answer, Verdict};
use fathom_campaign::{Document, OverRounds, Phase, PhaseRecord, Remark, VolumeRecord};
use fathom_document::{are_one_disk, writes_ahead};
use fathom_message::{Lang, Message};
use fathom_vocab::printable;

/// The table and the notes below the sentence; `with_remarks` if no remarks on the volumes were
/// printed before.
pub fn results(
    document: &Document,
    phases: &[OverRounds],
    with_remarks: bool,
    screen: &Screen,
) -> String {
    let notes = notes(document, with_remarks, screen.lang);
    // What a long sentence takes more than its two lines, the notes have less.
    let told = summary::sentences(document, screen).lines().count();
    let most_lines = match document.volumes.as_slice() {
        [_] => notes::MOST_LINES.saturating_sub(told.saturating_sub(2)),
        _ => notes::MOST_LINES_OF_SEVERAL,
    };
    tables(document, phases, screen) + &notes::foremost(notes, most_lines, screen)
}

/// A volume's figures, or those of several under each other.
fn tables(document: &Document, phases: &[OverRounds], screen: &Screen) -> String {
    let names: Vec<&str> =
        document.volumes.iter().map(|of| of.place.volume.name.as_str()).collect();
    let own = |at| -> Vec<&OverRounds> { phases.iter().filter(|of| of.volume == at).collect() };
    if let [_] = names.as_slice() {
        let own = own(0);
        let marked = shared(&document.phases);
        return table::brief(&own, &marked, screen) + &rounds::spread(&own, screen);
    }
    let compared = compare::brief(&names, phases, are_one_disk(&document.volumes), screen);
    if !compared.is_empty() {
        return format!("{}\n{compared}", localized!("Side by side"));
    }
    let alone = |(at, name): (usize, &&str)| match table::brief(&own(at), &[], screen) {
        body if body.is_empty() => body,
        body => format!("{}\n{body}", printable::line(name)),
    };
    names.iter().enumerate().map(alone).collect()
}

/// The tests during which other I/O ran on the device; none if all are such.
pub fn shared(runs: &[PhaseRecord]) -> Vec<&Phase> {
    let is_shared = |run: &PhaseRecord| run.verdicts.iter().any(|of| of.answer.is_other_use());
    let measured = runs.iter().filter(|run| run.figures.is_some());
    let shared = measured.clone().filter(|run| is_shared(run)).map(|run| &run.phase);
    let shared: Vec<&Phase> = shared.collect();
    let is_whole = measured.map(|run| &run.phase).all(|phase| shared.contains(&phase));
    if is_whole { Vec::new() } else { shared }
}

/// All notes: failures, doubts about figures, other observations.
fn notes(document: &Document, with_remarks: bool, lang: Lang) -> Vec<NoteText> {
    let name = |run: &PhaseRecord| match document.volumes.as_slice() {
        [_] => run.phase.title(),
        volumes => {
            let volume = volumes.get(run.volume).map(|of| of.place.volume.name.as_str());
            format!("{}, {}", volume.unwrap_or_default(), run.phase.title())
        }
    };
    let mut notes = failures(document, &name, lang);
    notes.extend(setters_of_caps(document, lang));
    notes.extend(judged(document, &name, lang));
    if with_remarks {
        notes.extend(document.volumes.iter().flat_map(|of| of_volume(of, lang)));
    }
    notes.extend(of_runs(document, &name, lang));
    let ahead = writes_ahead(document).map(|of| NoteText::new(Tone::Note, of.text(lang)));
    notes.extend(ahead);
    notes
}

/// Runs that failed, each reason once.
fn failures(
    document: &Document,
    name: &impl Fn(&PhaseRecord) -> String,
    lang: Lang,
) -> Vec<NoteText> {
    let runs = document.phases.iter().filter(|run| !run.is_stopped());
    let failed = runs.filter_map(|run| Some((name(run), run.failure.as_deref()?)));
    notes::failures(failed, lang)
}

/// Verdicts that matter. The cap of a volume is in its sentence.
fn judged(
    document: &Document,
    name: &impl Fn(&PhaseRecord) -> String,
    lang: Lang,
) -> Vec<NoteText> {
    let together: Vec<Verdict> = document
        .over_phases
        .iter()
        .flat_map(|of| &of.verdicts)
        .filter(|verdict| !matches!(verdict.answer, Answer::Capped(_)))
        .cloned()
        .collect();
    let mut all: Vec<(String, &[Verdict])> = vec![(String::new(), together.as_slice())];
    let sound = document.phases.iter().filter(|run| run.figures.is_some());
    all.extend(sound.map(|run| (name(run), run.verdicts.as_slice())));
    let is_marked = document.volumes.len() == 1 && !shared(&document.phases).is_empty();
    verdicts::brief(&all, JudgedUnit::Test, is_marked, lang)
}

/// The control groups of this host that set the caps of the sentence.
fn setters_of_caps(document: &Document, lang: Lang) -> Vec<NoteText> {
    let note =
        |of: Message| NoteText { is_foremost: true, ..NoteText::new(Tone::Note, of.text(lang)) };
    document.cap_setters().into_iter().map(note).collect()
}

/// Remarks on a volume that its sentence does not contain.
fn of_volume(volume: &VolumeRecord, lang: Lang) -> Vec<NoteText> {
    let said = |remark: &Remark| matches!(remark, Remark::Memory { .. } | Remark::SamePlace { .. });
    let others = volume.remarks.iter().filter(|of| !said(&of.remark));
    others.map(|of| NoteText::new(Tone::Warning, of.told(lang))).collect()
}

/// Remarks on runs.
fn of_runs(
    document: &Document,
    name: &impl Fn(&PhaseRecord) -> String,
    lang: Lang,
) -> Vec<NoteText> {
    let runs = document.phases.iter();
    let remarks = runs.map(|run| (name(run), run.remarks.as_slice()));
    notes::remarks(remarks, JudgedUnit::Test, lang)
}
