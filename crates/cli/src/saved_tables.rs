//! The table of a result in the history, as the command printed it that made it, briefly or with
//! all notes.

use crate::terminal::screen::Screen;
use crate::terminal::verdicts::VerdictDetail;
use crate::{check, compare, limit, measure, run, sweep};
use fathom_document::AnyDocument;

/// The table of a document; none of a run that has no result yet, or if this Fathom cannot read it.
pub fn of(document: &str, detail: VerdictDetail, screen: &Screen) -> Option<String> {
    let table = match AnyDocument::read(document).ok()? {
        AnyDocument::Measure(read) => measure::saved_table(&read, detail, screen),
        AnyDocument::Durable(read) => measure::saved_flushes(&read, detail, screen),
        AnyDocument::Compare(read) => compare::saved_table(&read, detail, screen),
        AnyDocument::Check(read) => check::saved_table(&read, detail, screen),
        AnyDocument::Limit(read) => limit::saved_table(&read, detail, screen),
        AnyDocument::Sweep(read) => sweep::saved_table(&read, detail, screen),
        AnyDocument::Run(read) => run::saved_table(&read, detail, screen),
        AnyDocument::Runs(_) | AnyDocument::Result(_) | AnyDocument::Fio(_) => return None,
    };
    (!table.is_empty()).then_some(table)
}
