//! Why a limit is not PASS where its row does not show it: one sentence.
//!
//! A row has a figure and its limit. A figure on the bad side of the limit explains a FAIL; one on
//! the good side explains neither a FAIL nor an UNDECIDED.

use super::document::CheckTrial;
use super::rows::LimitRow;
use fathom_analysis::Goal;
use fathom_analysis::check::{Doubt, RunFinding, Standing};
use fathom_analysis::promise::{PromiseEvidence, PromiseOutcome, PromiseVerdict};
use fathom_analysis::quantity::latency;
use fathom_analysis::{CacheFinding, CacheVerdict};
use fathom_message::{Message, Tell};
use std::mem::{Discriminant, discriminant};

/// Why a limit is not PASS.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitReason {
    /// What it has in common with the reasons of other limits.
    pub kind: ReasonKind,
    /// The sentence.
    pub sentence: Message,
    /// The same in a few words, where others tell the evidence.
    pub short: Message,
    /// The same for I/Os of both directions.
    pub of_all: Message,
}

/// What reasons are alike in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ReasonKind {
    /// A figure that the row does not have was missed.
    OtherFigure,
    /// A cache or memory answered.
    Cached(Discriminant<CacheVerdict>),
    /// Another doubt.
    Doubt(Doubt),
}

impl CheckTrial {
    /// Why `row`, one of its limits, is not PASS; none if the row shows it, or if the run failed.
    pub fn reason(&self, row: &LimitRow<'_>) -> Option<LimitReason> {
        let finding = self.finding.as_ref()?;
        match (row.standing, finding.doubt) {
            (Standing::Kept, _) | (Standing::CouldNotTell, None) => None,
            (Standing::Missed, _) => {
                let line = unseen(row, finding)?;
                Some(LimitReason::of(ReasonKind::OtherFigure, in_short(line)))
            }
            (Standing::CouldNotTell, Some(Doubt::Cached)) => {
                Some(LimitReason::of_cache(&finding.cached))
            }
            (Standing::CouldNotTell, Some(doubt)) => {
                Some(LimitReason::of(ReasonKind::Doubt(doubt), doubted(doubt, finding)?))
            }
        }
    }
}

impl LimitReason {
    fn of(kind: ReasonKind, sentence: Message) -> LimitReason {
        LimitReason { kind, short: sentence.clone(), of_all: sentence.clone(), sentence }
    }

    fn of_cache(cached: &CacheFinding) -> LimitReason {
        LimitReason {
            kind: ReasonKind::Cached(discriminant(&cached.verdict)),
            sentence: cached.tell(),
            short: Message::new(match cached.verdict {
                CacheVerdict::Memory => "summary-memory-too",
                _ => "summary-part-of-cache-too",
            }),
            of_all: cached.tell_of_all(),
        }
    }
}

/// The line that missed although the figure of `row` does not show it.
fn unseen<'f>(row: &LimitRow<'_>, finding: &'f RunFinding) -> Option<&'f PromiseVerdict> {
    if row.load.goal == Goal::Latency {
        return None;
    }
    let is_below = row.share().is_none_or(|share| share < 1.0);
    let is_mean = |line: &PromiseVerdict| matches!(line.evidence, PromiseEvidence::Mean(_));
    if is_below && finding.missed().any(is_mean) {
        return None;
    }
    finding.missed().next()
}

fn in_short(line: &PromiseVerdict) -> Message {
    match &line.evidence {
        PromiseEvidence::Intervals(share) => share.in_short(),
        _ => line.tell(),
    }
}

fn doubted(doubt: Doubt, finding: &RunFinding) -> Option<Message> {
    let lines = &finding.judgement.verdicts;
    match doubt {
        Doubt::Cached
        | Doubt::Client
        | Doubt::CutShort
        | Doubt::Interrupted
        | Doubt::Unstable
        | Doubt::Burst => finding.doubts().into_iter().next(),
        Doubt::OtherUse => {
            let line = finding.missed().next()?;
            Some(Message::new("check-other-use").part("line", in_short(line)))
        }
        Doubt::NotAsked => {
            let mut unreached = lines.iter().filter(|of| of.outcome == PromiseOutcome::NotReached);
            Some(not_asked(unreached.next()?))
        }
        Doubt::NotJudged => lines.first().map(Tell::tell),
    }
}

fn not_asked(line: &PromiseVerdict) -> Message {
    match &line.evidence {
        PromiseEvidence::Mean(mean) => match mean.latency_ns {
            Some(latency_ns) => {
                Message::new("check-not-asked").with("latency", latency(latency_ns))
            }
            None => line.tell(),
        },
        _ => line.tell(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::CheckDocument;
    use fathom_analysis::promise::{IntervalShare, JudgedDirections};
    use fathom_analysis::{Cap, CapConfidence, CapFinding, CapKind, ClientVerdict};

    /// A run for IOPS of which the mean was kept, and `reached` of 30 seconds.
    fn run(reached: usize) -> CheckTrial {
        let text = include_str!("../../../report/fixtures/check.json");
        let mut document: CheckDocument = serde_json::from_str(text).unwrap();
        let mut run = document.runs.swap_remove(0);
        let load = run.key.load.clone();
        let iops = load.promised.rate.unwrap().iops;
        run.figures.as_mut().unwrap().total.iops = iops * 3.0;
        let share = IntervalShare {
            intervals: 30,
            interval_s: 1.0,
            reached,
            threshold_iops: iops * 0.9,
            share_of_time: 0.99,
        };
        let mut finding = run.key.finding.take().unwrap();
        finding
            .judgement
            .verdicts
            .retain(|line| !matches!(line.evidence, PromiseEvidence::Intervals(_)));
        for line in &mut finding.judgement.verdicts {
            line.outcome = PromiseOutcome::Exceeded;
        }
        finding.judgement.verdicts.push(PromiseVerdict {
            way: JudgedDirections::Read,
            outcome: if reached < 30 { PromiseOutcome::Missed } else { PromiseOutcome::Kept },
            evidence: PromiseEvidence::Intervals(share),
        });
        finding.cached.verdict = CacheVerdict::NotCached;
        (finding.cap, finding.unstable) = (None, None);
        finding.client.verdict = ClientVerdict::Roomy;
        run.key.finding = Some(finding.concluded(&load, false));
        run
    }

    fn changed(run: &mut CheckTrial, change: impl FnOnce(&mut RunFinding)) {
        let (load, mut finding) = (run.key.load.clone(), run.key.finding.take().unwrap());
        change(&mut finding);
        run.key.finding = Some(finding.concluded(&load, false));
    }

    fn why(run: &CheckTrial) -> (Standing, Option<String>) {
        let rows = run.rows();
        (rows[0].standing, run.reason(&rows[0]).map(|reason| reason.sentence.to_string()))
    }

    const SECONDS: &str = "93.3 % of the seconds reached the promise; 99 % are promised.";

    #[test]
    fn a_miss_that_the_mean_does_not_show_has_its_reason() {
        assert_eq!(why(&run(30)), (Standing::Kept, None));
        let mut missed = run(28);
        assert_eq!(why(&missed), (Standing::Missed, Some(SECONDS.to_owned())));
        // A mean below the limit says enough.
        missed.figures.as_mut().unwrap().total.iops = 1.0;
        changed(&mut missed, |finding| {
            finding.judgement.verdicts[0].outcome = PromiseOutcome::Missed;
        });
        assert_eq!(why(&missed), (Standing::Missed, None));
    }

    #[test]
    fn the_gate_of_a_check_has_the_reason_of_its_first_miss() {
        let text = include_str!("../../../report/fixtures/check.json");
        let mut document: CheckDocument = serde_json::from_str(text).unwrap();
        (document.runs, document.planned) = (vec![run(30), run(28)], 2);
        let gate = document.gate();
        assert_eq!((gate.failed, gate.of), (1, 2));
        assert_eq!(gate.reason.as_deref(), Some(SECONDS.trim_end_matches('.')));
        document.runs.pop();
        document.planned = 1;
        assert_eq!(document.gate().reason, None);
    }

    #[test]
    fn seconds_that_others_may_have_taken_are_no_miss_and_a_mean_is() {
        let mut shared = run(28);
        changed(&mut shared, |of| of.cached.verdict = CacheVerdict::Foreign { times: 0.2 });
        let (standing, said) = why(&shared);
        assert_eq!(standing, Standing::CouldNotTell);
        let others = "Other I/O ran on the device meanwhile: measure again while none runs.";
        assert_eq!(said, Some(format!("{SECONDS} {others}")));
        let finding = shared.finding.as_ref().unwrap();
        assert!(finding.sentences[0].starts_with("Other I/O ran"), "{finding:?}");
        changed(&mut shared, |of| of.judgement.verdicts[0].outcome = PromiseOutcome::Missed);
        assert_eq!(why(&shared).0, Standing::Missed);
    }

    #[test]
    fn a_mean_that_a_burst_raised_above_the_limit_is_undecided_and_says_what_lasts() {
        let mut burst = run(30);
        let limit = burst.key.load.promised.rate.unwrap().iops;
        let capped_at = |share: f64| {
            let (kind, value) = (CapKind::Iops, limit * share);
            let (evidence, confidence) = (Vec::new(), CapConfidence::High);
            Some(CapFinding::Capped(Cap { kind, value, or: None, evidence, confidence }))
        };
        changed(&mut burst, |of| of.cap = capped_at(0.5));
        let (standing, said) = why(&burst);
        assert_eq!(
            (standing, burst.finding.as_ref().unwrap().doubt),
            (Standing::CouldNotTell, Some(Doubt::Burst))
        );
        let said = said.unwrap_or_default();
        assert!(said.starts_with("The mean reached the limit, but what lasts is "), "{said}");
        // A cap at what was bought is what is promised.
        changed(&mut burst, |of| of.cap = capped_at(1.0));
        assert_eq!(why(&burst), (Standing::Kept, None));
    }

    #[test]
    fn whatever_is_undecided_has_a_reason() {
        let mut cached = run(30);
        changed(&mut cached, |of| of.cached.verdict = CacheVerdict::Suspected);
        let rows = cached.rows();
        let reason = cached.reason(&rows[0]).unwrap();
        assert_eq!(reason.short.to_string(), "A cache may have served a part.");
        assert!(reason.sentence.to_string().contains("reads"), "{reason:?}");
        assert!(reason.of_all.to_string().contains("I/Os"), "{reason:?}");
        let mut hasty = run(30);
        changed(&mut hasty, |of| {
            let line = &mut of.judgement.verdicts[0];
            line.outcome = PromiseOutcome::NotReached;
            let PromiseEvidence::Mean(mean) = &mut line.evidence else { panic!("{line:?}") };
            mean.latency_ns = Some(500_000.0);
        });
        let (standing, said) = why(&hasty);
        assert_eq!(standing, Standing::CouldNotTell);
        assert!(said.unwrap().starts_with("Each I/O took only 500 us"));
    }
}
