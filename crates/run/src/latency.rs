//! Latencies during a run: about once a second each clone makes a copy of its distribution, at its
//! next tick; the difference to the copy before is reported.
//!
//! A copy is made only for viewers, and costs a thread some microseconds a second. With very many
//! clones none is made, because each copy is 18 KB that must be stored for the next.

use crate::control::CloneCounters;
use crate::latency_so_far::LatencySoFar;
use fathom_stats::{Histogram, LiveLatency, RunningJobs};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The interval of requests.
const EVERY: Duration = Duration::from_millis(900);

/// Maximum clones for this view.
const MOST_CLONES: usize = 256;

/// Requests copies from clones, and calculates percentiles.
#[derive(Debug, Default)]
pub(crate) struct LatencyView {
    asked: Option<Instant>,
    collected: bool,
    before: BTreeMap<usize, LatencySoFar>,
    running: RunningJobs,
    last: Option<LiveLatency>,
}

impl LatencyView {
    /// The latencies of about the last second; `clones` are those that run, with their places.
    pub fn look<'a>(
        &mut self,
        now: Instant,
        clones: impl Iterator<Item = (usize, &'a CloneCounters)>,
    ) -> Option<LiveLatency> {
        let clones: Vec<(usize, &CloneCounters)> = clones.collect();
        if clones.len() > MOST_CLONES {
            return None;
        }
        if self.running.turn_to(clones.iter().map(|(at, _)| *at).collect()) {
            let running = std::mem::take(&mut self.running);
            *self = LatencyView { running, ..LatencyView::default() };
        }
        if self.asked.is_some() && !self.collected {
            self.collected = true;
            self.last = LiveLatency::of(&self.collect(&clones));
        }
        // A viewer waits for the first latencies: they are requested at each look.
        let every = if self.last.is_none() { Duration::ZERO } else { EVERY };
        if self.asked.is_none_or(|asked| now.duration_since(asked) >= every) {
            clones.iter().for_each(|(_, live)| live.ask_latency());
            self.asked = Some(now);
            self.collected = false;
        }
        self.last
    }

    /// The counts since the previous answer of those that answered. A clone that is stuck in an I/O
    /// answers later, and counts then.
    fn collect(&mut self, clones: &[(usize, &CloneCounters)]) -> Histogram {
        self.before.retain(|place, _| clones.iter().any(|(at, _)| at == place));
        let mut lately = Histogram::default();
        for (at, live) in clones {
            let Some(so_far) = live.take_latency() else { continue };
            lately.merge(&so_far.after(self.before.get(at)));
            self.before.insert(*at, so_far);
        }
        lately
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_stats::JobResult;

    fn counted(values_ns: &[u64], since_ns: u64) -> LatencySoFar {
        let mut result = JobResult::default();
        let stats = &mut result.dirs.read.clat;
        values_ns.iter().for_each(|value| stats.histogram.record(*value));
        LatencySoFar::of(&result, since_ns)
    }

    const QUARTER: Duration = Duration::from_millis(250);

    /// A look at a job of one clone.
    fn look_at(view: &mut LatencyView, live: &CloneCounters, now: Instant) -> Option<LiveLatency> {
        view.look(now, [(0, live)].into_iter())
    }

    #[test]
    fn the_first_latencies_are_there_at_the_look_after_the_first_ios() {
        let live = CloneCounters::default();
        let mut view = LatencyView::default();
        let begun = Instant::now();
        let mut look = |quarter: u32| look_at(&mut view, &live, begun + quarter * QUARTER);
        look(0);
        live.give_latency(counted(&[], 5));
        assert_eq!(look(1), None, "no I/O is over yet");
        assert!(live.latency_due(), "it is asked at once");
        live.give_latency(counted(&[100], 5));
        let first = Some(LiveLatency { p50_ns: 100, p99_ns: 100, max_ns: 100 });
        assert_eq!(look(2), first);
        assert!(!live.latency_due(), "from then on about once a second");
        assert_eq!(look(3), first);
    }

    #[test]
    fn each_second_tells_its_own_latencies() {
        let live = CloneCounters::default();
        let mut view = LatencyView::default();
        let begun = Instant::now();
        let mut look = |second: u32| look_at(&mut view, &live, begun + 4 * second * QUARTER);
        assert_eq!(look(0), None, "nothing was answered yet");
        assert!(live.latency_due());
        live.give_latency(counted(&[100, 100], 5));
        assert!(!live.latency_due());
        assert_eq!(look(1), Some(LiveLatency { p50_ns: 100, p99_ns: 100, max_ns: 100 }));
        live.give_latency(counted(&[100, 100, 50, 50, 120], 5));
        assert_eq!(look(2), Some(LiveLatency { p50_ns: 50, p99_ns: 120, max_ns: 120 }));
        assert_eq!(look(3), None, "who is stuck has no latency");
        live.give_latency(counted(&[70, 70, 70, 70, 70, 70], 9));
        let anew = Some(LiveLatency { p50_ns: 70, p99_ns: 70, max_ns: 70 });
        assert_eq!(look(4), anew, "what a ramp counted is forgotten");
    }

    #[test]
    fn the_latencies_of_a_job_are_not_those_of_the_one_before() {
        let (first, second) = (CloneCounters::default(), CloneCounters::default());
        let mut view = LatencyView::default();
        let begun = Instant::now();
        view.look(begun, [(0, &first)].into_iter());
        first.give_latency(counted(&[100], 5));
        assert!(view.look(begun + QUARTER, [(0, &first)].into_iter()).is_some());
        assert_eq!(view.look(begun + 2 * QUARTER, [(1, &second)].into_iter()), None);
        second.give_latency(counted(&[70], 9));
        let own = Some(LiveLatency { p50_ns: 70, p99_ns: 70, max_ns: 70 });
        assert_eq!(view.look(begun + 3 * QUARTER, [(1, &second)].into_iter()), own);
    }
}
