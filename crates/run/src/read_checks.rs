//! The reads of a loop that are checked, and the write that each shall find.

use fathom_job::JobSpec;
use fathom_vocab::Direction;
use fathom_workload::{ExpectedWrite, Io, ReadBack};

/// The reads that are checked.
pub(crate) struct ReadChecks {
    /// What is being read back, if anything.
    back: Option<ReadBack>,
    /// How many reads of it were begun.
    begun: u64,
    /// What the read of each slot shall find.
    expected: Vec<Option<ExpectedWrite>>,
    /// The writes that were not read back, if that is done every so often.
    backlog: Option<Vec<(Io, ExpectedWrite)>>,
    backlog_limit: usize,
    backlog_batch: usize,
    /// Whether reads of the job itself are checked.
    checks_all: bool,
}

impl ReadChecks {
    /// The checks of a job that verifies. Where a job only reads, what others wrote is checked; the
    /// reads of one that also writes are not, as in fio.
    pub fn of(job: &JobSpec) -> Option<Box<ReadChecks>> {
        let verify = &job.verify;
        verify.method?;
        let limit = usize::try_from(verify.backlog).unwrap_or(usize::MAX);
        let batch = usize::try_from(verify.backlog_batch).unwrap_or(usize::MAX);
        let has_backlog = limit > 0 && job.reads_back() && !verify.only;
        Some(Box::new(ReadChecks {
            back: None,
            begun: 0,
            expected: Vec::new(),
            backlog: has_backlog.then(Vec::new),
            backlog_limit: limit,
            backlog_batch: if batch == 0 { limit } else { batch },
            checks_all: job.pattern.rw.read && !job.pattern.rw.write,
        }))
    }

    /// Notes a write, if it may have to be read back soon: whether it is time for that.
    pub fn note_write(&mut self, number: u64, io: &Io) -> bool {
        if let Some(backlog) = &mut self.backlog {
            let read = Io { dir: Direction::Read, ..*io };
            backlog.push((read, ExpectedWrite::only(number)));
        }
        self.is_backlog_due()
    }

    /// Whether it is time to read back a part of what was written.
    pub fn is_backlog_due(&self) -> bool {
        self.back.is_none()
            && self.backlog.as_ref().is_some_and(|backlog| backlog.len() >= self.backlog_limit)
    }

    /// The oldest writes that were not read back, as many as are read back at a time.
    pub fn take_batch(&mut self, job: &JobSpec) -> Option<ReadBack> {
        let backlog = self.backlog.as_mut()?;
        Some(ReadBack::of_oldest(job, backlog, self.backlog_batch))
    }

    /// All writes that were not read back, if they were noted.
    pub fn take_rest(&mut self, job: &JobSpec) -> Option<ReadBack> {
        let backlog = self.backlog.as_mut()?;
        Some(ReadBack::of_oldest(job, backlog, usize::MAX))
    }

    /// From now on, `back` is read.
    pub fn begin_phase(&mut self, back: ReadBack) {
        (self.back, self.begun) = (Some(back), 0);
    }

    /// It was read.
    pub fn end_phase(&mut self) -> Option<ReadBack> {
        self.expected.clear();
        self.back.take()
    }

    /// A read begins in a slot.
    pub fn begin(&mut self, slot: u32) {
        let Some(back) = &self.back else { return };
        let slot = slot as usize;
        if slot >= self.expected.len() {
            self.expected.resize(slot + 1, None);
        }
        self.expected[slot] = Some(back.expected(self.begun));
        self.begun += 1;
    }

    /// What the read in a slot shall find, if that is known.
    pub fn expected(&self, slot: u32) -> Option<ExpectedWrite> {
        self.expected.get(slot as usize).copied().flatten()
    }

    /// Whether reads are checked now.
    pub fn is_checking(&self) -> bool {
        self.checks_all || self.is_reading_back()
    }

    /// Whether what was written is being read back.
    pub fn is_reading_back(&self) -> bool {
        self.back.is_some()
    }
}
