//! A log-linear histogram of nanoseconds with fio's buckets.
//!
//! Values below 128 have a bucket each; above, every power of two is divided into 64 buckets, so
//! that a value differs from its bucket's midpoint by at most 1/128. fio stops at 29 groups of 64
//! (17 s) and saturates; here there are six groups more (18 minutes), which changes no bucket
//! below, because a stuck volume must be visible.

use serde::{Deserialize, Serialize};

/// Buckets in a group.
const PER_GROUP: usize = 64;
/// log2 of the buckets in a group.
const GROUP_BITS: u32 = 6;
/// Groups of buckets.
const GROUPS: usize = 35;
/// Buckets that fio has: six groups fewer.
const FIO_BUCKETS: usize = (GROUPS - 6) * PER_GROUP;
/// Buckets in all.
pub(crate) const BUCKETS: usize = GROUPS * PER_GROUP;
/// Buckets that a coarse one joins: four are left of each power of two.
const PER_COARSE: usize = PER_GROUP / 4;
/// Coarse buckets in all.
pub(crate) const COARSE_BUCKETS: usize = BUCKETS / PER_COARSE;

/// Counts of values in nanoseconds. Costs no memory until the first value.
///
/// In JSON it is a list of pairs: a bucket's midpoint in nanoseconds and its count, rising,
/// without empty buckets.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(into = "Vec<(u64, u64)>", from = "Vec<(u64, u64)>")]
pub struct Histogram {
    /// None where nothing was counted yet.
    counts: Option<Box<[u64; BUCKETS]>>,
}

/// Its bins, as in JSON: two thousand zeros would add nothing.
impl std::fmt::Debug for Histogram {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.bins()).finish()
    }
}

/// Equal counts are equal, whether or not memory was had for them.
impl PartialEq for Histogram {
    fn eq(&self, other: &Histogram) -> bool {
        self.bins().eq(other.bins())
    }
}

impl Eq for Histogram {}

impl From<Histogram> for Vec<(u64, u64)> {
    fn from(histogram: Histogram) -> Vec<(u64, u64)> {
        histogram.bins().collect()
    }
}

impl From<Vec<(u64, u64)>> for Histogram {
    fn from(bins: Vec<(u64, u64)>) -> Histogram {
        Histogram::from_bins(bins)
    }
}

impl Histogram {
    /// An empty histogram with allocated memory, for the hot path.
    pub fn allocated() -> Histogram {
        let mut histogram = Histogram::default();
        histogram.memory();
        histogram
    }

    /// A histogram of bins as [`Histogram::bins`] or fio's JSON+ gives them: a value in the bucket,
    /// in nanoseconds, and its count.
    pub fn from_bins(bins: impl IntoIterator<Item = (u64, u64)>) -> Histogram {
        let mut histogram = Histogram::default();
        for (value_ns, count) in bins {
            if count > 0 {
                histogram.memory()[Self::bucket_of(value_ns)] += count;
            }
        }
        histogram
    }

    /// The counts, which are allocated if necessary.
    fn memory(&mut self) -> &mut [u64; BUCKETS] {
        // A list first, which is allocated on the heap: an array would be built on the stack.
        let zeros = || match vec![0; BUCKETS].into_boxed_slice().try_into() {
            Ok(counts) => counts,
            Err(_) => Box::new([0; BUCKETS]),
        };
        self.counts.get_or_insert_with(zeros)
    }

    /// Whether its counts are allocated: in an unfinished result, whether they are recorded.
    pub fn is_allocated(&self) -> bool {
        self.counts.is_some()
    }

    fn counts(&self) -> &[u64] {
        self.counts.as_ref().map_or(&[], |counts| &counts[..])
    }

    /// The bucket of a value; values beyond the last bucket count in it.
    #[inline(always)]
    pub fn bucket_of(value_ns: u64) -> usize {
        Self::unbounded_bucket(value_ns).min(BUCKETS - 1)
    }

    /// The bucket of a value if there were groups without end.
    ///
    /// The hot path tests it against [`Histogram::BUCKETS`] once for all tables that it leads to.
    #[inline(always)]
    pub fn unbounded_bucket(value_ns: u64) -> usize {
        // Up to 127 the shift is 0 and the value its own bucket. Above, the shift leaves the top
        // bit and the six below it, 64 to 127, and each further shift is one group further on.
        let shift = u64::BITS - 1 - GROUP_BITS - (value_ns | PER_GROUP as u64).leading_zeros();
        ((shift as usize) << GROUP_BITS) + (value_ns >> shift) as usize
    }

    /// The least value in a bucket, in nanoseconds.
    pub(crate) const fn least_of(bucket: usize) -> u64 {
        if bucket < 2 * PER_GROUP {
            return bucket as u64;
        }
        let shift = (bucket >> GROUP_BITS) as u32 - 1;
        (1u64 << (shift + GROUP_BITS)) + (((bucket % PER_GROUP) as u64) << shift)
    }

    /// The value that represents a bucket: its midpoint, in nanoseconds.
    pub fn midpoint_of(bucket: usize) -> u64 {
        if bucket < 2 * PER_GROUP {
            return bucket as u64;
        }
        let shift = (bucket >> GROUP_BITS) as u32 - 1;
        let base = 1u64 << (shift + GROUP_BITS);
        base + (((bucket % PER_GROUP) as u64) << shift) + (1u64 << shift) / 2
    }

    /// Counts a value whose bucket is already known, `times` times.
    #[inline(always)]
    pub fn record_in(&mut self, bucket: usize, times: u64) {
        match &mut self.counts {
            Some(counts) if bucket < BUCKETS => counts[bucket] += times,
            _ => self.record_rare(bucket, times),
        }
    }

    /// Counts one value.
    #[inline(always)]
    pub fn record(&mut self, value_ns: u64) {
        self.record_times(value_ns, 1);
    }

    /// Counts one value `times` times.
    #[inline(always)]
    pub fn record_times(&mut self, value_ns: u64, times: u64) {
        self.record_in(Self::unbounded_bucket(value_ns), times);
    }

    /// Counts many values: for less than one at a time.
    pub fn record_all(&mut self, values_ns: &[u64]) {
        let counts = self.memory();
        for &value_ns in values_ns {
            counts[Self::bucket_of(value_ns)] += 1;
        }
    }

    #[cold]
    fn record_rare(&mut self, bucket: usize, times: u64) {
        self.memory()[bucket.min(BUCKETS - 1)] += times;
    }

    /// Adds another histogram's counts to this one's.
    pub fn merge(&mut self, other: &Histogram) {
        let Some(theirs) = &other.counts else { return };
        for (mine, theirs) in self.memory().iter_mut().zip(theirs.iter()) {
            *mine += theirs;
        }
    }

    /// How many values were counted.
    pub fn total(&self) -> u64 {
        self.counts().iter().sum()
    }

    /// How many values are above `value_ns` for sure: those in buckets that lie wholly above it.
    pub fn count_above(&self, value_ns: u64) -> u64 {
        self.counts().iter().skip(Self::bucket_of(value_ns) + 1).sum()
    }

    /// How many values are below `value_ns` for sure: those in buckets that lie wholly below it.
    pub fn count_below(&self, value_ns: u64) -> u64 {
        self.counts().iter().take(Self::bucket_of(value_ns)).sum()
    }

    /// The value below which `percent` of the values lie: the midpoint of the first bucket at which
    /// the running count reaches that share of the total. 0 without values.
    pub fn percentile(&self, percent: f64) -> u64 {
        self.percentiles(&[percent]).first().copied().unwrap_or(0)
    }

    /// [`Histogram::percentile`] of several shares in ascending order; one pass.
    pub fn percentiles(&self, percents: &[f64]) -> Vec<u64> {
        let total = self.total();
        let mut out = Vec::with_capacity(percents.len());
        let mut bins = self.bins();
        let (mut value, mut reached) = bins.next().unwrap_or((0, 0));
        for percent in percents {
            let wanted = percent / 100.0 * total as f64;
            while (reached as f64) < wanted {
                let Some((next, count)) = bins.next() else { break };
                value = next;
                reached += count;
            }
            out.push(value);
        }
        out
    }

    /// Counts in coarse buckets, four to a power of two.
    pub(crate) fn coarse_counts(&self) -> [u64; COARSE_BUCKETS] {
        let mut out = [0; COARSE_BUCKETS];
        for (coarse, counts) in out.iter_mut().zip(self.counts().chunks(PER_COARSE)) {
            *coarse = counts.iter().sum();
        }
        out
    }

    /// The coarse bucket of a value.
    pub(crate) fn coarse_bucket_of(value_ns: u64) -> usize {
        Self::bucket_of(value_ns) / PER_COARSE
    }

    /// The least value in a coarse bucket, in nanoseconds.
    pub(crate) fn coarse_least_of(coarse: usize) -> u64 {
        Self::least_of(coarse * PER_COARSE)
    }

    /// Counts in fio's 29 groups of buckets, 2^`coarseness` joined into one; values beyond fio's
    /// last bucket count in it, as in fio itself.
    pub fn fio_counts(&self, coarseness: u8) -> Vec<u64> {
        let step = 1usize << coarseness.min(GROUP_BITS as u8);
        let mut out = vec![0; FIO_BUCKETS / step];
        for (bucket, count) in self.counts().iter().enumerate() {
            out[bucket.min(FIO_BUCKETS - 1) / step] += count;
        }
        out
    }

    /// The counts since `earlier`, which must be an earlier state of this histogram.
    pub fn since(&self, earlier: &Histogram) -> Histogram {
        let mut out = self.clone();
        let now = out.counts.iter_mut().flat_map(|counts| counts.iter_mut());
        for (now, then) in now.zip(earlier.counts()) {
            *now = now.saturating_sub(*then);
        }
        out
    }

    /// Buckets that are not empty: their midpoint in nanoseconds and their count, rising.
    pub fn bins(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.counts()
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
            .map(|(bucket, count)| (Self::midpoint_of(bucket), *count))
    }
}
