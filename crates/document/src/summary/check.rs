//! The summary of a check: the cap compared with the sold limit, or the limits one by one.

use super::caps::{self, CapScope};
use super::{DocumentSummary, about, claim_sentence, failed, summary_in};
use crate::check::{CheckDocument, CheckTrial, Doubt, Standing, after_burst};
use crate::document_runs::DocumentRuns;
use fathom_analysis::Goal;
use fathom_analysis::promise::ENOUGH_OF_LIMIT;
use fathom_analysis::{CacheVerdict, CapKind};
use fathom_message::{Message, Tell};
use fathom_vocab::Direction;

/// A cap up to this share above its promise is the one that is sold.
const AS_SOLD: f64 = 1.1;

impl DocumentSummary for CheckDocument {
    summary_in!(head.summary);

    fn claims(&self) -> Vec<Message> {
        let target = self.setup.volume.target();
        if let Some(why) = &self.failure {
            return vec![about(target, failed(why), None)];
        }
        let caps = self.caps();
        let answer = self.tell();
        if caps.is_empty() || self.stopped {
            let halted = self.stop_point().map(|point| point.tell());
            return vec![about(target, answer, self.explanations().chain(halted))];
        }
        let more = self.below(&caps);
        vec![match self.sold(&caps) {
            Some(claim) => about(target, claim, more),
            None => {
                let seen = Message::new("summary-caps").part("capped", caps::capped(&caps));
                about(target, answer, self.explanations().chain([seen]).chain(more))
            }
        }]
    }
}

impl CheckDocument {
    /// The caps that its runs met.
    fn caps(&self) -> Vec<CapScope<'_>> {
        self.caps_of(|_| true)
    }

    /// The caps of the runs that missed their limit.
    fn missed_caps(&self) -> Vec<CapScope<'_>> {
        self.caps_of(|run| run.finding.as_ref().is_some_and(|of| of.standing == Standing::Missed))
    }

    fn caps_of(&self, of: impl Fn(&CheckTrial) -> bool) -> Vec<CapScope<'_>> {
        let runs = self.runs.iter().filter(|run| run.load.goal != Goal::Latency && of(run));
        let held = runs.filter_map(|run| {
            let cap = run.finding.as_ref()?.held_by()?;
            Some(CapScope::of_run(cap, run.load.direction))
        });
        caps::merged(held.filter(CapScope::is_told))
    }

    /// Why less than a limit was enough, and [`Self::advice`].
    fn explanations(&self) -> impl Iterator<Item = Message> {
        self.why_less_is_enough().map(claim_sentence).into_iter().chain(self.advice())
    }

    /// What may explain far more than was promised, or why nothing can be told.
    fn advice(&self) -> Option<Message> {
        match self.standing {
            Standing::Kept => self.times_the_promise().map(|_| Message::new("summary-above")),
            Standing::CouldNotTell => self.doubt(),
            Standing::Missed => None,
        }
    }

    /// Why the first of the undecided runs, or the one with the greatest need of time, could not be
    /// judged.
    fn doubt(&self) -> Option<Message> {
        let undecided = self.by_need().into_iter().filter_map(|run| run.finding.as_ref());
        undecided.filter(|of| of.standing == Standing::CouldNotTell).find_map(|of| {
            match of.doubt? {
                Doubt::Cached if of.cached.verdict == CacheVerdict::Memory => {
                    Some(Message::new("summary-memory-too"))
                }
                Doubt::Cached => Some(Message::new("summary-part-of-cache-too")),
                Doubt::Client => of.client.disturbance(),
                Doubt::Unstable => of.unstable_mean(),
                Doubt::OtherUse => Some(Message::new("summary-other-use-too")),
                Doubt::Burst => of.held_by().map(after_burst),
                // A sentence of its own says what interrupted it.
                Doubt::NotAsked | Doubt::NotJudged | Doubt::CutShort | Doubt::Interrupted => None,
            }
        })
    }

    /// `PASS: capped at 3,000 IOPS, as sold (aws.gp3)`, where the caps are what decides.
    fn sold(&self, caps: &[CapScope<'_>]) -> Option<Message> {
        let whole = self.left_out.is_empty() && self.bursts.is_empty();
        self.basis.promise().filter(|_| whole)?;
        let is_usual = self.times_the_promise().is_none() && !self.has_passed_below();
        let shares: Vec<f64> = self.runs.iter().filter_map(share_of_promise).collect();
        let id = match self.standing {
            Standing::Kept if is_usual && shares.iter().all(|share| *share <= AS_SOLD) => {
                "summary-as-sold"
            }
            Standing::Missed if shares.iter().any(|share| *share < ENOUGH_OF_LIMIT) => {
                "summary-below-sold"
            }
            _ => return None,
        };
        // A failure names the caps that failed it: the volume's other caps are high enough.
        let missed = self.missed_caps();
        let is_missed = self.standing == Standing::Missed;
        let caps = if is_missed && !missed.is_empty() { &missed[..] } else { caps };
        // A limit that is set on this host is no fault of the provider's.
        let group = caps::common_group(caps).filter(|_| is_missed);
        let claim = match group {
            Some(group) => Message::new("summary-below-sold-here").with("group", group),
            None => Message::new(id),
        };
        let claim = claim.part("capped", caps::capped(caps)).with("whose", self.basis.name());
        Some(claim.part("outcome", self.standing.tell()))
    }

    /// The latency of a read that does not wait for a cap.
    fn below(&self, caps: &[CapScope<'_>]) -> Option<Message> {
        let run = self
            .runs
            .iter()
            .find(|run| run.load.goal == Goal::Latency && run.load.direction == Direction::Read)?;
        caps::below(caps, &run.figures.as_ref()?.total, run.load.block_bytes)
    }
}

/// A run's cap as a share of its promise.
fn share_of_promise(run: &CheckTrial) -> Option<f64> {
    let (cap, promised) = (run.finding.as_ref()?.held_by()?, run.load.promised.rate?);
    let share = match cap.kind {
        CapKind::Iops => cap.value / promised.iops,
        CapKind::Bandwidth => cap.value / promised.bytes_per_s,
    };
    share.is_finite().then_some(share)
}
