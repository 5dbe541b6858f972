//! The table of a result in the history, as the command printed it that made it, briefly or with
//! all notes.

use crate::history::SavedTable;
use crate::terminal::screen::Screen;
use crate::terminal::verdicts::VerdictDetail;
use crate::{check, compare, limit, measure, run, sweep};
use fathom_document::AnyDocument;
use fathom_message::Tell;
use fathom_text::Text;

/// The title of a document, in the words of its command; none where it is the title of the history.
fn title(document: &AnyDocument) -> Option<Text> {
    Some(match document {
        AnyDocument::Compare(read) => compare::saved_title(read),
        AnyDocument::Check(read) => Text::of(read.tell()),
        AnyDocument::Limit(read) => Text::of(&read.question.target),
        AnyDocument::Sweep(read) => sweep::saved_title(read),
        _ => return None,
    })
}

/// The title and the table of a document; none of a run that has no result yet, or if this Fathom
/// cannot read it.
pub fn of(document: &str, detail: VerdictDetail, screen: &Screen) -> SavedTable {
    let Ok(document) = AnyDocument::read(document) else { return SavedTable::default() };
    let title = title(&document);
    let table = match document {
        AnyDocument::Measure(read) => measure::saved_table(&read, detail, screen),
        AnyDocument::Durable(read) => measure::saved_flushes(&read, detail, screen),
        AnyDocument::Compare(read) => compare::saved_table(&read, detail, screen),
        AnyDocument::Check(read) => check::saved_table(&read, detail, screen),
        AnyDocument::Limit(read) => limit::saved_table(&read, detail, screen),
        AnyDocument::Sweep(read) => sweep::saved_table(&read, detail, screen),
        AnyDocument::Run(read) => run::saved_table(&read, detail, screen),
        AnyDocument::Runs(_) | AnyDocument::Result(_) | AnyDocument::Fio(_) => String::new(),
    };
    SavedTable { title, table: Some(table).filter(|table| !table.is_empty()) }
}
