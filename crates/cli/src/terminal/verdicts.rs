//! Verdicts as text: a sentence for each important one, one line for the others.

use crate::terminal::notes::{NoteText, and_more};
use crate::terminal::screen::{Screen, wrapped};
use fathom_analysis::{CacheVerdict, Tone};
use fathom_campaign::verdicts::{Answer, Verdict, Weight, summary};
use fathom_message::{Lang, Message};
use std::mem::discriminant;

/// How many of them are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerdictDetail {
    /// Important verdicts, and one line for the others.
    Telling,
    /// All verdicts, with those that cannot decide.
    All,
}

impl VerdictDetail {
    /// All of them if `all`.
    pub fn of(all: bool) -> VerdictDetail {
        if all { VerdictDetail::All } else { VerdictDetail::Telling }
    }
}

/// Verdicts on named runs; that a volume is memory is left to its heading.
pub fn text(runs: &[(String, &[Verdict])], detail: VerdictDetail, screen: &Screen) -> String {
    over_runs(&[], runs, detail, screen)
}

/// The same with verdicts on all of them together.
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
        VerdictDetail::Telling => {
            let mut each = vec![(String::new(), together)];
            each.extend(runs.iter().cloned());
            loud(&each, screen) + &in_short(runs, screen)
        }
    }
}

fn all(runs: &[(String, &[Verdict])], screen: &Screen) -> String {
    let mut text = String::new();
    for (name, verdicts) in runs.iter().filter(|(_, verdicts)| !verdicts.is_empty()) {
        let title = Message::new("told-verdicts-on").with("name", name).text(screen.lang);
        text += &wrapped(&title, screen.width, "", "  ");
        let told = |verdict: &Verdict| line(verdict.tone, &verdict.text(screen.lang), screen);
        let lines = verdicts.iter().map(told);
        text.extend(lines);
    }
    text
}

fn line(tone: Tone, sentence: &str, screen: &Screen) -> String {
    let first = if tone >= Tone::Warning { "  ! " } else { "  - " };
    wrapped(sentence, screen.width, first, "    ")
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

/// Sentences that matter: of each question the worst answer, and how many more there are.
pub fn brief(runs: &[(String, &[Verdict])], lang: Lang) -> Vec<NoteText> {
    let mut worst_first = runs.to_vec();
    let tone = |(_, verdicts): &(String, &[Verdict])| {
        verdicts.iter().filter(|verdict| is_shown(verdict)).map(|verdict| verdict.tone).max()
    };
    worst_first.sort_by_key(|run| std::cmp::Reverse(tone(run)));
    let told = grouped(&worst_first, |other, _, verdict| {
        discriminant(&other.verdict.answer) == discriminant(&verdict.answer)
    });
    told.iter().map(|one| NoteText { tone: one.verdict.tone, text: one.text(lang) }).collect()
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
    let memory = matches!(&verdict.answer, Answer::Cached(f) if f.verdict == CacheVerdict::Memory);
    verdict.weight == Weight::Loud && !memory
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
    wrapped(&whole_sentence(&words.text(screen.lang)), screen.width, "  - ", "    ")
}

/// Turns words for the inside of a sentence into a sentence.
fn whole_sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase()).into_iter();
    first.chain(letters).collect::<String>() + "."
}
