//! Progress of jobs without a terminal: a line when another tenth of the time is over, and no two
//! within five seconds; every half minute where the time is not known.

/// No two lines within these milliseconds.
const LEAST_MS: u64 = 5_000;

/// A line in so many milliseconds, where the length of the jobs is not known.
const UNKNOWN_MS: u64 = 30_000;

/// Decides which moments of a run are a line.
#[derive(Clone, Copy, Debug, Default)]
pub struct JobLines {
    /// The moment of the last line, and the tenths that were over by then.
    last_ms: u64,
    tenths: u64,
}

impl JobLines {
    /// Whether the moment `elapsed_ms` after the start, with `share` of the time over, is one.
    pub fn is_due(&mut self, elapsed_ms: u64, share: Option<f64>) -> bool {
        let tenths = share.map(|share| (share * 10.0) as u64);
        let since_ms = elapsed_ms.saturating_sub(self.last_ms);
        let due = match tenths {
            // What remains is the result.
            Some(tenths) => tenths > self.tenths && tenths < 10 && since_ms >= LEAST_MS,
            None => since_ms >= UNKNOWN_MS,
        };
        if due {
            *self = JobLines { last_ms: elapsed_ms, tenths: tenths.unwrap_or(self.tenths) };
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The moments that are lines, of a run of `length_s` with four snapshots a second.
    fn lines(length_s: u64, known: bool) -> Vec<u64> {
        let mut lines = JobLines::default();
        let share = |ms: u64| known.then(|| ms as f64 / (length_s * 1000) as f64);
        let moments = (0..=length_s * 4).map(|quarter| quarter * 250);
        moments.filter(|ms| lines.is_due(*ms, share(*ms))).collect()
    }

    #[test]
    fn a_line_each_tenth_and_none_at_the_end() {
        let expected: Vec<u64> = (1..10).map(|tenth| tenth * 60_000).collect();
        assert_eq!(lines(600, true), expected);
        assert_eq!(lines(20, true), [5_000, 10_000, 15_000]);
        assert_eq!(lines(5, true), [0; 0]);
    }

    #[test]
    fn a_line_each_half_minute_where_the_end_is_not_known() {
        assert_eq!(lines(70, false), [30_000, 60_000]);
    }
}
