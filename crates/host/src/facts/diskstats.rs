//! The counters of a block device, and the difference between two readings.
//!
//! Times are 32-bit milliseconds and wrap after 49 days of busy time, so only these are subtracted
//! modulo 2^32. A count that decreased means that the device was replaced by another with the same
//! name.

use serde::{Deserialize, Serialize};

/// One device's counters since it appeared, or the difference of two readings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiskStats {
    /// The kernel's name.
    pub name: String,
    /// Major device number.
    pub major: u32,
    /// Minor device number.
    pub minor: u32,
    /// Reads completed.
    pub read_ios: u64,
    /// Reads merged into a neighbour before they were sent.
    pub read_merges: u64,
    /// Sectors of 512 bytes read.
    pub read_sectors: u64,
    /// Time that reads took, added up.
    pub read_ticks_ms: u64,
    /// Writes completed.
    pub write_ios: u64,
    /// Writes merged into a neighbour before they were sent.
    pub write_merges: u64,
    /// Sectors of 512 bytes written.
    pub write_sectors: u64,
    /// Time that writes took, added up.
    pub write_ticks_ms: u64,
    /// I/Os under way at the moment of reading: a level, which no difference is taken of.
    pub in_flight: u64,
    /// Time during which any I/O was under way: what utilisation is made of.
    pub io_ticks_ms: u64,
    /// Time of all I/Os, weighted by how many were under way.
    pub queue_ms: u64,
    /// Discards completed (Linux 4.18).
    pub discard_ios: u64,
    /// Discards merged.
    pub discard_merges: u64,
    /// Sectors of 512 bytes discarded.
    pub discard_sectors: u64,
    /// Time that discards took, added up.
    pub discard_ticks_ms: u64,
    /// Flushes completed (Linux 5.5).
    pub flush_ios: u64,
    /// Time that flushes took, added up.
    pub flush_ticks_ms: u64,
}

impl DiskStats {
    /// The change between `earlier` and this reading; `None` if they are of different devices or a
    /// counter decreased.
    ///
    /// `in_flight` stays this reading's.
    pub fn since(&self, earlier: &DiskStats) -> Option<DiskStats> {
        if (self.major, self.minor, &self.name) != (earlier.major, earlier.minor, &earlier.name) {
            return None;
        }
        let mut delta = self.clone();
        for (after, before) in delta.counts_mut().into_iter().zip(earlier.counts()) {
            *after = after.checked_sub(before)?;
        }
        for (after, before) in delta.ticks_mut().into_iter().zip(earlier.ticks()) {
            *after = u64::from((*after as u32).wrapping_sub(before as u32));
        }
        Some(delta)
    }

    /// Adds another device's difference, as for the parts of an md device. Name and number stay.
    pub fn add(&mut self, other: &DiskStats) {
        for (mine, theirs) in self.counts_mut().into_iter().zip(other.counts()) {
            *mine = mine.saturating_add(theirs);
        }
        for (mine, theirs) in self.ticks_mut().into_iter().zip(other.ticks()) {
            *mine = mine.saturating_add(theirs);
        }
        self.in_flight = self.in_flight.saturating_add(other.in_flight);
    }

    /// For a difference: the share of `elapsed_ms` in which the device was busy, 0 to 1.
    ///
    /// A device that serves many I/Os at once can be at 1 and still be able to do more.
    pub fn utilisation(&self, elapsed_ms: u64) -> f64 {
        if elapsed_ms == 0 {
            return 0.0;
        }
        (self.io_ticks_ms as f64 / elapsed_ms as f64).min(1.0)
    }

    pub(crate) fn counts(&self) -> [u64; 10] {
        [
            self.read_ios,
            self.read_merges,
            self.read_sectors,
            self.write_ios,
            self.write_merges,
            self.write_sectors,
            self.discard_ios,
            self.discard_merges,
            self.discard_sectors,
            self.flush_ios,
        ]
    }

    pub(crate) fn counts_mut(&mut self) -> [&mut u64; 10] {
        [
            &mut self.read_ios,
            &mut self.read_merges,
            &mut self.read_sectors,
            &mut self.write_ios,
            &mut self.write_merges,
            &mut self.write_sectors,
            &mut self.discard_ios,
            &mut self.discard_merges,
            &mut self.discard_sectors,
            &mut self.flush_ios,
        ]
    }

    pub(crate) fn ticks(&self) -> [u64; 6] {
        [
            self.read_ticks_ms,
            self.write_ticks_ms,
            self.io_ticks_ms,
            self.queue_ms,
            self.discard_ticks_ms,
            self.flush_ticks_ms,
        ]
    }

    pub(crate) fn ticks_mut(&mut self) -> [&mut u64; 6] {
        [
            &mut self.read_ticks_ms,
            &mut self.write_ticks_ms,
            &mut self.io_ticks_ms,
            &mut self.queue_ms,
            &mut self.discard_ticks_ms,
            &mut self.flush_ticks_ms,
        ]
    }
}

/// The activity of each device between two readings, in the later one's order.
///
/// A new or replaced device counts from zero, as its counters do; a missing one is left out.
pub fn disk_deltas(earlier: &[DiskStats], later: &[DiskStats]) -> Vec<DiskStats> {
    let before = |after: &DiskStats| earlier.iter().find(|stats| stats.name == after.name);
    let delta = |after: &DiskStats| before(after).and_then(|before| after.since(before));
    later.iter().map(|after| delta(after).unwrap_or_else(|| after.clone())).collect()
}
