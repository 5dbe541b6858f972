//! What several tests say alike, said once: that the host was busy is one fact, however many tests
//! saw it.
//!
//! What was decided here:
//! - Verdicts are alike where they answer the same question with the same finding, also on several
//!   volumes: they bear on how far figures can be trusted. A cap is a volume's own.
//! - Sentences that differ in nothing but numbers become one, with both ends of each number.
//! - Where words differ too, the words of most tests stand, and the other tests are named as alike.
//!   Reads and writes are never alike in what a cache did.
//! - Tests are named in the order of the table; more than three of which none is missing are
//!   counted.
//! - A test is not called sound in what another of its rounds gives a reason to doubt.

use super::statements;
use crate::model::Statement;
use fathom_analysis::{CacheVerdict, ClientVerdict, HumpsFinding, SteadyState, Tone};
use fathom_document::verdicts::{Answer, Verdict, Weight};
use fathom_message::{Lang, Message};
use fathom_vocab::Direction;
use std::mem::{Discriminant, discriminant};

/// Verdicts of many tests, grouped as they come.
#[derive(Debug)]
pub(super) struct AlikeVerdicts {
    groups: Vec<VerdictGroup>,
    /// All tests, also those of which nothing is told.
    tests: Vec<String>,
    /// The message that counts all tests.
    all: &'static str,
}

#[derive(Debug)]
struct VerdictGroup {
    volume: Option<usize>,
    kind: VerdictKind,
    tone: Tone,
    /// What each is about, and its sentence.
    said: Vec<(String, String)>,
}

/// What a verdict has in common with its like.
#[derive(Debug, PartialEq)]
enum VerdictKind {
    Client(ClientVerdict),
    Cache(Direction, Discriminant<CacheVerdict>),
    Humps(Discriminant<HumpsFinding>),
    Steady(Discriminant<SteadyState>),
    /// How well the mean is known, or why it is not.
    Mean(Tone),
    /// A finding that says much more than its kind: only the same words are alike.
    Words(Vec<String>),
}

impl VerdictKind {
    fn of(verdict: &Verdict, sentence: &str) -> VerdictKind {
        match &verdict.answer {
            Answer::Client(found) => VerdictKind::Client(found.verdict),
            Answer::Cached(found) => {
                VerdictKind::Cache(found.direction, discriminant(&found.verdict))
            }
            Answer::Humps(found) => VerdictKind::Humps(discriminant(found)),
            Answer::Steady(found) => VerdictKind::Steady(discriminant(&found.state)),
            Answer::Sure(_) | Answer::Unsure(_) => VerdictKind::Mean(verdict.tone),
            _ => VerdictKind::Words(words_and_numbers(sentence).0),
        }
    }

    /// The question that it answers.
    fn question(&self) -> Discriminant<VerdictKind> {
        discriminant(self)
    }
}

impl AlikeVerdicts {
    /// Of tests: `all 8 tests`.
    pub fn of_tests() -> AlikeVerdicts {
        AlikeVerdicts { groups: Vec::new(), tests: Vec::new(), all: "report-all-tests" }
    }

    /// Of the steps of a search.
    pub fn of_steps() -> AlikeVerdicts {
        AlikeVerdicts { all: "report-all-steps", ..AlikeVerdicts::of_tests() }
    }

    /// Adds what is told of a test without being asked for: all but verdicts that cannot tell.
    pub fn add(&mut self, volume: usize, about: &str, verdicts: &[Verdict], lang: Lang) {
        add_name(&mut self.tests, about);
        for verdict in verdicts.iter().filter(|verdict| verdict.weight != Weight::Silent) {
            let sentence = statements::said(verdict, lang);
            let kind = VerdictKind::of(verdict, &sentence);
            let volume = matches!(kind, VerdictKind::Words(_)).then_some(volume);
            let same = |group: &&mut VerdictGroup| {
                group.volume == volume && group.kind == kind && group.tone == verdict.tone
            };
            let said = (about.to_owned(), sentence);
            match self.groups.iter_mut().find(same) {
                Some(group) => group.said.push(said),
                None => {
                    let said = vec![said];
                    self.groups.push(VerdictGroup { volume, kind, tone: verdict.tone, said });
                }
            }
        }
    }

    /// One statement for each group.
    pub fn said(mut self, lang: Lang) -> Vec<Statement> {
        self.leave_out_doubted();
        let AlikeVerdicts { groups, tests, all } = self;
        groups.into_iter().map(|group| group.statement(&tests, all, lang)).collect()
    }
}

impl AlikeVerdicts {
    /// Leaves out that a test is sound where another of its rounds doubts it in the same question.
    fn leave_out_doubted(&mut self) {
        let doubts = |group: &&VerdictGroup| group.tone >= Tone::Warning;
        let test = |group: &VerdictGroup, about: &str| (group.kind.question(), about.to_owned());
        let doubted: Vec<_> = self
            .groups
            .iter()
            .filter(doubts)
            .flat_map(|group| group.said.iter().map(move |(about, _)| test(group, about)))
            .collect();
        for group in self.groups.iter_mut().filter(|group| group.tone == Tone::Good) {
            let question = group.kind.question();
            group.said.retain(|(about, _)| !doubted.contains(&(question, about.clone())));
        }
        self.groups.retain(|group| !group.said.is_empty());
    }
}

/// Cautions of several tests that differ in nothing but numbers as one; all else as it is.
pub(super) fn in_words(all: Vec<Statement>, lang: Lang) -> Vec<Statement> {
    let mut groups: Vec<(Statement, SentenceForm)> = Vec::new();
    for said in all {
        let (words, numbers) = words_and_numbers(&said.sentence);
        let caution = said.outcome.is_none() && matches!(said.tone, Tone::Warning | Tone::Bad);
        let same = |(first, form): &&mut (Statement, SentenceForm)| {
            caution && first.outcome.is_none() && first.tone == said.tone && form.words == words
        };
        match groups.iter_mut().find(same) {
            Some((_, form)) => form.add(&said.about, numbers),
            None => {
                let mut form = SentenceForm { words, ..SentenceForm::default() };
                form.add(&said.about, numbers);
                groups.push((said, form));
            }
        }
    }
    let joined = |(first, form): (Statement, SentenceForm)| {
        let about = about(&form.abouts, &form.abouts, lang);
        Statement { about, sentence: form.sentence(lang), ..first }
    };
    groups.into_iter().map(joined).collect()
}

impl VerdictGroup {
    /// Of `tests`, which `counted` counts.
    fn statement(&self, tests: &[String], counted: &'static str, lang: Lang) -> Statement {
        let mut forms: Vec<SentenceForm> = Vec::new();
        for (about, sentence) in &self.said {
            let (words, numbers) = words_and_numbers(sentence);
            match forms.iter_mut().find(|form| form.words == words) {
                Some(form) => form.add(about, numbers),
                None => {
                    let mut form = SentenceForm { words, ..SentenceForm::default() };
                    form.add(about, numbers);
                    forms.push(form);
                }
            }
        }
        let mut all: Vec<String> = Vec::new();
        self.said.iter().for_each(|(about, _)| add_name(&mut all, about));
        // The first of those that most tests say.
        let most = forms.iter().rev().max_by_key(|form| form.abouts.len());
        let sentence = most.map(|form| form.sentence(lang)).unwrap_or_default();
        let shown = most.map_or(&[][..], |form| &form.abouts);
        let is_all = shown.len() > MOST_NAMED && tests.iter().all(|test| shown.contains(test));
        let about = match is_all {
            true => Message::new(counted).with("count", shown.len()).text(lang),
            false => about(&all, shown, lang),
        };
        Statement { outcome: None, tone: self.tone, about, sentence }
    }
}

/// Most tests that are named; the others are counted.
const MOST_NAMED: usize = 3;

/// The names of the tests that say it in these words, `4 KiB random read, QD 1`, and of those that
/// say alike.
fn about(all: &[String], shown: &[String], lang: Lang) -> String {
    let others: Vec<String> = all.iter().filter(|name| !shown.contains(name)).cloned().collect();
    let shown = named(shown, lang);
    if others.is_empty() {
        return shown;
    }
    let message = Message::new("report-tests-alike").with("shown", shown);
    message.with("others", named(&others, lang)).text(lang)
}

fn named(all: &[String], lang: Lang) -> String {
    let first = &all[..all.len().min(MOST_NAMED)];
    let more = (all.len() - first.len()) as u64;
    let message = Message::new("charts-about-cases").with("first", first.join("; "));
    message.count("more", more).text(lang)
}

/// Adds a name that is not among the others. What is about the whole volume has none.
fn add_name(names: &mut Vec<String>, name: &str) {
    if !name.is_empty() && !names.iter().any(|other| other == name) {
        names.push(name.to_owned());
    }
}

/// Sentences of the same words, with their numbers.
#[derive(Debug, Default)]
struct SentenceForm {
    words: Vec<String>,
    numbers: Vec<Vec<String>>,
    abouts: Vec<String>,
}

impl SentenceForm {
    fn add(&mut self, about: &str, numbers: Vec<String>) {
        add_name(&mut self.abouts, about);
        self.numbers.push(numbers);
    }

    fn sentence(&self, lang: Lang) -> String {
        let mut text = String::new();
        for (at, words) in self.words.iter().enumerate() {
            text += words;
            let numbers: Vec<&str> =
                self.numbers.iter().filter_map(|own| own.get(at)).map(String::as_str).collect();
            text += &range(&numbers, lang);
        }
        text
    }
}

/// `62 to 100`, or the number that all are.
fn range(numbers: &[&str], lang: Lang) -> String {
    let value = |text: &&&str| text.replace(',', "").parse().unwrap_or(f64::NAN);
    let by = |a: &&&str, b: &&&str| f64::total_cmp(&value(a), &value(b));
    match (numbers.iter().min_by(by), numbers.iter().max_by(by)) {
        (Some(least), Some(most)) if least != most => {
            Message::new("report-range").with("from", least).with("to", most).text(lang)
        }
        (Some(only), _) => (*only).to_owned(),
        (None, _) => String::new(),
    }
}

/// A sentence as the words around its numbers, and these. Digits in names are no numbers.
fn words_and_numbers(sentence: &str) -> (Vec<String>, Vec<String>) {
    let (mut words, mut numbers) = (vec![String::new()], Vec::new());
    let mut left = sentence;
    let mut before = ' ';
    while let Some(letter) = left.chars().next() {
        let length = if joins(before) { 0 } else { number_length(left) };
        let (taken, rest) = left.split_at(length.max(letter.len_utf8()));
        match (length, words.last_mut()) {
            (0, Some(last)) => last.push_str(taken),
            _ => {
                numbers.push(taken.to_owned());
                words.push(String::new());
            }
        }
        before = taken.chars().next_back().unwrap_or(' ');
        left = rest;
    }
    (words, numbers)
}

/// Bytes of the number that `text` begins with; 0 where it begins with none.
fn number_length(text: &str) -> usize {
    let within = |letter: char| letter.is_ascii_digit() || letter == ',' || letter == '.';
    let all = &text[..text.find(|letter| !within(letter)).unwrap_or(text.len())];
    let number = all.trim_end_matches([',', '.']);
    let after = text[number.len()..].chars().next().unwrap_or(' ');
    let begins = number.starts_with(|letter: char| letter.is_ascii_digit());
    // A comma or a point ends it; a letter makes it a part of a name.
    let ends = matches!(after, ',' | '.') || !(after.is_ascii_alphanumeric() || joins(after));
    if begins && ends { number.len() } else { 0 }
}

/// Whether a letter makes one word with the digits beside it.
fn joins(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '.' | ',' | '-' | '_' | '/' | ':' | '=')
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_analysis::{CacheFinding, ClientFinding, ClientSign};

    fn busy(share: f64) -> Verdict {
        Verdict::from(Answer::Client(ClientFinding {
            verdict: ClientVerdict::Tight,
            headroom: None,
            signs: vec![ClientSign::Others { busy: share }],
            network_share: None,
            network_rtt_ns: None,
            is_capped: false,
        }))
    }

    fn joined(all: &[(usize, &str, Verdict)], lang: Lang) -> Vec<Statement> {
        let mut alike = AlikeVerdicts::of_tests();
        for (volume, about, verdict) in all {
            alike.add(*volume, about, std::slice::from_ref(verdict), lang);
        }
        alike.said(lang)
    }

    #[test]
    fn a_busy_host_is_one_fact_over_all_tests_and_volumes() {
        let all = [(0, "a", busy(0.83)), (0, "b", busy(0.62)), (1, "c", busy(1.0))];
        for lang in Lang::ALL {
            let said = joined(&all, lang);
            assert_eq!(said.len(), 1, "{said:?}");
            assert_eq!(said[0].about, "a; b; c");
            let ends = Message::new("report-range").with("from", 62).with("to", 100).text(lang);
            assert!(said[0].sentence.contains(&format!("{ends} %")), "{said:?}");
        }
        let alone = joined(&all[..1], Lang::En);
        assert_eq!((alone[0].about.as_str(), alone[0].sentence.contains("83 %")), ("a", true));
    }

    #[test]
    fn a_statement_names_its_tests_and_counts_no_more_than_it_must() {
        let names = |all: &[&str]| all.iter().map(|of| (*of).to_owned()).collect::<Vec<String>>();
        let [one, two] = [names(&["a", "b"]), names(&["a", "b", "c"])];
        assert_eq!(about(&two, &one, Lang::En), "a; b (alike: c)");
        assert_eq!(about(&two, &one, Lang::Ko), "a; b(비슷함: c)");
        let many = names(&["a", "b", "c", "d", "e"]);
        assert_eq!(about(&many, &many, Lang::En), "a; b; c and 2 more");
        assert_eq!(about(&many, &many, Lang::Ko), "a; b; c 외 2개");
        assert_eq!(about(&[], &[], Lang::En), "");
    }

    #[test]
    fn tests_are_named_in_the_order_of_the_table_and_counted_where_none_is_missing() {
        let of = |names: &[&'static str]| {
            names.iter().map(|name| (0, *name, busy(0.8))).collect::<Vec<(usize, &str, Verdict)>>()
        };
        let about = |all: &[(usize, &str, Verdict)], lang| joined(all, lang)[0].about.clone();
        assert_eq!(about(&of(&["write", "read"]), Lang::En), "write; read");
        assert_eq!(about(&of(&["d", "c", "b", "a", "d"]), Lang::En), "all 4 tests");
        assert_eq!(about(&of(&["d", "c", "b", "a"]), Lang::Ko), "테스트 4개 모두");
        // What is about the whole volume has no name.
        assert_eq!(about(&of(&["", "b", "a"]), Lang::En), "b; a");
        assert_eq!(about(&of(&["", "d", "c", "b", "a"]), Lang::En), "all 4 tests");
        let mut alike = AlikeVerdicts::of_steps();
        for name in ["d", "c", "b", "a"] {
            alike.add(0, name, &[busy(0.8)], Lang::En);
        }
        alike.add(0, "quiet", &[], Lang::En);
        assert_eq!(alike.said(Lang::En)[0].about, "d; c; b and one more");
    }

    #[test]
    fn what_a_cache_did_to_reads_is_not_said_of_writes() {
        let cached = |direction| {
            let verdict = CacheVerdict::Suspected;
            Verdict::from(Answer::Cached(CacheFinding { direction, verdict, signs: Vec::new() }))
        };
        let all = [(0, "r", cached(Direction::Read)), (0, "w", cached(Direction::Write))];
        let said = joined(&all, Lang::En);
        let abouts: Vec<&str> = said.iter().map(|one| one.about.as_str()).collect();
        assert_eq!(abouts, ["r", "w"], "{said:?}");
    }

    #[test]
    fn a_round_with_room_is_not_called_sound_beside_a_round_on_a_busy_host() {
        let roomy = || {
            Verdict::from(Answer::Client(ClientFinding {
                verdict: ClientVerdict::Roomy,
                headroom: Some(9.0),
                signs: vec![ClientSign::Thread { busy: 0.1 }],
                network_share: None,
                network_rtt_ns: None,
                is_capped: false,
            }))
        };
        let all = [(0, "a", roomy()), (0, "a", busy(0.83)), (0, "b", roomy())];
        let said = joined(&all, Lang::En);
        let abouts: Vec<_> = said.iter().map(|one| (one.tone, one.about.as_str())).collect();
        assert_eq!(abouts, [(Tone::Good, "b"), (Tone::Warning, "a")]);
        assert_eq!(joined(&all[..2], Lang::En).len(), 1);
    }

    #[test]
    fn digits_in_names_are_no_numbers() {
        let (words, numbers) =
            words_and_numbers("p99 of nvme0n1 is 1,024.5 us, 3 % (62, 4.) in /mnt/2 at 15:04");
        assert_eq!(numbers, ["1,024.5", "3", "62", "4"]);
        assert_eq!(words[0], "p99 of nvme0n1 is ");
        assert_eq!(words.last().map(String::as_str), Some(".) in /mnt/2 at 15:04"));
        assert_eq!(words_and_numbers("8개 중 2개").1, ["8", "2"]);
    }
}
