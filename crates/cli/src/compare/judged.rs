//! The figures of a gate as cases for CI systems: one for each figure that both sides have, and one
//! for each entry that only the first side has; of volumes, one for each test on each of them but
//! the first.

use super::runs_text::in_short;
use fathom_analysis::RowOutcome;
use fathom_campaign::compare::{CompareDocument, Contrast, Contrasts, RunsDocument, VolumeFigure};
use fathom_message::{Lang, Tell};
use fathom_report::change_words::why_unjudged;
use fathom_report::{JudgedCase, JudgedSuite};

/// All figures, with their outcomes for "worse by this many percent at most".
pub fn cases(document: &RunsDocument, allowed_percent: f64) -> Vec<JudgedCase> {
    let several = document.pairs.len() > 1;
    let of_pair = |pair: &Contrasts| {
        // Ids of runs differ from pipeline to pipeline, and CI systems follow a case by its name.
        let subject = if several { pair.after.clone() } else { String::new() };
        of_pair(pair, &subject, allowed_percent)
    };
    document.pairs.iter().flat_map(of_pair).collect()
}

fn of_pair(pair: &Contrasts, subject: &str, allowed_percent: f64) -> Vec<JudgedCase> {
    let judged = pair.contrasts.iter().map(|contrast| JudgedCase {
        subject: subject.to_owned(),
        name: format!("{}: {}", contrast.name, contrast.judged.name()),
        outcome: contrast.outcome(allowed_percent),
        is_error: false,
        sentence: sentence(contrast, allowed_percent),
        warnings: None,
        place: None,
    });
    let gone = pair.only_before.iter().map(|name| JudgedCase {
        subject: subject.to_owned(),
        name: name.clone(),
        outcome: RowOutcome::Undecided,
        is_error: false,
        sentence: format!("it is in {} only", pair.before),
        warnings: None,
        place: None,
    });
    judged.chain(gone).collect()
}

/// The suite of a comparison. Reading runs takes no time that a pipeline would show.
pub fn suite(cases: Vec<JudgedCase>, warnings: Vec<String>) -> JudgedSuite {
    JudgedSuite { name: "compare".to_owned(), cases, warnings, ..JudgedSuite::default() }
}

/// The gate of volumes, with its outcomes for "worse than the first by this many percent at most".
pub fn suite_of_volumes(document: &CompareDocument, allowed_percent: f64) -> JudgedSuite {
    let several = document.volumes.len() > 2;
    let case = |VolumeFigure { volume, figure }: VolumeFigure<'_>| JudgedCase {
        subject: if several { document.short_name(volume) } else { String::new() },
        name: format!("{}: {}", figure.name, figure.judged.name()),
        outcome: figure.outcome(allowed_percent),
        is_error: false,
        sentence: figure.comparison.map_or_else(
            || "it was not measured on both volumes".to_owned(),
            |comparison| comparison.tell().text(Lang::En),
        ),
        warnings: None,
        place: None,
    };
    let runs_us = document.plan.time.run_us * document.runs.len() as u64;
    let cases = document.gate_figures().map(case).collect();
    JudgedSuite { seconds: runs_us as f64 / 1e6, ..suite(cases, Vec::new()) }
}

/// How runs that were compared differ beside their figures, in English.
pub fn warnings(document: &RunsDocument) -> Vec<String> {
    let unlike = document.pairs.iter().filter_map(Contrasts::unlike_sentence);
    unlike.map(|sentence| sentence.text(Lang::En)).collect()
}

/// The figure of both sides and the change, with the reason if it is not judged.
fn sentence(contrast: &Contrast, allowed_percent: f64) -> String {
    let change = in_short(contrast, Some(allowed_percent), true, Lang::En);
    let change = change.strip_prefix(&format!("{}: ", contrast.name)).unwrap_or(&change);
    match contrast.unjudged {
        Some(reason) => format!("{change}. {}", why_unjudged(reason)),
        None => change.to_owned(),
    }
}
