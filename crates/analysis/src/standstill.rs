//! The longest time of a run in which no I/O completed.
//!
//! Slow volumes have such times too: only beside a lost connection does it say how long the server
//! was away.

use crate::rates::Rates;
use fathom_stats::JobResult;

/// Whether a connection to the server was lost: one of the jobs' own, or one that the kernel made
/// anew so often.
pub fn is_connection_lost(jobs: &[JobResult], kernel_reconnects: u64) -> bool {
    let mut own = jobs.iter().flat_map(|job| &job.connections);
    kernel_reconnects > 0 || own.any(|of| of.reconnects > 0)
}

/// The intervals in which it is searched, in seconds.
const FINE_S: f64 = 0.1;
/// Shorter ones, in seconds, are what a new connection takes.
const LEAST_S: f64 = 0.5;

/// A time without any completed I/O.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standstill {
    /// When it began, in seconds of measured time.
    pub from_s: f64,
    /// How long it lasted, in seconds.
    pub for_s: f64,
}

impl Standstill {
    /// The longest of jobs that ran side by side; none where all are short.
    pub fn of_jobs(jobs: &[JobResult]) -> Option<Standstill> {
        let rates = Rates::of_jobs(jobs, None, FINE_S);
        let mut end = 0;
        let mut longest = 0..0;
        for stretch in rates.iops.split(|rate| *rate > 0.0) {
            if stretch.len() > longest.len() {
                longest = end..end + stretch.len();
            }
            end += stretch.len() + 1;
        }
        let seconds = |intervals: usize| intervals as f64 * rates.interval_s;
        let found = Standstill { from_s: seconds(longest.start), for_s: seconds(longest.len()) };
        (found.for_s >= LEAST_S).then_some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_stats::{Interval, Series};
    use fathom_vocab::Direction;

    fn job(ios: &[u64]) -> JobResult {
        let interval = |ios: &u64| {
            let mut interval = Interval::default();
            interval.ios[Direction::Read] = *ios;
            interval
        };
        let intervals = ios.iter().map(interval).collect();
        let series = Series { interval_ms: 100, intervals, ..Series::default() };
        JobResult { series, elapsed_ms: 100 * ios.len() as u64, ..JobResult::default() }
    }

    #[test]
    fn the_longest_time_without_an_io_of_any_job_is_found() {
        let gaps = [5, 0, 0, 5, 0, 0, 0, 0, 0, 0, 5, 0, 0];
        let found = Standstill::of_jobs(&[job(&gaps)]).unwrap();
        assert_eq!(format!("{:.1} {:.1}", found.from_s, found.for_s), "0.4 0.6");
        assert_eq!(Standstill::of_jobs(&[job(&gaps), job(&[5; 13])]), None);
        assert_eq!(Standstill::of_jobs(&[job(&[5, 0, 0, 0, 0, 5])]), None);
        assert_eq!(Standstill::of_jobs(&[]), None);
        let to_its_end = Standstill::of_jobs(&[job(&[5, 5, 0, 0, 0, 0, 0])]).unwrap();
        assert_eq!(format!("{:.1} {:.1}", to_its_end.from_s, to_its_end.for_s), "0.2 0.5");
    }
}
