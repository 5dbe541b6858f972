//! When a loop flushes its writes (`fsync`, `fdatasync`): after a number of writes, but not after
//! the last of a job, as in fio.

use fathom_job::JobSpec;
use fathom_vocab::Op;
use fathom_workload::{Io, Workload};

/// Writes since the last flush, and how many call for the next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlushPolicy {
    fsync_every: u64,
    fdatasync_every: u64,
    writes: u64,
    last_file: u32,
    /// Bytes that the job may still issue.
    bytes_left: u64,
}

impl FlushPolicy {
    /// The policy of `job`.
    pub fn of(job: &JobSpec, workload: &Workload) -> FlushPolicy {
        FlushPolicy {
            fsync_every: job.flush.fsync_blocks,
            fdatasync_every: job.flush.fdatasync_blocks,
            writes: 0,
            last_file: 0,
            bytes_left: bytes_to_issue(job, workload),
        }
    }

    /// Whether there are flushes at all.
    #[inline(always)]
    pub fn is_on(&self) -> bool {
        self.fsync_every | self.fdatasync_every > 0
    }

    /// Counts a write.
    #[inline(always)]
    pub fn count(&mut self, io: &Io) {
        self.last_file = io.file;
        self.writes += 1;
        self.bytes_left = self.bytes_left.saturating_sub(u64::from(io.len));
    }

    /// The flush before the next write, if one is due.
    #[inline(always)]
    pub fn due(&self) -> Option<Op> {
        if self.writes == 0 { None } else { self.after_writes() }
    }

    fn after_writes(&self) -> Option<Op> {
        if self.bytes_left == 0 {
            return None;
        }
        let due = |every: u64| every > 0 && self.writes >= every;
        match () {
            () if due(self.fsync_every) => Some(Op::Fsync),
            () if due(self.fdatasync_every) => Some(Op::Fdatasync),
            () => None,
        }
    }

    /// Begins the flush: the file that it is for.
    pub fn begin(&mut self) -> u32 {
        self.writes = 0;
        self.last_file
    }
}

/// All bytes that a write-only job will issue; unlimited if time or a mix decides.
fn bytes_to_issue(job: &JobSpec, workload: &Workload) -> u64 {
    if job.extent.time_based || job.pattern.rw.read {
        return u64::MAX;
    }
    workload.pass_bytes().saturating_mul(job.extent.loops)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_job::job_from_options;
    use fathom_vocab::Direction;
    use fathom_workload::FileExtent;

    fn policy(options: &[(&str, &str)]) -> FlushPolicy {
        let all = [&[("rw", "write"), ("bs", "4k"), ("size", "16k")], options].concat();
        let job = job_from_options("j", &all).unwrap();
        let file = FileExtent::whole(16_384);
        FlushPolicy::of(&job, &Workload::new(&job, &[file], 1).unwrap())
    }

    fn write(policy: &mut FlushPolicy, file: u32) {
        policy.count(&Io { dir: Direction::Write, file, offset: 0, len: 4096 });
    }

    #[test]
    fn a_flush_follows_so_many_writes_but_not_the_last() {
        let mut policy = policy(&[("fsync", "2")]);
        assert!(policy.is_on() && policy.due().is_none());
        write(&mut policy, 0);
        assert_eq!(policy.due(), None);
        write(&mut policy, 3);
        assert_eq!((policy.due(), policy.begin(), policy.due()), (Some(Op::Fsync), 3, None));
        write(&mut policy, 0);
        write(&mut policy, 0);
        assert_eq!(policy.due(), None, "16 KiB are all that the job writes");
    }

    #[test]
    fn the_heavier_flush_comes_first_and_none_where_none_is_asked_for() {
        let mut both = policy(&[("fsync", "2"), ("fdatasync", "1")]);
        write(&mut both, 0);
        assert_eq!(both.due(), Some(Op::Fdatasync));
        write(&mut both, 0);
        assert_eq!(both.due(), Some(Op::Fsync));
        let mut none = policy(&[]);
        write(&mut none, 0);
        assert!(!none.is_on() && none.due().is_none());
    }
}
