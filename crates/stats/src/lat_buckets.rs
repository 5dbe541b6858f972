//! The coarse latency distribution of fio's summary: 10 buckets of ns, 10 of us, 12 of ms.
//!
//! Its limits (2, 4, 10, 20, 50, …) fall inside the histogram's buckets, so it is counted
//! separately rather than derived. Each limit is exclusive: 100 us counts under 250.

use crate::histogram::{self, Histogram};
use serde::{Deserialize, Serialize};

/// Upper limits below 1000 of a unit, exclusive.
pub const LIMITS: [u64; 10] = [2, 4, 10, 20, 50, 100, 250, 500, 750, 1000];
/// Upper limits of the millisecond buckets, exclusive; the last has none.
pub const LIMITS_MS: [u64; 12] = [2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000, u64::MAX];

const NS: usize = 10;
const US: usize = 10;
const MS: usize = 12;
const BUCKETS: usize = NS + US + MS;

/// How many I/Os completed within each coarse limit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LatencyBuckets {
    counts: [u64; BUCKETS],
}

/// The greatest value in nanoseconds of every coarse bucket, rising.
const LAST_NS: [u64; BUCKETS] = last_ns();

const fn last_ns() -> [u64; BUCKETS] {
    let mut out = [u64::MAX; BUCKETS];
    let mut i = 0;
    while i < NS {
        out[i] = LIMITS[i] - 1;
        out[NS + i] = LIMITS[i] * 1_000 - 1;
        i += 1;
    }
    let mut i = 0;
    while i < MS - 1 {
        out[NS + US + i] = LIMITS_MS[i] * 1_000_000 - 1;
        i += 1;
    }
    out
}

/// For each bucket of the histogram, the coarse bucket of its smallest value. A bucket of the
/// histogram contains at most one limit, so the next coarse bucket is the only other choice.
const COARSE: [u8; histogram::BUCKETS] = coarse();

const fn coarse() -> [u8; histogram::BUCKETS] {
    let mut out = [0; histogram::BUCKETS];
    let (mut at, mut bucket) = (0, 0);
    while at < out.len() {
        while bucket < BUCKETS - 1 && Histogram::least_of(at) > LAST_NS[bucket] {
            bucket += 1;
        }
        out[at] = bucket as u8;
        at += 1;
    }
    out
}

impl LatencyBuckets {
    /// Counts one completion latency.
    #[inline(always)]
    pub fn record(&mut self, value_ns: u64) {
        self.record_in(Histogram::bucket_of(value_ns), value_ns, 1);
    }

    /// Counts one completion latency whose bucket of the histogram is already known, `times` times.
    #[inline(always)]
    pub fn record_in(&mut self, histogram_bucket: usize, value_ns: u64, times: u64) {
        let last = histogram::BUCKETS - 1;
        let coarse = usize::from(COARSE[histogram_bucket.min(last)]);
        let coarse = coarse + usize::from(value_ns > LAST_NS[coarse % BUCKETS]);
        // No value is above the last bucket's maximum: the remainder only proves that to the
        // compiler.
        self.counts[coarse % BUCKETS] += times;
    }

    /// A distribution of counts in the order of [`LatencyBuckets::ns`], `us` and `ms`.
    pub fn from_counts(counts: [u64; BUCKETS]) -> LatencyBuckets {
        LatencyBuckets { counts }
    }

    /// Adds another distribution to this one.
    pub fn merge(&mut self, other: &LatencyBuckets) {
        for (mine, theirs) in self.counts.iter_mut().zip(&other.counts) {
            *mine += theirs;
        }
    }

    /// Counts below 1 us, by [`LIMITS`].
    pub fn ns(&self) -> &[u64] {
        &self.counts[..NS]
    }

    /// Counts from 1 us to below 1 ms, by [`LIMITS`].
    pub fn us(&self) -> &[u64] {
        &self.counts[NS..NS + US]
    }

    /// Counts from 1 ms, by [`LIMITS_MS`].
    pub fn ms(&self) -> &[u64] {
        &self.counts[NS + US..]
    }

    /// How many were counted.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }
}
