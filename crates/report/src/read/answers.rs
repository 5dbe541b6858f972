//! The answer: the document's sentence, and which of several volumes or runs is faster, with what
//! confidence.
//!
//! The figures of each pair are sorted by their judgement: better, worse, no difference, undecided.
//! A lead is always stated from the faster side, so that nobody has to invert it.

use super::figure_contrast::FigureContrast;
use super::gathered::{DirectionFigures, Gathered};
use super::statements::{known, listed};
use crate::model::{Column, Table, TableCell};
use fathom_analysis::{Better, ChangeText, Difference, change};
use fathom_document::compare::Judged;
use fathom_document::latency;
use fathom_message::{Lang, Message, words};

/// Most figures in one sentence; the table has all of them.
const MOST_LISTED: usize = 4;

/// The answers: the sentence of the document, if there is one, and the comparison of volumes or
/// runs.
pub(super) fn of(gathered: &Gathered, lang: Lang) -> Vec<String> {
    if !gathered.answers.is_empty() {
        let several = Message::new("report-answers-of-runs");
        return vec![several.with("count", gathered.answers.len() as u64).text(lang)];
    }
    let mut answers: Vec<String> = Vec::new();
    // A document's own sentence is its answer everywhere.
    let is_answered = gathered.summary.is_some();
    if gathered.subjects.len() > 1 && !gathered.one_disk && !is_answered {
        answers.extend(overall(gathered, lang));
    }
    answers.extend(gathered.summary.iter().cloned());
    match gathered.subjects.as_slice() {
        [] => {}
        [only] if answers.is_empty() => {
            answers.extend(only.seen.iter().take(MOST_LISTED).map(|seen| given(seen, lang)));
        }
        [_] => {}
        _ if gathered.one_disk && answers.is_empty() => {
            answers.push(words(lang, "told-same-disk"));
        }
        _ if gathered.one_disk => {}
        [_, others @ ..] => {
            answers.extend(others.iter().flat_map(|other| pair(gathered, &other.name, lang)));
        }
    }
    answers
}

/// The answers of documents that answer different questions, a row each; none of others.
pub(super) fn of_each(gathered: &Gathered, lang: Lang) -> Option<Table> {
    let column = |key: &str, id| Column { key: key.to_owned(), name: words(lang, id), unit: None };
    let row = |answer: &[String; 2]| answer.iter().cloned().map(TableCell::Text).collect();
    (!gathered.answers.is_empty()).then(|| Table {
        id: "answers-of-runs".to_owned(),
        title: words(lang, "report-table-answers"),
        columns: vec![column("run", "report-column-run"), column("answer", "report-column-answer")],
        rows: gathered.answers.iter().map(row).collect(),
    })
}

/// The figures of a single volume.
fn given(seen: &DirectionFigures, lang: Lang) -> String {
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

/// The judgement of a contrast.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shown {
    OtherFaster,
    FirstFaster,
    Equal,
    Untold,
}

fn shown(contrast: &FigureContrast) -> Shown {
    match contrast.comparison.as_ref().map(|of| (&of.difference, of.better)) {
        Some((Difference::Shown(of), better)) => match better.is_second(of.ratio) {
            true => Shown::OtherFaster,
            false => Shown::FirstFaster,
        },
        Some((Difference::Equal(_), _)) => Shown::Equal,
        Some((Difference::Open(_) | Difference::NotEnough { .. }, _)) | None => Shown::Untold,
    }
}

/// One short sentence over all volumes or runs.
fn overall(gathered: &Gathered, lang: Lang) -> Option<String> {
    let all = gathered.contrasts.iter().filter(|of| tells(gathered, of));
    let told: Vec<Shown> = all.map(shown).collect();
    let count = |wanted: Shown| told.iter().filter(|one| **one == wanted).count();
    let (faster, slower) = (count(Shown::OtherFaster), count(Shown::FirstFaster));
    let single = gathered.all().all(|(_, seen)| seen.detail.rounds < 2);
    let id = match (gathered.subjects.len(), faster, slower) {
        _ if told.is_empty() => return None,
        (2, ..) if is_few(faster, slower, told.len()) => match faster {
            0 => "report-overall-few-slower",
            _ => "report-overall-few-faster",
        },
        (2, 1.., 0) => "report-overall-faster",
        (2, 0, 1..) => "report-overall-slower",
        (2, 1.., 1..) => "report-overall-mixed",
        (_, 0, 0) if count(Shown::Equal) == told.len() => "report-overall-same",
        (_, 0, 0) if single => "report-overall-single",
        (_, 0, 0) => "report-overall-untold",
        _ => "report-overall-differ",
    };
    let name = |at: usize| gathered.subjects.get(at).map_or("", |of| of.name.as_str());
    let message = Message::new(id).part("all", gathered.names()).with("a", name(0));
    let message = message.with("b", name(1)).with("faster", faster).with("slower", slower);
    let differ = faster + slower;
    Some(message.with("count", differ).with("of", told.len() as u64).text(lang))
}

/// Whether one side is ahead in so few of the tests that "faster" would be no headline.
fn is_few(faster: usize, slower: usize, tests: usize) -> bool {
    (faster == 0) != (slower == 0) && (faster + slower) * 2 < tests
}

/// Where a rate is compared, its latency says the same again.
fn tells(gathered: &Gathered, of: &FigureContrast) -> bool {
    let rate = |other: &FigureContrast| {
        (&other.other, &other.label) == (&of.other, &of.label) && !other.judged.is_latency()
    };
    !of.judged.is_latency() || !gathered.contrasts.iter().any(rate)
}

fn pair(gathered: &Gathered, other: &str, lang: Lang) -> Vec<String> {
    let all = gathered.contrasts.iter().filter(|of| of.other == other);
    let told: Vec<&FigureContrast> = all.filter(|of| tells(gathered, of)).collect();
    let Some(first) = told.first().map(|of| of.first.as_str()) else { return Vec::new() };
    let sentence = |id: &'static str, wanted: Shown| {
        let those: Vec<String> =
            told.iter().filter(|of| shown(of) == wanted).map(|of| change_of(of, lang)).collect();
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
        sentence("report-answer-same", Shown::Equal),
        sentence("report-answer-untold", Shown::Untold),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// `4 KiB random read (by 53 %, 95 % interval 50 % to 56 %)`; where neither side is faster the
/// change from the first to the other.
fn change_of(contrast: &FigureContrast, lang: Lang) -> String {
    let better = contrast.judged.better();
    let message = match contrast.comparison.as_ref().map(|of| &of.difference) {
        Some(Difference::Shown(of)) => {
            // Stated from the faster side.
            let text = match of.ratio < 1.0 {
                true => ChangeText::of(1.0 / of.ratio, 1.0 / of.high, 1.0 / of.low),
                false => ChangeText::of(of.ratio, of.low, of.high),
            };
            let better = Better::Higher;
            Message::new("report-lead")
                .part("change", text.lead())
                .part("range", text.range(better))
        }
        Some(Difference::Equal(of) | Difference::Open(of)) => {
            let text = ChangeText::of(of.ratio, of.low, of.high);
            let change = Message::new("report-change").part("change", text.change(better));
            change.part("range", text.range(better))
        }
        _ => Message::new("report-change-bare").part("change", change(contrast.ratio(), better)),
    };
    message.with("what", &contrast.label).text(lang)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_eight_tests_is_no_headline_of_a_faster_volume() {
        assert!(is_few(1, 0, 8) && is_few(0, 3, 8));
        assert!(!is_few(4, 0, 8) && !is_few(0, 8, 8) && !is_few(1, 1, 8) && !is_few(0, 0, 8));
    }
}
