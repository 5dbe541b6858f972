//! Writes that are much faster than the same reads: a hint at a cache that took them.
//!
//! Decided here: a note and no verdict, since flash can write faster than it reads. Reads of a test
//! file that was just written come from the device itself, and a write with `O_DIRECT` is complete
//! when a write-back cache of the device, its controller or its host has it. Doubted figures are
//! left out: their doubt says more.

use crate::is_doubted;
use crate::measure::Document;
use crate::over_rounds::OverRounds;
use crate::test_title;
use fathom_message::Message;
use fathom_vocab::Direction;

/// From so many times the rate of the reads on, the writes are noted.
const AHEAD: f64 = 1.5;

/// `256 KiB sequential write, QD 32 runs at 2.3 times the rate of the reads: …`, of the test where
/// the writes are furthest ahead; none where they are not.
pub fn writes_ahead(document: &Document) -> Option<Message> {
    if document.volumes.len() != 1 {
        return None;
    }
    let runs = || document.phases.iter();
    let is_sound =
        |of: &OverRounds| !runs().any(|run| run.phase == of.phase && is_doubted(&run.verdicts));
    let rounds = OverRounds::of(&document.phases);
    let sound: Vec<&OverRounds> = rounds.iter().filter(|of| is_sound(of)).collect();
    let ahead = sound.iter().filter_map(|writes| Some((*writes, ratio(writes, &sound)?)));
    let (writes, ratio) = ahead.max_by(|a, b| a.1.total_cmp(&b.1))?;
    let message = Message::new("writes-ahead").part("test", test_title(&writes.phase.title()));
    (ratio >= AHEAD).then(|| message.with("times", format!("{ratio:.1}")))
}

/// The rate of a test of writes as a multiple of that of the same reads.
fn ratio(writes: &OverRounds, all: &[&OverRounds]) -> Option<f64> {
    if writes.phase.direction != Direction::Write {
        return None;
    }
    let (phase, own) = (&writes.phase, writes.figures.as_ref()?);
    let is_same = |of: &&&OverRounds| {
        let (reads, is_read) = (&of.phase, of.phase.direction == Direction::Read);
        let same_load = (reads.block_bytes, reads.depth) == (phase.block_bytes, phase.depth);
        is_read && same_load && (reads.random, reads.goal) == (phase.random, phase.goal)
    };
    let reads = all.iter().find(is_same)?.figures.as_ref()?;
    (reads.iops > 0.0).then(|| own.iops / reads.iops)
}
