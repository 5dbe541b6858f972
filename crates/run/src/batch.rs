//! The number of I/Os that are submitted and reaped at a time.
//!
//! By default it is one at a time, as in fio, also where I/Os complete during their submission, as
//! from the page cache: system calls are part of the figure. A kernel that receives many at once
//! also holds them back until it has seen the last, so the device starts late and the depth is
//! refilled in bursts (measured on virtio: a tenth of the random reads lost, and ten times the
//! submission latency). Only the null engine, which makes no system call, uses whole batches.

use fathom_job::JobSpec;
use fathom_vocab::IoEngine;

/// The batch rule of one loop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Batch {
    /// How many to hand over at a time.
    pub submit: u32,
    /// How many completions to wait for.
    pub least: u32,
    /// How many to take back at a time, at most.
    pub most: u32,
}

impl Batch {
    /// The rule for `job`, over `depth` slots.
    pub fn of(job: &JobSpec, depth: u32) -> Batch {
        let spec = &job.engine;
        let min = spec.batch_complete_min;
        let given = spec.batch_submit.is_some() || spec.batch_complete_max.is_some() || min != 1;
        let usual = if spec.engine == IoEngine::Null && !given { depth } else { 1 };
        let submit = spec.batch_submit.unwrap_or(usual);
        // None at all to wait for would spin: at least one I/O of a full queue is waited for.
        let least = min.max(1);
        Batch {
            // 0 is the whole depth.
            submit: if submit == 0 { depth } else { submit.min(depth) },
            least,
            most: spec.batch_complete_max.unwrap_or(usual).max(least),
        }
    }
}

/// The number of slots that a job uses from its beginning on, if not all: with
/// `iodepth_batch_complete_min=0` and no other number of completions, fio waits for one after each
/// submission.
pub(crate) fn first_depth(job: &JobSpec) -> Option<u32> {
    let spec = &job.engine;
    (spec.batch_complete_min == 0 && spec.batch_complete_max.is_none()).then_some(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(set: impl FnOnce(&mut JobSpec)) -> (u32, u32, u32) {
        let mut job = JobSpec::default();
        job.engine.engine = IoEngine::Libaio;
        set(&mut job);
        let Batch { submit, least, most } = Batch::of(&job, 16);
        (submit, least, most)
    }

    #[test]
    fn one_at_a_time_unless_the_job_says_otherwise() {
        assert_eq!(rule(|_| {}), (1, 1, 1));
        assert_eq!(rule(|job| job.engine.batch_submit = Some(8)), (8, 1, 1));
        assert_eq!(rule(|job| job.engine.batch_submit = Some(0)), (16, 1, 1));
        assert_eq!(rule(|job| job.engine.batch_submit = Some(99)), (16, 1, 1));
        assert_eq!(rule(|job| job.engine.batch_complete_max = Some(4)), (1, 1, 4));
        assert_eq!(rule(|job| job.engine.batch_complete_min = 4), (1, 4, 4));
        assert_eq!(rule(|job| job.engine.batch_complete_min = 0), (1, 1, 1));
    }

    #[test]
    fn without_system_calls_whole_batches_cost_least() {
        let null = |job: &mut JobSpec| job.engine.engine = IoEngine::Null;
        assert_eq!(rule(null), (16, 1, 16));
        let given = |job: &mut JobSpec| (null(job), job.engine.batch_submit = Some(4)).0;
        assert_eq!(rule(given), (4, 1, 1));
    }
}
