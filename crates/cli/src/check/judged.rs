//! The limits of a check as cases for CI systems: one for each row of the table, and one for each
//! run that was not made.

use super::heading::limit_of;
use super::table;
use fathom_analysis::RowOutcome;
use fathom_campaign::check::{CheckDocument, CheckPlan, CheckTrial, LimitRow};
use fathom_message::Message;
use fathom_report::JudgedCase;

/// All limits of `plan`, with their outcomes in `document`.
pub fn cases(plan: &CheckPlan, document: &CheckDocument) -> Vec<JudgedCase> {
    let judged = document.runs.iter().flat_map(|run| cases_of(document, run));
    let missing = plan.steps.iter().skip(document.runs.len()).map(|step| JudgedCase {
        name: with_limit(step.load.title(), limit_of(&step.load)),
        is_error: document.failure.is_some(),
        sentence: document.failure.clone().unwrap_or_else(|| "it was not run".to_owned()),
        warnings: Some(Vec::new()),
        ..JudgedCase::default()
    });
    judged.chain(missing).collect()
}

/// The limits of a run, with the warnings on it alone.
pub(super) fn cases_of(document: &CheckDocument, run: &CheckTrial) -> Vec<JudgedCase> {
    let warnings = table::warnings(document, std::slice::from_ref(run));
    run.rows().iter().map(|row| case(run, row, &warnings)).collect()
}

fn case(run: &CheckTrial, row: &LimitRow<'_>, warnings: &[String]) -> JudgedCase {
    let shown = |value: Option<f64>| value.map(|value| row.load.goal.in_unit(value));
    JudgedCase {
        name: with_limit(row.title(row.load.title()).to_string(), shown(row.limit)),
        outcome: row.outcome(),
        is_error: run.failure.is_some(),
        sentence: sentence(shown(row.measured), run, row),
        warnings: Some(warnings.to_vec()),
        ..JudgedCase::default()
    }
}

/// The name of a case: CI systems follow it from run to run, so that it is the same whether the
/// limit was judged or not.
fn with_limit(name: String, limit: Option<String>) -> String {
    limit.map_or(name.clone(), |limit| format!("{name}: {limit}"))
}

/// `measured 2,100 IOPS`; of a limit that was not kept with its reason, of a missed one with what
/// held it.
fn sentence(measured: Option<String>, run: &CheckTrial, row: &LimitRow<'_>) -> String {
    let measured = measured.map(|figure| format!("measured {figure}"));
    let mut said = run.failure.clone().into_iter().collect::<Vec<String>>();
    said.extend(run.reason(row).map(|why| why.sentence.to_string()));
    if let Some(finding) = run.finding.as_ref().filter(|_| row.outcome() == RowOutcome::Fail) {
        said.extend(finding.causes(&run.load).iter().map(Message::to_string));
    }
    match (measured, said.join(" ")) {
        (Some(measured), why) if why.is_empty() => measured,
        (Some(measured), why) => format!("{measured}. {why}"),
        (None, why) if why.is_empty() => "nothing was measured".to_owned(),
        (None, why) => why,
    }
}
