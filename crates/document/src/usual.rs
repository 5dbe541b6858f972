//! Whether the latency of a volume is usual, and for which kind of storage.
//!
//! Decided here: a latency is compared (`fathom_analysis::usual`) only where it is the volume's
//! own: reads of 4 KiB, one at a time, and flushes, that no verdict ascribes to something else. A
//! median far below its mean is not compared either: the sentence names both.

use crate::durable::{DurableDocument, DurableKey};
use crate::is_doubted;
use crate::measure::Document;
use crate::over_rounds::OverRounds;
use crate::suite::Phase;
use crate::summary::{brief_latency, is_of_something_else};
use crate::trial::Trial;
use fathom_analysis::Figures;
use fathom_analysis::{Goal, usual};
use fathom_message::Message;
use fathom_vocab::Direction;

/// The blocks that the ranges are for.
const BLOCK_BYTES: u64 = 4096;

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
    message.part("judged", usual::of_read(ns))
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
    Some(message.part("judged", usual::of_flush(ns)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_message::Lang;

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
}
