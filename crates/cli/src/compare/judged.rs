//! The figures of a gate as cases for CI systems: one for each figure that both sides have, and one
//! for each entry that only the first side has; of volumes, one for each test on each of them but
//! the first.

use super::CompareArgs;
use super::runs_text::in_short;
use fathom_analysis::{ChangeText, RowOutcome, Side};
use fathom_campaign::compare::{CompareDocument, Contrast, Contrasts, RunsDocument, VolumeFigure};
use fathom_message::{Lang, Message, Tell};
use fathom_report::change_words::{value, why_unjudged};
use fathom_report::{JudgedCase, JudgedSuite};
use std::path::Path;

/// All figures, with their outcomes for "worse by this many percent at most".
pub fn cases(document: &RunsDocument, allowed_percent: f64) -> Vec<JudgedCase> {
    let several = document.pairs.len() > 1;
    let caps = document.caps_sentence();
    let of_pair = |pair: &Contrasts| {
        // Ids of runs differ from pipeline to pipeline, and CI systems follow a case by its name.
        let subject = if several { pair.after.clone() } else { String::new() };
        of_pair(pair, &subject, allowed_percent, caps.as_ref())
    };
    document.pairs.iter().flat_map(of_pair).collect()
}

fn of_pair(
    pair: &Contrasts,
    subject: &str,
    allowed_percent: f64,
    caps: Option<&Message>,
) -> Vec<JudgedCase> {
    let judged = pair.contrasts.iter().map(|contrast| {
        let outcome = contrast.outcome(allowed_percent);
        let change = sentence(contrast, allowed_percent);
        JudgedCase {
            subject: subject.to_owned(),
            name: format!("{}: {}", contrast.name, contrast.judged.name()),
            outcome,
            sentence: gated(&change, outcome, allowed_percent, caps),
            ..JudgedCase::default()
        }
    });
    let gone = pair.only_before.iter().map(|name| JudgedCase {
        subject: subject.to_owned(),
        name: name.clone(),
        sentence: format!("it is in {} only", pair.before),
        ..JudgedCase::default()
    });
    judged.chain(gone).collect()
}

/// The suite of a comparison of runs, called by their names as typed: CI systems tell two suites by
/// their names. An id is left out, as it differs from pipeline to pipeline. Reading runs takes no
/// time that a pipeline would show.
pub fn suite(args: &CompareArgs, cases: Vec<JudgedCase>, warnings: Vec<String>) -> JudgedSuite {
    let baseline = args.baseline.iter().map(String::as_str);
    let targets: Vec<String> = args.targets.iter().map(ToString::to_string).collect();
    // Ids begin with the time, and that with a digit; tags that do are left out, too.
    let is_stable = |name: &&str| {
        Path::new(name).is_file() || !name.starts_with(|letter: char| letter.is_ascii_digit())
    };
    let names = baseline.chain(targets.iter().map(String::as_str)).filter(is_stable);
    let name = suite_name(names);
    JudgedSuite { name, cases, warnings, ..JudgedSuite::default() }
}

/// `compare a b`.
fn suite_name<'n>(names: impl Iterator<Item = &'n str>) -> String {
    std::iter::once("compare").chain(names).collect::<Vec<&str>>().join(" ")
}

/// The gate of volumes, with its outcomes for "worse than the first by this many percent at most".
pub fn suite_of_volumes(document: &CompareDocument, allowed_percent: f64) -> JudgedSuite {
    let several = document.sides().len() > 2;
    let caps = document.caps_sentence();
    let case = |of: VolumeFigure<'_>| {
        let outcome = of.figure.outcome(allowed_percent);
        JudgedCase {
            subject: if several { document.short_name(of.volume) } else { String::new() },
            name: format!("{}: {}", of.figure.name, of.figure.judged.name()),
            outcome,
            sentence: gated(&volume_change(&of), outcome, allowed_percent, caps.as_ref()),
            ..JudgedCase::default()
        }
    };
    let runs_us = document.plan.time.run_us * document.runs.len() as u64;
    let cases = document.gate_figures().map(case).collect();
    let name = suite_name(document.volumes.iter().map(|of| of.place.target()));
    JudgedSuite { name, cases, seconds: runs_us as f64 / 1e6, ..JudgedSuite::default() }
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

/// `71.0 us -> 2.10 ms: b against a: 29x slower (99 % sure …)`; where no difference is shown, but
/// every round had one, also how great it was.
fn volume_change(of: &VolumeFigure<'_>) -> String {
    let Some(comparison) = of.figure.comparison else {
        return "it was not measured on both volumes".to_owned();
    };
    let mean = |side: &Side| Some(value(of.figure.judged, side.estimate.as_ref().ok()?.mean));
    let figures = mean(&comparison.a).zip(mean(&comparison.b));
    let figures = figures.map(|(a, b)| format!("{a} -> {b}: ")).unwrap_or_default();
    let range = of.of_rounds.map(|[ratio, least, most]| {
        let range = ChangeText::of(ratio, least, most).whole_range(comparison.better);
        format!("; every round lay in {}", range.text(Lang::En))
    });
    format!("{figures}{}{}", comparison.tell().text(Lang::En), range.unwrap_or_default())
}

/// A change with what the gate allows and comes to, and with the caps that may be the reason where
/// it does not pass.
fn gated(
    change: &str,
    outcome: RowOutcome,
    allowed_percent: f64,
    caps: Option<&Message>,
) -> String {
    let gated = format!("{change}. {allowed_percent} % worse is allowed: {}", outcome.name());
    match caps.filter(|_| outcome != RowOutcome::Pass) {
        Some(caps) => format!("{gated}. {}", caps.text(Lang::En)),
        None => gated,
    }
}
