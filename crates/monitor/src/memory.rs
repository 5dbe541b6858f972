//! A file system in memory: without a device and I/O counters, only with its use.

use super::interval_counts::IntervalCounts;
use fathom_host::Space;
use serde::Serialize;
use std::time::Duration;

/// The use of a file system in memory, and its change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MemoryCounts {
    /// Its size.
    pub total_bytes: u64,
    /// Bytes used at the interval's end.
    pub used_bytes: u64,
    /// By how much that is more than at its beginning; less than 0 if files were removed.
    pub grown_bytes: i64,
}

/// How fast a file system in memory fills.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct MemoryRates {
    /// Growth in units of 10^6 bytes a second; less than 0 if files were removed.
    pub growth_mb_per_s: f64,
}

impl MemoryCounts {
    /// The change from `earlier` to `later`.
    pub fn between(earlier: &Space, later: &Space) -> MemoryCounts {
        let used = |space: &Space| space.total_bytes.saturating_sub(space.free_bytes);
        MemoryCounts {
            total_bytes: later.total_bytes,
            used_bytes: used(later),
            grown_bytes: used(later).wrapping_sub(used(earlier)) as i64,
        }
    }
}

impl IntervalCounts for MemoryCounts {
    type Rates = MemoryRates;

    fn add(&mut self, later: &Self) {
        let grown_bytes = self.grown_bytes.saturating_add(later.grown_bytes);
        *self = MemoryCounts { grown_bytes, ..*later };
    }

    fn rates(&self, elapsed: Duration) -> Option<MemoryRates> {
        let seconds = elapsed.as_secs_f64();
        let growth = || self.grown_bytes as f64 / 1e6 / seconds;
        (seconds > 0.0).then(|| MemoryRates { growth_mb_per_s: growth() })
    }

    fn is_idle(&self) -> bool {
        self.grown_bytes == 0
    }

    fn merged(a: MemoryRates, b: MemoryRates, pick: fn(f64, f64) -> f64) -> MemoryRates {
        MemoryRates { growth_mb_per_s: pick(a.growth_mb_per_s, b.growth_mb_per_s) }
    }
}
