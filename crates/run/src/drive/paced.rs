//! A loop whose I/Os are due at fixed moments.

use super::{Drive, LoopParts};
use crate::record::Recorder;
use fathom_engine::Engine;
use fathom_vocab::{Direction, PerDirection};
use fathom_workload::{NextIo, Pacer, Workload};
use std::time::Duration;

/// Beyond these a backlog is hopeless, and its exact length not worth the time to count it.
const OVERDUE_COUNTED: u32 = 1 << 20;

impl<E: Engine, P: Pacer, R: Recorder> Drive<'_, E, P, R> {
    /// Issues the next I/O if it is due; false if none is.
    #[inline(always)]
    pub(super) fn issue_when_due(&mut self) -> bool {
        // Nothing may be due before an I/O in flight has completed.
        if !self.due.has_next() && !self.due.is_free() && self.p.pacer.holds_back() {
            self.due.hold();
            return false;
        }
        if self.due.mix.is_some() {
            return self.issue_of_mix();
        }
        let Some(due_ns) = self.next_due_ns() else { return false };
        if due_ns > self.now_ns {
            self.due.wait_until(due_ns);
            return false;
        }
        self.due.take_next();
        let io = self.p.workload.take();
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

    /// When the workload's next I/O is due.
    #[inline(always)]
    fn next_due_ns(&mut self) -> Option<u64> {
        (self.due.has_next() || self.make_due_times()).then(|| self.due.next_due_ns())
    }

    /// Asks the pacer, whose times count from the job's start, for as many due times as it can
    /// tell; without an I/O the job ends.
    #[inline(never)]
    fn make_due_times(&mut self) -> bool {
        if !self.p.workload.is_ready() && !self.refill() {
            return false;
        }
        let origin_ns = self.p.timeline.started_ns();
        let LoopParts { workload, pacer, .. } = &mut self.p;
        let (dirs, lens) = workload.ahead();
        let since_ns = self.now_ns - origin_ns;
        let is_free = self.due.is_free();
        self.due.refill(origin_ns, |into| match is_free {
            true => {
                into.fill(0);
                dirs.len()
            }
            false => pacer.make_due_times(dirs, lens, since_ns, into),
        });
        if R::TIMED {
            // The pacer's own time is not the volume's.
            self.now_ns = self.env.clock.now_ns();
        }
        true
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

    /// Counts how late completed I/Os were, which is postponed.
    #[inline(never)]
    pub(super) fn count_waits(&mut self) {
        if P::PACED && self.due.has_late() {
            self.due.count_late(self.p.result.open_loop.get_or_insert_default());
        }
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
            self.next_due_ns().filter(|due_ns| *due_ns <= self.now_ns)?;
            self.due.take_next();
            return Some(self.p.workload.take().dir);
        }
        match self.next_of_mix() {
            NextIo::Due(io, _) => Some(io.dir),
            _ => None,
        }
    }
}
