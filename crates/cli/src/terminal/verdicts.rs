//! Verdicts as text: a sentence for each important one, one line for the others.

mod joined;

pub use joined::{RunVolume, notes as brief, notes_of_volumes};

use crate::terminal::notes::{self, JudgedUnit, NoteText, and_more};
use crate::terminal::screen::{Screen, warning, wrapped};
use fathom_analysis::{CacheVerdict, Tone};
use fathom_campaign::verdicts::{Answer, Verdict, Weight, summary};
use fathom_message::{Lang, Message};
use std::mem::discriminant;

/// How many of them are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerdictDetail {
    /// The most important verdicts, joined by their kind.
    Brief,
    /// Important verdicts, and one line for the others.
    Telling,
    /// All verdicts, with those that cannot decide.
    All,
}

/// Notes, and verdicts on named runs; that a volume is memory is left to its heading. In the brief
/// form verdicts are notes like the others.
pub fn text(
    mut notes: Vec<NoteText>,
    runs: &[(String, &[Verdict])],
    unit: JudgedUnit,
    detail: VerdictDetail,
    screen: &Screen,
) -> String {
    if detail == VerdictDetail::Brief {
        notes.extend(joined::notes(runs, unit, false, screen.lang));
        return notes::foremost(notes, notes::MOST_LINES, screen) + &in_short(runs, screen);
    }
    let (notes, verdicts) = (notes::all(&notes, screen), over_runs(&[], runs, detail, screen));
    let gap = if notes.is_empty() || verdicts.is_empty() { "" } else { "\n" };
    format!("{notes}{gap}{verdicts}")
}

/// The most important notes and verdicts on named runs, and nothing else: for a result that fits a
/// terminal of 24 lines.
pub fn foremost(
    mut notes: Vec<NoteText>,
    runs: &[(String, &[Verdict])],
    unit: JudgedUnit,
    screen: &Screen,
) -> String {
    notes.extend(joined::notes(runs, unit, false, screen.lang));
    notes::foremost(notes, notes::MOST_LINES, screen)
}

/// Notes and verdicts on named runs that throw doubt on the figures: in English, the worst first,
/// each once. For files and systems that show no table.
pub fn warnings(
    mut notes: Vec<NoteText>,
    runs: &[(String, &[Verdict])],
    unit: JudgedUnit,
) -> Vec<String> {
    notes.extend(joined::notes(runs, unit, false, Lang::En));
    notes.extend(memory(runs, Lang::En));
    notes.retain(|note| note.tone >= Tone::Warning);
    notes.sort_by_key(|note| std::cmp::Reverse(note.tone));
    let mut texts: Vec<String> = Vec::new();
    for note in notes {
        if !texts.contains(&note.text) {
            texts.push(note.text);
        }
    }
    texts
}

/// That memory answered in place of a disk, for results without a heading that says it.
pub fn memory(runs: &[(String, &[Verdict])], lang: Lang) -> Option<NoteText> {
    let verdict = runs.iter().flat_map(|(_, verdicts)| *verdicts).find(|of| is_memory(of))?;
    Some(NoteText::new(verdict.tone, verdict.text(lang)))
}

/// The same as [`text`] below a table, with a blank line before it.
pub fn beneath(
    notes: Vec<NoteText>,
    runs: &[(String, &[Verdict])],
    unit: JudgedUnit,
    detail: VerdictDetail,
    screen: &Screen,
) -> String {
    match text(notes, runs, unit, detail, screen) {
        text if text.is_empty() || detail == VerdictDetail::Brief => text,
        text => format!("\n{text}"),
    }
}

/// Verdicts on named runs and on all of them together.
pub fn over_runs(
    together: &[Verdict],
    runs: &[(String, &[Verdict])],
    detail: VerdictDetail,
    screen: &Screen,
) -> String {
    match detail {
        VerdictDetail::All => {
            let told = |of: &Verdict| line(of.tone, &of.text(screen.lang), screen);
            together.iter().map(told).collect::<String>() + &all(runs, screen)
        }
        VerdictDetail::Brief | VerdictDetail::Telling => {
            let mut each = vec![(String::new(), together)];
            each.extend(runs.iter().cloned());
            loud(&each, screen) + &in_short(runs, screen)
        }
    }
}

fn all(runs: &[(String, &[Verdict])], screen: &Screen) -> String {
    let mut text = String::new();
    for (name, verdicts) in runs.iter().filter(|(_, verdicts)| !verdicts.is_empty()) {
        let title = match name.as_str() {
            "" => Message::new("told-verdicts"),
            name => Message::new("told-verdicts-on").with("name", name),
        };
        text += &wrapped(title.text(screen.lang), screen.width, "", "  ");
        let told = |verdict: &Verdict| line(verdict.tone, &verdict.text(screen.lang), screen);
        let lines = verdicts.iter().map(told);
        text.extend(lines);
    }
    text
}

fn line(tone: Tone, sentence: &str, screen: &Screen) -> String {
    match tone >= Tone::Warning {
        true => warning(sentence, screen),
        false => wrapped(sentence, screen.width, "  - ", "    "),
    }
}

/// One sentence: of similar verdicts of several runs, the first and the number of others.
struct GroupedSentence<'v> {
    name: &'v str,
    verdict: &'v Verdict,
    more: usize,
}

/// Important sentences; of those that `same` finds alike, the first.
fn grouped<'v>(
    runs: &'v [(String, &'v [Verdict])],
    same: impl Fn(&GroupedSentence<'v>, &'v str, &'v Verdict) -> bool,
) -> Vec<GroupedSentence<'v>> {
    let mut told: Vec<GroupedSentence<'v>> = Vec::new();
    for (name, verdicts) in runs {
        for verdict in verdicts.iter().filter(|verdict| is_shown(verdict)) {
            match told.iter_mut().find(|other| same(other, name, verdict)) {
                Some(other) => other.more += 1,
                None => told.push(GroupedSentence { name, verdict, more: 0 }),
            }
        }
    }
    told
}

impl GroupedSentence<'_> {
    fn text(&self, lang: Lang) -> String {
        let own = Message::verbatim(self.verdict.text(lang));
        let text = and_more(own, self.more as u64).text(lang);
        if self.name.is_empty() { text } else { format!("{}: {text}", self.name) }
    }
}

fn loud(runs: &[(String, &[Verdict])], screen: &Screen) -> String {
    let mut told = grouped(runs, |other, name, verdict| {
        let rounds = other.name == name && !name.is_empty();
        alike(other.verdict, verdict, rounds)
    });
    told.sort_by_key(|told| std::cmp::Reverse(told.verdict.tone));
    let sentence =
        |told: &GroupedSentence<'_>| line(told.verdict.tone, &told.text(screen.lang), screen);
    told.iter().map(sentence).collect()
}

fn is_shown(verdict: &Verdict) -> bool {
    verdict.weight == Weight::Loud && !is_memory(verdict)
}

fn is_memory(verdict: &Verdict) -> bool {
    matches!(&verdict.answer, Answer::Cached(finding) if finding.verdict == CacheVerdict::Memory)
}

/// Whether one of both suffices: for rounds, which share a name, or if neither has a value of its
/// own to show.
fn alike(one: &Verdict, other: &Verdict, rounds: bool) -> bool {
    let own = matches!(
        one.answer,
        Answer::Capped(_)
            | Answer::Burst(_)
            | Answer::Humps(_)
            | Answer::OpenLoop(_)
            | Answer::ConnectionWork(_)
            | Answer::Mount(_)
    );
    (rounds || !own)
        && one.tone == other.tone
        && discriminant(&one.answer) == discriminant(&other.answer)
}

fn in_short(runs: &[(String, &[Verdict])], screen: &Screen) -> String {
    let judged: Vec<&[Verdict]> = runs.iter().map(|(_, verdicts)| *verdicts).collect();
    let Some(words) = summary(&judged) else { return String::new() };
    let several = runs.len() > 1;
    let words = if several { Message::new("short-all").part("words", words) } else { words };
    wrapped(whole_sentence(&words.text(screen.lang)), screen.width, "  - ", "    ")
}

/// Turns words for the inside of a sentence into a sentence.
fn whole_sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase()).into_iter();
    first.chain(letters).collect::<String>() + "."
}
