//! How a reader of documents says verdicts, labels and figures.

use crate::model::Said;
use fathom_analysis::Tone;
use fathom_analysis::quantity::percent;
use fathom_campaign::compare::{Judged, Known};
use fathom_campaign::verdicts::Verdict;
use fathom_campaign::{binary_bytes, latency, megabytes_per_s, thousands};
use fathom_message::{Lang, Message, words};
use fathom_stats::JobSetup;
use fathom_vocab::Direction;

/// The sentence of a verdict.
pub fn said(verdict: &Verdict, _lang: Lang) -> String {
    verdict.sentence.clone()
}

/// A remark as part of a report; what was kept as a sentence stays in its language.
pub(super) fn remark(about: &str, sentence: &str) -> Said {
    Said { tone: Tone::Warning, about: about.to_owned(), sentence: sentence.to_owned() }
}

/// What people call a job of ours: `4 KiB random read, depth 32`.
pub(super) fn label(setup: &JobSetup, direction: Direction, lang: Lang) -> Option<String> {
    let (least, most) = setup.bs[direction];
    if least == 0 || least != most {
        return None;
    }
    let pattern = match (setup.rw.starts_with("rand"), direction) {
        (true, Direction::Read) => words(lang, "report-random-read"),
        (true, Direction::Write) => words(lang, "report-random-write"),
        (false, Direction::Read) => words(lang, "report-sequential-read"),
        (false, Direction::Write) => words(lang, "report-sequential-write"),
        (_, Direction::Trim) => return None,
    };
    let message = Message::new("report-job-label")
        .with("block", binary_bytes(least))
        .with("pattern", pattern)
        .with("depth", setup.iodepth);
    Some(message.text(lang))
}

/// The settings that hold for a figure: `randread, 4 KiB, depth 32, O_DIRECT, io_uring`.
pub(super) fn settings(setup: &JobSetup, direction: Direction, lang: Lang) -> String {
    let (least, most) = setup.bs[direction];
    let block = match least == most {
        true => binary_bytes(least),
        false => format!("{}-{}", binary_bytes(least), binary_bytes(most)),
    };
    let depth = Message::new("report-depth").with("depth", setup.iodepth).text(lang);
    let cache = match setup.direct {
        true => "O_DIRECT".to_owned(),
        false => words(lang, "report-buffered"),
    };
    let parts = [setup.rw.clone(), block, depth, cache, setup.ioengine.clone()];
    let given: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    given.join(", ")
}

/// A value with its unit: `3,000 IO/s`, `126 MB/s`, `500 us`.
pub(super) fn value(judged: Judged, value: f64) -> String {
    match judged {
        Judged::Iops => format!("{} IO/s", thousands(value)),
        Judged::BytesPerS => format!("{} MB/s", megabytes_per_s(value / 1e6)),
        Judged::MeanLatencyNs => latency(value),
    }
}

/// The same with its 95 % interval, where that is known: `3,000 IO/s ± 1.2 %`.
pub(super) fn known(judged: Judged, known: &Known) -> String {
    let half = known.half_width().filter(|_| known.mean > 0.0);
    let error = half.map(|half| format!(" ± {}", percent(half / known.mean * 100.0)));
    value(judged, known.mean) + &error.unwrap_or_default()
}

/// Words of a list: `a, b and c` is no list in every language, so commas only.
pub(super) fn listed(parts: &[String], most: usize, lang: Lang) -> String {
    let mut text = parts.iter().take(most).cloned().collect::<Vec<_>>().join("; ");
    if parts.len() > most {
        let more = Message::new("report-and-more").count("count", (parts.len() - most) as u64);
        text += "; ";
        text += &more.text(lang);
    }
    text
}
