//! The faster volume of a comparison, and the number of tests that show it, in at most twelve
//! words.

use super::stop_point::{StopPoint, is_unfinished};
use super::{DocumentSummary, about, summary_in};
use crate::compare::{CompareDocument, PhaseFinding, VolumeStanding};
use fathom_analysis::{Difference, Place, lead};
use fathom_message::{Message, Tell, list};

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
            false => self.over_all().map(sentence).into_iter().collect(),
        };
        let nothing = || {
            let targets: Vec<String> = (0..self.volumes.len()).map(|at| self.target(at)).collect();
            about(&targets.join(", "), Message::new("summary-nothing-compared"), None)
        };
        let nothing = shown.is_empty().then(nothing);
        let halted = self.interrupted.then(|| self.stop_point().tell());
        failures.chain(shown).chain(nothing).chain(halted).collect()
    }
}

impl CompareDocument {
    /// Where it was stopped, if it was.
    pub fn stop_point(&self) -> StopPoint {
        StopPoint {
            begun: self.runs.len(),
            planned: self.plan.steps,
            is_during: self.runs.last().is_some_and(is_unfinished),
            counts_runs: true,
        }
    }
}

fn sentence(claim: Message) -> Message {
    Message::new("summary-sentence").part("claim", claim)
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
            difference if difference.is_unstable() => self.untold += 1,
            Difference::NotShown { .. } => self.same += 1,
            Difference::NotEnough { .. } => self.untold += 1,
        }
    }

    fn tests(&self) -> usize {
        self.faster + self.slower + self.same + self.untold
    }
}

/// Whether a test shows a difference, or that there is none of any size.
fn is_told(difference: &Difference) -> bool {
    !matches!(difference, Difference::NotEnough { .. }) && !difference.is_unstable()
}

/// The volume that is shown to be better than each of the others.
fn shown_best(finding: &PhaseFinding) -> Option<usize> {
    let (best, others) = finding.ranking.as_ref()?.places.split_first()?;
    let is_behind = |place: &Place| matches!(place.over_best, Some(Difference::Shown { .. }));
    let standing = finding.standings.iter().find(|of| of.side.name == best.side.name)?;
    (!others.is_empty() && others.iter().all(is_behind)).then_some(standing.volume)
}

impl PhaseFinding {
    /// Whether it shows that a volume is slower than the first or the best, or the first than it.
    fn shows_slower(&self, volume: usize) -> bool {
        let is_slower = |of: &VolumeStanding| {
            let comparison = of.over_first.as_ref()?;
            let Difference::Shown { ratio, .. } = comparison.difference else { return None };
            Some(!comparison.better.is_second(ratio))
        };
        let behind_best = |standing: &VolumeStanding| {
            let places = self.ranking.iter().flat_map(|ranking| &ranking.places);
            let mut own = places.filter(|place| place.side.name == standing.side.name);
            own.any(|place| matches!(place.over_best, Some(Difference::Shown { .. })))
        };
        match volume {
            0 => self.standings.iter().any(|of| is_slower(of) == Some(false)),
            _ => self
                .standings
                .iter()
                .filter(|of| of.volume == volume)
                .any(|of| is_slower(of) == Some(true) || behind_best(of)),
        }
    }
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

    /// The volume that is shown to be slower than another one in most tests, with their number.
    fn slower(&self) -> Option<(usize, usize)> {
        let count = |volume: usize| {
            self.findings.iter().filter(|finding| finding.shows_slower(volume)).count()
        };
        let each = (0..self.volumes.len()).map(|volume| (volume, count(volume)));
        each.filter(|(_, count)| *count > 0).rev().max_by_key(|(_, count)| *count)
    }

    /// Which of three and more volumes is fastest, and in how many tests that is shown.
    fn among(&self) -> Option<Message> {
        let (of, counts) = (self.findings.len(), self.fastest());
        let is_judged = |finding: &&PhaseFinding| {
            let over_first = finding.standings.iter().filter_map(|of| of.over_first.as_ref());
            over_first.map(|comparison| &comparison.difference).any(is_told)
        };
        let judged = self.findings.iter().filter(is_judged).count();
        let slower = self.slower();
        let none = match judged {
            0 => "summary-none-judged",
            _ => "summary-none-fastest",
        };
        let each = counts.iter().enumerate().map(|(at, (volume, count))| {
            let id = if at == 0 { "summary-fastest" } else { "summary-fastest-too" };
            let claim = Message::new(id).with("best", self.target(*volume));
            claim.with("count", count).with("of", of)
        });
        let claim = match (counts.is_empty(), slower) {
            (false, _) => list::commas(each),
            (true, Some((volume, count))) => Message::new("summary-none-fastest-slower")
                .with("worst", self.target(volume))
                .with("count", count)
                .with("of", of),
            (true, None) => Message::new(none).with("judged", judged).with("of", of),
        };
        (of > 0).then_some(claim)
    }

    fn counts(&self, at: usize) -> DifferenceCount {
        let mut count = DifferenceCount::default();
        for finding in &self.findings {
            finding.standings.iter().filter(|of| of.volume == at).for_each(|of| count.add(of));
        }
        count
    }

    /// The claim over all tests.
    fn over_all(&self) -> Option<Message> {
        match self.volumes.len() {
            0 | 1 => None,
            _ if self.is_level() => {
                let level = Message::new("summary-level").with("of", self.findings.len());
                Some(level.part("bound", lead(self.most_that_may_be())))
            }
            2 => self.of_two(),
            _ => self.among(),
        }
    }

    /// Whether every test was judged and none shows a difference from the first.
    fn is_level(&self) -> bool {
        let mut over_first =
            self.findings.iter().flat_map(|finding| &finding.standings).filter(|of| of.volume > 0);
        let is_level = |of: &VolumeStanding| {
            let difference = of.over_first.as_ref().map(|comparison| &comparison.difference);
            difference.is_some_and(|of| matches!(of, Difference::NotShown { .. }) && is_told(of))
        };
        !self.findings.is_empty() && over_first.all(is_level)
    }

    /// The greatest factor by which volumes may differ in a test that was judged and shows no
    /// difference.
    fn most_that_may_be(&self) -> f64 {
        let standings = self.findings.iter().flat_map(|finding| &finding.standings);
        let comparisons = standings.filter_map(|of| of.over_first.as_ref());
        let bounds =
            comparisons.filter(|of| is_told(&of.difference)).filter_map(|of| match of.difference {
                Difference::NotShown { low, high, .. } => Some(high.max(1.0 / low)),
                _ => None,
            });
        bounds.fold(1.0, f64::max)
    }

    /// How the second volume stands to the first over all tests; told of the faster one.
    fn of_two(&self) -> Option<Message> {
        let count = self.counts(1);
        let claim = |id, best: usize| {
            let claim = Message::new(id).with("of", count.tests()).part("most", lead(count.most));
            let claim = claim.with("same", count.same).with("untold", count.untold);
            let claim = claim.part("bound", lead(self.most_that_may_be()));
            let claim = claim.with("faster", count.faster).with("slower", count.slower);
            claim.with("best", self.target(best)).with("count", count.faster.max(count.slower))
        };
        match (count.faster, count.slower, count.same) {
            (0, 0, 0) if count.untold == 0 => None,
            (0, 0, 0) => {
                Some(Message::new("summary-none-judged").with("judged", 0).with("of", count.untold))
            }
            (0, 0, _) => Some(claim("summary-level-in-part", 1)),
            (0, _, _) => Some(claim("summary-faster", 0)),
            (_, 0, _) => Some(claim("summary-faster", 1)),
            _ => Some(claim("summary-faster-and-slower", 1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::Judged;
    use crate::summary::tests::volume;
    use fathom_analysis::{Better, Comparison, Side};
    use fathom_message::Lang;
    use serde_json::json;

    /// Two volumes whose second had these ratios to the first, each test in five rounds.
    fn compared(ratios: &[f64]) -> CompareDocument {
        let mut document: CompareDocument = serde_json::from_value(json!({
            "kind": "fathom-compare", "schema": 1, "fathom_version": "0", "started_ms": 0,
            "interrupted": false, "host": fathom_host::System::default(),
            "volumes": [],
            "plan": {"phases": [], "rounds": 5, "time": {"run_us": 1, "ramp_us": 0}, "steps": 1,
                     "seed": 1, "fill_bytes": 0},
            "runs": [], "findings": [],
        }))
        .unwrap();
        document.volumes = vec![volume("/mnt/a", "/mnt/a/f"), volume("/mnt/b", "/mnt/b/f")];
        document.findings = ratios.iter().map(|ratio| finding(*ratio)).collect();
        document
    }

    fn finding(ratio: f64) -> PhaseFinding {
        let first = [100.0, 101.0, 99.0, 100.5, 99.5];
        let rounds: Vec<(f64, f64)> = first.iter().map(|one| (*one, one * ratio)).collect();
        let names = ["a".to_owned(), "b".to_owned()];
        let over = Comparison::paired_among(names, &rounds, Better::Higher, Some(6));
        let standing = |volume, over_first| VolumeStanding {
            volume,
            side: Side::of_repeats("a".to_owned(), &first),
            values: Vec::new(),
            merged: None,
            mean_latency_ns: 1.0,
            over_first,
        };
        PhaseFinding {
            phase: 0,
            title: String::new(),
            judged: Judged::Iops,
            standings: vec![standing(0, None), standing(1, Some(over))],
            ranking: None,
            sentences: Vec::new(),
        }
    }

    #[test]
    fn two_volumes_are_told_over_all_tests_in_twelve_words() {
        let cases: [(&[f64], &str, &str); 4] = [
            (
                &[1.0; 6],
                "No difference above 0.53 % in any of 6 tests.",
                "테스트 6개 모두 0.53 %를 넘는 차이 없음.",
            ),
            (
                &[1.5, 1.9, 1.0],
                "/mnt/b is faster in 2 of 3 tests, up to 90 %.",
                "테스트 3개 중 2개에서 /mnt/b가 빠름, 최대 90 %.",
            ),
            (
                &[0.5, 1.0],
                "/mnt/a is faster in 1 of 2 tests, up to 2.0x.",
                "테스트 2개 중 1개에서 /mnt/a가 빠름, 최대 2.0배.",
            ),
            (
                &[0.5, 1.5, 1.0],
                "/mnt/b is faster in 1 of 3 tests, slower in 1.",
                "/mnt/b: 테스트 3개 중 1개에서 빠르고 1개에서 느림.",
            ),
        ];
        for (ratios, english, korean) in cases {
            let document = compared(ratios);
            assert_eq!(document.summary(Lang::En), english);
            assert_eq!(document.summary(Lang::Ko), korean);
            assert!(english.split(' ').count() <= 12, "{english}");
        }
    }

    #[test]
    fn of_three_volumes_without_a_fastest_the_slow_one_is_named() {
        let mut document = compared(&[0.1, 0.1]);
        document.volumes.push(volume("/mnt/c", "/mnt/c/f"));
        for found in &mut document.findings {
            let equal = finding(1.0).standings.pop().unwrap();
            found.standings.push(VolumeStanding { volume: 2, ..equal });
        }
        let expected = "No fastest is shown; /mnt/b is slower in 2 of 2 tests.";
        assert_eq!(document.summary(Lang::En), expected);
        let korean = "가장 빠른 볼륨은 확인되지 않음, /mnt/b가 테스트 2개 중 2개에서 느림.";
        assert_eq!(document.summary(Lang::Ko), korean);
        assert!(expected.split(' ').count() <= 12);
    }

    #[test]
    fn tests_whose_change_may_be_anything_are_not_counted_as_equal() {
        let mut document = compared(&[1.0, 1.0]);
        let rounds = [300.0, 20.0, 150.0, 40.0, 10.0].map(|of_b| (100.0, of_b));
        let names = ["a".to_owned(), "b".to_owned()];
        let over = Comparison::paired_among(names, &rounds, Better::Higher, Some(6));
        assert!(over.difference.is_unstable(), "{over:?}");
        document.findings[0].standings[1].over_first = Some(over.clone());
        let part = "No difference above 0.53 % in 1 of 2 tests; 1 not judged.";
        assert_eq!(document.summary(Lang::En), part);
        document.findings[1].standings[1].over_first = Some(over);
        assert_eq!(document.summary(Lang::En), "0 of 2 tests could be judged.");
        assert_eq!(document.essence(), "0 of 2 tests judged");
    }
}
