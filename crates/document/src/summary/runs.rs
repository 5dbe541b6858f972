//! The outcome of a gate, where there is one, and the changes between recordings.

use super::compare::lead_range;
use super::{DocumentSummary, about, claim_sentence, summary_in};
use crate::compare::{
    Contrast, ContrastVerdict, Contrasts, Known, RecordingDifference, RunsDocument, Unjudged,
};
use fathom_analysis::{MARGIN_PERCENT, change, lead};
use fathom_message::{Message, list};

impl DocumentSummary for RunsDocument {
    summary_in!(summary);

    fn claims(&self) -> Vec<Message> {
        let gate = self.gate_claim().map(claim_sentence);
        // That nothing could be judged is what an undecided gate says.
        let tells = |of: &&Contrasts| gate.is_none() || judged(of) > 0 || clear_lead(of).is_some();
        let pairs: Vec<Message> = self.pairs.iter().filter(tells).map(pair).collect();
        gate.into_iter().chain(pairs).collect()
    }
}

/// How many figures of a pair could be judged.
fn judged(pair: &Contrasts) -> usize {
    pair.contrasts.iter().filter(|of| of.verdict != ContrastVerdict::Unknown).count()
}

fn pair(pair: &Contrasts) -> Message {
    let with = |verdict: ContrastVerdict| {
        pair.contrasts.iter().filter(move |of| of.verdict == verdict).collect::<Vec<_>>()
    };
    let (worse, better) = (with(ContrastVerdict::Worse), with(ContrastVerdict::Better));
    let (equal, of) = (with(ContrastVerdict::Equal).len(), pair.contrasts.len());
    if worse.len() + better.len() + equal == 0 {
        return about(&pair.after, unjudged(pair), None);
    }
    let changed = |id, those: Vec<&Contrast>| {
        let clause = Message::new(id).with("count", those.len()).with("of", of);
        let ratios: Vec<f64> = those.iter().map(|of| ratio(of)).collect();
        (!those.is_empty()).then(|| clause.part("range", lead_range(&ratios)))
    };
    let counted = |id, count: usize| {
        let clause = Message::new(id).with("count", count).with("of", of);
        (count > 0).then(|| clause.with("margin", margin_percent(pair)))
    };
    let open = of - worse.len() - better.len() - equal;
    let equal_id = match equal == of {
        true => "summary-runs-equal-in-all",
        false => "summary-runs-equal",
    };
    let clauses = [
        changed("summary-runs-slower", worse),
        changed("summary-runs-faster", better),
        counted(equal_id, equal),
        counted("summary-runs-open", open),
    ];
    about(&pair.after, list::semicolons(clauses.into_iter().flatten()), None)
}

/// Within how many percent figures are equal.
fn margin_percent(pair: &Contrasts) -> f64 {
    let comparisons = pair.contrasts.iter().filter_map(|of| of.comparison.as_ref());
    comparisons.map(|of| of.rule.margin_percent).next().unwrap_or(MARGIN_PERCENT)
}

/// That nothing could be judged, with what stands out all the same.
fn unjudged(pair: &Contrasts) -> Message {
    if let Some(lead) = clear_lead(pair) {
        return lead;
    }
    let claim = Message::new("summary-runs-untold").with("of", pair.contrasts.len());
    match greatest_change(pair) {
        Some(contrast) => claim.part(
            "most",
            Message::new("summary-runs-most")
                .part("change", change(ratio(contrast), contrast.judged.better()))
                .part("figure", contrast.title()),
        ),
        None => claim.with("most", ""),
    }
}

/// after/before.
fn ratio(contrast: &Contrast) -> f64 {
    1.0 + contrast.change_percent / 100.0
}

/// From this factor on, either way, a change is told although nothing is judged.
const GREAT: f64 = 2.0;

/// That one side looks faster, where runs are single: most figures are apart by a great factor even
/// at the ends of what is known of both, and none the other way.
fn clear_lead(pair: &Contrasts) -> Option<Message> {
    if pair.unlike.iter().any(RecordingDifference::is_of_folders) {
        return None;
    }
    let single = |of: &&Contrast| of.unjudged == Some(Unjudged::OneRun);
    let apart: Vec<f64> = pair.contrasts.iter().filter(single).filter_map(surely_apart).collect();
    let faster = apart.iter().filter(|lead| **lead > 1.0).count();
    let id = match (faster, apart.len() - faster) {
        (1.., 0) => "summary-runs-looks-faster",
        (0, 1..) => "summary-runs-looks-slower",
        _ => return None,
    };
    let of = pair.contrasts.len();
    let most = apart.iter().map(|lead| lead.max(1.0 / lead)).fold(1.0, f64::max);
    let message = Message::new(id).with("count", apart.len()).with("of", of);
    (2 * apart.len() > of).then(|| message.part("most", lead(most)))
}

/// How many times as good the second is, if that is a great factor by what is surely known of both.
fn surely_apart(contrast: &Contrast) -> Option<f64> {
    let ends = |of: &Known| Some((of.mean - of.half_width()?, of.mean + of.half_width()?));
    let (before, after) = (ends(&contrast.before)?, ends(&contrast.after)?);
    let is_apart = after.0 >= GREAT * before.1 || before.0 >= GREAT * after.1;
    let ratio = ratio(contrast);
    let better = contrast.judged.better().is_second(ratio);
    let factor = ratio.max(1.0 / ratio);
    is_apart.then_some(if better { factor } else { 1.0 / factor })
}

/// The figure that changed most, if by a great factor. Means that are little known do not count,
/// nor do figures of folders of one file system, whose storage is the same.
fn greatest_change(pair: &Contrasts) -> Option<&Contrast> {
    if pair.unlike.iter().any(RecordingDifference::is_of_folders) {
        return None;
    }
    let factor = |of: &Contrast| ratio(of).max(1.0 / ratio(of));
    let known = |of: &&Contrast| !of.before.is_uncertain() && !of.after.is_uncertain();
    let known = pair.contrasts.iter().filter(known);
    let great = known.filter(|of| factor(of).is_finite() && factor(of) >= GREAT);
    great.max_by(|a, b| factor(a).total_cmp(&factor(b)))
}
