//! The faster volume of a comparison, and the number of tests that show it.

use super::measure::stopped;
use super::{DocumentSummary, about, summary_in};
use crate::compare::{CompareDocument, PhaseFinding, VolumeStanding};
use fathom_analysis::quantity::times;
use fathom_analysis::{Difference, Place};
use fathom_message::{Message, list};

impl DocumentSummary for CompareDocument {
    summary_in!(head.summary);

    fn sentences(&self) -> Vec<Message> {
        let failed = |at: usize| {
            let why = self.volumes[at].failure.as_deref()?;
            Some(about(&self.target(at), super::failed(why), None))
        };
        let failures = (0..self.volumes.len()).filter_map(failed);
        let shown: Vec<Message> = match self.is_one_disk() {
            true => vec![Message::new("told-same-disk")],
            false if self.volumes.len() > 2 => self.among().into_iter().collect(),
            false => (1..self.volumes.len()).filter_map(|at| self.against_first(at)).collect(),
        };
        let nothing = || {
            let targets: Vec<String> = (0..self.volumes.len()).map(|at| self.target(at)).collect();
            about(&targets.join(", "), Message::new("summary-nothing-compared"), None)
        };
        let nothing = shown.is_empty().then(nothing);
        let halted = self.interrupted.then(|| stopped(self.runs.len(), self.plan.steps));
        failures.chain(shown).chain(nothing).chain(halted).collect()
    }
}

/// In how many tests a volume was faster than the first, slower, or neither.
#[derive(Default)]
struct DifferenceCount {
    faster: usize,
    slower: usize,
    same: usize,
    untold: usize,
    /// The greatest factor that is shown.
    most: f64,
}

impl DifferenceCount {
    fn add(&mut self, standing: &VolumeStanding) {
        let Some(comparison) = &standing.over_first else { return };
        match &comparison.difference {
            Difference::Shown { ratio, .. } => {
                let is_faster = comparison.better.is_second(*ratio);
                let count = if is_faster { &mut self.faster } else { &mut self.slower };
                *count += 1;
                self.most = self.most.max(ratio.max(1.0 / ratio));
            }
            Difference::NotShown { .. } => self.same += 1,
            Difference::NotEnough { .. } => self.untold += 1,
        }
    }

    fn tests(&self) -> usize {
        self.faster + self.slower + self.same + self.untold
    }
}

/// The volume that is shown to be better than each of the others.
fn shown_best(finding: &PhaseFinding) -> Option<usize> {
    let (best, others) = finding.ranking.as_ref()?.places.split_first()?;
    let is_behind = |place: &Place| matches!(place.over_best, Some(Difference::Shown { .. }));
    let standing = finding.standings.iter().find(|of| of.side.name == best.side.name)?;
    (!others.is_empty() && others.iter().all(is_behind)).then_some(standing.volume)
}

impl CompareDocument {
    /// The result in a few words for a list: `b faster in 3 of 6 tests`.
    pub fn essence(&self) -> String {
        let of = self.findings.len();
        if self.is_one_disk() {
            return "same disk: not judged".to_owned();
        }
        if self.volumes.len() > 2 {
            return match self.fastest().first() {
                Some((volume, count)) => {
                    format!("{} fastest in {count} of {of} tests", self.short_target(*volume))
                }
                None => format!("none fastest in {of} tests"),
            };
        }
        let count = self.counts(1);
        let DifferenceCount { faster, slower, same, .. } = count;
        let [first, own] = [0, 1].map(|at| self.short_target(at));
        match (faster, slower, same) {
            (0, 0, 0) => format!("0 of {of} tests judged"),
            (0, 0, _) => format!("no difference in {same} of {of} tests"),
            (0, slower, _) => format!("{first} faster in {slower} of {of} tests"),
            (faster, 0, _) => format!("{own} faster in {faster} of {of} tests"),
            _ => format!("{own} faster in {faster}, slower in {slower} of {of} tests"),
        }
    }

    /// The end of a target's path, if no other target has the same.
    fn short_target(&self, at: usize) -> String {
        let Some(_) = self.volumes.get(at) else { return String::new() };
        let end = |at: usize| {
            let target = self.target(at);
            target.trim_end_matches('/').rsplit('/').next().unwrap_or_default().to_owned()
        };
        let own = end(at);
        let is_common = (0..self.volumes.len()).any(|other| other != at && end(other) == own);
        if own.is_empty() || is_common { self.target(at) } else { own }
    }

    fn target(&self, at: usize) -> String {
        self.volumes[at].place.target().to_owned()
    }

    /// The volumes that are shown to be fastest, with the number of tests, the most first.
    fn fastest(&self) -> Vec<(usize, usize)> {
        let mut counts: Vec<(usize, usize)> = Vec::new();
        for volume in self.findings.iter().filter_map(shown_best) {
            match counts.iter_mut().find(|(at, _)| *at == volume) {
                Some((_, count)) => *count += 1,
                None => counts.push((volume, 1)),
            }
        }
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts
    }

    /// Which of three and more volumes is fastest, and in how many tests that is shown.
    fn among(&self) -> Option<Message> {
        let (of, counts) = (self.findings.len(), self.fastest());
        let is_judged =
            |finding: &&PhaseFinding| {
                finding.standings.iter().filter_map(|of| of.over_first.as_ref()).any(|comparison| {
                    !matches!(comparison.difference, Difference::NotEnough { .. })
                })
            };
        let judged = self.findings.iter().filter(is_judged).count();
        let none = match judged {
            0 => "summary-none-judged",
            _ => "summary-none-fastest",
        };
        let each = counts.iter().enumerate().map(|(at, (volume, count))| {
            let id = if at == 0 { "summary-fastest" } else { "summary-fastest-too" };
            let claim = Message::new(id).with("best", self.target(*volume));
            claim.with("count", count).with("of", of)
        });
        let claim = match counts.is_empty() {
            true => Message::new(none).with("judged", judged).with("of", of),
            false => list::commas(each),
        };
        (of > 0).then(|| Message::new("summary-sentence").part("claim", claim))
    }

    fn counts(&self, at: usize) -> DifferenceCount {
        let mut count = DifferenceCount::default();
        for finding in &self.findings {
            finding.standings.iter().filter(|of| of.volume == at).for_each(|of| count.add(of));
        }
        count
    }

    /// How a volume stands to the first one over all tests.
    fn against_first(&self, at: usize) -> Option<Message> {
        let count = self.counts(at);
        let (first, own) = (self.target(0), self.target(at));
        let claim = |id| {
            let claim = Message::new(id).with("of", count.tests()).with("most", times(count.most));
            let claim = claim.with("same", count.same).with("judged", 0);
            claim.with("faster", count.faster).with("slower", count.slower)
        };
        Some(match (count.faster, count.slower, count.same) {
            (0, 0, 0) if count.untold == 0 => return None,
            (0, 0, 0) => about(&own, claim("summary-untold").with("other", first), None),
            (0, 0, _) => about(&own, claim("summary-same").with("other", first), None),
            // Stated from the faster side.
            (0, slower, _) => about(
                &first,
                claim("summary-faster").with("other", own).with("count", slower),
                None,
            ),
            (faster, 0, _) => about(
                &own,
                claim("summary-faster").with("other", first).with("count", faster),
                None,
            ),
            _ => about(&own, claim("summary-faster-and-slower").with("other", first), None),
        })
    }
}
