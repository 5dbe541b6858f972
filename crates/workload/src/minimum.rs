//! `rate_min` and `rate_iops_min`: rates below which a job fails.
//!
//! A minimum applies only to the directions of the job: one value in a job file is for reads,
//! writes and trims alike, and most jobs do only one of them. As in fio 3.33, the ramp and the two
//! seconds after it are not judged; from then on each `rate_cycle` is judged by itself, at its end.

use fathom_job::JobSpec;
use fathom_vocab::{Direction, PerDirection};

const NS: u64 = 1_000_000_000;

/// How long a job may take to get going.
const SETTLE_NS: u64 = 2 * NS;

/// A direction that was slower than it must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shortfall {
    /// The direction.
    pub dir: Direction,
    /// The required rate: bytes a second, or I/Os a second if `iops`.
    pub wanted: u64,
    /// The rate reached, in the same unit.
    pub reached: u64,
    /// Whether the unit is I/Os.
    pub iops: bool,
}

/// Watches the least rates of one clone.
#[derive(Clone, Debug)]
pub(crate) struct Minimum {
    /// 0 for a direction that the job doesn't do.
    bytes: PerDirection<u64>,
    ios: PerDirection<u64>,
    cycle_ns: u64,
    settled_ns: u64,
    /// The start of the current cycle; none before the job has settled.
    since_ns: Option<u64>,
    done: PerDirection<(u64, u64)>,
}

impl Minimum {
    pub(crate) fn new(job: &JobSpec) -> Minimum {
        let pace = &job.pace;
        let held = |rates: &PerDirection<u64>| {
            PerDirection::from_fn(|dir| if does(job, dir) { rates[dir] } else { 0 })
        };
        Minimum {
            bytes: held(&pace.rate_min_bytes),
            ios: held(&pace.rate_iops_min),
            cycle_ns: pace.rate_cycle_ms.max(1).saturating_mul(1_000_000),
            settled_ns: job.extent.ramp_time_us.saturating_mul(1000).saturating_add(SETTLE_NS),
            since_ns: None,
            done: PerDirection::splat((0, 0)),
        }
    }

    pub(crate) fn count(&mut self, dir: Direction, len: u32) {
        let done = &mut self.done[dir];
        *done = (done.0 + u64::from(len), done.1 + 1);
    }

    /// Judges the cycle that has ended by `now_ns`, if one has.
    pub(crate) fn check(&mut self, now_ns: u64) -> Option<Shortfall> {
        if now_ns < self.settled_ns {
            return None;
        }
        let elapsed_ns = match self.since_ns {
            Some(since_ns) if now_ns - since_ns < self.cycle_ns => return None,
            since_ns => since_ns.map(|since_ns| now_ns - since_ns),
        };
        self.since_ns = Some(now_ns);
        let done = std::mem::take(&mut self.done);
        self.shortfall(&done, elapsed_ns?)
    }

    fn shortfall(&self, done: &PerDirection<(u64, u64)>, elapsed_ns: u64) -> Option<Shortfall> {
        let rate = |n: u64| (u128::from(n) * u128::from(NS) / u128::from(elapsed_ns)) as u64;
        Direction::ALL.into_iter().find_map(|dir| {
            let (bytes, ios) = (rate(done[dir].0), rate(done[dir].1));
            let short = |wanted, reached, iops| {
                (reached < wanted).then_some(Shortfall { dir, wanted, reached, iops })
            };
            short(self.bytes[dir], bytes, false).or(short(self.ios[dir], ios, true))
        })
    }
}

/// Whether `job` does I/Os of this direction: a mix may leave one out.
fn does(job: &JobSpec, dir: Direction) -> bool {
    let rw = &job.pattern.rw;
    let mixed = rw.read && rw.write;
    match dir {
        Direction::Read => rw.read && !(mixed && job.pattern.rwmixread == 0),
        Direction::Write => rw.write && !(mixed && job.pattern.rwmixread >= 100),
        Direction::Trim => rw.trim,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_job::Extent;

    const READ: Direction = Direction::Read;
    const WRITE: Direction = Direction::Write;

    fn job(set: impl FnOnce(&mut JobSpec)) -> JobSpec {
        let mut job = JobSpec::default();
        set(&mut job);
        job
    }

    /// The judgements of consecutive seconds with these numbers of reads and writes.
    fn judged(job: &JobSpec, seconds: &[(u32, u32)]) -> Vec<Option<Shortfall>> {
        let mut minimum = Minimum::new(job);
        let second = |(second, &(reads, writes)): (usize, &(u32, u32))| {
            (0..reads).for_each(|_| minimum.count(READ, 4096));
            (0..writes).for_each(|_| minimum.count(WRITE, 1));
            let end_ns = (second as u64 + 1) * NS;
            assert_eq!(minimum.check(end_ns - 1), None);
            minimum.check(end_ns)
        };
        seconds.iter().enumerate().map(second).collect()
    }

    #[test]
    fn each_cycle_is_judged_once_the_job_has_settled() {
        let job = job(|job| {
            job.pattern.rw.write = true;
            job.pace.rate_iops_min.write = 10;
            job.pace.rate_min_bytes.read = 40_960;
        });
        let short = |dir, wanted, reached, iops| Some(Shortfall { dir, wanted, reached, iops });
        let got = judged(&job, &[(0, 0), (0, 0), (10, 10), (9, 10), (10, 9)]);
        let slow_reads = short(READ, 40_960, 36_864, false);
        let slow_writes = short(WRITE, 10, 9, true);
        assert_eq!(got, [None, None, None, slow_reads, slow_writes]);
        let ramped = JobSpec {
            extent: Extent { ramp_time_us: 1_000_000, ..job.extent.clone() },
            ..job.clone()
        };
        let got = judged(&ramped, &[(0, 0), (0, 0), (0, 0), (9, 10)]);
        assert_eq!(got, [None, None, None, slow_reads]);
    }

    /// As in fio 3.33, where one value is one for each direction that the job does.
    #[test]
    fn what_a_job_does_not_do_is_not_held_against_it() {
        let all = |job: &mut JobSpec| {
            job.pace.rate_min_bytes = PerDirection::splat(4096);
            job.pace.rate_iops_min = PerDirection::splat(1);
        };
        let nothing_of = |reads, writes| [(0, 0), (0, 0), (reads, writes)];
        let last = |job: &JobSpec, reads, writes| judged(job, &nothing_of(reads, writes))[2];
        assert_eq!(last(&job(all), 1, 0), None, "a read job");
        assert!(last(&job(all), 0, 0).is_some(), "a read job that stands still");
        let only_mix = |share| {
            job(|job| {
                all(job);
                job.pattern.rw.write = true;
                job.pattern.rwmixread = share;
            })
        };
        assert_eq!(last(&only_mix(100), 1, 0), None, "a mix of reads only");
        assert_eq!(last(&only_mix(0), 0, 4096), None, "a mix of writes only");
        assert_eq!(last(&only_mix(50), 1, 0).map(|short| short.dir), Some(WRITE), "a mix");
    }
}
