//! A loop whose I/Os are due at fixed moments.

use super::{Drive, LoopParts};
use crate::record::Recorder;
use fathom_engine::Engine;
use fathom_vocab::{Direction, PerDirection};
use fathom_workload::{Io, NextIo, Pacer, Workload};
use std::time::Duration;

/// Beyond these a backlog is hopeless, and its exact length not worth the time to count it.
const OVERDUE_COUNTED: u32 = 1 << 20;

impl<E: Engine, P: Pacer, R: Recorder> Drive<'_, E, P, R> {
    /// Issues the next I/O if it is due; false if none is.
    #[inline(always)]
    pub(super) fn issue_when_due(&mut self) -> bool {
        // Nothing may be due before an I/O in flight has completed.
        if !self.due.has_pending() && self.p.pacer.holds_back() {
            self.due.hold();
            return false;
        }
        if self.due.mix.is_some() {
            return self.issue_of_mix();
        }
        let Some((io, due_ns)) = self.next_due() else { return false };
        if due_ns > self.now_ns {
            self.due.put_off(io, due_ns);
            return false;
        }
        self.due.issue_due(due_ns);
        self.start(io)
    }

    /// Issues the read or the write that is due first, where each direction has its own rate.
    fn issue_of_mix(&mut self) -> bool {
        match self.next_of_mix() {
            NextIo::Due(io, due_ns) => {
                self.due.issue_due(due_ns);
                self.start(io)
            }
            NextIo::NotBefore(due_ns) => {
                self.due.wait_until(due_ns);
                false
            }
            NextIo::Over => {
                self.ending.end();
                false
            }
        }
    }

    /// The next I/O of the mix.
    fn next_of_mix(&mut self) -> NextIo {
        let origin_ns = self.p.timeline.started_ns();
        let now_ns = self.now_ns - origin_ns;
        let Some(mix) = &mut self.due.mix else { return NextIo::Over };
        let LoopParts { workload, pacer, .. } = &mut self.p;
        let another = |workload: &mut Workload| self.ending.begin_pass(workload);
        match mix.next_io(workload, pacer, now_ns, another) {
            NextIo::Due(io, due_ns) => NextIo::Due(io, origin_ns + due_ns),
            NextIo::NotBefore(due_ns) => NextIo::NotBefore(origin_ns + due_ns),
            NextIo::Over => NextIo::Over,
        }
    }

    /// The next I/O and when it is due.
    #[inline(always)]
    fn next_due(&mut self) -> Option<(Io, u64)> {
        match self.due.take_pending() {
            Some(pending) => Some(pending),
            None if self.p.workload.is_ready() || self.refill() => {
                let io = self.p.workload.take();
                Some((io, self.due_ns(&io)))
            }
            None => None,
        }
    }

    /// The due time from the pacer, whose times count from the job's start.
    fn due_ns(&mut self, io: &Io) -> u64 {
        let origin = self.p.timeline.started_ns();
        origin + self.p.pacer.due_ns(io.dir, io.len, self.now_ns - origin)
    }

    /// Nothing is in flight and nothing is due: waits.
    pub(super) fn wait(&mut self) {
        if let Some(until_ns) = self.due.next_moment_ns() {
            self.sleep_until(until_ns);
        }
    }

    /// Reaps completions while the next I/O is not due.
    pub(super) fn reap_until_due(&mut self) {
        let until_ns = self.due.next_moment_ns().unwrap_or(u64::MAX);
        let left_ns = until_ns.min(self.p.timeline.next_tick_ns()).saturating_sub(self.now_ns);
        self.reap_some(1, self.batch.most, Some(Duration::from_nanos(left_ns)));
    }

    /// Sleeps towards a moment, but never past the next tick. The last stretch is spun, since a
    /// sleeping thread wakes tens of microseconds late.
    #[cold]
    fn sleep_until(&mut self, until_ns: u64) {
        const SPIN_NS: u64 = 60_000;
        let until_ns = until_ns.min(self.p.timeline.next_tick_ns());
        let now_ns = self.env.clock.now_ns();
        let spinning = self.p.pacer.spin_until_ns() + self.p.timeline.started_ns() > now_ns;
        if until_ns > now_ns + SPIN_NS && !spinning {
            self.env.clock.sleep_until(until_ns - SPIN_NS);
        }
        self.now_ns = self.env.clock.spin_until(until_ns);
    }

    /// Counts the backlog: I/Os that were due by now and will never be taken up, of which no
    /// latency tells, and those in flight, which the drain completes after the end.
    #[cold]
    pub(super) fn count_overdue(&mut self) {
        if !P::PACED || !self.due.is_schedule() || self.ending.has_no_pass() {
            return;
        }
        let mut overdue = PerDirection::splat(0);
        for _ in 0..OVERDUE_COUNTED {
            match self.next_overdue() {
                Some(dir) => overdue[dir] += 1,
                None => break,
            }
        }
        let open = self.p.result.open_loop.get_or_insert_default();
        open.overdue_ios = overdue;
        open.in_flight_ios = u64::from(self.slots.in_flight());
    }

    /// The direction of the next I/O, if that was due by now.
    fn next_overdue(&mut self) -> Option<Direction> {
        if self.due.mix.is_none() {
            return self.next_due().filter(|due| due.1 <= self.now_ns).map(|(io, _)| io.dir);
        }
        match self.next_of_mix() {
            NextIo::Due(io, _) => Some(io.dir),
            _ => None,
        }
    }
}
