//! The faster volume of a comparison, and the number of tests that show it, in at most twelve
//! words; before it the outcome of a gate. Volumes are called by the ends of their paths, as far
//! as these tell them apart.

use super::measure::mostly_cached;
use super::{DocumentSummary, about, claim_sentence, summary_in};
use crate::compare::{CompareDocument, PhaseFinding, VolumeStanding, is_told};
use crate::document_runs::DocumentRuns;
use fathom_analysis::{Difference, lead};
use fathom_message::{Message, Tell};
use fathom_text::{Text, text};

impl DocumentSummary for CompareDocument {
    summary_in!(head.summary);

    fn claims(&self) -> Vec<Message> {
        let failed = |at: usize| {
            let why = self.volumes[at].failure.as_deref()?;
            Some(about(&self.target(at), super::failed(why), None))
        };
        let failures = (0..self.volumes.len()).filter_map(failed);
        let gate = self.gate_claim().map(claim_sentence);
        let shown: Option<Message> = match self.is_one_disk() {
            // The gate has the same reason.
            true => gate.is_none().then(|| Message::new("told-same-disk")),
            false => self.over_all().map(claim_sentence),
        };
        let nothing = || {
            let targets: Vec<String> = (0..self.volumes.len()).map(|at| self.target(at)).collect();
            about(&targets.join(", "), Message::new("summary-nothing-compared"), None)
        };
        let is_answered = shown.is_some() || self.is_one_disk();
        let nothing = (!is_answered).then(nothing);
        let halted = self.stop_point().map(|point| point.tell());
        let before = gate.into_iter().chain(failures).chain(shown).chain(nothing);
        before.chain(self.cached_volumes()).chain(halted).collect()
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
            difference if difference.is_unstable() => self.untold += 1,
            Difference::NotShown { .. } => self.same += 1,
            Difference::NotEnough { .. } => self.untold += 1,
        }
    }

    fn tests(&self) -> usize {
        self.faster + self.slower + self.same + self.untold
    }
}

impl CompareDocument {
    /// The result in a few words for a list: `b faster in 3 of 6 tests`.
    pub fn essence(&self) -> Text {
        let of = self.findings.len();
        if self.is_one_disk() {
            return text!("same disk: not judged");
        }
        if self.volumes.len() > 2 {
            return self.essence_of_several();
        }
        let count = self.counts(1);
        let DifferenceCount { faster, slower, same, .. } = count;
        let [first, own] = [0, 1].map(|at| self.short_name(at));
        match (faster, slower, same) {
            (0, 0, 0) => text!("0 of {of} tests judged"),
            (0, 0, _) => text!("no difference in {same} of {of} tests"),
            (0, slower, _) => {
                text!("{name} faster in {count} of {of} tests", name = first, count = slower)
            }
            (faster, 0, _) => {
                text!("{name} faster in {count} of {of} tests", name = own, count = faster)
            }
            _ => text!("{own} faster in {faster}, slower in {slower} of {of} tests"),
        }
    }

    /// Which volumes a cache may have answered for: a difference from these is none of the disks.
    /// Of one disk no difference is stated.
    fn cached_volumes(&self) -> impl Iterator<Item = Message> {
        let verdicts = |at: usize| {
            self.whole_runs().filter(move |run| run.volume == at).map(|run| run.verdicts.as_slice())
        };
        let volumes = if self.is_one_disk() { 0 } else { self.volumes.len() };
        (0..volumes).filter_map(move |at| {
            let claim = mostly_cached(verdicts(at))?;
            Some(about(&self.short_name(at), claim, None))
        })
    }

    fn target(&self, at: usize) -> String {
        self.volumes[at].place.target().to_owned()
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

    /// Whether every test was judged and none shows a difference.
    fn is_level(&self) -> bool {
        !self.findings.is_empty() && self.findings.iter().all(PhaseFinding::is_level)
    }

    /// The greatest factor by which volumes may differ in a test that was judged and shows no
    /// difference.
    pub(super) fn most_that_may_be(&self) -> f64 {
        let bound = |difference: &Difference| match difference {
            Difference::NotShown { low, high, .. } if is_told(difference) => high.max(1.0 / low),
            _ => 1.0,
        };
        self.findings.iter().flat_map(PhaseFinding::differences).map(bound).fold(1.0, f64::max)
    }

    /// That no test could be judged; with the volume that led every round of some, if only one did.
    fn none_judged(&self, of: usize) -> Message {
        let led = |finding: &PhaseFinding| {
            let [_, second] = finding.standings.as_slice() else { return None };
            let [ratio, ..] = finding.one_sided(second)?;
            Some(usize::from(finding.judged.better().is_second(ratio)))
        };
        let leaders: Vec<usize> = self.findings.iter().filter_map(led).collect();
        match leaders.first() {
            Some(best) if leaders.iter().all(|leader| leader == best) => {
                let led = Message::new("summary-none-judged-led").with("of", of);
                led.with("best", self.short_name(*best)).with("count", leaders.len())
            }
            _ => Message::new("summary-none-judged").with("of", of),
        }
    }

    /// How the second volume stands to the first over all tests; told of the faster one.
    fn of_two(&self) -> Option<Message> {
        let count = self.counts(1);
        let claim = |id, best: usize| {
            let claim = Message::new(id).with("of", count.tests()).part("most", lead(count.most));
            let claim = claim.with("same", count.same).with("untold", count.untold);
            let claim = claim.part("bound", lead(self.most_that_may_be()));
            let claim = claim.with("faster", count.faster).with("slower", count.slower);
            claim.with("best", self.short_name(best)).with("count", count.faster.max(count.slower))
        };
        match (count.faster, count.slower, count.same) {
            (0, 0, 0) if count.untold == 0 => None,
            (0, 0, 0) => Some(self.none_judged(count.untold)),
            (0, 0, _) => Some(claim("summary-level-in-part", 1)),
            (0, _, _) => Some(claim("summary-faster", 0)),
            (_, 0, _) => Some(claim("summary-faster", 1)),
            _ => Some(claim("summary-faster-and-slower", 1)),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::compare::{GateFigure, Judged, PhaseInfo};
    use crate::summary::tests::volume;
    use fathom_analysis::{Better, Comparison, RowOutcome, Side};
    use fathom_message::Lang;
    use serde_json::json;

    /// A comparison of these volumes without any test.
    pub(in crate::summary) fn empty(targets: &[&str]) -> CompareDocument {
        let mut document: CompareDocument = serde_json::from_value(json!({
            "kind": "fathom-compare", "schema": 1, "fathom_version": "0", "started_ms": 0,
            "interrupted": false, "host": fathom_host::System::default(),
            "volumes": [],
            "plan": {"phases": [], "rounds": 5, "time": {"run_us": 1, "ramp_us": 0}, "steps": 1,
                     "seed": 1, "fill_bytes": 0},
            "runs": [], "findings": [],
        }))
        .unwrap();
        let file = |target: &&str| volume(target, &format!("{target}/f"));
        document.volumes = targets.iter().map(file).collect();
        document
    }

    /// Two volumes whose second had these ratios to the first, each test in five rounds.
    fn compared(ratios: &[f64]) -> CompareDocument {
        let mut document = empty(&["/mnt/a", "/mnt/b"]);
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
                "b is faster in 2 of 3 tests, up to 90 %.",
                "테스트 3개 중 2개에서 b가 빠름, 최대 90 %.",
            ),
            (
                &[0.5, 1.0],
                "a is faster in 1 of 2 tests, up to 2.0x.",
                "테스트 2개 중 1개에서 a가 빠름, 최대 2.0배.",
            ),
            (
                &[0.5, 1.5, 1.0],
                "b is faster in 1 of 3 tests, slower in 1.",
                "b: 테스트 3개 중 1개에서 빠르고 1개에서 느림.",
            ),
        ];
        for (ratios, english, korean) in cases {
            let document = compared(ratios);
            assert_eq!(document.summary(Lang::En), english);
            assert_eq!(document.summary(Lang::Ko), korean);
            assert!(english.split(' ').count() <= 12, "{english}");
        }
    }

    /// The same with a gate of 5 %, and a test at the end that neither volume ran.
    fn gated(ratios: &[f64], with_unmeasured: bool) -> CompareDocument {
        let mut document = compared(ratios);
        let tests = ratios.len() + usize::from(with_unmeasured);
        document.plan.phases = (0..tests)
            .map(|at| PhaseInfo {
                title: format!("test {at}"),
                judged: Judged::Iops,
                settings: Vec::new(),
            })
            .collect();
        for (at, finding) in document.findings.iter_mut().enumerate() {
            finding.phase = at;
        }
        document.with_gate(5.0)
    }

    #[test]
    fn a_gate_comes_first_and_judges_each_test_on_the_second_volume() {
        let outcome = |document: &CompareDocument| {
            let line = document.gate_line().map(|line| line.text(Lang::En));
            (document.summary(Lang::En), line.unwrap_or_default())
        };
        let (said, line) = outcome(&gated(&[1.0, 1.5], false));
        assert!(said.starts_with("PASS: of 2 figures none is shown to be worse by more than 5 %."));
        assert!(said.contains(" b is faster in 1 of 2 tests") && line == "gate: PASS", "{said}");
        let (said, line) = outcome(&gated(&[1.0, 0.5, 0.9], false));
        let worst = "FAIL: 2 of 3 figures are worse by more than 5 % (test 1: IOPS 2.00x slower).";
        assert!(said.starts_with(worst), "{said}");
        assert_eq!(line, "gate: FAIL (2 of 3 figures)");
        let (said, line) = outcome(&gated(&[1.0], true));
        assert!(said.starts_with("UNDECIDED: 1 of 2 figures could be judged"), "{said}");
        assert!(
            line.starts_with(
                "gate: UNDECIDED (1 of 2 figures could be judged; test 1 was not measured"
            ),
            "{line}"
        );
        // A side that is one disturbed run fails no gate.
        let gated = gated(&[0.5], false);
        let figure = gated.gate_figures().next().expect("a figure").figure;
        assert_eq!(figure.outcome(5.0), RowOutcome::Fail);
        let disturbed = GateFigure { is_uncertain: true, ..figure };
        assert_eq!(disturbed.outcome(5.0), RowOutcome::Undecided);
        let ungated = compared(&[0.5]);
        assert!(ungated.gate_line().is_none() && !ungated.summary(Lang::En).contains("FAIL"));
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
