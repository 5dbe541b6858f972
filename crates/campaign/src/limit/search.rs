//! The search itself: pure, over a probe that says what a load shows.
//!
//! Two runs as fast as it goes come first. Deep, they give the ceiling, from which the search goes
//! down. One at a time, they give the least that an I/O takes; where already that misses the
//! target, a rate so low that I/Os hardly meet decides whether there is any point in going on:
//! under a cap on IOPS even one at a time can go fast enough to be held back, and then the least
//! latency shows only below the cap. From there on every run has a rate of its own, and counts as
//! holding it only if the volume kept up and every criterion was met.
//!
//! A run that this machine spoilt counts for nothing and is taken again; where that does not help,
//! nothing is answered. Nor is a rate answered that is less than half of what one at a time gave
//! within the target: I/Os that are due at random wait for each other, but one server that is idle
//! half of the time does not explain it.

use super::bracket::{Bracket, Next, rounded};
use super::target::{Finding, Reading, Target};
use fathom_analysis::GateOutcome;
use serde::{Deserialize, Serialize};

/// What a step puts on the volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "load", rename_all = "snake_case")]
pub enum Load {
    /// As fast as it goes with many I/Os in flight.
    Deep,
    /// As fast as it goes with one at a time.
    Alone,
    /// So many I/Os a second, each due at a moment of its own.
    Rate {
        /// I/Os a second.
        rate_iops: u64,
    },
}

/// Why a step has no reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Halt {
    /// Something went wrong; in words.
    Failed(String),
    /// It was stopped.
    Stopped,
}

/// Puts loads on a volume.
pub trait Probe {
    /// What `load` shows.
    ///
    /// # Errors
    /// Where the search cannot go on.
    fn step(&mut self, load: Load) -> Result<Reading, Halt>;
}

/// How far to go.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    /// The share by which the lowest rate that fails may lie above the highest that holds.
    pub precision: f64,
    /// Steps at most.
    pub most_steps: usize,
}

/// A step that was had.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What was put on the volume.
    pub load: Load,
    /// What it showed.
    pub reading: Reading,
    /// Whether the target held; none where there was no rate to hold it at.
    pub finding: Option<Finding>,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The highest rate is known.
    Found,
    /// It is all that the volume gives.
    Ceiling,
    /// No rate holds.
    Never,
    /// The steps were over before the range was as narrow as asked for, and both its ends sure.
    Unsettled,
    /// The steps do not tell: this machine was late again and again, or the answer would lie far
    /// below what one I/O at a time gave within the target.
    Unclear,
    /// It ended early.
    Halted,
}

impl Verdict {
    /// The outcome of "some rate holds".
    pub fn outcome(self) -> GateOutcome {
        match self {
            Verdict::Found | Verdict::Ceiling => GateOutcome::Pass,
            Verdict::Never => GateOutcome::Fail,
            Verdict::Unsettled | Verdict::Unclear | Verdict::Halted => GateOutcome::Undecided,
        }
    }
}

/// The answer, or as much of it as there is.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// What was to hold.
    pub target: Target,
    /// How it ended.
    pub verdict: Verdict,
    /// The highest rate that holds, in I/Os a second: the answer. Where the search ended early, as
    /// far as it is known.
    pub low: Option<u64>,
    /// The lowest rate that was run and does not hold.
    pub high: Option<u64>,
    /// Rates above `high` that held all the same.
    pub odd: Vec<u64>,
    /// Why it ended early, where something went wrong.
    pub halted_by: Option<Halt>,
    /// Every step in the order in which it was had.
    pub steps: Vec<Step>,
}

/// Looks for the highest rate at which `target` holds.
pub fn search(target: &Target, effort: Effort, probe: &mut dyn Probe) -> Limit {
    let bracket = Bracket::new(1, 1, effort.precision);
    let mut search = Search { target, effort, probe, steps: Vec::new(), bracket };
    let ended = search.seek();
    let Search { steps, bracket, .. } = search;
    let (verdict, halted_by) = match ended {
        Ok(verdict) => (verdict, None),
        Err(halt) => (Verdict::Halted, Some(halt)),
    };
    Limit {
        target: target.clone(),
        verdict,
        low: bracket.low(),
        high: bracket.high().filter(|rate| bracket.was_run(*rate)),
        odd: bracket.odd(),
        halted_by,
        steps,
    }
}

/// A search on its way.
struct Search<'a> {
    target: &'a Target,
    effort: Effort,
    probe: &'a mut dyn Probe,
    steps: Vec<Step>,
    /// What is known of rates; kept here, so that whatever ends the search leaves it.
    bracket: Bracket,
}

/// Of what one at a time gives, so much is a load under which I/Os hardly meet.
const GENTLE: f64 = 1.0 / 20.0;
/// A run that this machine spoilt is taken again so often at most.
const MOST_REPEATS: usize = 3;
/// An answer below this share of what one at a time gave within the target is refused.
const LEAST_OF_ALONE: f64 = 0.5;
/// Of the ceiling, so much is the least rate worth knowing.
const LEAST: f64 = 1.0 / 1000.0;

impl Search<'_> {
    fn seek(&mut self) -> Result<Verdict, Halt> {
        let deep = self.closed(Load::Deep)?;
        let alone = self.closed(Load::Alone)?;
        let ceiling = deep.iops.max(alone.iops);
        let assumed = (ceiling * (1.0 + self.effort.precision)).ceil() as u64;
        let gentle = rounded(alone.iops * GENTLE);
        let hopeful = self.target.is_met(&alone);
        let least = if hopeful { (ceiling * LEAST) as u64 } else { gentle };
        self.bracket = Bracket::new(assumed, least, self.effort.precision);
        // The bracket's own way down would come to it last.
        while !hopeful && !self.bracket.is_settled(gentle) {
            if !self.run(gentle)? {
                return Ok(Verdict::Unclear);
            }
        }
        let least_likely = if hopeful { alone.iops * LEAST_OF_ALONE } else { 0.0 };
        loop {
            match self.bracket.next() {
                Next::Try(_) if self.steps.len() >= self.effort.most_steps => {
                    return Ok(Verdict::Unsettled);
                }
                Next::Try(rate) => {
                    if !self.run(rate)? {
                        return Ok(Verdict::Unclear);
                    }
                }
                Next::Hopeless if hopeful => return Ok(Verdict::Unclear),
                Next::Hopeless => return Ok(Verdict::Never),
                Next::Settled => return Ok(self.verdict(ceiling, least_likely)),
            }
        }
    }

    fn verdict(&self, ceiling: f64, least_likely: f64) -> Verdict {
        let low = self.bracket.low().unwrap_or(0) as f64;
        match low * (1.0 + self.effort.precision) {
            _ if low < least_likely => Verdict::Unclear,
            reach if reach >= ceiling => Verdict::Ceiling,
            _ => Verdict::Found,
        }
    }

    fn closed(&mut self, load: Load) -> Result<Reading, Halt> {
        let reading = self.probe.step(load)?;
        self.steps.push(Step { load, reading: reading.clone(), finding: None });
        Ok(reading)
    }

    /// Runs at a rate until a run says something of the volume; gives whether one did.
    fn run(&mut self, rate_iops: u64) -> Result<bool, Halt> {
        let load = Load::Rate { rate_iops };
        for _ in 0..=MOST_REPEATS {
            let reading = self.probe.step(load)?;
            let finding = self.target.judge(rate_iops, &reading);
            self.steps.push(Step { load, reading, finding: Some(finding) });
            if finding != Finding::Late {
                self.bracket.count(rate_iops, finding == Finding::Keeps);
                return Ok(true);
            }
        }
        Ok(false)
    }
}
