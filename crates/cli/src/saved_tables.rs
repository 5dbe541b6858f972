//! The table of a result in the history, as the command printed it that made it, briefly or with
//! all notes.

use crate::terminal::screen::Screen;
use crate::terminal::verdicts::VerdictDetail;
use crate::{check, compare, limit, measure, run, sweep};
use fathom_campaign::Head;
use fathom_document::JsonDocument;
use fathom_report::Input;

/// The table of a document; none of a run that has no result yet, or if this Fathom cannot read it.
pub fn of(document: &str, detail: VerdictDetail, screen: &Screen) -> Option<String> {
    // A document may come from elsewhere: what reports refuse has no table either.
    fathom_report::read(&[Input::new("", document)], screen.lang).ok()?;
    match Head::from_json(document).ok()?.kind.as_str() {
        "fathom-measure" => table(document, |read| measure::saved_table(&read, detail, screen)),
        "fathom-durable" => table(document, |read| measure::saved_flushes(&read, detail, screen)),
        "fathom-compare" => table(document, |read| compare::saved_table(&read, detail, screen)),
        "fathom-check" => table(document, |read| check::saved_table(&read, detail, screen)),
        "fathom-limit" => table(document, |read| limit::saved_table(&read, detail, screen)),
        "fathom-sweep" => table(document, |read| sweep::saved_table(&read, detail, screen)),
        "fathom-run" => table(document, |read| run::saved_table(&read, detail, screen)),
        _ => None,
    }
}

fn table<D: JsonDocument>(document: &str, text: impl Fn(D) -> String) -> Option<String> {
    D::from_json(document).ok().map(text).filter(|text| !text.is_empty())
}
