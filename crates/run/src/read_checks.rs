//! The reads of a loop that are checked, and the write that each shall find.

use fathom_job::JobSpec;
use fathom_workload::{ExpectedWrite, ReadBack};

/// The reads that are checked.
pub(crate) struct ReadChecks {
    /// What the second phase reads; none if the job only reads.
    back: Option<ReadBack>,
    /// How many reads of it were begun.
    begun: u64,
    /// What the read of each slot shall find.
    expected: Vec<Option<ExpectedWrite>>,
}

impl ReadChecks {
    /// The checks of reads: of the second phase, or of a job that only reads.
    pub fn new(back: Option<ReadBack>) -> Box<ReadChecks> {
        Box::new(ReadChecks { back, begun: 0, expected: Vec::new() })
    }

    /// The checks of a job that reads what others wrote; the reads of one that also writes are not
    /// checked while it writes, as in fio.
    pub fn of_reader(job: &JobSpec) -> Option<Box<ReadChecks>> {
        let only_reads = job.pattern.rw.read && !job.pattern.rw.write;
        (job.verify.method.is_some() && only_reads).then(|| ReadChecks::new(None))
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

    /// Whether they are those of the second phase.
    pub fn is_second_phase(&self) -> bool {
        self.back.is_some()
    }
}
