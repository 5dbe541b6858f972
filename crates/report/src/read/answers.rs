//! The answer in a sentence or two: what one volume gives, or which of several is faster and how
//! sure that is.
//!
//! Of each pair the figures are sorted by what is shown: better, worse, no difference, not enough
//! to tell. A ratio is always told from the faster side, so that nobody has to turn it around.

use super::gathered::{Contrast, Gathered, Seen, Subject};
use super::said::{known, listed, works};
use crate::change_words::value;
use fathom_analysis::{Better, Difference, ratio_and_ends};
use fathom_document::compare::Judged;
use fathom_document::latency;
use fathom_document::verdicts::{Verdict, summary};
use fathom_message::{Lang, Message, list, words};

/// Most figures in one sentence; the table has all of them.
const MOST_LISTED: usize = 4;

/// The answers.
pub(super) fn of(gathered: &Gathered, lang: Lang) -> Vec<String> {
    match gathered.subjects.as_slice() {
        [] => Vec::new(),
        [only] => alone(only, lang).unwrap_or_else(|| {
            only.seen.iter().take(MOST_LISTED).map(|seen| given(seen, lang)).collect()
        }),
        _ if gathered.one_disk => vec![words(lang, "told-same-disk")],
        [_, others @ ..] => {
            others.iter().flat_map(|other| pair(gathered, &other.name, lang)).collect()
        }
    }
}

/// What a volume gives in a few short sentences, where its runs were ours: rates of full queues,
/// small I/Os first, what one I/O at a time takes, and what holds of all of it.
fn alone(subject: &Subject, lang: Lang) -> Option<Vec<String>> {
    // Names of other jobs are their users', who look for them.
    if subject.kind != "fathom-measure" {
        return None;
    }
    let depth = |seen: &Seen| seen.setup.as_ref().map(|setup| setup.iodepth);
    let full = || subject.seen.iter().filter(|seen| depth(seen) > Some(1)).take(MOST_LISTED);
    let (large, small): (Vec<&Seen>, Vec<&Seen>) =
        full().partition(|seen| seen.rate() == Judged::BytesPerS);
    let gives = |those: Vec<&Seen>| -> Option<Option<String>> {
        let rates = those.iter().map(|seen| rate(seen, lang)).collect::<Option<Vec<String>>>()?;
        let list = list::names(rates.into_iter().map(Message::verbatim));
        let told = Message::new("report-answer-gives").with("volume", &subject.name);
        Some((!those.is_empty()).then(|| told.part("what", list).text(lang)))
    };
    let mut answers: Vec<String> = [gives(small)?, gives(large)?].into_iter().flatten().collect();
    let singly: Vec<String> = subject
        .seen
        .iter()
        .filter(|seen| depth(seen) == Some(1))
        .map(|seen| format!("{} ({})", latency(seen.entry.latency_ns.mean), short(seen, lang)))
        .collect();
    if answers.is_empty() {
        return None;
    }
    let list = list::names(singly.iter().cloned().map(Message::verbatim));
    let alone = Message::new("report-answer-singly").part("what", list);
    answers.extend((!singly.is_empty()).then(|| alone.text(lang)));
    let judged: Vec<&[Verdict]> =
        subject.seen.iter().map(|seen| seen.detail.verdicts.as_slice()).collect();
    let all = summary(&judged).map(|words| Message::new("short-all").part("words", words));
    answers.extend(all.map(|all| all.text(lang)));
    Some(answers)
}

/// `94,085 IO/s of 4 KiB random reads at depth 32`.
fn rate(seen: &Seen, lang: Lang) -> Option<String> {
    let setup = seen.setup.as_ref()?;
    let of = match seen.rate() {
        Judged::BytesPerS => seen.entry.bytes_per_s.mean,
        _ => seen.entry.iops.mean,
    };
    let message = Message::new("report-rate-of")
        .with("rate", value(seen.rate(), of))
        .with("work", works(setup, seen.entry.direction, lang)?)
        .with("depth", setup.iodepth);
    Some(message.text(lang))
}

/// `4 KiB random reads`; where the document does not say it so, the label.
fn short(seen: &Seen, lang: Lang) -> String {
    let told = seen.setup.as_ref().and_then(|of| works(of, seen.entry.direction, lang));
    told.unwrap_or_else(|| seen.label.clone())
}

/// What a single volume gives.
fn given(seen: &Seen, lang: Lang) -> String {
    let rate = seen.rate();
    let of = match rate {
        Judged::BytesPerS => &seen.entry.bytes_per_s,
        _ => &seen.entry.iops,
    };
    Message::new("report-answer-single")
        .with("what", &seen.label)
        .with("rate", known(rate, of, lang))
        .with("latency", latency(seen.entry.latency_ns.mean))
        .text(lang)
}

/// What a contrast shows.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    OtherFaster,
    FirstFaster,
    NoDifference,
    Untold,
}

fn shown(contrast: &Contrast) -> Shown {
    match contrast.comparison.as_ref().map(|of| (&of.difference, of.better)) {
        Some((Difference::Shown { ratio, .. }, better)) => {
            match (*ratio > 1.0) == (better == Better::Higher) {
                true => Shown::OtherFaster,
                false => Shown::FirstFaster,
            }
        }
        Some((Difference::NotShown { .. }, _)) => Shown::NoDifference,
        Some((Difference::NotEnough { .. }, _)) | None => Shown::Untold,
    }
}

fn pair(gathered: &Gathered, other: &str, lang: Lang) -> Vec<String> {
    let all = gathered.contrasts.iter().filter(|of| of.other == other);
    // Where a rate is compared, its latency says the same again.
    let has_rate =
        |label: &str| all.clone().any(|of| of.label == label && of.judged != Judged::MeanLatencyNs);
    let tells = |of: &&Contrast| of.judged != Judged::MeanLatencyNs || !has_rate(&of.label);
    let told: Vec<&Contrast> = all.clone().filter(tells).collect();
    let Some(first) = told.first().map(|of| of.first.as_str()) else { return Vec::new() };
    let sentence = |id: &'static str, wanted: Shown| {
        let those: Vec<String> =
            told.iter().filter(|of| shown(of) == wanted).map(|of| factor(of, lang)).collect();
        (!those.is_empty()).then(|| {
            let (a, b) = match wanted {
                Shown::FirstFaster => (first, other),
                _ => (other, first),
            };
            Message::new(id)
                .with("a", a)
                .with("b", b)
                .with("what", listed(&those, MOST_LISTED, lang))
                .text(lang)
        })
    };
    [
        sentence("report-answer-faster", Shown::OtherFaster),
        sentence("report-answer-faster", Shown::FirstFaster),
        sentence("report-answer-same", Shown::NoDifference),
        sentence("report-answer-untold", Shown::Untold),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// `4 KiB random read (24.6 times, 95 % interval 23.9 to 25.2)`.
fn factor(contrast: &Contrast, lang: Lang) -> String {
    let (ratio, low, high) = match contrast.comparison.as_ref().map(|of| &of.difference) {
        Some(
            Difference::Shown { ratio, low, high, .. }
            | Difference::NotShown { ratio, low, high, .. },
        ) => (*ratio, *low, *high),
        _ => return bare(contrast, lang),
    };
    // Told from the faster side.
    let turned = matches!(shown(contrast), Shown::FirstFaster | Shown::OtherFaster)
        && ratio < 1.0
        && low > 0.0;
    let [ratio, low, high] = match turned {
        true => ratio_and_ends(1.0 / ratio, 1.0 / high, 1.0 / low),
        false => ratio_and_ends(ratio, low, high),
    };
    Message::new("report-factor")
        .with("what", &contrast.label)
        .with("ratio", ratio)
        .with("low", low)
        .with("high", high)
        .text(lang)
}

/// A ratio of which no confidence is known.
fn bare(contrast: &Contrast, lang: Lang) -> String {
    Message::new("report-factor-bare")
        .with("what", &contrast.label)
        .with("ratio", format!("{:.2}", contrast.ratio))
        .text(lang)
}
