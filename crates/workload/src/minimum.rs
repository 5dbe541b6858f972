//! `rate_min` and `rate_iops_min`: rates below which a job fails.
//!
//! A minimum applies only to the directions of the job: one value in a job file is for reads,
//! writes and trims alike, and most jobs do only one of them. As in fio 3.33, the ramp and the two
//! seconds after it are not judged. From then on the job is judged when an I/O completes, over the
//! time since it was judged before, which is a `rate_cycle` or more: a slow job may have less than
//! one I/O in a cycle.

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
    /// Whether there is any.
    is_on: bool,
    /// 0 for a direction that the job doesn't do.
    bytes: PerDirection<u64>,
    ios: PerDirection<u64>,
    cycle_ns: u64,
    settled_ns: u64,
    /// When the job was judged before; none before it has settled.
    since_ns: Option<u64>,
    done: PerDirection<(u64, u64)>,
    shortfall: Option<Shortfall>,
}

impl Minimum {
    pub(crate) fn new(job: &JobSpec) -> Minimum {
        let pace = &job.pace;
        let held = |rates: &PerDirection<u64>| {
            PerDirection::from_fn(|dir| if does(job, dir) { rates[dir] } else { 0 })
        };
        let (bytes, ios) = (held(&pace.rate_min_bytes), held(&pace.rate_iops_min));
        Minimum {
            is_on: [&bytes, &ios].into_iter().any(|rates| rates.iter().any(|(_, rate)| *rate > 0)),
            bytes,
            ios,
            cycle_ns: pace.rate_cycle_ms.max(1).saturating_mul(1_000_000),
            settled_ns: job.extent.ramp_time_us.saturating_mul(1000).saturating_add(SETTLE_NS),
            since_ns: None,
            done: PerDirection::splat((0, 0)),
            shortfall: None,
        }
    }

    /// Counts an I/O that has completed by `now_ns`, and judges the time that ends with it.
    #[inline(always)]
    pub(crate) fn completed(&mut self, dir: Direction, len: u32, now_ns: u64) {
        if self.is_on {
            let done = &mut self.done[dir];
            *done = (done.0 + u64::from(len), done.1 + 1);
            self.judge(now_ns);
        }
    }

    /// The first shortfall that was seen.
    pub(crate) fn shortfall(&self) -> Option<Shortfall> {
        self.shortfall
    }

    #[inline(never)]
    fn judge(&mut self, now_ns: u64) {
        let due_ns = self.since_ns.map_or(self.settled_ns, |since_ns| since_ns + self.cycle_ns);
        if now_ns < due_ns {
            return;
        }
        let done = std::mem::take(&mut self.done);
        if let Some(since_ns) = self.since_ns.replace(now_ns) {
            self.shortfall = self.shortfall.or(self.shortfall_of(&done, now_ns - since_ns));
        }
    }

    fn shortfall_of(&self, done: &PerDirection<(u64, u64)>, elapsed_ns: u64) -> Option<Shortfall> {
        // In whole milliseconds, as in fio: an I/O comes a little later than it is due.
        let elapsed_ms = u128::from((elapsed_ns / 1_000_000).max(1));
        let rate = |n: u64| (u128::from(n) * 1000 / elapsed_ms) as u64;
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

    /// The judgements of consecutive seconds with these numbers of reads and writes, the last of
    /// which completes as the second ends.
    fn judged(job: &JobSpec, seconds: &[(u32, u32)]) -> Vec<Option<Shortfall>> {
        let mut minimum = Minimum::new(job);
        let second = |(second, &(reads, writes)): (usize, &(u32, u32))| {
            let end_ns = (second as u64 + 1) * NS;
            for ios in (1..=reads + writes).rev() {
                let (dir, len) = if ios > reads { (WRITE, 1) } else { (READ, 4096) };
                minimum.completed(dir, len, if ios == 1 { end_ns } else { end_ns - 1 });
            }
            minimum.shortfall.take()
        };
        seconds.iter().enumerate().map(second).collect()
    }

    /// fio 3.33 lets pass `rate=1250 rate_min=1024` with blocks of 4 KiB, one in 3.3 seconds.
    #[test]
    fn a_slow_job_is_judged_from_io_to_io() {
        let job = |wanted: u64| job(|job| job.pace.rate_min_bytes = PerDirection::splat(wanted));
        let judged = |wanted: u64| {
            let mut minimum = Minimum::new(&job(wanted));
            for at in 0..5 {
                minimum.completed(READ, 4096, at * 3_276_900_000);
            }
            minimum.shortfall().map(|short| short.reached)
        };
        assert_eq!(judged(1024), None);
        assert_eq!(judged(1250), None, "a little late, but not by a millisecond");
        assert_eq!(judged(1251), Some(1250));
    }

    /// fio 3.33 lets pass `rate_iops=1 rate_iops_min=1`.
    #[test]
    fn one_io_a_second_is_one() {
        let mut minimum = Minimum::new(&job(|job| job.pace.rate_iops_min.read = 1));
        for at in 0..9 {
            minimum.completed(READ, 4096, at * (NS + 900_000));
        }
        assert_eq!(minimum.shortfall(), None);
        minimum.completed(READ, 4096, 12 * NS);
        assert!(minimum.shortfall().is_some());
    }

    #[test]
    fn each_cycle_is_judged_once_the_job_has_settled() {
        let job = job(|job| {
            job.pattern.rw.write = true;
            job.pace.rate_iops_min.write = 10;
            job.pace.rate_min_bytes.read = 40_960;
        });
        let short = |dir, wanted, reached, iops| Some(Shortfall { dir, wanted, reached, iops });
        let got = judged(&job, &[(1, 0), (1, 0), (10, 10), (9, 10), (10, 9)]);
        let slow_reads = short(READ, 40_960, 36_864, false);
        let slow_writes = short(WRITE, 10, 9, true);
        assert_eq!(got, [None, None, None, slow_reads, slow_writes]);
        let ramped = JobSpec {
            extent: Extent { ramp_time_us: 1_000_000, ..job.extent.clone() },
            ..job.clone()
        };
        let got = judged(&ramped, &[(1, 0), (1, 0), (1, 0), (9, 10)]);
        assert_eq!(got, [None, None, None, slow_reads]);
    }

    /// As in fio 3.33, where one value is one for each direction that the job does.
    #[test]
    fn what_a_job_does_not_do_is_not_held_against_it() {
        let all = |job: &mut JobSpec| {
            job.pace.rate_min_bytes = PerDirection::splat(4096);
            job.pace.rate_iops_min = PerDirection::splat(1);
        };
        let last = |job: &JobSpec, reads, writes| judged(job, &[(reads, writes); 3])[2];
        assert_eq!(last(&job(all), 1, 0), None, "a read job");
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
