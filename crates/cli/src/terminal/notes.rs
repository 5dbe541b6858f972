//! Notes on figures for narrow space: the most important ones, each whole, and the number of the
//! others.

use super::screen::{Screen, warning, wrapped};
use fathom_analysis::Tone;
use fathom_campaign::{Remark, RemarkRecord};
use fathom_message::{Lang, Message, Tell};
use fathom_text::text;
use std::cmp::Reverse;
use std::mem::discriminant;

/// Notes that are shown; the others are counted.
const MOST_NOTES: usize = 3;
/// Lines of the notes that are shown. The first note is shown however long it is.
pub const MOST_LINES: usize = 5;
/// The same beside the tables of several volumes.
pub const MOST_LINES_OF_SEVERAL: usize = 3;

/// What the plan calls one of the runs that verdicts are counted over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JudgedUnit {
    Test,
    /// One of several of a test: on each volume, and in each round.
    Run,
    /// Of a sweep.
    Case,
    /// Of a search.
    Step,
}

impl JudgedUnit {
    /// `6 tests`.
    pub fn counted(self, count: usize, lang: Lang) -> String {
        text!("{count} {unit}", unit = self.plural()).text(lang).to_owned()
    }

    /// `2 of 6 tests`.
    pub fn some(self, some: usize, count: usize, lang: Lang) -> String {
        text!("{some} of {count} {unit}", unit = self.plural()).text(lang).to_owned()
    }

    fn plural(self) -> &'static str {
        match self {
            JudgedUnit::Test => "tests",
            JudgedUnit::Run => "runs",
            JudgedUnit::Case => "cases",
            JudgedUnit::Step => "steps",
        }
    }
}

/// A sentence to know, and how it bears on the figures.
pub struct NoteText {
    /// How it bears on them.
    pub tone: Tone,
    /// The text.
    pub text: String,
    /// How many tests it is about.
    pub tests: usize,
    /// Whether only failures come before it: without it a reader takes the figures for judged, or
    /// for those of all machines.
    pub is_foremost: bool,
}

impl NoteText {
    /// A note whose tone decides its place.
    pub fn new(tone: Tone, text: String) -> NoteText {
        NoteText { tone, text, tests: 0, is_foremost: false }
    }

    /// Whether it is shown however many lines others take.
    fn needs_no_room(&self) -> bool {
        self.tone >= Tone::Bad || self.is_foremost
    }

    /// Whether it is shown, but is none of the few: no warning may be hidden behind it.
    fn is_mere_note(&self) -> bool {
        self.is_foremost && self.tone < Tone::Warning
    }

    /// What a note is ordered by.
    fn place(&self) -> (bool, bool, Tone, usize) {
        (self.tone >= Tone::Bad, self.is_foremost, self.tone, self.tests)
    }
}

/// The most important notes, at most three beside what must be known with the figures, and as many
/// as fit into `most_lines`. Of two with the same tone, the one about more tests comes first.
/// Failures may take more lines.
pub fn foremost(mut notes: Vec<NoteText>, most_lines: usize, screen: &Screen) -> String {
    notes.sort_by_key(|note| Reverse(note.place()));
    let (mut text, mut shown, mut lines_shown, mut more) = (String::new(), 0, 0, 0);
    for note in &notes {
        let lines = line(note, screen);
        let with_it = lines_shown + lines.lines().count();
        let has_room = with_it <= most_lines || shown == 0 || note.needs_no_room();
        let counts = !note.is_mere_note();
        if counts && !note.is_foremost && (more > 0 || shown == MOST_NOTES || !has_room) {
            more += 1;
            continue;
        }
        text += &lines;
        (shown, lines_shown) = (shown + usize::from(counts), with_it);
    }
    if more > 0 {
        let told = Message::new("told-more-notes").with("more", more).text(screen.lang);
        text += &wrapped(&told, screen.width, "  - ", "    ");
    }
    text
}

/// Every note.
pub fn all(notes: &[NoteText], screen: &Screen) -> String {
    notes.iter().map(|note| line(note, screen)).collect()
}

fn line(note: &NoteText, screen: &Screen) -> String {
    match note.tone >= Tone::Warning {
        true => warning(&note.text, screen),
        false => wrapped(&note.text, screen.width, "  - ", "    "),
    }
}

/// With how many more are alike.
pub fn and_more(sentence: Message, more: u64) -> Message {
    match more {
        0 => sentence,
        more => Message::new("told-alike").part("sentence", sentence).with("more", more),
    }
}

/// Runs of these names that failed, each reason once with the runs that it stopped.
pub fn failures<'r>(failed: impl Iterator<Item = (String, &'r str)>, lang: Lang) -> Vec<NoteText> {
    const MOST_NAMES: usize = 3;
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for (name, why) in failed {
        match reasons.iter_mut().find(|(other, _)| *other == why) {
            Some((_, names)) => names.push(name),
            None => reasons.push((why, vec![name])),
        }
    }
    let note = |(why, names): (&str, Vec<String>)| {
        let shown = names.len().min(MOST_NAMES);
        let failed = Message::from(text!("{}: FAILED: {why}", names[..shown].join(", ")));
        let more = (names.len() - shown) as u64;
        NoteText::new(Tone::Bad, and_more(failed, more).text(lang))
    };
    reasons.into_iter().map(note).collect()
}

/// Remarks on the target, in English; a table leaves them to its heading.
pub fn of_target(records: &[RemarkRecord]) -> impl Iterator<Item = NoteText> + '_ {
    records.iter().map(|record| NoteText::new(Tone::Warning, record.text.clone()))
}

/// Remarks on runs of these names, of each kind the first and how many more there are.
pub fn remarks<'r>(
    runs: impl Iterator<Item = (String, &'r [RemarkRecord])>,
    unit: JudgedUnit,
    lang: Lang,
) -> Vec<NoteText> {
    let mut kinds: Vec<(&Remark, String, u64)> = Vec::new();
    let mut tests = 0;
    for (name, records) in runs {
        tests += 1;
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
        let of = more as usize + 1;
        if let Some(text) = joined(remark, of, &unit.some(of, tests, lang), lang) {
            return NoteText { tests: of, ..NoteText::new(Tone::Warning, text) };
        }
        let told = match more {
            0 => remark.tell(),
            more => {
                let sentence = remark.tell();
                Message::new("told-runs-alike").part("sentence", sentence).with("more", more)
            }
        };
        let text = format!("{name}: {}", told.text(lang));
        let is_foremost = matches!(remark, Remark::MissingClients { .. });
        NoteText { tests: of, is_foremost, ..NoteText::new(Tone::Warning, text) }
    };
    kinds.into_iter().map(note).collect()
}

/// A sentence for `some` of all runs with such a remark; none for kinds that few runs have.
fn joined(remark: &Remark, count: usize, some: &str, lang: Lang) -> Option<String> {
    let text = match remark {
        Remark::QueueNotFull { depth: 1, .. } if count > 1 => text!(
            "Moments without any I/O in flight in {some}: this host was slower than the volume."
        ),
        Remark::QueueNotFull { .. } if count > 1 => {
            text!("Queues were not full in {some}: this host was slower than the volume.")
        }
        _ => return None,
    };
    Some(text.text(lang).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCREEN: Screen =
        Screen { width: 80, colour: false, unicode: true, live: false, lang: Lang::En };

    fn lines(notes: Vec<NoteText>) -> Vec<String> {
        foremost(notes, MOST_LINES, &SCREEN).lines().map(str::to_owned).collect()
    }

    #[test]
    fn no_other_note_displaces_what_must_be_known() {
        let long = "a warning that takes lines ".repeat(9);
        let warnings = || vec![long.clone(), long.clone(), long.clone()].into_iter();
        let warnings = || warnings().map(|text| NoteText::new(Tone::Warning, text)).collect();
        let short = || {
            let note = NoteText::new(Tone::Note, "Too short.".to_owned());
            NoteText { is_foremost: true, ..note }
        };
        let mut notes: Vec<NoteText> = warnings();
        notes.push(short());
        assert_eq!(lines(notes)[0], "  - Too short.");
        let failure = |at| NoteText::new(Tone::Bad, format!("{at} FAILED."));
        let mut notes: Vec<NoteText> = (0..4).map(failure).collect();
        notes.push(short());
        let expected = [
            "  ! 0 FAILED.",
            "  ! 1 FAILED.",
            "  ! 2 FAILED.",
            "  - Too short.",
            "  - One more note stands in `fathom report`; --verbose shows all.",
        ];
        assert_eq!(lines(notes), expected);
    }

    #[test]
    fn machines_that_figures_are_without_are_told_before_any_warning() {
        let remark = Remark::MissingClients { hosts: vec!["h3".to_owned()] };
        let records = [RemarkRecord { text: remark.to_string(), remark }];
        let runs = [("reads".to_owned(), &records[..]), ("writes".to_owned(), &records[..])];
        let mut notes = remarks(runs.into_iter(), JudgedUnit::Test, Lang::En);
        let long = "a warning about more tests ".repeat(9);
        let warning = |tests| NoteText { tests, ..NoteText::new(Tone::Warning, long.clone()) };
        notes.extend([warning(8), warning(9)]);
        let told = lines(notes).join("\n");
        assert!(told.starts_with("  ! reads: Measured without h3: "), "{told}");
    }

    #[test]
    fn the_warning_about_more_tests_comes_first_and_no_mere_note_takes_its_room() {
        let warning =
            |tests, text: &str| NoteText { tests, ..NoteText::new(Tone::Warning, text.to_owned()) };
        let short = NoteText::new(Tone::Note, "Too short: two lines of words. ".repeat(4));
        let notes = vec![
            NoteText { is_foremost: true, ..short },
            NoteText { tests: 8, ..NoteText::new(Tone::Note, "Two groups.".to_owned()) },
            warning(1, "Host busy in one test"),
            warning(8, "Other I/O in all tests"),
            warning(7, "Uncertain means"),
            warning(2, "Not steady"),
        ];
        let lines = lines(notes);
        let starts = |at: usize, start: &str| lines[at].starts_with(start);
        assert!(starts(0, "  - Too short") && starts(2, "  ! Other I/O"), "{lines:#?}");
        assert!(starts(3, "  ! Uncertain means") && starts(4, "  ! Not steady"), "{lines:#?}");
        assert_eq!(lines[5], "  - 2 more notes stand in `fathom report`; --verbose shows all.");
    }
}
