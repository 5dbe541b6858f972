//! When a loop ends, and when it next checks for its end (a check costs more than an I/O).

use fathom_job::JobSpec;
use fathom_workload::Workload;

/// The remaining work of a loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ending {
    /// Passes over the workload, with the current one.
    passes_left: u64,
    over: bool,
    /// When the loop checks next: at the next tick, or at once when it is over.
    next_check_ns: u64,
}

impl Ending {
    /// The remaining work of `job`; none of one that only verifies what an earlier run wrote.
    pub fn of(job: &JobSpec) -> Ending {
        let passes_left = match job.extent.time_based {
            _ if job.only_verifies() => 0,
            true => u64::MAX,
            false => job.extent.loops,
        };
        Ending { passes_left, over: passes_left == 0, next_check_ns: 0 }
    }

    /// One pass, which nothing else ends.
    pub fn of_one_pass() -> Ending {
        Ending { passes_left: 1, over: false, next_check_ns: 0 }
    }

    /// Whether nothing more is begun.
    #[inline(always)]
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// The loop ends with the step that it is in.
    #[inline(always)]
    pub fn end(&mut self) {
        self.over = true;
        self.next_check_ns = 0;
    }

    /// Whether a check is due.
    #[inline(always)]
    pub fn is_time(&self, now_ns: u64) -> bool {
        now_ns >= self.next_check_ns
    }

    /// Checks again at that moment.
    pub fn check_at(&mut self, tick_ns: u64) {
        self.next_check_ns = tick_ns;
    }

    /// Whether all passes are over.
    pub fn has_no_pass(&self) -> bool {
        self.passes_left == 0
    }

    /// Begins the next pass, if one is left.
    #[cold]
    pub fn begin_pass(&mut self, workload: &mut Workload) -> bool {
        self.passes_left -= 1;
        let another = self.passes_left > 0;
        if another {
            workload.restart();
        }
        another
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_workload::FileExtent;

    #[test]
    fn passes_are_counted_down() {
        let mut job = JobSpec::default();
        job.extent.loops = 2;
        let file = FileExtent::whole(4096);
        let mut workload = Workload::new(&job, &[file], 1).unwrap();
        let mut ending = Ending::of(&job);
        assert!(workload.next_io().is_some() && workload.next_io().is_none());
        assert!(ending.begin_pass(&mut workload) && workload.next_io().is_some());
        assert!(!ending.begin_pass(&mut workload) && ending.has_no_pass());
        assert!(workload.next_io().is_none());
    }

    #[test]
    fn a_job_that_only_verifies_has_no_pass_of_its_own() {
        let mut job = JobSpec::default();
        job.verify.only = true;
        assert!(!Ending::of(&job).is_over(), "it reads");
        job.pattern.rw.write = true;
        assert!(Ending::of(&job).is_over() && Ending::of(&job).has_no_pass());
    }

    #[test]
    fn an_end_is_seen_at_once() {
        let mut ending = Ending::of(&JobSpec::default());
        ending.check_at(100);
        assert!(!ending.is_time(99) && ending.is_time(100) && !ending.is_over());
        ending.end();
        assert!(ending.is_time(0) && ending.is_over());
    }
}
