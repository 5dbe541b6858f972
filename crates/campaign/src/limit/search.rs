//! The search itself: pure, over a probe that measures a load.
//!
//! Two runs at full speed come first. The deep one gives the ceiling, from which the search goes
//! down. The one with a single I/O at a time gives the least latency. If already that misses the
//! target, a rate so low that I/Os hardly meet decides whether to go on: under an IOPS cap even one
//! I/O at a time can be fast enough to be throttled, and then the least latency shows only below
//! the cap. All later runs have a rate, which passes only if the volume kept up and every criterion
//! was met.
//!
//! No rate above the ceiling is tried, so that none is the answer. If the ceiling itself passes, a
//! stall may have lowered it: then the run at full speed is repeated, and a higher ceiling counts.
//!
//! A run that this machine disturbed does not count and is repeated. If that does not help, the
//! rate says nothing about the volume, and the search goes on below it. If then no lower rate
//! fails, the highest one that passed is the least that the volume gives; it may give more.
//!
//! There is no answer if no rate passed and other programs used the processors while the lowest one
//! failed. A rate below half of the rate of one I/O at a time within the target is no answer
//! either: I/Os that are due at random wait for each other, but a server that is idle half of the
//! time does not explain that. A rate at which so few I/Os completed that its
//! percentile is chance decides nothing, whether it passed or failed. Below half of the rate of one
//! I/O at a time, less than half an I/O is in flight on average: lower rates would not be faster.
//! So the search ends there if other programs used the processors or if I/Os become too few.

use super::bracket::{Bracket, Next, rounded, rounded_down};
use fathom_document::limit::{
    Effort, FewIos, Halt, LatencyGoal, LoadLevel, SearchResult, SearchStep, SearchVerdict,
    StepFinding, StepReading, failed_beside_others,
};

/// Puts loads on a volume.
pub trait Probe {
    /// Measures `load`.
    ///
    /// # Errors
    /// If the search cannot go on.
    fn step(&mut self, load: LoadLevel) -> Result<StepReading, Halt>;
}

/// Searches the highest rate that meets `target`.
pub fn search(target: &LatencyGoal, effort: Effort, probe: &mut dyn Probe) -> SearchResult {
    let bracket = Bracket::new(1, 1, effort.precision);
    let (steps, ceiling) = (Vec::new(), 0.0);
    let mut search = Search { target, effort, probe, steps, bracket, ceiling };
    let ended = search.seek();
    let Search { steps, bracket, .. } = search;
    let (verdict, halted_by) = match ended {
        Ok(verdict) => (verdict, None),
        Err(halt) => (SearchVerdict::Halted, Some(halt)),
    };
    SearchResult {
        target: target.clone(),
        verdict,
        low: bracket.low(),
        high: bracket.failing(),
        late_iops: bracket.late(),
        odd: bracket.odd(),
        halted_by,
        steps,
    }
}

/// The state of a search.
struct Search<'a> {
    target: &'a LatencyGoal,
    effort: Effort,
    probe: &'a mut dyn Probe,
    steps: Vec<SearchStep>,
    /// The evidence on rates; stored here, so that it remains however the search ends.
    bracket: Bracket,
    /// The highest rate at full speed, in I/Os a second.
    ceiling: f64,
}

/// This share of the rate of one I/O at a time is a load under which I/Os hardly meet.
const GENTLE: f64 = 1.0 / 20.0;
/// A run that this machine spoilt is taken again so often at most.
const MOST_REPEATS: usize = 3;
/// Most steps that confirm that no rate is possible.
const MOST_CONFIRMING: usize = 8;
/// An answer below this share of the rate of one I/O at a time within the target is refused.
const LEAST_OF_ALONE: f64 = 0.5;
/// A latency of this share of the target is far from it.
const AT_EASE: f64 = 0.5;
/// This share of the ceiling is the lowest rate worth searching.
const LEAST: f64 = 1.0 / 1000.0;

impl Search<'_> {
    fn seek(&mut self) -> Result<SearchVerdict, Halt> {
        let deep = self.closed(LoadLevel::Deep)?;
        let alone = self.closed(LoadLevel::Alone)?;
        self.ceiling = self.lasting_iops(&deep).max(self.lasting_iops(&alone));
        let gentle = self.gentle(&alone);
        let hopeful = self.target.is_met(&alone);
        let least = if hopeful { (self.ceiling * LEAST) as u64 } else { gentle };
        self.bracket = Bracket::new(rounded_down(self.ceiling), least, self.effort.precision);
        // The bracket itself would reach it last.
        while !hopeful && !self.bracket.is_done(gentle) && !self.is_out_of_steps() {
            self.run(gentle)?;
        }
        self.narrow(hopeful, &alone)
    }

    /// Bisects until the bracket is narrow enough or nothing more can be told.
    fn narrow(&mut self, hopeful: bool, alone: &StepReading) -> Result<SearchVerdict, Halt> {
        let least_likely = if hopeful { alone.iops * LEAST_OF_ALONE } else { 0.0 };
        loop {
            if self.is_beside_others() || self.is_of_few() {
                self.bracket.raise_least(rounded(alone.iops * LEAST_OF_ALONE));
            }
            match self.bracket.next() {
                Next::Try(rate) if !self.is_out_of_steps() => self.run(rate)?,
                Next::Settled if self.is_ceiling_raised()? => {}
                Next::Settled if self.is_cliff_run()? => {}
                Next::Settled => return Ok(self.verdict(least_likely)),
                _ if self.bracket.is_bound_by_host() => return Ok(SearchVerdict::HostLate),
                Next::Try(_) if self.is_unlikely(least_likely) => {
                    return Ok(SearchVerdict::Unclear);
                }
                Next::Try(_) => return Ok(SearchVerdict::Unsettled),
                Next::Hopeless if hopeful || self.is_beside_others() || self.is_of_few() => {
                    return Ok(SearchVerdict::Unclear);
                }
                Next::Hopeless if self.is_alone_met_later()? => return Ok(SearchVerdict::Unclear),
                Next::Hopeless => return Ok(SearchVerdict::Never),
            }
        }
    }

    /// I/Os a second of a run at full speed that last. Where a control group holds it, they are
    /// just below the limit: a short run exceeds it by one time slice of the throttle, and at the
    /// limit itself a queue never becomes shorter.
    fn lasting_iops(&self, reading: &StepReading) -> f64 {
        let below = |limit: f64| limit / (1.0 + self.effort.precision);
        reading.group_iops.map_or(reading.iops, |limit| reading.iops.min(below(limit)))
    }

    fn is_out_of_steps(&self) -> bool {
        self.steps.len() >= self.effort.most_steps
    }

    /// If the ceiling itself passes, runs at full speed once more; returns whether that gave more.
    fn is_ceiling_raised(&mut self) -> Result<bool, Halt> {
        let is_ceiling = self.bracket.failing().is_none() && self.is_at_ceiling();
        if !is_ceiling || self.is_out_of_steps() {
            return Ok(false);
        }
        let again = self.closed(LoadLevel::Deep)?;
        let again = self.lasting_iops(&again);
        let is_higher = again > self.ceiling * (1.0 + self.effort.precision);
        if is_higher {
            self.ceiling = again;
            self.bracket.raise_ceiling(rounded_down(again));
        }
        Ok(is_higher)
    }

    /// If the rate below the end meets the target with ease, and the end failed before that was
    /// known, runs at the end once more; returns whether it did. Latency seldom doubles between
    /// rates so close: a disturbance may have failed the end, and all later rates lie below it.
    fn is_cliff_run(&mut self) -> Result<bool, Halt> {
        let (Some(low), Some(high)) = (self.bracket.low(), self.bracket.failing()) else {
            return Ok(false);
        };
        let last = |rate_iops| {
            self.steps.iter().rposition(|step| step.load == LoadLevel::Rate { rate_iops })
        };
        let is_stale = last(high) < last(low);
        let is_doubtful = is_stale && self.is_kept_with_ease(low) && !self.is_of_few();
        if !is_doubtful || self.is_out_of_steps() {
            return Ok(false);
        }
        self.run(high)?;
        Ok(true)
    }

    /// Runs one I/O at a time again, in up to half of the steps that are left; returns whether that
    /// met the target. A disturbance of seconds may have failed all the steps before, and "no rate"
    /// is a verdict on the volume.
    fn is_alone_met_later(&mut self) -> Result<bool, Halt> {
        let left = self.effort.most_steps.saturating_sub(self.steps.len());
        for _ in 0..(left / 2).min(MOST_CONFIRMING) {
            let again = self.closed(LoadLevel::Alone)?;
            if self.target.is_met(&again) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether every run at a rate that met the target met half of it.
    fn is_kept_with_ease(&self, rate_iops: u64) -> bool {
        let is_kept = |step: &&SearchStep| step.finding == Some(StepFinding::Keeps);
        let own = self.steps.iter().filter(|step| step.load == LoadLevel::Rate { rate_iops });
        own.filter(is_kept).all(|step| self.target.strain(&step.reading) <= AT_EASE)
    }

    /// A rate at which I/Os hardly meet, but not so low that its I/Os are too few or that other
    /// programs have more influence than the rate.
    fn gentle(&self, alone: &StepReading) -> u64 {
        let ios = (alone.ios as f64 * GENTLE) as u64;
        let few = self.target.doubtful(ios).next().is_some();
        let share = if few || alone.others_busy.is_some() { LEAST_OF_ALONE } else { GENTLE };
        rounded(alone.iops * share)
    }

    /// Whether the lowest rate failed while other programs used the processors.
    fn is_beside_others(&self) -> bool {
        self.bracket.high().is_some_and(|high| failed_beside_others(&self.steps, high).is_some())
    }

    /// Whether the rate that decides rests on too few I/Os.
    fn is_of_few(&self) -> bool {
        let rate = self.bracket.low().or(self.bracket.high());
        rate.is_some_and(|rate| FewIos::at(self.target, &self.steps, rate).is_some())
    }

    /// Whether the highest passing rate is the ceiling, as near as was requested. The range was
    /// narrowed below the ceiling's three figures.
    fn is_at_ceiling(&self) -> bool {
        let low = self.bracket.low().unwrap_or(0) as f64;
        low * (1.0 + self.effort.precision) >= rounded_down(self.ceiling) as f64
    }

    /// Whether the highest passing rate is below `least_likely`.
    fn is_unlikely(&self, least_likely: f64) -> bool {
        self.bracket.low().is_some_and(|low| (low as f64) < least_likely)
    }

    fn verdict(&self, least_likely: f64) -> SearchVerdict {
        match self.bracket.is_bound_by_host() {
            _ if self.is_of_few() => SearchVerdict::Unclear,
            // However late this machine is, the volume gives no more.
            true if self.is_at_ceiling() => SearchVerdict::Ceiling,
            true => SearchVerdict::HostLate,
            false if self.is_unlikely(least_likely) => SearchVerdict::Unclear,
            false if self.is_at_ceiling() => SearchVerdict::Ceiling,
            false => SearchVerdict::Found,
        }
    }

    fn closed(&mut self, load: LoadLevel) -> Result<StepReading, Halt> {
        let reading = self.probe.step(load)?;
        self.steps.push(SearchStep { load, reading: reading.clone(), finding: None });
        Ok(reading)
    }

    /// Repeats a rate until a run says something about the volume. If none does, this machine
    /// bounds the search there; but where the steps are over, earlier runs at the rate stand.
    fn run(&mut self, rate_iops: u64) -> Result<(), Halt> {
        let load = LoadLevel::Rate { rate_iops };
        for _ in 0..=MOST_REPEATS {
            if self.is_out_of_steps() {
                break;
            }
            let reading = self.probe.step(load)?;
            let finding = self.target.judge(rate_iops, &reading);
            self.steps.push(SearchStep { load, reading, finding: Some(finding) });
            if finding != StepFinding::Late {
                self.bracket.count(rate_iops, finding == StepFinding::Keeps);
                return Ok(());
            }
        }
        if !self.is_out_of_steps() || !self.bracket.was_run(rate_iops) {
            self.bracket.count_late(rate_iops);
        }
        Ok(())
    }
}
