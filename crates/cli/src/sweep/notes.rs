//! Notes below the tables: failures, interrupted cases, remarks.

use crate::terminal::notes::{JudgedUnit, NoteText, failures, remarks};
use fathom_analysis::Tone;
use fathom_campaign::cases::title_of;
use fathom_campaign::sweep::SweepDocument;
use fathom_message::{Lang, Message};
use fathom_text::text;

/// Failures and remarks on single cases; similar ones are one note, with their number.
pub fn of(document: &SweepDocument, lang: Lang) -> Vec<NoteText> {
    let failure = document.sessions.last().and_then(|session| session.failure.as_ref());
    let whole =
        |why: &String| NoteText::new(Tone::Bad, text!("FAILED: {why}").text(lang).to_owned());
    let mut notes: Vec<NoteText> = failure.into_iter().map(whole).collect();
    let cases = document.cases.iter();
    let failed = cases.clone().filter(|case| !case.cut_short);
    let reason =
        failed.filter_map(|case| Some((title_of(&case.settings), case.failure.as_deref()?)));
    notes.extend(failures(reason, lang));
    for case in cases.clone().filter(|case| case.cut_short && case.figures.is_some()) {
        let told = Message::new("told-cut-short").with("name", title_of(&case.settings));
        notes.push(NoteText::new(Tone::Warning, told.text(lang)));
    }
    let noted = cases.map(|case| (title_of(&case.settings), case.remarks.as_slice()));
    notes.extend(remarks(noted, JudgedUnit::Case, lang));
    notes
}
