//! The due times of a paced loop: the next I/O that waits, and those in flight.

use fathom_stats::OpenLoop;
use fathom_vocab::{Direction, PerDirection};
use fathom_workload::{PacedMix, Workload};

/// Due times of one loop.
#[derive(Debug)]
pub(crate) struct DueTimes {
    /// When the next I/Os are due: those from `at` to `made`.
    ahead_ns: [u64; Workload::AHEAD],
    at: usize,
    made: usize,
    /// Whether no I/O waits and none is counted: what was written is being read back.
    is_free: bool,
    /// For a mix whose rates decide the next direction.
    pub mix: Option<Box<PacedMix>>,
    /// The due time of the I/O in each slot; empty without a schedule.
    by_slot: Vec<u64>,
    /// Completed I/Os that are not counted yet.
    late: PerDirection<LateIos>,
    /// When the I/O that is being issued was due.
    issued_due_ns: u64,
    /// The moment that the loop waits for, or [`UNKNOWN`], or [`COMPLETION`].
    wait_until_ns: u64,
}

/// How many I/Os are counted at a time, which takes half the instructions of one by one.
const LATE: usize = 32;

/// By how much the last I/Os of a direction were late, and how long they took from their due time.
#[derive(Debug, Default)]
struct LateIos {
    count: usize,
    waits_ns: [u64; LATE],
    responses_ns: [u64; LATE],
}

impl LateIos {
    /// Adds one: whether the list is full.
    #[inline(always)]
    fn add(&mut self, wait_ns: u64, response_ns: u64) -> bool {
        // Never full here; the remainder proves that to the compiler.
        let at = self.count % LATE;
        self.waits_ns[at] = wait_ns;
        self.responses_ns[at] = response_ns;
        self.count = at + 1;
        self.count == LATE
    }
}

/// No moment.
const UNKNOWN: u64 = u64::MAX;
/// Nothing may be due before an I/O in flight has completed.
const COMPLETION: u64 = u64::MAX - 1;

impl DueTimes {
    /// For `depth` slots; `schedule` if response times count from due times, `mixed` if reads and
    /// writes have their own rates.
    pub fn new(depth: u32, schedule: bool, mixed: bool) -> DueTimes {
        DueTimes {
            ahead_ns: [0; Workload::AHEAD],
            at: 0,
            made: 0,
            is_free: false,
            mix: (schedule && mixed).then(Box::default),
            by_slot: vec![0; if schedule { depth as usize } else { 0 }],
            late: PerDirection::default(),
            issued_due_ns: 0,
            wait_until_ns: UNKNOWN,
        }
    }

    /// Without pace, for a while.
    pub fn free() -> DueTimes {
        DueTimes { is_free: true, ..DueTimes::new(0, false, false) }
    }

    /// Whether no I/O waits and none is counted.
    #[inline(always)]
    pub fn is_free(&self) -> bool {
        self.is_free
    }

    /// Whether a schedule defines the due time of each I/O.
    pub fn is_schedule(&self) -> bool {
        !self.by_slot.is_empty()
    }

    /// Starts another iteration of the loop, without a known wait.
    #[inline(always)]
    pub fn begin_turn(&mut self) {
        self.wait_until_ns = UNKNOWN;
    }

    /// Whether the due time of the next I/O is made.
    #[inline(always)]
    pub fn has_next(&self) -> bool {
        self.at < self.made
    }

    /// Has `make` write the due times of the next I/Os, counted from `origin_ns`, and return how
    /// many they are.
    pub fn refill(&mut self, origin_ns: u64, make: impl FnOnce(&mut [u64]) -> usize) {
        self.at = 0;
        self.made = make(&mut self.ahead_ns).min(Workload::AHEAD);
        for due_ns in &mut self.ahead_ns[..self.made] {
            *due_ns = due_ns.saturating_add(origin_ns);
        }
    }

    /// The due time of the next I/O; only where [`DueTimes::has_next`].
    #[inline(always)]
    pub fn next_due_ns(&self) -> u64 {
        // Never beyond the end; the remainder proves that to the compiler.
        self.ahead_ns[self.at % Workload::AHEAD]
    }

    /// The next I/O is issued.
    #[inline(always)]
    pub fn take_next(&mut self) {
        self.issued_due_ns = self.next_due_ns();
        self.at += 1;
    }

    /// No I/O is due before that moment.
    #[inline(always)]
    pub fn wait_until(&mut self, due_ns: u64) {
        self.wait_until_ns = due_ns.min(COMPLETION - 1);
    }

    /// Nothing is due before an I/O in flight has completed.
    #[inline(always)]
    pub fn hold(&mut self) {
        self.wait_until_ns = COMPLETION;
    }

    /// Whether the loop waits for a moment or for a completion.
    #[inline(always)]
    pub fn is_waiting(&self) -> bool {
        self.wait_until_ns != UNKNOWN
    }

    /// The moment that the loop waits for.
    pub fn next_moment_ns(&self) -> Option<u64> {
        (self.wait_until_ns < COMPLETION).then_some(self.wait_until_ns)
    }

    /// The I/O that is issued next was due at that moment.
    #[inline(always)]
    pub fn issue_due(&mut self, due_ns: u64) {
        self.issued_due_ns = due_ns;
    }

    /// The I/O that is issued next has this slot: remembers when it was due.
    #[inline(always)]
    pub fn issued_in(&mut self, slot: u32) {
        if let Some(due_ns) = self.by_slot.get_mut(slot as usize) {
            *due_ns = self.issued_due_ns;
        }
    }

    /// The I/O of this slot was taken up and completed at these moments, with a schedule: whether
    /// it is time to count it and those before.
    #[inline(always)]
    pub fn completed(&mut self, dir: Direction, slot: u32, start_ns: u64, end_ns: u64) -> bool {
        // An I/O is never taken up before it is due; the clock of another core may disagree.
        let due_ns = self.by_slot[slot as usize].min(start_ns);
        self.late[dir].add(start_ns - due_ns, end_ns.saturating_sub(due_ns))
    }

    /// Whether I/Os wait to be counted.
    pub fn has_late(&self) -> bool {
        self.late.iter().any(|(_, late)| late.count > 0)
    }

    /// Counts the I/Os that wait for it.
    pub fn count_late(&mut self, into: &mut OpenLoop) {
        for dir in Direction::ALL {
            let late = &mut self.late[dir];
            let count = std::mem::take(&mut late.count);
            if count > 0 {
                into.record_all(dir, &late.waits_ns[..count], &late.responses_ns[..count]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_io_waits_for_its_moment_and_is_taken_once() {
        let mut due = DueTimes::new(2, false, true);
        assert!(!due.has_next() && !due.is_waiting() && due.mix.is_none());
        due.refill(20, |into| {
            into[..2].copy_from_slice(&[30, 40]);
            2
        });
        due.wait_until(50);
        assert_eq!((due.is_waiting(), due.next_moment_ns()), (true, Some(50)));
        due.begin_turn();
        assert!(due.has_next() && !due.is_waiting());
        assert_eq!(due.next_due_ns(), 50);
        due.take_next();
        assert_eq!(due.next_due_ns(), 60);
        due.take_next();
        assert!(!due.has_next());
        due.hold();
        assert_eq!((due.is_waiting(), due.next_moment_ns()), (true, None));
    }

    /// What is counted of a read of slot 1 that was taken up at 90 and done at 95.
    fn counted(due: &mut DueTimes) -> (u64, u64) {
        assert!(!due.completed(Direction::Read, 1, 90, 95) && due.has_late());
        let mut open = OpenLoop::default();
        due.count_late(&mut open);
        assert!(!due.has_late());
        (open.wait.read.moments.max, open.response.read.moments.max)
    }

    #[test]
    fn only_a_schedule_remembers_when_slots_were_due() {
        let mut open = DueTimes::new(2, true, true);
        open.issue_due(70);
        open.issued_in(1);
        assert!(open.is_schedule() && open.mix.is_some());
        assert_eq!(counted(&mut open), (20, 25));
        let mut closed = DueTimes::new(2, false, false);
        closed.issue_due(70);
        closed.issued_in(1);
        assert!(!closed.is_schedule());
    }
}
