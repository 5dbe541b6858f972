//! Samples for logs, each I/O by itself or windows of them, and the division into windows.
//!
//! Windows lie at multiples of their length from the job's start, independent of their samples, so
//! that logs of several jobs align and do not drift. A window's line has the time of its end; a
//! window without samples has none. Memory is constant.

use crate::Histogram;
use fathom_vocab::{Direction, PerDirection};
use serde::{Deserialize, Serialize};

/// A line of a latency, bandwidth or rate log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogSample {
    /// Milliseconds since the job began or its ramp ended (or since 1970, where that was asked
    /// for).
    pub time_ms: u64,
    /// Latency in nanoseconds, KiB a second or I/Os a second.
    pub value: u64,
    /// The greatest value of the window, where both are logged; else the same as `value`.
    pub value_max: u64,
    /// Direction of the I/O.
    pub dir: Direction,
    /// Bytes of the I/O; 0 for a window.
    pub bs: u64,
    /// Its offset in bytes; 0 for a window.
    pub offset: u64,
    /// Its priority; 0 for a window.
    pub prio: u16,
}

/// The meaning of a window's `value`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WindowValue {
    /// The mean of its samples, rounded down.
    #[default]
    Mean,
    /// Their maximum.
    Max,
    /// The mean, with the greatest beside it.
    Both,
}

#[derive(Clone, Copy, Debug, Default)]
struct Open {
    count: u64,
    sum: u128,
    max: u64,
}

/// Gathers samples of one job into windows of `log_avg_msec`.
#[derive(Clone, Debug)]
pub struct LogWindows {
    length_ms: u64,
    value: WindowValue,
    end_ms: u64,
    open: PerDirection<Open>,
}

impl LogWindows {
    /// Windows of this length in milliseconds, at least 1.
    pub fn new(length_ms: u64, value: WindowValue) -> LogWindows {
        let length_ms = length_ms.max(1);
        LogWindows { length_ms, value, end_ms: length_ms, open: PerDirection::default() }
    }

    /// Forgets all samples; times begin again.
    pub fn restart(&mut self) {
        self.end_ms = self.length_ms;
        self.open = PerDirection::default();
    }

    /// Adds a sample; hands over the windows that ended before it, reads first.
    ///
    /// Times should not decrease; a late sample counts in the open window.
    #[inline]
    pub fn record(
        &mut self,
        time_ms: u64,
        dir: Direction,
        value: u64,
        mut emit: impl FnMut(LogSample),
    ) {
        if time_ms >= self.end_ms {
            self.close(self.end_ms, &mut emit);
            // Empty windows are stepped over at once: a stall may last for millions of them.
            self.end_ms = (time_ms / self.length_ms + 1).saturating_mul(self.length_ms);
        }
        let open = &mut self.open[dir];
        open.count += 1;
        open.sum += u128::from(value);
        open.max = open.max.max(value);
    }

    /// Emits the last window, at the time the job ended; at least a millisecond after the window
    /// before it, so that no two lines have the same time.
    pub fn finish(&mut self, time_ms: u64, mut emit: impl FnMut(LogSample)) {
        let began_ms = self.end_ms - self.length_ms;
        self.close(time_ms.clamp(began_ms + 1, self.end_ms), &mut emit);
    }

    #[cold]
    fn close(&mut self, time_ms: u64, emit: &mut impl FnMut(LogSample)) {
        for dir in Direction::ALL {
            let open = std::mem::take(&mut self.open[dir]);
            let Some(mean) = open.sum.checked_div(u128::from(open.count)) else { continue };
            // A mean of u64 values fits.
            let mean = u64::try_from(mean).unwrap_or(u64::MAX);
            let (value, value_max) = match self.value {
                WindowValue::Mean => (mean, mean),
                WindowValue::Max => (open.max, open.max),
                WindowValue::Both => (mean, open.max),
            };
            emit(LogSample { time_ms, value, value_max, dir, bs: 0, offset: 0, prio: 0 });
        }
    }
}

/// A line of a histogram log: completion latencies of one direction in one window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistogramSample {
    /// Milliseconds since the job began or its ramp ended, at the window's end.
    pub time_ms: u64,
    /// Direction of the I/Os.
    pub dir: Direction,
    /// Bytes of an I/O.
    pub bs: u64,
    /// Latencies of the window.
    pub histogram: Histogram,
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn gather(
        length_ms: u64,
        value: WindowValue,
        samples: &[(u64, Direction, u64)],
        end_ms: u64,
    ) -> Vec<LogSample> {
        let mut windows = LogWindows::new(length_ms, value);
        let mut out = Vec::new();
        for (time, dir, value) in samples {
            windows.record(*time, *dir, *value, |sample| out.push(sample));
        }
        windows.finish(end_ms, |sample| out.push(sample));
        out
    }

    fn brief(samples: &[LogSample]) -> Vec<(u64, u64, u64, Direction)> {
        samples.iter().map(|s| (s.time_ms, s.value, s.value_max, s.dir)).collect()
    }

    use Direction::{Read, Write};

    const SAMPLES: [(u64, Direction, u64); 6] = [
        (0, Read, 10),
        (99, Read, 21),
        (50, Write, 5),
        (100, Read, 7),
        (450, Write, 9),
        (460, Write, 2),
    ];

    #[test]
    fn windows_end_at_multiples_of_their_length() {
        let mean = gather(100, WindowValue::Mean, &SAMPLES, 470);
        let wanted =
            [(100, 15, 15, Read), (100, 5, 5, Write), (200, 7, 7, Read), (470, 5, 5, Write)];
        assert_eq!(brief(&mean), wanted);
    }

    #[test]
    fn the_greatest_alone_or_beside_the_mean() {
        let max = gather(100, WindowValue::Max, &SAMPLES, 470);
        assert_eq!(brief(&max)[0], (100, 21, 21, Read));
        let both = gather(100, WindowValue::Both, &SAMPLES, 470);
        assert_eq!(brief(&both)[3], (470, 5, 9, Write));
    }

    /// An I/O that completes as a window and the job end.
    #[test]
    fn no_two_lines_have_one_time() {
        let samples = [(50, Read, 1), (99, Read, 3), (100, Read, 7)];
        let out = gather(100, WindowValue::Mean, &samples, 100);
        assert_eq!(brief(&out), [(100, 2, 2, Read), (101, 7, 7, Read)]);
    }

    #[test]
    fn a_long_stall_costs_nothing() {
        let out = gather(1, WindowValue::Mean, &[(0, Read, 1), (u64::MAX - 1, Read, 2)], u64::MAX);
        assert_eq!(out.len(), 2);
    }

    proptest! {
        #[test]
        fn each_sample_counts_in_the_window_of_its_time(
            mut samples in prop::collection::vec((0u64..5000, 0usize..3, 0u64..1000), 0..200),
            length in 1u64..700,
        ) {
            samples.sort();
            let samples: Vec<(u64, Direction, u64)> =
                samples.into_iter().map(|(t, d, v)| (t, Direction::ALL[d], v)).collect();
            let out = gather(length, WindowValue::Both, &samples, 100_000);
            for line in &out {
                let inside: Vec<u64> = samples
                    .iter()
                    .filter(|(t, d, _)| *d == line.dir && (t / length + 1) * length == line.time_ms)
                    .map(|(_, _, v)| *v)
                    .collect();
                prop_assert!(!inside.is_empty());
                prop_assert_eq!(line.value, inside.iter().sum::<u64>() / inside.len() as u64);
                prop_assert_eq!(Some(&line.value_max), inside.iter().max());
            }
            let mut windows: Vec<_> = samples.iter().map(|(t, d, _)| (t / length, *d)).collect();
            windows.dedup();
            windows.sort();
            windows.dedup();
            prop_assert_eq!(out.len(), windows.len());
        }
    }
}
