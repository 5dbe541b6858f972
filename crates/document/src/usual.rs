//! Whether the latency of a volume is usual, and for which kind of storage.
//!
//! Decided here: the ranges are orders of magnitude, those of the glossary's tables (a test holds
//! both together), and a latency is compared only where it is the volume's own: reads of 4 KiB, one
//! at a time, and flushes, that no verdict ascribes to something else. Between two ranges the
//! sentence names both neighbours. A median far below its mean is not compared
//! either: the sentence names both.

use crate::durable::{DurableDocument, DurableKey};
use crate::figures::Figures;
use crate::is_doubted;
use crate::measure::Document;
use crate::over_rounds::OverRounds;
use crate::suite::{Goal, Phase};
use crate::summary::{brief_latency, is_of_something_else};
use crate::trial::Trial;
use fathom_message::{Message, list};
use fathom_vocab::Direction;

/// The blocks that the ranges are for.
const BLOCK_BYTES: u64 = 4096;

/// A kind of storage, and the latencies that are usual for it.
struct StorageKind {
    /// Its name in the catalogue.
    name: &'static str,
    /// In microseconds, both ends included.
    usual_us: (f64, f64),
}

/// Kinds of storage by a read, the fastest first.
const READS: [StorageKind; 5] = [
    StorageKind { name: "usual-memory", usual_us: (0.0, 10.0) },
    StorageKind { name: "usual-nvme", usual_us: (60.0, 120.0) },
    StorageKind { name: "usual-sata", usual_us: (80.0, 200.0) },
    StorageKind { name: "usual-cloud", usual_us: (300.0, 2_000.0) },
    StorageKind { name: "usual-hard-disk", usual_us: (5_000.0, 15_000.0) },
];

/// The same by a flush. What a protected cache holds is safe at once.
const FLUSHES: [StorageKind; 5] = [
    StorageKind { name: "usual-protected", usual_us: (20.0, 100.0) },
    StorageKind { name: "usual-unprotected", usual_us: (500.0, 5_000.0) },
    StorageKind { name: "usual-cloud", usual_us: (500.0, 5_000.0) },
    StorageKind { name: "usual-sata", usual_us: (1_000.0, 10_000.0) },
    StorageKind { name: "usual-hard-disk", usual_us: (5_000.0, 20_000.0) },
];

/// What a read takes and for which storage that is usual, of one volume; none if it was not
/// measured, or if the figure may not be the volume's. Where few reads take most of the time, how
/// far median and mean lie apart, even if the figure is doubted: the median alone would mislead.
/// `names_help` adds the command that explains it, for a reader at a terminal.
pub fn usual_latency(document: &Document, names_help: bool) -> Option<Message> {
    let is_compared = |phase: &Phase| {
        let reads = phase.random && phase.direction == Direction::Read;
        reads && phase.goal == Goal::Latency && phase.block_bytes == BLOCK_BYTES
    };
    let runs = || document.phases.iter().filter(|run| is_compared(&run.phase));
    if document.volumes.len() != 1 {
        return None;
    }
    let is_own = !runs().any(|run| is_of_something_else(&run.verdicts));
    let rounds = OverRounds::of(&document.phases);
    let of = rounds.iter().find(|of| is_compared(&of.phase))?;
    let figures = of.figures.as_ref()?;
    match figures.is_mostly_waiting() {
        true => Some(few_wait(figures)),
        false => is_own.then(|| compared(figures, names_help)),
    }
}

/// `The median 4 KiB random read takes 63.2 us: usual for an NVMe SSD.`
fn compared(figures: &Figures, names_help: bool) -> Message {
    let ns = figures.p50_ns as f64;
    let id = if names_help { "usual-latency-help" } else { "usual-latency" };
    let message = Message::new(id).with("latency", brief_latency(ns));
    message.part("judged", judged(ns / 1e3, &READS))
}

/// `Half of the 4 KiB random reads take 18 us at most, but the mean is 1.0 ms: a few of them wait
/// up to 98 ms.`
fn few_wait(figures: &Figures) -> Message {
    Message::new("usual-few-wait")
        .with("latency", brief_latency(figures.p50_ns as f64))
        .with("mean", brief_latency(figures.mean_ns))
        .with("longest", brief_latency(figures.max_ns as f64))
}

/// `The median flush takes 107 us: …`, of the program's own way to flush; none if it was not
/// measured, or if the figure may not be the volume's.
pub fn usual_flush(document: &DurableDocument) -> Option<Message> {
    let own = |run: &&Trial<DurableKey>| run.method == document.requirement.flush && !run.beside;
    let run = document.runs.iter().filter(own).find(|run| run.figures.is_some())?;
    if run.too_fast || is_doubted(&run.verdicts) {
        return None;
    }
    let ns = run.flush.p50_ns as f64;
    let message = Message::new("usual-flush").with("latency", brief_latency(ns));
    Some(message.part("judged", judged(ns / 1e3, &FLUSHES)))
}

/// How a latency in microseconds compares with kinds of storage.
fn judged(us: f64, kinds: &[StorageKind]) -> Message {
    let name = |kind: &StorageKind| Message::new(kind.name);
    let is_usual = |kind: &&StorageKind| (kind.usual_us.0..=kind.usual_us.1).contains(&us);
    let usual: Vec<Message> = kinds.iter().filter(is_usual).map(name).collect();
    if !usual.is_empty() {
        return Message::new("usual-for").part("kinds", list::choices(usual));
    }
    let faster = kinds.iter().rev().find(|kind| kind.usual_us.1 < us);
    let slower = kinds.iter().find(|kind| kind.usual_us.0 > us);
    match (faster, slower) {
        (Some(faster), Some(slower)) => {
            Message::new("usual-between").part("faster", name(faster)).part("slower", name(slower))
        }
        (None, Some(kind)) => Message::new("usual-faster").part("kind", name(kind)),
        (Some(kind), None) => Message::new("usual-slower").part("kind", name(kind)),
        // Not a number.
        (None, None) => Message::verbatim(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_message::{Lang, glossary};

    #[test]
    fn a_median_far_below_its_mean_stands_beside_it() {
        let figures = |mean_ns, p50_ns| Figures { mean_ns, p50_ns, ..Figures::default() };
        assert!(figures(7.13e6, 88_600).is_mostly_waiting(), "a disk that stalls");
        assert!(!figures(331e3, 73_200).is_mostly_waiting(), "README's volume, which is capped");
        assert!(!figures(0.0, 0).is_mostly_waiting());
        let capped = Figures { max_ns: 98_000_000, ..figures(999e3, 18_300) };
        assert_eq!(
            few_wait(&capped).text(Lang::En),
            "Half of the 4 KiB random reads take 18 us at most, but the mean is 1.0 ms: a few \
             of them wait up to 98 ms."
        );
    }

    #[test]
    fn a_latency_is_usual_for_a_kind_or_stands_between_two() {
        for (us, expected) in [
            (3.0, "usual for memory or a cache"),
            (30.0, "faster than an NVMe SSD usually is, slower than memory or a cache"),
            (63.0, "usual for an NVMe SSD"),
            (100.0, "usual for an NVMe SSD or a SATA SSD"),
            (250.0, "faster than a network volume of a cloud usually is, slower than a SATA SSD"),
            (900.0, "usual for a network volume of a cloud"),
            (40_000.0, "slower than a hard disk usually is"),
        ] {
            assert_eq!(judged(us, &READS).text(Lang::En), expected);
            assert!(judged(us, &READS).text(Lang::Ko).contains("일반"), "{us}");
        }
    }

    #[test]
    fn a_flush_is_compared_with_flushes() {
        for (us, expected) in [
            (9.0, "faster than an NVMe SSD with power-loss protection usually is"),
            (60.0, "usual for an NVMe SSD with power-loss protection"),
            (
                228.0,
                "faster than an NVMe SSD without power-loss protection usually is, slower than an \
                 NVMe SSD with power-loss protection",
            ),
            (30_000.0, "slower than a hard disk usually is"),
        ] {
            assert_eq!(judged(us, &FLUSHES).text(Lang::En), expected);
            assert!(judged(us, &FLUSHES).text(Lang::Ko).contains("일반"), "{us}");
        }
        let told = judged(700.0, &FLUSHES).text(Lang::En);
        assert!(told.ends_with("protection or a network volume of a cloud"), "{told}");
    }

    /// `60 to 120 us`, `5 to 15 ms`, `below 10 us`.
    fn written((low, high): (f64, f64)) -> String {
        match (low, high) {
            (0.0, high) => format!("below {high} us"),
            (low, high) if high < 1e3 => format!("{low} to {high} us"),
            (low, high) => format!("{} to {} ms", low / 1e3, high / 1e3),
        }
    }

    #[test]
    fn the_ranges_are_those_of_the_glossary() {
        let usual = glossary::usual(glossary::text(Lang::En));
        assert_eq!(usual.len(), 2);
        for (section, kinds) in usual.iter().zip([&READS, &FLUSHES]) {
            let mut of_glossary: Vec<&str> = section.rows.iter().map(|row| row[1]).collect();
            let mut own: Vec<String> = kinds.iter().map(|kind| written(kind.usual_us)).collect();
            of_glossary.sort_unstable();
            own.sort_unstable();
            assert_eq!(own, of_glossary);
        }
    }
}
