//! Notes below the tables: failures, interrupted cases, remarks.

use crate::terminal::remarks::alike;
use crate::terminal::screen::{Screen, wrapped};
use fathom_campaign::cases::title_of;
use fathom_campaign::sweep::SweepDocument;
use fathom_message::Message;

/// Remarks on single cases, and failures; similar ones are shown once, with their number.
pub fn of(document: &SweepDocument, screen: &Screen) -> String {
    let mut notes: Vec<String> = Vec::new();
    let failure = document.sessions.last().and_then(|session| session.failure.as_ref());
    notes.extend(failure.map(|why| format!("FAILED: {why}")));
    for record in &document.cases {
        let name = title_of(&record.settings);
        match &record.failure {
            Some(why) if !record.cut_short => notes.push(format!("{name}: FAILED: {why}")),
            _ => {}
        }
        if record.cut_short && record.figures.is_some() {
            let told = Message::new("told-cut-short").with("name", &name);
            notes.push(told.text(screen.lang));
        }
    }
    let remarks = document.cases.iter().flat_map(|record| {
        record.remarks.iter().map(|remark| (title_of(&record.settings), &remark.remark))
    });
    notes.extend(alike(remarks, screen.lang));
    if notes.is_empty() {
        return String::new();
    }
    let lines = notes.iter().map(|note| wrapped(note, screen.width, "  ! ", "    "));
    format!("\n{}", lines.collect::<String>())
}
