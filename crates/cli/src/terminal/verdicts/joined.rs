//! Important verdicts of several runs, joined by their kind: the count first, then what to do.
//!
//! A kind that many runs have at once has a short sentence of its own. Of other kinds the worst
//! verdict is told with its run and the number of runs.

use super::is_shown;
use crate::terminal::notes::{JudgedUnit, NoteText};
use fathom_analysis::quantity::stretch;
use fathom_analysis::{BurstFinding, CacheVerdict, ClientSign, Tone};
use fathom_campaign::verdicts::{Answer, Verdict};
use fathom_message::Lang;
use fathom_text::{Text, text};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::mem::{Discriminant, discriminant};

/// What verdicts must share to be told as one.
#[derive(PartialEq)]
enum Kind {
    /// Other programs kept the CPUs busy.
    BusyHost,
    /// The device did other I/O as well.
    OtherUse,
    /// The mean is not well known, or how well cannot be told.
    Means,
    /// Of one question.
    Of(Discriminant<Answer>),
}

/// The volume of a run, where several volumes are compared.
#[derive(Clone, Debug, PartialEq)]
pub struct RunVolume {
    /// Its name.
    pub name: String,
    /// Whether a control group of this host limits it, whatever else the host does.
    pub is_limited: bool,
}

/// A verdict and its run.
#[derive(Clone, Copy)]
struct Found<'v> {
    /// Which of the runs, from 0.
    run: usize,
    /// The run's name; empty for all runs together.
    name: &'v str,
    /// The run's volume, where there are several.
    volume: Option<&'v RunVolume>,
    verdict: &'v Verdict,
}

/// Verdicts of one kind, the worst first.
struct Joined<'v> {
    kind: Kind,
    found: Vec<Found<'v>>,
}

/// A note of each kind. Who shows them orders them, by [`NoteText::tone`] and
/// [`NoteText::tests`]; of equal ones what disturbed the figures comes first. `marked` says that a
/// table has a mark at the runs during which other I/O ran on the device.
pub fn notes(
    runs: &[(String, &[Verdict])],
    unit: JudgedUnit,
    marked: bool,
    lang: Lang,
) -> Vec<NoteText> {
    notes_of_volumes(runs, unit, &[], marked, lang)
}

/// The same of runs of several volumes: the volume of each.
pub fn notes_of_volumes(
    runs: &[(String, &[Verdict])],
    unit: JudgedUnit,
    volumes: &[RunVolume],
    marked: bool,
    lang: Lang,
) -> Vec<NoteText> {
    let count = runs.iter().filter(|(name, _)| !name.is_empty()).count();
    let tests = AllJudged { count, unit, advised: false };
    let mut all: Vec<Found<'_>> = Vec::new();
    for (run, (name, verdicts)) in runs.iter().enumerate() {
        let shown = verdicts.iter().filter(|verdict| is_shown(verdict));
        let volume = volumes.get(run);
        all.extend(shown.map(|verdict| Found { run, name, volume, verdict }));
    }
    all.sort_by_key(|found| Reverse(found.verdict.tone));
    let mut kinds: Vec<Joined<'_>> = Vec::new();
    for found in all {
        let kind = kind(&found.verdict.answer);
        match kinds.iter_mut().find(|joined| joined.kind == kind) {
            Some(joined) => joined.found.push(found),
            None => kinds.push(Joined { kind, found: vec![found] }),
        }
    }
    kinds.iter_mut().for_each(Joined::keep_strongest);
    kinds.sort_by_key(Joined::rank);
    let advised = kinds.iter().any(Joined::advises_first);
    let tests = AllJudged { advised, ..tests };
    kinds.iter().filter_map(|joined| joined.note(tests, marked, lang)).collect()
}

/// How many there are, and what the plan calls one of them.
#[derive(Clone, Copy)]
struct AllJudged {
    count: usize,
    unit: JudgedUnit,
    /// Whether another kind says what to do first, so that means give no advice of their own.
    advised: bool,
}

impl AllJudged {
    /// `6 tests`.
    fn all(self, lang: Lang) -> String {
        self.unit.counted(self.count, lang)
    }

    /// `2 of 6 tests`.
    fn some(self, runs: usize, lang: Lang) -> String {
        self.unit.some(runs, self.count, lang)
    }
}

fn kind(answer: &Answer) -> Kind {
    match answer {
        Answer::Client(of) if others_busy(answer).is_some() && !of.is_stopped_by_quota() => {
            Kind::BusyHost
        }
        Answer::Cached(of) if is_other_io(&of.verdict) => Kind::OtherUse,
        Answer::Sure(_) | Answer::Unsure(_) => Kind::Means,
        answer => Kind::Of(discriminant(answer)),
    }
}

fn is_other_io(verdict: &CacheVerdict) -> bool {
    matches!(verdict, CacheVerdict::SawMore { .. } | CacheVerdict::Foreign { .. })
}

/// How busy the host was, most of it with other programs.
fn others_busy(answer: &Answer) -> Option<f64> {
    let Answer::Client(finding) = answer else { return None };
    finding.signs.iter().find_map(|sign| match sign {
        ClientSign::Others { busy } => Some(busy * 100.0),
        _ => None,
    })
}

/// Whether it changes the answer rather than how well that is known: a burst that ended, or a
/// cache.
fn is_other_answer(answer: &Answer) -> bool {
    match answer {
        Answer::Burst(found) => matches!(found, BurstFinding::Burst(_)),
        Answer::Cached(of) => !is_other_io(&of.verdict) && of.tone() >= Tone::Warning,
        _ => false,
    }
}

/// Whether a cap held the rate of a run.
fn is_capped(found: &Found<'_>) -> bool {
    matches!(&found.verdict.answer, Answer::Client(finding) if finding.is_capped)
}

impl Joined<'_> {
    /// Of equal tone and as many runs, what puts the figures in doubt comes first, then what
    /// disturbed them: it may explain the others.
    fn rank(&self) -> u8 {
        let is_shared = self.found.iter().any(|found| found.verdict.answer.is_other_use());
        match self.kind {
            Kind::OtherUse if is_shared => 0,
            // The mean is not what lasts, or not the disk's: that changes the answer.
            _ if self.found.iter().any(|found| is_other_answer(&found.verdict.answer)) => 0,
            Kind::BusyHost => 1,
            Kind::OtherUse => 2,
            Kind::Means | Kind::Of(_) => 3,
        }
    }

    /// Whether what to do about it comes before a longer test: a quiet host, or the time that it
    /// takes to be steady.
    fn advises_first(&self) -> bool {
        let is_unsteady = |found: &Found<'_>| matches!(found.verdict.answer, Answer::Steady(_));
        self.kind == Kind::BusyHost || self.found.iter().any(is_unsteady)
    }

    /// Leaves out what may be this program's own doing if others did use the device: the count is
    /// then that of the summary's sentence.
    fn keep_strongest(&mut self) {
        if self.found.iter().any(|found| found.verdict.answer.is_other_use()) {
            self.found.retain(|found| found.verdict.answer.is_other_use());
        }
    }

    fn note(&self, tests: AllJudged, marked: bool, lang: Lang) -> Option<NoteText> {
        let first = self.found.first()?;
        let text = match (&self.kind, self.runs()) {
            (Kind::BusyHost, _) => self.busy_host(tests, lang),
            (_, 1) if first.name.is_empty() => first.text(lang),
            // One test alone has the room for its evidence; a run that was stopped after its first
            // test says as briefly as a whole one that there was other I/O.
            (kind, 1) if tests.count <= 1 && *kind != Kind::OtherUse => first.text(lang),
            _ if marked && first.verdict.answer.is_other_use() => self.marked(tests, lang),
            _ => self.counted(first, tests, lang),
        };
        let is_foremost = matches!(first.verdict.answer, Answer::TooShort(_));
        // The first sentence counts the runs whose figures are in doubt, and the note says more.
        let is_of_all = first.name.is_empty() || first.verdict.answer.is_other_use();
        let tests = if is_of_all { tests.count } else { self.runs() };
        Some(NoteText { is_foremost, tests, ..NoteText::new(first.verdict.tone, text) })
    }

    /// How many times as long runs must be for all means to be known; none where that is no advice.
    fn longer_factor(&self) -> Option<u64> {
        let factor = |found: &Found<'_>| match &found.verdict.answer {
            Answer::Sure(estimate) => estimate.longer_factor(),
            Answer::Unsure(why) => Some(why.longer_factor()),
            _ => Some(0),
        };
        self.found.iter().try_fold(0, |most, found| Some(factor(found)?.max(most)))
    }

    /// Seconds that each test must run to be steady.
    fn enough_s(&self) -> f64 {
        let enough = |found: &Found<'_>| match &found.verdict.answer {
            Answer::Steady(steadiness) => steadiness.enough_s(),
            _ => 0.0,
        };
        self.found.iter().map(enough).fold(0.0, f64::max)
    }

    /// How many runs have such a verdict.
    fn runs(&self) -> usize {
        self.found.iter().map(|found| found.run).collect::<BTreeSet<_>>().len()
    }

    /// `in 9 of 16 tests`; of one test, its name.
    fn place(&self, tests: AllJudged, lang: Lang) -> String {
        let place = match self.runs() {
            1 => text!("in {}", self.found.first().map_or("", |found| found.name)),
            runs if runs >= tests.count => text!("in all {}", tests.all(lang)),
            runs => text!("in {}", tests.some(runs, lang)),
        };
        place.text(lang).to_owned()
    }

    fn busy_host(&self, tests: AllJudged, lang: Lang) -> String {
        let shares = || self.found.iter().filter_map(|found| others_busy(&found.verdict.answer));
        let (low, high) = (shares().fold(100.0, f64::min), shares().fold(0.0, f64::max));
        let busy = match (format!("{low:.0}"), format!("{high:.0}")) {
            (low, high) if low == high => format!("{high} %"),
            (low, high) => format!("{low}-{high} %"),
        };
        let place = self.place(tests, lang);
        let place = match self.volumes(|_| true) {
            names if names.is_empty() || self.runs() == 1 => place,
            names => text!("{place}, of {names}").text(lang).to_owned(),
        };
        let text = match tests.count > 1 {
            true => text!("Host busy: other programs kept its CPUs {busy} busy {place}."),
            false => text!("Host busy: other programs kept its CPUs {busy} busy."),
        };
        let faster = self.faster().map(|faster| format!(" {}", faster.text(lang)));
        self.hosts() + text.text(lang) + &faster.unwrap_or_default()
    }

    /// `h1, h2: `, the clients that it is about; nothing where one machine measured.
    fn hosts(&self) -> String {
        let host = |found: &Found<'_>| match &found.verdict.answer {
            Answer::Client(of) => of.host.clone(),
            _ => None,
        };
        let hosts: BTreeSet<String> = self.found.iter().filter_map(host).collect();
        let names: Vec<String> = hosts.into_iter().collect();
        if names.is_empty() { String::new() } else { names.join(", ") + ": " }
    }

    /// That the volume may be faster, or which of several; none where caps held all of them.
    fn faster(&self) -> Option<Text> {
        if self.are_all_capped() {
            return None;
        }
        if self.found.iter().all(|found| found.volume.is_none()) {
            return Some(text!("The volume may be faster."));
        }
        let free = self.volumes(|found| {
            !is_capped(found) && found.volume.is_some_and(|volume| !volume.is_limited)
        });
        (!free.is_empty()).then(|| text!("{free} may be faster."))
    }

    /// The volumes of these runs, each once, in the order of the runs.
    fn volumes(&self, of: impl Fn(&Found<'_>) -> bool) -> String {
        let own = self.found.iter().filter(|found| of(found));
        let mut own: Vec<&Found<'_>> = own.filter(|found| found.volume.is_some()).collect();
        own.sort_by_key(|found| found.run);
        let mut names: Vec<&str> = Vec::new();
        for volume in own.iter().filter_map(|found| found.volume) {
            if !names.contains(&volume.name.as_str()) {
                names.push(&volume.name);
            }
        }
        names.join(", ")
    }

    /// Whether a cap held the rate of each of these runs.
    fn are_all_capped(&self) -> bool {
        self.found.iter().all(is_capped)
    }

    /// What `first` says; of I/Os in general if the others are of another direction.
    fn of_directions(&self, first: &Found<'_>, lang: Lang) -> String {
        let direction = |of: &Found<'_>| match &of.verdict.answer {
            Answer::Cached(finding) => Some(finding.direction),
            _ => None,
        };
        match &first.verdict.answer {
            Answer::Cached(of)
                if self.found.iter().any(|one| direction(one) != direction(first)) =>
            {
                of.tell_of_all().text(lang)
            }
            _ => first.verdict.text(lang),
        }
    }

    /// `5 of 8 tests, such as NAME: ` and what is said of that one.
    fn shared(&self, first: &Found<'_>, tests: AllJudged, lang: Lang) -> String {
        // Of a suspicion no figure is one test's own.
        let suspected = matches!(&first.verdict.answer,
            Answer::Cached(of) if of.verdict == CacheVerdict::Suspected);
        let place = match suspected && self.runs() == tests.count {
            true => text!("All {}", tests.all(lang)),
            false => text!("{}, such as {}", tests.some(self.runs(), lang), first.name),
        };
        format!("{}: {}", place.text(lang), self.of_directions(first, lang))
    }

    /// A sentence for runs that have a mark in the table.
    fn marked(&self, tests: AllJudged, lang: Lang) -> String {
        let some = tests.some(self.runs(), lang);
        let text = text!("Other I/O ran on the device in {some} (marked !): measure again.");
        text.text(lang).to_owned()
    }

    /// A sentence for all of them, or the worst with their number.
    fn counted(&self, first: &Found<'_>, tests: AllJudged, lang: Lang) -> String {
        let place = self.place(tests, lang);
        let text = match &first.verdict.answer {
            Answer::Humps(_) => text!("Two groups of latencies {place}: read p50 and p99."),
            Answer::Sure(_) | Answer::Unsure(_) if tests.advised => {
                text!("Means are uncertain {place}.")
            }
            Answer::Sure(_) | Answer::Unsure(_) => match self.longer_factor() {
                Some(factor) => {
                    text!("Means are uncertain {place}: measure {factor} times as long.")
                }
                None => text!("Means are uncertain {place}: measure on a quiet host."),
            },
            answer if answer.is_other_use() => {
                text!("Other I/O ran on the device {place}: measure again while none runs.")
            }
            Answer::Cached(of) if is_other_io(&of.verdict) => {
                text!("Other I/O ran on the device {place}: read-ahead, journal or others.")
            }
            Answer::Steady(_) => {
                let enough = stretch(self.enough_s());
                text!("Not steady at the end {place}: measure each test for {enough}.")
            }
            _ if first.name.is_empty() || self.runs() == 1 => return first.text(lang),
            _ => return self.shared(first, tests, lang),
        };
        text.text(lang).to_owned()
    }
}

impl Found<'_> {
    fn text(&self, lang: Lang) -> String {
        let text = self.verdict.text(lang);
        if self.name.is_empty() { text } else { format!("{}: {text}", self.name) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_analysis::{
        CacheFinding, ClientFinding, ClientVerdict, Estimate, Humps, HumpsFinding, ShortQuestion,
        ShortRuns,
    };
    use fathom_vocab::Direction;

    fn busy(busy: f64) -> Verdict {
        Verdict::from(Answer::Client(ClientFinding {
            verdict: ClientVerdict::Tight,
            host: None,
            headroom: None,
            signs: vec![ClientSign::Others { busy }],
            is_capped: false,
        }))
    }

    fn humps() -> Verdict {
        Verdict::from(Answer::Humps(HumpsFinding::Two(Humps {
            low_ns: 50_000,
            high_ns: 2_000_000,
            share_high: 0.1,
            time_share_high: 0.8,
            gap_from_ns: 60_000,
            gap_to_ns: 1_000_000,
            high_spread: None,
        })))
    }

    fn texts(runs: &[(String, &[Verdict])], lang: Lang) -> Vec<String> {
        let mut notes = notes(runs, JudgedUnit::Test, false, lang);
        notes.sort_by_key(|note| (Reverse(note.tone), Reverse(note.tests)));
        notes.into_iter().map(|note| note.text).collect()
    }

    #[test]
    fn verdicts_of_one_kind_are_one_note_with_their_count_and_range() {
        let short = Verdict::from(Answer::TooShort(ShortRuns {
            run_s: 1.0,
            total_s: 90.0,
            questions: vec![ShortQuestion::Burst],
        }));
        let [one, two, three] =
            [vec![busy(0.62), humps()], vec![busy(1.0), humps()], vec![busy(0.8)]];
        let together = [short];
        let runs = [
            (String::new(), &together[..]),
            ("a".to_owned(), &one[..]),
            ("b".to_owned(), &two[..]),
            ("c".to_owned(), &three[..]),
        ];
        let english = texts(&runs, Lang::En);
        assert_eq!(
            english[0],
            "Host busy: other programs kept its CPUs 62-100 % busy in all 3 tests. The volume \
             may be faster."
        );
        assert!(english[1].starts_with("Too short to tell bursts"), "{english:?}");
        assert_eq!(english[2], "Two groups of latencies in 2 of 3 tests: read p50 and p99.");
        assert_eq!(english.len(), 3);
        let korean = texts(&runs, Lang::Ko);
        assert!(korean[0].starts_with("호스트에 다른 부하(테스트 3개 모두): "), "{korean:?}");
        assert!(!korean[2].contains("tests"), "{korean:?}");
        // The only test tells its evidence.
        let alone = texts(&runs[1..2], Lang::En);
        assert!(alone[1].contains("about 50.0 us"), "{alone:?}");
        assert!(alone[0].contains("62 % busy. The volume"), "{alone:?}");
    }

    #[test]
    fn advice_to_measure_longer_says_how_long() {
        let estimate = |spread: f64| {
            let values: Vec<f64> = (0..5).map(|at| 100.0 + spread * f64::from(at)).collect();
            vec![Verdict::from(Answer::Sure(Estimate::of_repeats(&values).unwrap()))]
        };
        let (one, two) = (estimate(60.0), estimate(30.0));
        let runs = [("a".to_owned(), &one[..]), ("b".to_owned(), &two[..])];
        let text = "Means are uncertain in all 2 tests: measure 8 times as long.";
        assert_eq!(texts(&runs, Lang::En), [text]);
        assert!(texts(&runs, Lang::Ko)[0].contains("8배"), "{:?}", texts(&runs, Lang::Ko));
        // To measure a hundred times as long is no advice.
        let far = estimate(5000.0);
        let runs = [("a".to_owned(), &one[..]), ("b".to_owned(), &far[..])];
        let text = "Means are uncertain in all 2 tests: measure on a quiet host.";
        assert_eq!(texts(&runs, Lang::En), [text]);
        assert!(texts(&runs, Lang::Ko)[0].contains("부하가 없는"), "{:?}", texts(&runs, Lang::Ko));
    }

    #[test]
    fn under_a_cap_the_volume_is_not_said_to_be_faster() {
        let capped = || {
            let mut verdict = busy(0.8);
            if let Answer::Client(finding) = &mut verdict.answer {
                finding.is_capped = true;
            }
            vec![verdict]
        };
        let (one, two, free) = (capped(), capped(), vec![busy(0.8)]);
        let all = [("a".to_owned(), &one[..]), ("b".to_owned(), &two[..])];
        let text = "Host busy: other programs kept its CPUs 80 % busy in all 2 tests.";
        assert_eq!(texts(&all, Lang::En), [text]);
        assert!(!texts(&all, Lang::Ko)[0].contains("CPUs"), "{:?}", texts(&all, Lang::Ko));
        let some = [("a".to_owned(), &one[..]), ("c".to_owned(), &free[..])];
        assert!(texts(&some, Lang::En)[0].ends_with("The volume may be faster."));
    }

    #[test]
    fn of_several_volumes_those_are_named_that_a_busy_host_may_have_slowed() {
        let (one, two) = (vec![busy(0.8)], vec![busy(0.8)]);
        let runs = [("a, t".to_owned(), &one[..]), ("b, t".to_owned(), &two[..])];
        let notes = |limited: [bool; 2], lang| {
            let volume =
                |(name, is_limited): (&str, bool)| RunVolume { name: name.into(), is_limited };
            let volumes = [("a", limited[0]), ("b", limited[1])].map(volume);
            notes_of_volumes(&runs, JudgedUnit::Run, &volumes, false, lang).remove(0).text
        };
        let said = "Host busy: other programs kept its CPUs 80 % busy in all 2 runs, of a, b.";
        assert_eq!(notes([true, false], Lang::En), format!("{said} b may be faster."));
        assert_eq!(notes([false, false], Lang::En), format!("{said} a, b may be faster."));
        assert_eq!(notes([true, true], Lang::En), said);
        let korean = notes([true, false], Lang::Ko);
        assert!(!korean.contains("CPUs") && !korean.contains("faster"), "{korean}");
        assert!(korean.contains("a, b의 실행 2회 모두"), "{korean}");
        let both = notes([false, false], Lang::Ko);
        assert!(both.ends_with(" a, b의 실제 성능은 더 높을 수 있습니다."), "{both}");
    }

    #[test]
    fn what_others_did_is_counted_without_what_may_be_our_own() {
        let other = |verdict| {
            vec![Verdict::from(Answer::Cached(CacheFinding {
                direction: Direction::Read,
                verdict,
                signs: Vec::new(),
            }))]
        };
        let foreign = other(CacheVerdict::Foreign { times: 2.0 });
        let more = other(CacheVerdict::SawMore { times: 2.0 });
        let runs = [
            ("a".to_owned(), &more[..]),
            ("b".to_owned(), &foreign[..]),
            ("c".to_owned(), &foreign[..]),
        ];
        let text = "Other I/O ran on the device in 2 of 3 tests: measure again while none runs.";
        assert_eq!(texts(&runs, Lang::En), [text]);
        // One test has no more to say than several.
        let text = "Other I/O ran on the device in b: measure again while none runs.";
        assert_eq!(texts(&runs[1..2], Lang::En), [text]);
        // Before a mean that is not well known, which it may explain.
        let humps_and_busy = [humps(), busy(0.9)];
        let order = texts(&[("a".to_owned(), &humps_and_busy[..])], Lang::En);
        assert!(order[0].starts_with("Host busy"), "{order:?}");
    }

    /// What was seen once does not hide what was seen in all tests; in the table a mark says which.
    #[test]
    fn a_warning_about_more_tests_comes_first_and_marked_runs_are_told() {
        let other = |verdict| {
            let signs = Vec::new();
            Verdict::from(Answer::Cached(CacheFinding {
                direction: Direction::Read,
                verdict,
                signs,
            }))
        };
        let more = || other(CacheVerdict::SawMore { times: 2.0 });
        let (one, two) = (vec![busy(0.9), more()], vec![more()]);
        let runs = [("a".to_owned(), &one[..]), ("b".to_owned(), &two[..])];
        let order = texts(&runs, Lang::En);
        assert!(order[0].starts_with("Other I/O ran on the device in all 2 tests"), "{order:?}");
        assert!(order[1].starts_with("Host busy") && order[1].contains("in a."), "{order:?}");
        let foreign = [busy(0.9), other(CacheVerdict::Foreign { times: 2.0 })];
        let busy_too = [busy(0.9)];
        let runs = [("a".to_owned(), &foreign[..]), ("b".to_owned(), &busy_too[..])];
        // The mark in the table needs it, whatever else there is.
        assert!(
            texts(&runs, Lang::En)[0].starts_with("Other I/O ran"),
            "{:?}",
            texts(&runs, Lang::En)
        );
        let marked = |lang| notes(&runs, JudgedUnit::Test, true, lang)[0].text.clone();
        assert_eq!(
            marked(Lang::En),
            "Other I/O ran on the device in 1 of 2 tests (marked !): measure again."
        );
        assert!(marked(Lang::Ko).contains("2개 중 1개, ! 표시"), "{}", marked(Lang::Ko));
    }
}
