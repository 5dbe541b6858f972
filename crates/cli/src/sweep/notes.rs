//! What stands under the tables: what failed, what was cut short, what to know.

use super::progress::title;
use crate::measure::screen::{Screen, wrapped};
use fathom_campaign::Remark;
use fathom_campaign::sweep::{CaseRecord, SweepDocument};
use std::mem::discriminant;

/// What to know of single cases, and what failed; of what is alike, one and how many more.
pub fn of(document: &SweepDocument, screen: &Screen) -> String {
    let mut notes: Vec<String> = Vec::new();
    let failure = document.sessions.last().and_then(|session| session.failure.as_ref());
    notes.extend(failure.map(|why| format!("FAILED: {why}")));
    for record in &document.cases {
        let name = title(&record.settings);
        match &record.failure {
            Some(why) if !record.cut_short => notes.push(format!("{name}: FAILED: {why}")),
            _ => {}
        }
        if record.cut_short && record.figures.is_some() {
            notes.push(format!("{name}: stopped early; its figures cover less time."));
        }
    }
    notes.extend(alike(&document.cases));
    if notes.is_empty() {
        return String::new();
    }
    let lines = notes.iter().map(|note| wrapped(note, screen.width, "  ! ", "    "));
    format!("\n{}", lines.collect::<String>())
}

/// A sentence for each kind of remark, and how many more runs have it.
fn alike(cases: &[CaseRecord]) -> Vec<String> {
    let mut kinds: Vec<(&CaseRecord, &Remark, usize)> = Vec::new();
    for record in cases {
        for remark in record.remarks.iter().map(|record| &record.remark) {
            match kinds.iter_mut().find(|(_, kind, _)| discriminant(*kind) == discriminant(remark))
            {
                Some((_, _, more)) => *more += 1,
                None => kinds.push((record, remark, 0)),
            }
        }
    }
    let sentence = |(record, remark, more): &(&CaseRecord, &Remark, usize)| {
        let others = match more {
            0 => String::new(),
            1 => " (One more run is alike.)".to_owned(),
            more => format!(" ({more} more runs are alike.)"),
        };
        format!("{}: {remark}{others}", title(&record.settings))
    };
    kinds.iter().map(sentence).collect()
}
