//! Verdicts, labels and figures as text, for readers of documents.

use crate::change_words::value;
use crate::model::Statement;
use fathom_analysis::quantity::percent;
use fathom_analysis::{NOT_STABLE_PERCENT, RowOutcome, Tone};
use fathom_document::Phase;
use fathom_document::Setting;
use fathom_document::binary_bytes;
use fathom_document::check::CheckLoad;
use fathom_document::compare::{Judged, Known};
use fathom_document::sweep::Value;
use fathom_document::verdicts::Verdict;
use fathom_message::{Lang, Message, words};
use fathom_stats::JobSetup;
use fathom_vocab::{Direction, IoEngine};
use std::fmt::Display;

/// The sentence of a verdict.
pub fn said(verdict: &Verdict, lang: Lang) -> String {
    verdict.text(lang)
}

/// An outcome in the reader's language: `PASS`, `UNDECIDED`, `FAIL`.
pub(super) fn outcome(outcome: RowOutcome, lang: Lang) -> String {
    words(lang, crate::words::of_outcome(outcome))
}

/// A remark as part of a report; what was kept as a sentence stays in its language.
pub(super) fn remark(about: &str, sentence: &str) -> Statement {
    Statement {
        outcome: None,
        tone: Tone::Warning,
        about: about.to_owned(),
        sentence: sentence.to_owned(),
    }
}

/// What explains the figures and is no caution.
pub(super) fn note(sentence: &str) -> Statement {
    Statement { tone: Tone::Note, ..remark("", sentence) }
}

/// A remark shared by several things appears once, with the first and the number of others.
pub(super) fn once(all: Vec<Statement>, lang: Lang) -> Vec<Statement> {
    let mut kept: Vec<(Statement, u64)> = Vec::new();
    for said in all {
        let same = |(other, _): &&mut (Statement, u64)| {
            (other.tone, &other.sentence) == (said.tone, &said.sentence)
        };
        match kept.iter_mut().find(same) {
            Some((_, more)) => *more += 1,
            None => kept.push((said, 0)),
        }
    }
    let about = |first: &str, more| {
        let message = Message::new("charts-about-cases").with("first", first).with("more", more);
        message.text(lang)
    };
    let named = |(said, more): (Statement, u64)| match said.about.is_empty() {
        true => said,
        false => Statement { about: about(&said.about, more), ..said },
    };
    kept.into_iter().map(named).collect()
}

/// The display name of our jobs: `4 KiB random read, QD 32`.
pub(super) fn label(setup: &JobSetup, direction: Direction, lang: Lang) -> Option<String> {
    let (least, most) = setup.bs[direction];
    if least == 0 || least != most {
        return None;
    }
    let pattern = pattern(setup.rw.starts_with("rand"), direction, lang)?;
    Some(work(least, &pattern, setup.iodepth, lang))
}

/// The same for a phase, with any result.
pub(super) fn phase(phase: &Phase, lang: Lang) -> String {
    match pattern(phase.random, phase.direction, lang) {
        Some(pattern) => {
            let text = work(phase.block_bytes, &pattern, phase.depth, lang);
            let text = with_jobs(text, u64::from(phase.jobs), lang);
            with_connections(text, phase.nconnect, lang)
        }
        None => phase.name.clone(),
    }
}

/// The same over several connections: `256 KiB sequential read, QD 32, 4 connections`.
fn with_connections(text: String, nconnect: Option<u32>, lang: Lang) -> String {
    let Some(count) = nconnect else { return text };
    let over = Message::new("charts-over-connections").with("work", text);
    over.with("connections", count).text(lang)
}

/// The same of several jobs at once: `4 KiB random read, QD 32, 4 jobs`.
fn with_jobs(text: String, jobs: u64, lang: Lang) -> String {
    if jobs < 2 {
        return text;
    }
    let jobs = Message::new("charts-label-jobs").with("jobs", jobs).text(lang);
    format!("{text}, {jobs}")
}

/// The same of a run of a check: `4 KiB random read, QD 512, 2 jobs`, as in the terminal.
pub(super) fn load(load: &CheckLoad, lang: Lang) -> String {
    let Some(pattern) = pattern(load.is_random(), load.direction, lang) else {
        return load.title();
    };
    let text = work(load.block_bytes, &pattern, load.depth, lang);
    with_jobs(text, u64::from(load.jobs), lang)
}

/// The same at any depth: `4 KiB random read`.
pub(super) fn load_at_any_depth(load: &CheckLoad, lang: Lang) -> String {
    let Some(pattern) = pattern(load.is_random(), load.direction, lang) else {
        return load.title();
    };
    let block = binary_bytes(load.block_bytes);
    Message::new("row-block-size").with("block", block).with("way", pattern).text(lang)
}

/// The same for job options; none if they are incomplete, or read and write.
pub(super) fn of_settings(settings: &[Setting], lang: Lang) -> Option<String> {
    let of = |name| settings.iter().find(|one| one.axis == name).map(|one| one.value.as_str());
    let (random, direction) = match of("rw")? {
        "randread" => (true, Direction::Read),
        "randwrite" => (true, Direction::Write),
        "read" => (false, Direction::Read),
        "write" => (false, Direction::Write),
        _ => return None,
    };
    let block = Value::of(of("bs")?).position()?;
    let text = work(block, &pattern(random, direction, lang)?, of("iodepth")?, lang);
    let jobs = of("numjobs").and_then(|jobs| jobs.parse().ok()).unwrap_or(1);
    Some(with_jobs(text, jobs, lang))
}

fn work(block_bytes: u64, pattern: &str, depth: impl Display, lang: Lang) -> String {
    let message = Message::new("report-job-label")
        .with("block", binary_bytes(block_bytes))
        .with("pattern", pattern)
        .with("depth", depth);
    message.text(lang)
}

fn pattern(random: bool, direction: Direction, lang: Lang) -> Option<String> {
    Some(match (random, direction) {
        (true, Direction::Read) => words(lang, "report-random-read"),
        (true, Direction::Write) => words(lang, "report-random-write"),
        (false, Direction::Read) => words(lang, "report-sequential-read"),
        (false, Direction::Write) => words(lang, "report-sequential-write"),
        (_, Direction::Trim) => return None,
    })
}

/// The settings of a figure: `randread, 4 KiB, QD 32, O_DIRECT, io_uring`.
pub(super) fn settings(setup: &JobSetup, direction: Direction, lang: Lang) -> String {
    let (least, most) = setup.bs[direction];
    let block = match least == most {
        true => binary_bytes(least),
        false => format!("{}-{}", binary_bytes(least), binary_bytes(most)),
    };
    let depth = Message::new("report-depth").with("depth", setup.iodepth).text(lang);
    let parts =
        [setup.rw.clone(), block, depth, caching(setup, direction, lang), setup.ioengine.clone()];
    let given: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    given.join(", ")
}

/// Whether the page cache is bypassed, in words.
pub(super) fn page_cache(direct: bool, lang: Lang) -> String {
    match direct {
        true => "O_DIRECT".to_owned(),
        false => words(lang, "report-buffered"),
    }
}

/// The cache that a job goes through. An export has none on this host, but its server may answer an
/// UNSTABLE write before it is durable (RFC 1813, section 3.3.7).
fn caching(setup: &JobSetup, direction: Direction, lang: Lang) -> String {
    let engine = IoEngine::ALL.into_iter().find(|engine| engine.name() == setup.ioengine);
    if engine.is_none_or(IoEngine::opens_files) {
        return page_cache(setup.direct, lang);
    }
    let is_unstable =
        engine == Some(IoEngine::Nfs) && direction == Direction::Write && !setup.direct;
    if is_unstable { "UNSTABLE".to_owned() } else { String::new() }
}

/// A value with its unit, with its 95 % interval if known: `3,000 IOPS ± 1.2 %`.
pub(super) fn known(judged: Judged, known: &Known, lang: Lang) -> String {
    let half = known.half_width_percent().filter(|_| known.mean > 0.0);
    let error = half.map(|half| match half {
        wide if wide > NOT_STABLE_PERCENT => format!(" ({})", words(lang, "told-not-stable")),
        half => format!(" ± {}", percent(half)),
    });
    value(judged, known.mean) + &error.unwrap_or_default()
}

/// Words of a list: `a, b and c` is no list in every language, so commas only.
pub(super) fn listed(parts: &[String], most: usize, lang: Lang) -> String {
    let mut text = parts.iter().take(most).cloned().collect::<Vec<_>>().join("; ");
    if parts.len() > most {
        let more = Message::new("report-and-more").with("count", (parts.len() - most) as u64);
        text += "; ";
        text += &more.text(lang);
    }
    text
}
