//! The search for the highest depth whose latency still meets a target (`latency_target`).
//!
//! One window of I/Os is judged at a time: a window that meets the target raises the lower bound
//! and tries deeper, doubling until a depth has failed and bisecting after; one that fails sets the
//! upper bound. A window must be long enough to judge the requested share.
//!
//! As in fio 3.33, the results are those of one more window at the depth that was found, and the
//! job ends with it. With `latency_run` the job goes on instead, and its results include the
//! search; so does a job of which no depth meets the target, at depth 1.

use fathom_job::LatencyTarget;
use fathom_stats::LatencyTargetResult;

/// The next step of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DepthStep {
    /// Use this depth.
    Use(u32),
    /// This depth is the one: measuring begins here, for one window.
    Measure(u32),
    /// The window is over, and the job with it.
    End,
}

/// How far a search is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Searching,
    Measuring,
    Settled,
}

/// The search, fed with each completion.
#[derive(Clone, Debug)]
pub(crate) struct DepthSeeker {
    target_ns: u64,
    window_ns: u64,
    percentile: f64,
    go_on: bool,
    max_depth: u32,
    depth: u32,
    /// The greatest depth that met the target, and the least that did not.
    met: u32,
    failed: Option<u32>,
    phase: Phase,
    window_began_ns: Option<u64>,
    ios: u64,
    late: u64,
}

impl DepthSeeker {
    /// A search up to `max_depth`, from depth 1 on, as in fio: a job that is over before its first
    /// window is has run at depth 1.
    pub fn new(target: &LatencyTarget, max_depth: u32) -> DepthSeeker {
        DepthSeeker {
            target_ns: target.target_us.saturating_mul(1000),
            window_ns: target.window_us.saturating_mul(1000).max(1_000_000),
            percentile: target.percentile,
            go_on: target.run,
            max_depth,
            depth: 1,
            met: 0,
            failed: None,
            phase: Phase::Searching,
            window_began_ns: None,
            ios: 0,
            late: 0,
        }
    }

    /// The depth to use now.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Counts one completion; returns the next step after a window.
    pub fn completed(&mut self, clat_ns: u64, now_ns: u64) -> Option<DepthStep> {
        if self.phase == Phase::Settled {
            return None;
        }
        self.ios += 1;
        self.late += u64::from(clat_ns > self.target_ns);
        let began_ns = *self.window_began_ns.get_or_insert(now_ns);
        if now_ns - began_ns < self.window_ns {
            return None;
        }
        let met = self.late as f64 <= self.ios as f64 * (100.0 - self.percentile) / 100.0;
        self.window_began_ns = None;
        self.ios = 0;
        self.late = 0;
        match self.phase {
            Phase::Searching => Some(self.judge(met)),
            Phase::Measuring | Phase::Settled => {
                self.phase = Phase::Settled;
                Some(DepthStep::End)
            }
        }
    }

    fn judge(&mut self, met: bool) -> DepthStep {
        if met {
            self.met = self.depth;
        } else {
            self.failed = Some(self.depth);
        }
        let next = match self.failed {
            None => (self.depth * 2).min(self.max_depth),
            Some(failed) => self.met.max(1).max(self.met + (failed - self.met) / 2),
        };
        if next == self.depth || next == self.met || self.failed == Some(next) {
            self.depth = self.met.max(1);
            let goes_on = self.go_on || self.met == 0;
            self.phase = if goes_on { Phase::Settled } else { Phase::Measuring };
            return if goes_on {
                DepthStep::Use(self.depth)
            } else {
                DepthStep::Measure(self.depth)
            };
        }
        self.depth = next;
        DepthStep::Use(next)
    }

    /// The result of the search.
    pub fn result(&self) -> LatencyTargetResult {
        LatencyTargetResult {
            target_us: self.target_ns / 1000,
            window_us: self.window_ns / 1000,
            percentile: self.percentile,
            depth: self.depth,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A device whose latency is 10 us for each I/O in flight.
    fn search(target_us: u64, max_depth: u32) -> u32 {
        let target = LatencyTarget { target_us, window_us: 10_000, percentile: 99.0, run: false };
        let mut seeker = DepthSeeker::new(&target, max_depth);
        let (mut depth, mut now_ns) = (seeker.depth(), 0);
        for _ in 0..1_000_000 {
            now_ns += 10_000;
            match seeker.completed(u64::from(depth) * 10_000, now_ns) {
                Some(DepthStep::Measure(found)) => return found,
                Some(DepthStep::Use(next)) => depth = next,
                Some(DepthStep::End) => panic!("nothing was measured"),
                None if seeker.phase == Phase::Settled => return seeker.result().depth,
                None => {}
            }
        }
        panic!("the search did not end");
    }

    #[test]
    fn finds_the_highest_depth_that_meets_the_target() {
        for depth in [1, 2, 3, 7, 31, 32, 33, 100, 128] {
            assert_eq!(search(depth * 10, 128), depth as u32, "at {depth}");
        }
    }

    #[test]
    fn begins_at_depth_one() {
        let target =
            LatencyTarget { target_us: 10_000, window_us: 10_000, percentile: 99.0, run: false };
        let mut seeker = DepthSeeker::new(&target, 64);
        assert_eq!((seeker.depth(), seeker.result().depth), (1, 1));
        assert_eq!(seeker.completed(10_000, 0), None);
        assert_eq!(seeker.completed(10_000, 10_000_000), Some(DepthStep::Use(2)));
    }

    #[test]
    fn ends_at_depth_one_when_nothing_meets_it() {
        assert_eq!(search(5, 64), 1);
    }

    #[test]
    fn what_is_found_is_measured_for_one_window() {
        let target =
            LatencyTarget { target_us: 10_000, window_us: 10_000, percentile: 99.0, run: false };
        let steps = |target: &LatencyTarget| -> Vec<DepthStep> {
            let mut seeker = DepthSeeker::new(target, 2);
            (0..100).filter_map(|at| seeker.completed(10_000, at * 1_000_000)).collect()
        };
        let (deeper, found) = (DepthStep::Use(2), DepthStep::Measure(2));
        assert_eq!(steps(&target), [deeper, found, DepthStep::End]);
        let run = LatencyTarget { run: true, ..target.clone() };
        assert_eq!(steps(&run), [deeper, deeper], "it goes on");
        let unmet = LatencyTarget { target_us: 1, ..target };
        assert_eq!(steps(&unmet), [DepthStep::Use(1)], "it goes on");
    }

    #[test]
    fn ends_at_the_job_s_depth_when_all_meet_it() {
        assert_eq!(search(10_000, 64), 64);
    }
}
