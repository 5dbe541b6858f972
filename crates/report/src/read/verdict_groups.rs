//! What several tests say alike, said once: that the host was busy is one fact, however many tests
//! saw it.
//!
//! What was decided here:
//! - Verdicts are alike where they answer the same question with the same finding, also on several
//!   volumes: they bear on how far figures can be trusted. A cap is a volume's own.
//! - Messages that differ in nothing but numbers become one, with both ends of each number
//!   ([`Message::spanning`]).
//! - Where sentences differ too, that of most tests stands, and the other tests are named as alike.
//!   Reads and writes are never alike in what a cache did.
//! - Tests are named in the order of the table; more than three of which none is missing are
//!   counted.
//! - A test is not called sound in what another of its rounds gives a reason to doubt.

use crate::model::Statement;
use fathom_analysis::{CacheVerdict, ClientVerdict, HumpsFinding, SteadyState, Tone};
use fathom_document::verdicts::as_sentence;
use fathom_document::verdicts::{Answer, Verdict, Weight};
use fathom_message::{Lang, Message, Tell};
use fathom_vocab::Direction;
use std::mem::{Discriminant, discriminant};

/// Verdicts of many tests, grouped as they come.
#[derive(Debug)]
pub(super) struct VerdictGroups {
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
    said: Vec<TestVerdict>,
}

/// What is said of one test.
#[derive(Clone, Debug)]
pub(super) struct TestVerdict {
    /// The test; empty for what is about a whole volume.
    pub about: String,
    /// As data; none where the document has a sentence alone.
    pub message: Option<Message>,
    /// In the language of the report.
    pub sentence: String,
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
    /// A finding that says much more than its kind: only the same sentence is alike.
    Sentence(Message),
}

impl VerdictKind {
    fn of(verdict: &Verdict) -> VerdictKind {
        match &verdict.answer {
            Answer::Client(found) => VerdictKind::Client(found.verdict),
            Answer::Cached(found) => {
                VerdictKind::Cache(found.direction, discriminant(&found.verdict))
            }
            Answer::Humps(found) => VerdictKind::Humps(discriminant(found)),
            Answer::Steady(found) => VerdictKind::Steady(discriminant(&found.state)),
            Answer::Sure(_) | Answer::Unsure(_) => VerdictKind::Mean(verdict.tone),
            answer => VerdictKind::Sentence(answer.tell()),
        }
    }

    fn is_like(&self, other: &VerdictKind) -> bool {
        match (self, other) {
            (VerdictKind::Sentence(one), VerdictKind::Sentence(other)) => one.is_like(other),
            _ => self == other,
        }
    }

    /// The question that it answers.
    fn question(&self) -> Discriminant<VerdictKind> {
        discriminant(self)
    }
}

impl VerdictGroups {
    /// Of tests: `all 8 tests`.
    pub fn of_tests() -> VerdictGroups {
        VerdictGroups { groups: Vec::new(), tests: Vec::new(), all: "report-all-tests" }
    }

    /// Of the steps of a search.
    pub fn of_steps() -> VerdictGroups {
        VerdictGroups { all: "report-all-steps", ..VerdictGroups::of_tests() }
    }

    /// Adds what is told of a test without being asked for: all but verdicts that cannot tell.
    pub fn add(&mut self, volume: usize, about: &str, verdicts: &[Verdict], lang: Lang) {
        add_name(&mut self.tests, about);
        for verdict in verdicts.iter().filter(|verdict| verdict.weight != Weight::Silent) {
            let kind = VerdictKind::of(verdict);
            let volume = matches!(kind, VerdictKind::Sentence(_)).then_some(volume);
            let same = |group: &&mut VerdictGroup| {
                group.volume == volume && group.kind.is_like(&kind) && group.tone == verdict.tone
            };
            let (about, message) = (about.to_owned(), Some(verdict.answer.tell()));
            let said = TestVerdict { about, message, sentence: verdict.text(lang) };
            match self.groups.iter_mut().find(same) {
                Some(group) => group.said.push(said),
                None => {
                    let (tone, said) = (verdict.tone, vec![said]);
                    self.groups.push(VerdictGroup { volume, kind, tone, said });
                }
            }
        }
    }

    /// One statement for each group.
    pub fn said(mut self, lang: Lang) -> Vec<Statement> {
        self.leave_out_doubted();
        let VerdictGroups { groups, tests, all } = self;
        groups.into_iter().map(|group| group.statement(&tests, all, lang)).collect()
    }
}

impl VerdictGroups {
    /// Leaves out that a test is sound where another of its rounds doubts it in the same question.
    fn leave_out_doubted(&mut self) {
        let doubts = |group: &&VerdictGroup| group.tone >= Tone::Warning;
        let test = |group: &VerdictGroup, about: &str| (group.kind.question(), about.to_owned());
        let doubted: Vec<_> = self
            .groups
            .iter()
            .filter(doubts)
            .flat_map(|group| group.said.iter().map(move |said| test(group, &said.about)))
            .collect();
        for group in self.groups.iter_mut().filter(|group| group.tone == Tone::Good) {
            let question = group.kind.question();
            group.said.retain(|said| !doubted.contains(&(question, said.about.clone())));
        }
        self.groups.retain(|group| !group.said.is_empty());
    }
}

/// Cautions of several tests that differ in nothing but numbers as one; all else as it is.
pub(super) fn join_cautions(all: Vec<(Statement, Option<Message>)>, lang: Lang) -> Vec<Statement> {
    let mut groups: Vec<(Statement, SentenceForm)> = Vec::new();
    for (statement, message) in all {
        let sentence = statement.sentence.clone();
        let said = TestVerdict { about: statement.about.clone(), message, sentence };
        let is_caution = |of: &Statement| of.outcome.is_none() && of.tone >= Tone::Warning;
        let same = |(first, form): &&mut (Statement, SentenceForm)| {
            is_caution(&statement)
                && is_caution(first)
                && first.tone == statement.tone
                && form.takes(&said)
        };
        match groups.iter_mut().find(same) {
            Some((_, form)) => form.0.push(said),
            None => groups.push((statement, SentenceForm(vec![said]))),
        }
    }
    let joined = |(first, form): (Statement, SentenceForm)| {
        let abouts = form.abouts();
        let about = about(&abouts, &abouts, lang);
        Statement { about, sentence: form.sentence(lang), ..first }
    };
    groups.into_iter().map(joined).collect()
}

impl VerdictGroup {
    /// Of `tests`, which `counted` counts.
    fn statement(self, tests: &[String], counted: &'static str, lang: Lang) -> Statement {
        let mut all: Vec<String> = Vec::new();
        self.said.iter().for_each(|said| add_name(&mut all, &said.about));
        let mut forms: Vec<SentenceForm> = Vec::new();
        for said in self.said {
            match forms.iter_mut().find(|form| form.takes(&said)) {
                Some(form) => form.0.push(said),
                None => forms.push(SentenceForm(vec![said])),
            }
        }
        // The first of those that most tests say.
        let most = forms.iter().rev().max_by_key(|form| form.abouts().len());
        let sentence = most.map(|form| form.sentence(lang)).unwrap_or_default();
        let shown = most.map(SentenceForm::abouts).unwrap_or_default();
        let is_all = shown.len() > MOST_NAMED && tests.iter().all(|test| shown.contains(test));
        let about = match is_all {
            true => Message::new(counted).with("count", shown.len()).text(lang),
            false => about(&all, &shown, lang),
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
    message.with("more", more).text(lang)
}

/// Adds a name that is not among the others. What is about the whole volume has none.
fn add_name(names: &mut Vec<String>, name: &str) {
    if !name.is_empty() && !names.iter().any(|other| other == name) {
        names.push(name.to_owned());
    }
}

/// What differs in nothing but numbers.
#[derive(Debug)]
struct SentenceForm(Vec<TestVerdict>);

impl SentenceForm {
    /// Whether `said` differs from it in nothing but numbers.
    fn takes(&self, said: &TestVerdict) -> bool {
        self.0.iter().all(|own| match (&own.message, &said.message) {
            (Some(own), Some(message)) => own.is_like(message),
            _ => own.sentence == said.sentence,
        })
    }

    /// The tests, each once.
    fn abouts(&self) -> Vec<String> {
        let mut names = Vec::new();
        self.0.iter().for_each(|said| add_name(&mut names, &said.about));
        names
    }

    fn sentence(&self, lang: Lang) -> String {
        let Some(first) = self.0.first() else { return String::new() };
        let messages: Option<Vec<&Message>> =
            self.0.iter().map(|said| said.message.as_ref()).collect();
        match messages.filter(|_| self.0.iter().any(|said| said.sentence != first.sentence)) {
            Some(messages) => {
                let spanning = Message::spanning(&messages);
                spanning.map_or_else(|| first.sentence.clone(), |of| as_sentence(&of.text(lang)))
            }
            None => first.sentence.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_analysis::{CacheFinding, ClientFinding, ClientSign};

    fn busy(share: f64) -> Verdict {
        Verdict::from(Answer::Client(ClientFinding {
            verdict: ClientVerdict::Tight,
            host: None,
            headroom: None,
            signs: vec![ClientSign::Others { busy: share }],
            is_capped: false,
        }))
    }

    fn joined(all: &[(usize, &str, Verdict)], lang: Lang) -> Vec<Statement> {
        let mut alike = VerdictGroups::of_tests();
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
        let mut alike = VerdictGroups::of_steps();
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
                host: None,
                headroom: Some(9.0),
                signs: vec![ClientSign::Thread { busy: 0.1 }],
                is_capped: false,
            }))
        };
        let all = [(0, "a", roomy()), (0, "a", busy(0.83)), (0, "b", roomy())];
        let said = joined(&all, Lang::En);
        let abouts: Vec<_> = said.iter().map(|one| (one.tone, one.about.as_str())).collect();
        assert_eq!(abouts, [(Tone::Good, "b"), (Tone::Warning, "a")]);
        assert_eq!(joined(&all[..2], Lang::En).len(), 1);
    }
}
