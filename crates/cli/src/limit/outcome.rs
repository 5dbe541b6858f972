//! What follows from a step of a search, for both tables.

use crate::language::lang;
use fathom_campaign::limit::{LimitDocument, LoadLevel, StepFinding, StepRecord};
use fathom_campaign::test_title;
use fathom_message::{Lang, Tell, words};

/// What a step offered, in the language of the screen.
pub(super) fn title(document: &LimitDocument, step: &StepRecord) -> String {
    test_title(&step.load.title(document.question.depth)).text(lang())
}

/// Whether the answer depends on this step.
pub(super) fn is_answer(document: &LimitDocument, step: &StepRecord) -> bool {
    let answer = document.answer.rate_iops.map(|rate_iops| LoadLevel::Rate { rate_iops });
    answer == Some(step.load) && step.finding == Some(StepFinding::Keeps)
}

/// The outcome in words; of overload, the share of due I/Os that were left behind.
pub(super) fn remark_on(step: &StepRecord, lang: Lang) -> String {
    let word = |id| words(lang, id);
    match (step.finding, step.load) {
        (Some(StepFinding::Overload), LoadLevel::Rate { rate_iops }) => {
            let behind = step.reading.as_ref().map_or(0.0, |r| r.behind_percent(rate_iops));
            format!("{} {behind:.0} %", StepFinding::Overload.tell().text(lang))
        }
        (Some(StepFinding::TooSlow), _) if is_beside_others(step) => word("limit-step-busy"),
        (Some(finding), _) => finding.tell().text(lang),
        (None, _) if step.cut_short => word("limit-step-stopped"),
        (None, _) if step.failure.is_some() => word("limit-step-failed"),
        (None, LoadLevel::Deep) => word("limit-step-ceiling"),
        (None, _) => word("limit-step-floor"),
    }
}

/// Whether other programs used the processors meanwhile, so that the step may not be the volume's.
fn is_beside_others(step: &StepRecord) -> bool {
    step.reading.as_ref().is_some_and(|reading| reading.others_busy.is_some())
}
