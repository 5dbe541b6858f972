//! The number of I/Os that are submitted and reaped at a time.
//!
//! By default it is one at a time, as in fio: a kernel that receives many holds them back until it
//! has seen the last, so the device starts late and the depth is refilled in bursts (measured on
//! virtio: a tenth of the random reads lost, and ten times the submission latency). If an I/O
//! completes during its submission, as from the page cache or on zram, nothing runs in parallel and
//! a batch only saves system calls. The loop distinguishes both cases by whether the last submitted
//! I/O is among the first completions; it checks that now and then.

use fathom_job::JobSpec;

/// No device behind a queue is this fast, and a system call takes no longer.
const AT_ONCE_NS: u64 = 5_000;

/// The batch rule of one loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batch {
    /// How many to hand over at a time.
    pub submit: u32,
    /// How many to take back at a time, at most.
    pub complete: u32,
    /// Whether the job left it to us.
    free: bool,
    /// Whether to check if the next full queue completes at once.
    asking: bool,
}

impl Batch {
    /// The rule for `job`, over `depth` slots.
    pub fn of(job: &JobSpec, depth: u32) -> Batch {
        let spec = &job.engine;
        let least = spec.batch_complete_min.max(1);
        let asked = spec.batch_submit.is_some() || spec.batch_complete_max.is_some();
        Batch {
            submit: spec.batch_submit.unwrap_or(1).clamp(1, depth),
            complete: spec.batch_complete_max.unwrap_or(least).max(least),
            free: !asked && least == 1 && depth > 1 && spec.iodepth_low.is_none(),
            asking: false,
        }
    }

    /// Checks again: the device's behaviour may have changed.
    pub fn ask(&mut self) {
        if self.free {
            (self.submit, self.complete) = (1, 1);
            self.asking = true;
        }
    }

    /// Whether the next full queue decides.
    pub fn asking(self) -> bool {
        self.asking
    }

    /// How many to take back from a full queue.
    #[inline(always)]
    pub fn to_reap(self) -> u32 {
        if self.asking { u32::MAX } else { self.complete }
    }

    /// Takes the number of I/Os left in flight after a full queue of `depth` was reaped, and the
    /// time since the last of them was submitted.
    #[inline(always)]
    pub fn learn(&mut self, in_flight: u32, depth: u32, since_last_ns: u64) {
        if self.asking {
            self.asking = false;
            // A delayed thread would find everything done on any device.
            if in_flight == 0 && since_last_ns < AT_ONCE_NS {
                (self.submit, self.complete) = (depth, depth);
            }
        } else if self.submit > 1 && self.free && in_flight > 0 {
            (self.submit, self.complete) = (1, 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(change: impl FnOnce(&mut JobSpec)) -> Batch {
        let mut job = JobSpec::default();
        change(&mut job);
        Batch::of(&job, 16)
    }

    #[test]
    fn one_at_a_time_until_the_device_completes_at_once() {
        let mut batch = rule(|_| {});
        assert_eq!((batch.submit, batch.to_reap()), (1, 1));
        batch.ask();
        assert_eq!(batch.to_reap(), u32::MAX);
        batch.learn(15, 16, 1_000);
        assert_eq!((batch.submit, batch.to_reap()), (1, 1));
        batch.ask();
        batch.learn(0, 16, 80_000);
        assert_eq!((batch.submit, batch.to_reap()), (1, 1), "the thread was held up");
        batch.ask();
        batch.learn(0, 16, 1_000);
        assert_eq!((batch.submit, batch.to_reap()), (16, 16));
        batch.learn(0, 16, 1_000);
        assert_eq!((batch.submit, batch.to_reap()), (16, 16));
        batch.learn(3, 16, 1_000);
        assert_eq!((batch.submit, batch.to_reap()), (1, 1));
    }

    #[test]
    fn what_the_job_asks_for_stays() {
        let mut batch = rule(|job| job.engine.batch_submit = Some(8));
        batch.ask();
        batch.learn(0, 16, 0);
        assert_eq!((batch.submit, batch.to_reap()), (8, 1));
        let batch = rule(|job| job.engine.batch_complete_max = Some(4));
        assert_eq!((batch.submit, batch.to_reap()), (1, 4));
    }
}
