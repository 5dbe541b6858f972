//! When the I/Os of a paced loop are due: which one waits for its moment, and what is known of
//! those that are under way.

use fathom_workload::{Io, PacedMix};

/// Due times of one loop.
#[derive(Debug)]
pub(crate) struct DueTimes {
    /// An I/O that is not due yet, and when it is.
    pending: Option<(Io, u64)>,
    /// Where rates decide which of a mix comes next.
    pub mix: Option<Box<PacedMix>>,
    /// When the I/O of each slot was due; empty where no schedule says so.
    by_slot: Vec<u64>,
    /// When the I/O that is being issued was due.
    next_ns: u64,
    wait_until_ns: Option<u64>,
    /// Whether nothing may be due before an I/O in flight has completed.
    held: bool,
}

impl DueTimes {
    /// For `depth` slots; `schedule` where response times count from due times, `mixed` where reads
    /// and writes have rates of their own.
    pub fn new(depth: u32, schedule: bool, mixed: bool) -> DueTimes {
        DueTimes {
            pending: None,
            mix: (schedule && mixed).then(Box::default),
            by_slot: vec![0; if schedule { depth as usize } else { 0 }],
            next_ns: 0,
            wait_until_ns: None,
            held: false,
        }
    }

    /// Whether a schedule says when each I/O is due.
    pub fn is_schedule(&self) -> bool {
        !self.by_slot.is_empty()
    }

    /// Another turn of the loop: nothing is known yet of what it will wait for.
    #[inline(always)]
    pub fn begin_turn(&mut self) {
        self.wait_until_ns = None;
        self.held = false;
    }

    /// Whether an I/O waits for its moment.
    #[inline(always)]
    pub fn has_pending(&self) -> bool {
        self.pending.is_some()
    }

    /// The I/O that waits for its moment.
    #[inline(always)]
    pub fn take_pending(&mut self) -> Option<(Io, u64)> {
        self.pending.take()
    }

    /// The I/O is not due before that moment.
    #[inline(always)]
    pub fn put_off(&mut self, io: Io, due_ns: u64) {
        self.pending = Some((io, due_ns));
        self.wait_until_ns = Some(due_ns);
    }

    /// No I/O is due before that moment.
    #[inline(always)]
    pub fn wait_until(&mut self, due_ns: u64) {
        self.wait_until_ns = Some(due_ns);
    }

    /// Nothing is due before an I/O in flight has completed.
    #[inline(always)]
    pub fn hold(&mut self) {
        self.held = true;
    }

    /// Whether the loop waits for a moment or for a completion.
    #[inline(always)]
    pub fn is_waiting(&self) -> bool {
        self.wait_until_ns.is_some() || self.held
    }

    /// The moment that the loop waits for.
    pub fn next_moment_ns(&self) -> Option<u64> {
        self.wait_until_ns
    }

    /// The I/O that is issued next was due at that moment.
    #[inline(always)]
    pub fn issue_due(&mut self, due_ns: u64) {
        self.next_ns = due_ns;
    }

    /// The I/O that is issued next has this slot: remembers when it was due.
    #[inline(always)]
    pub fn issued_in(&mut self, slot: u32) {
        if let Some(due_ns) = self.by_slot.get_mut(slot as usize) {
            *due_ns = self.next_ns;
        }
    }

    /// When the I/O of a slot was due, where a schedule said so.
    #[inline(always)]
    pub fn of_slot(&self, slot: u32) -> Option<u64> {
        self.by_slot.get(slot as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_vocab::Direction;

    const IO: Io = Io { dir: Direction::Read, file: 0, offset: 0, len: 512 };

    #[test]
    fn an_io_waits_for_its_moment_and_is_taken_once() {
        let mut due = DueTimes::new(2, false, true);
        assert!(!due.has_pending() && !due.is_waiting() && due.mix.is_none());
        due.put_off(IO, 50);
        assert_eq!((due.is_waiting(), due.next_moment_ns()), (true, Some(50)));
        due.begin_turn();
        assert!(due.has_pending() && !due.is_waiting());
        assert_eq!((due.take_pending(), due.take_pending()), (Some((IO, 50)), None));
        due.hold();
        assert_eq!((due.is_waiting(), due.next_moment_ns()), (true, None));
    }

    #[test]
    fn only_a_schedule_remembers_when_slots_were_due() {
        let mut open = DueTimes::new(2, true, true);
        open.issue_due(70);
        open.issued_in(1);
        assert_eq!((open.of_slot(0), open.of_slot(1)), (Some(0), Some(70)));
        assert!(open.is_schedule() && open.mix.is_some());
        let mut closed = DueTimes::new(2, false, false);
        closed.issue_due(70);
        closed.issued_in(1);
        assert_eq!((closed.of_slot(1), closed.is_schedule()), (None, false));
    }
}
