//! The distribution of latencies in an interval of a run: the columns of a heat map over time.
//!
//! Readers distinguish four steps in a power of two, and an interval of a run fills some thirty of
//! them, so a slice is a short list, and a run of any length has a few hundred of them. The hot
//! path knows nothing of it: a slice is the difference of the running distribution at its two ends.

use crate::histogram::COARSE_BUCKETS;
use crate::series::SeriesInterval;
use crate::{Histogram, JobResult};
use fathom_vocab::{Direction, PerDirection};
use serde::{Deserialize, Serialize};

/// Latencies of one stretch of time, each direction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct LatencySlice(pub PerDirection<CoarseHistogram>);

/// Counts of latencies in steps of a quarter of a power of two.
///
/// In JSON it is a list of pairs: the least latency of a step in nanoseconds and its count,
/// rising, without empty steps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<(u64, u64)>", from = "Vec<(u64, u64)>")]
pub struct CoarseHistogram {
    /// Steps and their counts, rising; none is empty.
    counts: Vec<(u16, u64)>,
}

impl From<CoarseHistogram> for Vec<(u64, u64)> {
    fn from(histogram: CoarseHistogram) -> Vec<(u64, u64)> {
        let pair = |(step, count): (usize, u64)| (CoarseHistogram::least_of(step), count);
        histogram.steps().map(pair).collect()
    }
}

impl From<Vec<(u64, u64)>> for CoarseHistogram {
    fn from(pairs: Vec<(u64, u64)>) -> CoarseHistogram {
        let mut dense = [0u64; COARSE_BUCKETS];
        for (value_ns, count) in pairs {
            let step = &mut dense[Histogram::coarse_bucket_of(value_ns)];
            *step = step.saturating_add(count);
        }
        CoarseHistogram::of_counts(&dense)
    }
}

impl CoarseHistogram {
    fn of_counts(counts: &[u64; COARSE_BUCKETS]) -> CoarseHistogram {
        let filled = counts.iter().enumerate().filter(|(_, count)| **count > 0);
        CoarseHistogram { counts: filled.map(|(step, count)| (step as u16, *count)).collect() }
    }

    /// Steps that counted something, by their number, and their counts.
    pub fn steps(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.counts.iter().map(|(step, count)| (usize::from(*step), *count))
    }

    /// The least latency of a step, in nanoseconds.
    pub fn least_of(step: usize) -> u64 {
        Histogram::coarse_least_of(step.min(COARSE_BUCKETS - 1))
    }

    /// How many latencies were counted.
    pub fn total(&self) -> u64 {
        self.steps().fold(0, |sum, (_, count)| sum.saturating_add(count))
    }

    /// Adds another's counts.
    pub fn merge(&mut self, other: &CoarseHistogram) {
        for (step, count) in &other.counts {
            match self.counts.binary_search_by_key(step, |(step, _)| *step) {
                Ok(at) => self.counts[at].1 = self.counts[at].1.saturating_add(*count),
                Err(at) => self.counts.insert(at, (*step, *count)),
            }
        }
    }
}

impl SeriesInterval for LatencySlice {
    /// Five minutes of half seconds, and more columns than readers can distinguish.
    const CAP: usize = 600;

    fn merge(&mut self, other: &LatencySlice) {
        Direction::ALL.into_iter().for_each(|dir| self.0[dir].merge(&other.0[dir]));
    }
}

/// Running counts at the beginning of a slice.
#[derive(Clone, Debug)]
pub struct SliceStart(PerDirection<[u64; COARSE_BUCKETS]>);

impl SliceStart {
    /// The present state of `result`: total latencies if they are recorded while it runs, otherwise
    /// completion.
    pub fn of(result: &JobResult) -> SliceStart {
        let counts = |dir| result.dirs[dir].lat_or_clat().histogram.coarse_counts();
        SliceStart(PerDirection::from_fn(counts))
    }

    /// The counts since then; the next slice starts here.
    pub fn next(&mut self, result: &JobResult) -> LatencySlice {
        let ends = SliceStart::of(result);
        let slice = PerDirection::from_fn(|dir| {
            let mut since = ends.0[dir];
            since
                .iter_mut()
                .zip(&self.0[dir])
                .for_each(|(now, before)| *now = now.saturating_sub(*before));
            CoarseHistogram::of_counts(&since)
        });
        *self = ends;
        LatencySlice(slice)
    }
}
