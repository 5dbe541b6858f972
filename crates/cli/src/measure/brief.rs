//! What a measurement says where nobody asks for more: the sentence, a table, and the most important
//! notes, so that a volume takes no more than twenty lines and three volumes no more than forty.
//!
//! What is left out stands behind `--verbose`, in the document and in the report.

use super::{compare, rounds, table};
use crate::terminal::screen::{Screen, wrapped};
use crate::terminal::summary;
use crate::terminal::verdicts::{self, NoteText};
use fathom_analysis::Tone;
use fathom_campaign::verdicts::{Answer, Verdict};
use fathom_campaign::{Document, OverRounds, PhaseRecord, Remark, VolumeRecord};
use fathom_message::{Lang, Message, Tell};
use fathom_vocab::printable;
use std::cmp::Reverse;
use std::mem::discriminant;

/// Notes that are shown; the others are counted.
const MOST_NOTES: usize = 3;
/// Lines that one of them may take.
const NOTE_LINES: usize = 2;

/// The sentence, the table, the notes; `with_remarks` where nothing was said of the volumes before.
pub fn results(
    document: &Document,
    phases: &[OverRounds],
    with_remarks: bool,
    screen: &Screen,
) -> String {
    let mut text = summary::sentences(document, screen) + &tables(document, phases, screen);
    let notes = notes(document, with_remarks, screen.lang);
    for note in notes.iter().take(MOST_NOTES) {
        text += &shortened(note, screen);
    }
    let more = notes.len().saturating_sub(MOST_NOTES) as u64;
    if more > 0 {
        let told = Message::new("told-more-notes").count("more", more).text(screen.lang);
        text += &wrapped(&told, screen.width, "  - ", "    ");
    }
    text
}

/// A volume's figures, or those of several under each other.
fn tables(document: &Document, phases: &[OverRounds], screen: &Screen) -> String {
    let names: Vec<&str> =
        document.volumes.iter().map(|of| of.place.volume.name.as_str()).collect();
    let own = |at| -> Vec<&OverRounds> { phases.iter().filter(|of| of.volume == at).collect() };
    if let [_] = names.as_slice() {
        let own = own(0);
        return table::brief(&own, screen) + &rounds::spread(&own, screen);
    }
    let compared = compare::brief(&names, phases, is_one_disk(document), screen);
    if !compared.is_empty() {
        return format!("Side by side\n{compared}");
    }
    let alone = |(at, name): (usize, &&str)| match table::brief(&own(at), screen) {
        body if body.is_empty() => body,
        body => format!("{}\n{body}", printable::line(name)),
    };
    names.iter().enumerate().map(alone).collect()
}

fn is_one_disk(document: &Document) -> bool {
    let same = |volume: &VolumeRecord| {
        volume.remarks.iter().any(|of| matches!(of.remark, Remark::SamePlace { .. }))
    };
    document.volumes.iter().skip(1).all(same)
}

/// All that there is to know, the most important first: what failed, what speaks against figures,
/// what else was seen.
fn notes(document: &Document, with_remarks: bool, lang: Lang) -> Vec<NoteText> {
    let name = |run: &PhaseRecord| match document.volumes.as_slice() {
        [_] => run.phase.title(),
        volumes => {
            let volume = volumes.get(run.volume).map(|of| of.place.volume.name.as_str());
            format!("{}, {}", volume.unwrap_or_default(), run.phase.title())
        }
    };
    let mut notes = failures(document, &name, lang);
    notes.extend(judged(document, &name, lang));
    if with_remarks {
        notes.extend(document.volumes.iter().flat_map(|of| of_volume(of, lang)));
    }
    notes.extend(of_runs(document, &name, lang));
    // Of equals the order stays.
    notes.sort_by_key(|note| Reverse(note.tone));
    notes
}

/// Runs that failed, each reason once.
fn failures(
    document: &Document,
    name: &impl Fn(&PhaseRecord) -> String,
    lang: Lang,
) -> Vec<NoteText> {
    let mut reasons: Vec<(&str, String, u64)> = Vec::new();
    for run in document.phases.iter().filter(|run| !run.is_stopped()) {
        let Some(why) = run.failure.as_deref() else { continue };
        match reasons.iter_mut().find(|(other, ..)| *other == why) {
            Some((.., more)) => *more += 1,
            None => reasons.push((why, name(run), 0)),
        }
    }
    let note = |(why, name, more): (&str, String, u64)| {
        let failed = Message::verbatim(format!("{name}: FAILED: {why}"));
        NoteText { tone: Tone::Bad, text: verdicts::and_more(failed, more).text(lang) }
    };
    reasons.into_iter().map(note).collect()
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
    verdicts::brief(&all, lang)
}

/// Remarks on a volume that its sentence does not say.
fn of_volume(volume: &VolumeRecord, lang: Lang) -> Vec<NoteText> {
    let said = |remark: &Remark| matches!(remark, Remark::Memory { .. } | Remark::SamePlace { .. });
    let others = volume.remarks.iter().filter(|of| !said(&of.remark));
    others.map(|of| NoteText { tone: Tone::Warning, text: of.told(lang) }).collect()
}

/// Remarks on runs, of each kind the first and how many more there are.
fn of_runs(
    document: &Document,
    name: &impl Fn(&PhaseRecord) -> String,
    lang: Lang,
) -> Vec<NoteText> {
    let mut kinds: Vec<(&Remark, String, u64)> = Vec::new();
    for run in &document.phases {
        for record in &run.remarks {
            let same = |(other, ..): &&mut (&Remark, String, u64)| {
                discriminant(*other) == discriminant(&record.remark)
            };
            match kinds.iter_mut().find(same) {
                Some((.., more)) => *more += 1,
                None => kinds.push((&record.remark, name(run), 0)),
            }
        }
    }
    let note = |(remark, name, more): (&Remark, String, u64)| {
        let told = verdicts::and_more(remark.tell(), more).text(lang);
        NoteText { tone: Tone::Warning, text: format!("{name}: {told}") }
    };
    kinds.into_iter().map(note).collect()
}

/// A note in its lines; the words that have no room are left out.
fn shortened(note: &NoteText, screen: &Screen) -> String {
    let first = if note.tone >= Tone::Warning { "  ! " } else { "  - " };
    let lines = |text: &str| wrapped(text, screen.width, first, "    ");
    let whole = lines(&note.text);
    if whole.lines().count() <= NOTE_LINES {
        return whole;
    }
    let dots = if screen.unicode { " …" } else { " ..." };
    let mut words: Vec<&str> = note.text.split(' ').collect();
    while words.len() > 1 {
        words.pop();
        let text = words.join(" ").trim_end_matches([',', ';', ':', '.']).to_owned() + dots;
        let shown = lines(&text);
        if shown.lines().count() <= NOTE_LINES {
            return shown;
        }
    }
    whole
}
