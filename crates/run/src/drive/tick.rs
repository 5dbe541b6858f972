//! Periodic work: stop rules, samples, the view from outside.

use super::{Drive, settle};
use crate::control::State;
use crate::latency_so_far::LatencySoFar;
use crate::record::Recorder;
use crate::timeline::Timeline;
use fathom_engine::Engine;
use fathom_stats::JobResult;
use fathom_vocab::ErrorNumber;
use fathom_workload::{Pacer, Shortfall};

impl<E: Engine, P: Pacer, R: Recorder> Drive<'_, E, P, R> {
    /// Periodic work: stop rules, samples, the live view.
    #[cold]
    pub(super) fn tick(&mut self) {
        self.count_waits();
        if self.checks.as_ref().is_some_and(|checks| checks.is_backlog_due()) {
            self.read_backlog();
        }
        if self.p.timeline.ramp_is_over(self.now_ns) {
            self.p.timeline.end_ramp(self.now_ns, &mut self.p.result);
            self.count_in_flight();
            self.p.recorder.reset(self.now_ns);
            self.env.live.set_state(State::Running);
        }
        self.p.timeline.sample(self.now_ns, &mut self.p.result);
        self.publish();
        let stopped = self.env.live.stopping() || self.env.control.stopping();
        let is_over = self.p.timeline.is_over(self.now_ns) && !self.is_reading_back();
        if stopped || is_over {
            self.ending.end();
        }
        if let Some(what) = self.below_minimum().filter(|_| !self.is_reading_back()) {
            self.fail(&what, ErrorNumber::EIO);
        }
        if let Some(trace) = self.env.trace {
            trace.flush();
        }
        if let Some(log) = self.env.log {
            log.append();
        }
        if self.env.live.snapshot_due() {
            self.give_snapshot();
        }
        if self.env.live.latency_due() {
            self.give_latency();
        }
        self.p.timeline.plan_next_tick(self.now_ns);
        self.ending.check_at(self.p.timeline.next_tick_ns());
        // All of this took time, which belongs to no I/O.
        self.now_ns = self.env.clock.now_ns();
    }

    /// Out of line: its copies would otherwise be on the stack of every tick.
    #[cold]
    #[inline(never)]
    fn give_snapshot(&self) {
        let so_far = self.p.result.clone();
        let mut so_far = finished(so_far, &self.p.timeline, self.now_ns);
        settle::<E, R>(&self.p.recorder, &mut so_far);
        self.env.live.give_snapshot(so_far);
    }

    /// A copy of the distributions, for viewers: out of line, as above.
    #[cold]
    #[inline(never)]
    fn give_latency(&self) {
        let since_ns = self.p.timeline.measured_from_ns();
        self.env.live.give_latency(LatencySoFar::of(&self.p.result, since_ns));
    }

    /// The message about a direction below `rate_min` or `rate_iops_min`.
    fn below_minimum(&self) -> Option<String> {
        self.p.pacer.below_minimum().map(|short| too_low(&self.job.name, &short))
    }

    pub(super) fn publish(&self) {
        use std::sync::atomic::Ordering::Relaxed;
        let live = self.env.live;
        let mut lat_sum = 0u128;
        for (dir, stats) in self.p.result.dirs.iter() {
            live.ios[dir.index()].store(stats.total_ios, Relaxed);
            live.bytes[dir.index()].store(stats.io_bytes, Relaxed);
            lat_sum += stats.clat.moments.sum;
        }
        live.lat_sum_ns.store(lat_sum as u64, Relaxed);
    }
}

/// A result as it would be if the run ended at `now_ns`. Not generic, as what follows: otherwise
/// each loop would have a copy.
#[inline(never)]
fn finished(mut so_far: Box<JobResult>, timeline: &Timeline, now_ns: u64) -> Box<JobResult> {
    timeline.clone().finish(now_ns, true, &mut so_far);
    so_far
}

/// The message about a direction below its minimum.
#[inline(never)]
fn too_low(job: &str, short: &Shortfall) -> String {
    let (option, unit) = if short.iops { ("rate_iops_min", " IOPS") } else { ("rate_min", "B/s") };
    let of = if short.iops { "" } else { unit };
    format!(
        "{job}: {option}={}{of} not met, got {}{unit} of {}s; lower {option}, or find out what \
         slows the job",
        short.wanted,
        short.reached,
        short.dir.name()
    )
}
