//! Notes on figures for narrow space: the most important ones, a line or two each, and the number
//! of the others.

use super::screen::{Screen, wrapped};
use fathom_analysis::Tone;
use fathom_campaign::{Remark, RemarkRecord};
use fathom_message::{Lang, Message, Tell};
use std::cmp::Reverse;
use std::mem::discriminant;

/// Notes that are shown; the others are counted.
const MOST_NOTES: usize = 3;
/// A sentence to know, and how it bears on the figures.
pub struct NoteText {
    /// How it bears on them.
    pub tone: Tone,
    /// The text.
    pub text: String,
}

/// The most important notes, each with at most this many lines; equal ones keep their order.
pub fn foremost(mut notes: Vec<NoteText>, most_lines: usize, screen: &Screen) -> String {
    notes.sort_by_key(|note| Reverse(note.tone));
    let shown = notes.iter().take(MOST_NOTES);
    let mut text: String = shown.map(|note| shortened(note, most_lines, screen)).collect();
    let more = notes.len().saturating_sub(MOST_NOTES) as u64;
    if more > 0 {
        let told = Message::new("told-more-notes").count("more", more).text(screen.lang);
        text += &wrapped(&told, screen.width, "  - ", "    ");
    }
    text
}

/// With how many more are alike.
pub fn and_more(sentence: Message, more: u64) -> Message {
    match more {
        0 => sentence,
        more => Message::new("told-alike").part("sentence", sentence).count("more", more),
    }
}

/// Runs of these names that failed, each reason once.
pub fn failures<'r>(failed: impl Iterator<Item = (String, &'r str)>, lang: Lang) -> Vec<NoteText> {
    let mut reasons: Vec<(&str, String, u64)> = Vec::new();
    for (name, why) in failed {
        match reasons.iter_mut().find(|(other, ..)| *other == why) {
            Some((.., more)) => *more += 1,
            None => reasons.push((why, name, 0)),
        }
    }
    let note = |(why, name, more): (&str, String, u64)| {
        let failed = Message::verbatim(format!("{name}: FAILED: {why}"));
        NoteText { tone: Tone::Bad, text: and_more(failed, more).text(lang) }
    };
    reasons.into_iter().map(note).collect()
}

/// Remarks on runs of these names, of each kind the first and how many more there are.
pub fn remarks<'r>(
    runs: impl Iterator<Item = (String, &'r [RemarkRecord])>,
    lang: Lang,
) -> Vec<NoteText> {
    let mut kinds: Vec<(&Remark, String, u64)> = Vec::new();
    for (name, records) in runs {
        for record in records {
            let same = |(other, ..): &&mut (&Remark, String, u64)| {
                discriminant(*other) == discriminant(&record.remark)
            };
            match kinds.iter_mut().find(same) {
                Some((.., more)) => *more += 1,
                None => kinds.push((&record.remark, name.clone(), 0)),
            }
        }
    }
    let note = |(remark, name, more): (&Remark, String, u64)| {
        let told = and_more(remark.tell(), more).text(lang);
        NoteText { tone: Tone::Warning, text: format!("{name}: {told}") }
    };
    kinds.into_iter().map(note).collect()
}

/// A note in its lines; words that do not fit are dropped.
fn shortened(note: &NoteText, most_lines: usize, screen: &Screen) -> String {
    let first = if note.tone >= Tone::Warning { "  ! " } else { "  - " };
    let lines = |text: &str| wrapped(text, screen.width, first, "    ");
    let whole = lines(&note.text);
    if whole.lines().count() <= most_lines {
        return whole;
    }
    let dots = if screen.unicode { " …" } else { " ..." };
    let mut words: Vec<&str> = note.text.split(' ').collect();
    while words.len() > 1 {
        words.pop();
        let text = words.join(" ").trim_end_matches([',', ';', ':', '.']).to_owned() + dots;
        let shown = lines(&text);
        if shown.lines().count() <= most_lines {
            return shown;
        }
    }
    whole
}
