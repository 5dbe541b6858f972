//! The due times of a paced loop: the next I/O that waits, and those in flight.

use fathom_workload::{Io, PacedMix};

/// Due times of one loop.
#[derive(Debug)]
pub(crate) struct DueTimes {
    /// An I/O that is not due yet, and when it is.
    pending: Option<(Io, u64)>,
    /// For a mix whose rates decide the next direction.
    pub mix: Option<Box<PacedMix>>,
    /// The due time of the I/O in each slot; empty without a schedule.
    by_slot: Vec<u64>,
    /// When the I/O that is being issued was due.
    next_ns: u64,
    wait_until_ns: Option<u64>,
    /// Whether nothing may be due before an I/O in flight has completed.
    held: bool,
}

impl DueTimes {
    /// For `depth` slots; `schedule` if response times count from due times, `mixed` if reads and
    /// writes have their own rates.
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

    /// Whether a schedule defines the due time of each I/O.
    pub fn is_schedule(&self) -> bool {
        !self.by_slot.is_empty()
    }

    /// Starts another iteration of the loop, without a known wait.
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

    /// The due time of a slot's I/O, with a schedule.
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
