//! The limits of a check as cases for CI systems: one for each row of the table, and one for each
//! run that was not made.

use fathom_analysis::RowOutcome;
use fathom_campaign::check::{CheckDocument, CheckPlan, CheckTrial, LimitRow};
use fathom_report::JudgedCase;

/// All limits of `plan`, with their outcomes in `document`.
pub fn cases(plan: &CheckPlan, document: &CheckDocument) -> Vec<JudgedCase> {
    let of_run = |run: &CheckTrial| -> Vec<JudgedCase> {
        run.rows().iter().map(|row| case(run, row)).collect()
    };
    let judged = document.runs.iter().flat_map(of_run);
    let missing = plan.steps.iter().skip(document.runs.len()).map(|step| JudgedCase {
        subject: String::new(),
        name: step.load.title(),
        outcome: RowOutcome::Undecided,
        is_error: document.failure.is_some(),
        sentence: document.failure.clone().unwrap_or_else(|| "it was not run".to_owned()),
        place: None,
    });
    judged.chain(missing).collect()
}

fn case(run: &CheckTrial, row: &LimitRow<'_>) -> JudgedCase {
    let shown = |value: Option<f64>| value.map(|value| row.load.goal.in_unit(value));
    let name = row.title(row.load.title()).to_string();
    JudgedCase {
        subject: String::new(),
        name: shown(row.limit).map_or(name.clone(), |limit| format!("{name}: {limit}")),
        outcome: row.outcome(),
        is_error: run.failure.is_some(),
        sentence: sentence(shown(row.measured), run, row.outcome()),
        place: None,
    }
}

/// `measured 2,100 IOPS`, with the reason if it is undecided.
fn sentence(measured: Option<String>, run: &CheckTrial, outcome: RowOutcome) -> String {
    let said = run.finding.as_ref().and_then(|finding| finding.sentences.first());
    let reason = run.failure.as_ref().or(said).filter(|_| outcome == RowOutcome::Undecided);
    match (measured, reason) {
        (Some(measured), None) => format!("measured {measured}"),
        (Some(measured), Some(reason)) => format!("measured {measured}. {reason}"),
        (None, Some(reason)) => reason.clone(),
        (None, None) => "nothing was measured".to_owned(),
    }
}
