//! Rates and pauses: the schedule of a job below full speed.
//!
//! A rate is a schedule from the job's start, not a gap after each I/O: the k-th I/O is due at k /
//! rate whatever happened to the others, so late ones catch up, and response time can be measured
//! from the due time. Whole nanoseconds and a remainder are stored, so nothing drifts in a job of
//! days.
//!
//! `thinktime` is a pause, so an I/O is not due before its end. With `rate_ignore_thinktime` the
//! schedule stops meanwhile: I/Os due in the pause are due at its end, and nothing has to be caught
//! up (observed of fio 3.33).

use crate::minimum::{Minimum, Shortfall};
use crate::pace::Pacer;
use crate::rng::{Rng, Stream};
use fathom_job::{JobSpec, Pace};
use fathom_vocab::{Direction, PerDirection};

const NS: u64 = 1_000_000_000;
/// Above this a rate is no limit, and sums could overflow.
const RATE_MAX: u64 = 1_000_000_000_000_000_000;

/// The pacing of `job`, or `None` if every I/O is due at once and no minimum is watched. Rates
/// are a clone's own, as in fio.
pub fn paced_for(job: &JobSpec, seed: u64) -> Option<Paced> {
    let pace = &job.pace;
    let any = |rates: &PerDirection<u64>| rates.iter().any(|(_, &rate)| rate > 0);
    let asked = any(&pace.rate_bytes)
        || any(&pace.rate_iops)
        || any(&pace.rate_min_bytes)
        || any(&pace.rate_iops_min)
        || pace.thinktime_us > 0;
    asked.then(|| Paced::new(job, seed))
}

/// One rate: units (bytes or I/Os) a second, from a start.
#[derive(Clone, Debug)]
struct Meter {
    rate: u64,
    next_ns: u64,
    /// The fractional part of `next_ns`, in 1/rate nanoseconds.
    rest: u64,
    /// The step of the I/O before, as most have one size: no division for each.
    step: RateStep,
}

/// How far a schedule moves on by a number of units.
#[derive(Clone, Copy, Debug, Default)]
struct RateStep {
    units: u32,
    ns: u64,
    /// In 1/rate nanoseconds.
    rest: u64,
}

impl RateStep {
    #[cold]
    fn new(units: u32, rate: u64) -> RateStep {
        // 32 bits of units and 30 of nanoseconds: no overflow.
        let scaled = u64::from(units) * NS;
        RateStep { units, ns: scaled / rate, rest: scaled % rate }
    }
}

impl Meter {
    fn new(rate: u64) -> Option<Meter> {
        (rate > 0).then(|| Meter {
            rate: rate.min(RATE_MAX),
            next_ns: 0,
            rest: 0,
            step: RateStep::default(),
        })
    }

    /// Moves on by `units` at the rate.
    #[inline(always)]
    fn advance(&mut self, units: u32) {
        if self.step.units != units {
            self.step = RateStep::new(units, self.rate);
        }
        self.next_ns = self.next_ns.saturating_add(self.step.ns);
        self.rest += self.step.rest;
        if self.rest >= self.rate {
            self.rest -= self.rate;
            self.next_ns = self.next_ns.saturating_add(1);
        }
    }

    /// When the next I/O of `units` is due.
    #[inline(always)]
    fn due(&mut self, units: u32) -> u64 {
        let due_ns = self.next_ns;
        self.advance(units);
        due_ns
    }

    /// When it is due as one of a Poisson process, which has its gap before each I/O.
    fn due_by_chance(&mut self, units: u32, rng: &mut Rng) -> u64 {
        let mean = f64::from(units) * NS as f64 / self.rate as f64;
        let gap = -rng.unit_above_zero().ln() * mean;
        // Random rounding preserves the mean of short gaps.
        self.next_ns = self.next_ns.saturating_add((gap + rng.unit()) as u64);
        self.next_ns
    }
}

/// Moves a due time, if the clock of its schedule stops from `begin` to `end`.
fn stand_still(due_ns: &mut u64, begin: u64, end: u64) {
    if *due_ns < begin {
        *due_ns += end - begin;
    } else {
        *due_ns = end.max(*due_ns);
    }
}

/// The rates of one direction.
#[derive(Clone, Debug)]
struct Rates {
    bytes: Option<Meter>,
    ios: Option<Meter>,
}

impl Rates {
    /// When the next I/O, of `len` bytes, is due; none without a rate.
    #[inline(always)]
    fn due(&mut self, len: u32) -> Option<u64> {
        let by_bytes = self.bytes.as_mut().map(|meter| meter.due(len));
        let by_ios = self.ios.as_mut().map(|meter| meter.due(1));
        by_bytes.max(by_ios)
    }

    /// The same of a Poisson process.
    fn due_by_chance(&mut self, len: u32, rng: &mut Rng) -> Option<u64> {
        let by_bytes = self.bytes.as_mut().map(|meter| meter.due_by_chance(len, rng));
        let by_ios = self.ios.as_mut().map(|meter| meter.due_by_chance(1, rng));
        by_bytes.max(by_ios)
    }
}

/// The rate of I/Os that have no other one.
struct OnlyMeter<'a> {
    meter: &'a mut Meter,
    counts_ios: bool,
}

impl OnlyMeter<'_> {
    /// The due times of I/Os of these lengths: how many.
    fn due_times(self, lens: &[u32], into: &mut [u64]) -> usize {
        let OnlyMeter { meter, counts_ios } = self;
        for (due_ns, len) in into.iter_mut().zip(lens) {
            *due_ns = meter.due(if counts_ios { 1 } else { *len });
        }
        lens.len().min(into.len())
    }
}

/// `thinktime` and companions.
#[derive(Clone, Debug)]
struct Think {
    pause_ns: u64,
    spin_ns: u64,
    /// I/Os between two pauses; `u64::MAX` where only time counts.
    blocks: u64,
    iotime_ns: u64,
    by_issue: bool,
    issued: u64,
    completed: u64,
    in_flight: u64,
    begin_ns: u64,
    until_ns: u64,
}

impl Think {
    fn new(pace: &Pace) -> Option<Think> {
        let by_time = pace.thinktime_iotime_us > 0;
        // One block is the default, under which an I/O time could never pass; so it counts as not
        // given.
        let unlimited = by_time && pace.thinktime_blocks <= 1;
        (pace.thinktime_us > 0).then(|| Think {
            pause_ns: pace.thinktime_us.saturating_mul(1000),
            spin_ns: pace.thinktime_spin_us.min(pace.thinktime_us).saturating_mul(1000),
            blocks: if unlimited { u64::MAX } else { u64::from(pace.thinktime_blocks.max(1)) },
            iotime_ns: pace.thinktime_iotime_us.saturating_mul(1000),
            by_issue: pace.thinktime_blocks_issue,
            issued: 0,
            completed: 0,
            in_flight: 0,
            begin_ns: 0,
            until_ns: 0,
        })
    }

    /// Begins a pause if one is due: whether it did.
    #[inline(never)]
    fn check(&mut self, count: u64, now_ns: u64) -> bool {
        let by_time = self.iotime_ns > 0 && now_ns.saturating_sub(self.until_ns) >= self.iotime_ns;
        if count < self.blocks && !by_time {
            return false;
        }
        (self.issued, self.completed) = (self.in_flight, 0);
        if self.by_issue {
            self.issued = 0;
        }
        self.begin_ns = now_ns;
        self.until_ns = now_ns.saturating_add(self.pause_ns);
        true
    }
}

/// Rates, pauses and minimum rates of one clone.
#[derive(Clone, Debug)]
pub struct Paced {
    rates: PerDirection<Rates>,
    /// The due time of the next I/O of each direction, if it was read.
    next_due_ns: PerDirection<Option<u64>>,
    poisson: Option<Rng>,
    think: Option<Think>,
    ignore_think: bool,
    minimum: Minimum,
}

impl Paced {
    /// The pacing of `job`; `seed` is for the gaps of a Poisson process.
    fn new(job: &JobSpec, seed: u64) -> Paced {
        let pace = &job.pace;
        Paced {
            rates: PerDirection::from_fn(|dir| Rates {
                bytes: Meter::new(pace.rate_bytes[dir]),
                ios: Meter::new(pace.rate_iops[dir]),
            }),
            next_due_ns: PerDirection::splat(None),
            poisson: pace.poisson.then(|| Rng::new(seed, Stream::Pacing)),
            think: Think::new(pace),
            ignore_think: pace.ignore_thinktime,
            minimum: Minimum::new(job),
        }
    }

    /// When the next I/O of a direction is due by its rates, if it has any.
    #[inline(always)]
    fn due_by_rates(&mut self, dir: Direction, len: u32) -> Option<u64> {
        match &mut self.poisson {
            None => self.rates[dir].due(len),
            Some(rng) => self.rates[dir].due_by_chance(len, rng),
        }
    }

    /// The one rate that decides about I/Os of these directions; none if there are several, or
    /// pauses, or chance.
    fn only_meter(&mut self, dirs: &[Direction]) -> Option<OnlyMeter<'_>> {
        let dir = *dirs.first()?;
        if self.poisson.is_some() || self.think.is_some() || dirs.iter().any(|other| *other != dir)
        {
            return None;
        }
        match &mut self.rates[dir] {
            Rates { bytes: None, ios: Some(meter) } => Some(OnlyMeter { meter, counts_ios: true }),
            Rates { bytes: Some(meter), ios: None } => Some(OnlyMeter { meter, counts_ios: false }),
            _ => None,
        }
    }

    #[inline(always)]
    fn pause_end_ns(&self) -> u64 {
        self.think.as_ref().map_or(0, |think| think.until_ns)
    }

    #[cold]
    fn pause_began(&mut self) {
        let Some(think) = self.think.as_ref().filter(|_| self.ignore_think) else { return };
        let (begin, end) = (think.begin_ns, think.until_ns);
        for dir in Direction::ALL {
            let rates = &mut self.rates[dir];
            for meter in [&mut rates.bytes, &mut rates.ios].into_iter().flatten() {
                stand_still(&mut meter.next_ns, begin, end);
            }
            if let Some(due_ns) = &mut self.next_due_ns[dir] {
                stand_still(due_ns, begin, end);
            }
        }
    }
}

impl Pacer for Paced {
    const PACED: bool = true;

    fn make_due_times(
        &mut self,
        dirs: &[Direction],
        lens: &[u32],
        now_ns: u64,
        into: &mut [u64],
    ) -> usize {
        if let Some(meter) = self.only_meter(dirs) {
            return meter.due_times(lens, into);
        }
        let pause_end_ns = self.pause_end_ns();
        let ahead = if self.think.is_some() { 1 } else { into.len() };
        let mut made = 0;
        for ((due_ns, dir), len) in into[..ahead].iter_mut().zip(dirs).zip(lens) {
            let by_rates = self.due_by_rates(*dir, *len);
            // Without a rate an I/O is due when it is its turn.
            if by_rates.is_none() && made > 0 {
                break;
            }
            *due_ns = by_rates.unwrap_or(now_ns).max(pause_end_ns);
            made += 1;
            if by_rates.is_none() {
                break;
            }
        }
        made
    }

    fn peek_due_ns(&mut self, dir: Direction, len: u32, now_ns: u64) -> u64 {
        if self.next_due_ns[dir].is_none() {
            self.next_due_ns[dir] = self.due_by_rates(dir, len);
        }
        self.next_due_ns[dir].unwrap_or(now_ns).max(self.pause_end_ns())
    }

    fn take_due_ns(&mut self, dir: Direction) {
        self.next_due_ns[dir] = None;
    }

    fn is_schedule(&self) -> bool {
        self.rates.iter().any(|(_, rates)| rates.bytes.is_some() || rates.ios.is_some())
    }

    fn below_minimum(&self) -> Option<Shortfall> {
        self.minimum.shortfall()
    }

    #[inline(always)]
    fn holds_back(&self) -> bool {
        self.think.as_ref().is_some_and(|think| {
            !think.by_issue && think.in_flight > 0 && think.issued >= think.blocks
        })
    }

    fn spin_until_ns(&self) -> u64 {
        self.think.as_ref().map_or(0, |think| match think.spin_ns {
            0 => 0,
            spin => think.begin_ns.saturating_add(spin),
        })
    }

    #[inline(always)]
    fn issued(&mut self, _: Direction, _: u32, now_ns: u64) {
        let Some(think) = &mut self.think else { return };
        think.issued += 1;
        think.in_flight += 1;
        if think.by_issue && think.check(think.issued, now_ns) {
            self.pause_began();
        }
    }

    #[inline(always)]
    fn completed(&mut self, dir: Direction, len: u32, now_ns: u64) {
        self.minimum.completed(dir, len, now_ns);
        let Some(think) = &mut self.think else { return };
        think.completed += 1;
        think.in_flight = think.in_flight.saturating_sub(1);
        if !think.by_issue && think.check(think.completed, now_ns) {
            self.pause_began();
        }
    }
}

#[cfg(test)]
mod tests;
