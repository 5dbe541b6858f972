//! Times by their logarithm: their number, sum and distribution.

use std::time::Duration;

/// Number of steps in an octave of [`LatencySketch`].
const PARTS: u64 = 16;

/// Times to within 7 %: their number, sum and distribution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LatencySketch {
    /// Their number.
    pub count: u64,
    /// Their sum in nanoseconds.
    pub sum_ns: u64,
    buckets: Vec<u64>,
}

impl LatencySketch {
    /// Counts a time.
    pub fn record(&mut self, time: Duration) {
        let ns = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.count += 1;
        self.sum_ns = self.sum_ns.saturating_add(ns);
        let at = bucket_of(ns);
        if self.buckets.len() <= at {
            self.buckets.resize(at + 1, 0);
        }
        self.buckets[at] += 1;
    }

    /// The mean in nanoseconds; 0 of nothing.
    pub fn mean_ns(&self) -> u64 {
        self.sum_ns.checked_div(self.count).unwrap_or(0)
    }

    /// A time that this share of all (0 to 1) does not exceed; 0 of nothing.
    pub fn quantile_ns(&self, share: f64) -> u64 {
        let wanted = (self.count as f64 * share).ceil().max(1.0) as u64;
        let mut seen = 0;
        let at = self.buckets.iter().position(|count| {
            seen += count;
            seen >= wanted
        });
        at.map_or(0, bucket_end_ns)
    }
}

fn bucket_of(ns: u64) -> usize {
    if ns < PARTS {
        return ns as usize;
    }
    let octave = u64::from(ns.ilog2()) - 4;
    (octave * PARTS + (ns >> octave)) as usize
}

/// The greatest time that falls into a bucket.
fn bucket_end_ns(at: usize) -> u64 {
    let at = at as u64;
    if at < 2 * PARTS {
        return at;
    }
    let octave = at / PARTS - 1;
    (((at % PARTS + PARTS + 1) as u128 * (1u128 << octave)) - 1).min(u64::MAX.into()) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_bucket_holds_times_that_differ_by_a_sixteenth(ns: u64) {
            let end = bucket_end_ns(bucket_of(ns));
            prop_assert!(end >= ns && (end - ns) as f64 <= ns as f64 / 15.9);
        }
    }

    #[test]
    fn quantiles_are_those_of_what_was_counted() {
        let mut sketch = LatencySketch::default();
        assert_eq!((sketch.mean_ns(), sketch.quantile_ns(0.99)), (0, 0));
        (1..=1000).for_each(|us| sketch.record(Duration::from_micros(us)));
        assert_eq!(sketch.mean_ns(), 500_500);
        let p99 = sketch.quantile_ns(0.99);
        assert!((990_000..1_060_000).contains(&p99), "{p99}");
    }
}
