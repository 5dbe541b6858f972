//! Which volumes of a comparison are slower, and by how much; which are equal; how many tests
//! cannot be told yet. Before it stands the outcome of a gate, after it what to know of the host.
//! Volumes are called by the ends of their paths, as far as these tell them apart.

use super::measure::{cautions_of_many, mostly_cached};
use super::{DocumentSummary, about, claim_sentence, summary_in};
use crate::compare::{CompareDocument, PhaseFinding, VolumeStanding};
use crate::document_runs::DocumentRuns;
use fathom_analysis::verdicts::Verdict;
use fathom_analysis::{Difference, Goal, Judged, Lead, lead};
use fathom_message::{Message, Tell, list};
use fathom_text::{Text, text};

/// Most volumes that a clause of their own is given.
const MOST_SLOWER: usize = 3;

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
        before.chain(self.cached_volumes()).chain(self.caution()).chain(halted).collect()
    }
}

/// A volume, and the ratio of its figure to the best in each test that shows it to be slower.
struct SlowerVolume {
    volume: usize,
    ratios: Vec<f64>,
}

impl CompareDocument {
    /// The result in a few words for a list: `b slower in 3 of 6 tests`.
    pub fn essence(&self) -> Text {
        let of = self.findings.len();
        if self.is_one_disk() {
            return text!("same disk: not judged");
        }
        let equal = self.findings.iter().filter(|finding| finding.is_level()).count();
        match self.slower().first() {
            Some(slowest) => {
                let (name, count) = (self.short_name(slowest.volume), slowest.ratios.len());
                text!("{name} slower in {count} of {of} tests")
            }
            None => text!("equal in {equal} of {of} tests"),
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

    /// What to know of the host while they were measured.
    fn caution(&self) -> Option<Message> {
        let goal = |phase: usize| match self.plan.phases.get(phase).map(|of| of.judged) {
            Some(Judged::MeanLatencyNs | Judged::P99LatencyNs) => Goal::Latency,
            Some(Judged::BytesPerS) => Goal::Throughput,
            Some(Judged::Iops) | None => Goal::Iops,
        };
        let runs: Vec<(Goal, &[Verdict])> =
            self.whole_runs().map(|run| (goal(run.phase), run.verdicts.as_slice())).collect();
        cautions_of_many(&runs).filter(|_| !self.is_one_disk())
    }

    fn target(&self, at: usize) -> String {
        self.volumes[at].place.target().to_owned()
    }

    /// The claim over all tests; none without any.
    fn over_all(&self) -> Option<Message> {
        let slower = self.slower();
        let fastest = self.fastest_in_all().filter(|_| self.sides().len() > 2);
        let fastest = fastest.map(|volume| {
            Message::new("summary-compare-fastest").with("name", self.short_name(volume))
        });
        let claims: Vec<Message> = fastest
            .into_iter()
            .chain(slower.iter().take(MOST_SLOWER).map(|one| self.slower_clause(one)))
            .chain(self.rest_clause(&slower))
            .collect();
        (!claims.is_empty()).then(|| list::semicolons(claims))
    }

    /// The volumes that a test shows to be slower than the best, the one with the most such tests
    /// first.
    fn slower(&self) -> Vec<SlowerVolume> {
        let of = |volume: usize| {
            let ratios = self.findings.iter().filter_map(|of| ratio_to_best(of, volume));
            SlowerVolume { volume, ratios: ratios.collect() }
        };
        let mut all: Vec<SlowerVolume> =
            self.heads().map(of).filter(|one| !one.ratios.is_empty()).collect();
        all.sort_by_key(|one| std::cmp::Reverse(one.ratios.len()));
        all
    }

    /// The volume that every test shows to be the fastest.
    fn fastest_in_all(&self) -> Option<usize> {
        let is_alone = |volume: &usize| {
            self.findings.iter().all(|finding| lead_of(finding, *volume) == Some(Lead::Alone))
        };
        self.heads().find(is_alone).filter(|_| !self.findings.is_empty())
    }

    /// `gp3 is 2.6x to 10x slower (capped at 3,000 IOPS)`.
    fn slower_clause(&self, one: &SlowerVolume) -> Message {
        let is_all = one.ratios.len() == self.findings.len();
        let id = if is_all { "summary-compare-slower-in-all" } else { "summary-compare-slower" };
        let clause = Message::new(id)
            .with("name", self.short_name(one.volume))
            .with("count", one.ratios.len())
            .with("of", self.findings.len())
            .part("range", lead_range(&one.ratios));
        match self.cap_claim(one.volume) {
            Some(capped) => {
                let because = Message::new("summary-compare-because").part("clause", clause);
                because.part("capped", capped)
            }
            None => clause,
        }
    }

    /// `ssd and xfs: equal within 5 %`, and in how many tests these cannot be told apart yet: of
    /// the volumes that no test shows to be slower, or of all where that is one at most.
    fn rest_clause(&self, slower: &[SlowerVolume]) -> Option<Message> {
        let is_slower = |volume: &usize| slower.iter().any(|one| one.volume == *volume);
        let rest: Vec<usize> = self.heads().filter(|of| !is_slower(of)).collect();
        let those = if rest.len() > 1 { rest } else { self.heads().collect() };
        let leads = |finding: &PhaseFinding| -> Vec<Option<Lead>> {
            those.iter().map(|volume| lead_of(finding, *volume)).collect()
        };
        let leads: Vec<Vec<Option<Lead>>> = self.findings.iter().map(leads).collect();
        let is_equal = |of: &&Vec<Option<Lead>>| of.iter().all(|lead| *lead == Some(Lead::Shared));
        let equal = leads.iter().filter(is_equal).count();
        let open = leads.iter().filter(|of| of.contains(&Some(Lead::Open))).count();
        let of = self.findings.len();
        let id = match (equal, open) {
            (0, 0) => return None,
            (equal, _) if equal == of => "summary-compare-equal",
            (0, open) if open == of => "summary-compare-open",
            (0, _) => "summary-compare-open-in-part",
            (_, 0) => "summary-compare-equal-in-part",
            _ => "summary-compare-equal-and-open",
        };
        let names = list::names(those.iter().map(|of| Message::verbatim(self.short_name(*of))));
        let clause = Message::new(id).part("names", names).with("equal", equal).with("open", open);
        Some(clause.with("of", of).with("margin", self.plan.margin_percent))
    }
}

/// How a volume stands to the best in a test; none where it did not run.
fn lead_of(finding: &PhaseFinding, volume: usize) -> Option<Lead> {
    finding.lead(finding.standings.iter().find(|of| of.volume == volume)?)
}

/// The ratio of a volume's figure to the best, where a test shows it to be slower.
fn ratio_to_best(finding: &PhaseFinding, volume: usize) -> Option<f64> {
    if lead_of(finding, volume) != Some(Lead::Behind) {
        return None;
    }
    let own = finding.standings.iter().find(|of| of.volume == volume)?;
    if let Some(ranking) = &finding.ranking {
        let place = ranking.places.iter().find(|place| place.side.name == own.side.name);
        return place?.over_best.as_ref().and_then(Difference::bounds).map(|of| of.ratio);
    }
    let over_first = |of: &VolumeStanding| Some(of.over_first.as_ref()?.difference.bounds()?.ratio);
    // The first volume beside the only other one.
    over_first(own).or_else(|| Some(1.0 / finding.standings.iter().find_map(over_first)?))
}

/// `12 % to 2.6x`, of the ratios by which figures are worse or better.
pub(super) fn lead_range(ratios: &[f64]) -> Message {
    let by_size = |a: &&f64, b: &&f64| a.ln().abs().total_cmp(&b.ln().abs());
    let [low, high] = [ratios.iter().min_by(by_size), ratios.iter().max_by(by_size)]
        .map(|ratio| lead(ratio.copied().unwrap_or(1.0)));
    match low == high {
        true => high,
        false => Message::new("change-range").part("low", low).part("high", high),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::{GateFigure, PhaseInfo};
    use crate::summary::tests::volume;
    use fathom_analysis::{Better, JudgeRule, Ranking, RowOutcome, SharedRounds};
    use fathom_message::Lang;
    use serde_json::json;

    const STEADY: [f64; 9] = [1.0, 1.01, 0.99, 1.005, 0.995, 1.0, 1.002, 0.998, 1.0];
    const WILD: [f64; 9] = [3.0, 0.2, 1.5, 0.4, 0.1, 2.0, 0.3, 1.0, 0.6];

    /// A comparison of these volumes without any test.
    fn empty(targets: &[&str]) -> CompareDocument {
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

    /// A test in which each volume did so many I/Os a second, in rounds that scatter so.
    fn finding<const N: usize>(levels: [f64; N], scatter: [[f64; 9]; N]) -> PhaseFinding {
        let rounds = |at: usize| scatter[at].map(|part| Some(part * levels[at])).to_vec();
        let shared = SharedRounds::new((0..N).map(|at| (at.to_string(), rounds(at))));
        let rule = JudgeRule::among(18);
        let standing = |at: usize| VolumeStanding {
            volume: at,
            side: shared.side(at),
            values: rounds(at),
            mean_latency_ns: 1.0,
            over_first: (at > 0).then(|| shared.compare([0, at], Better::Higher, rule)),
        };
        PhaseFinding {
            phase: 0,
            title: String::new(),
            judged: Judged::Iops,
            standings: (0..N).map(standing).collect(),
            ranking: (N > 2).then(|| Ranking::of_rounds(&shared, Better::Higher, rule)),
            sentences: Vec::new(),
        }
    }

    /// Two volumes whose second had these ratios to the first, each test in nine rounds.
    fn compared(ratios: &[f64]) -> CompareDocument {
        let mut document = empty(&["/mnt/a", "/mnt/b"]);
        let of = |ratio: &f64| finding([100.0, 100.0 * ratio], [STEADY; 2]);
        document.findings = ratios.iter().map(of).collect();
        document
    }

    #[test]
    fn two_volumes_are_told_over_all_tests_in_a_sentence() {
        let cases: [(&[f64], &str, &str); 5] = [
            (&[1.0; 6], "a and b: equal within 5 %.", "a, b: 5 % 이내로 같음."),
            (
                &[1.5, 1.9, 1.0],
                "a is slower in 2 of 3 tests (33 % to 47 %); a and b: equal within 5 % in 1 of 3 \
                 tests.",
                "a가 테스트 3개 중 2개에서 느림(33 %~47 %); a, b: 테스트 3개 중 1개에서 5 % 이내로 같음.",
            ),
            (&[0.1, 0.5], "b is 2.0x to 10x slower.", "b가 2.0배~10배 느림."),
            (&[0.5], "b is 2.0x slower.", "b가 2.0배 느림."),
            (
                &[0.5, 1.5],
                "a is slower in 1 of 2 tests (33 %); b is slower in 1 of 2 tests (2.0x).",
                "a가 테스트 2개 중 1개에서 느림(33 %); b가 테스트 2개 중 1개에서 느림(2.0배).",
            ),
        ];
        for (ratios, english, korean) in cases {
            let document = compared(ratios);
            assert_eq!(document.summary(Lang::En), english);
            assert_eq!(document.summary(Lang::Ko), korean);
        }
        assert_eq!(compared(&[0.1, 1.0]).essence(), "b slower in 1 of 2 tests");
        assert_eq!(compared(&[1.0, 1.0]).essence(), "equal in 2 of 2 tests");
    }

    #[test]
    fn of_three_volumes_the_slower_the_fastest_and_the_equal_are_told() {
        let steady = [STEADY; 3];
        let even = || finding([300.0, 3000.0, 3000.0], steady);
        let ahead = || finding([300.0, 3000.0, 2000.0], steady);
        let open = || finding([300.0, 300.0, 300.0], [STEADY, WILD, WILD]);
        let level = || finding([300.0; 3], steady);
        for (findings, english) in [
            (vec![even(), even()], "hdd is 10x slower; ssd and nas: equal within 5 %."),
            (vec![ahead(), ahead()], "ssd is fastest; hdd is 10x slower; nas is 33 % slower."),
            (
                vec![even(), open()],
                "hdd is slower in 1 of 2 tests (10x); ssd and nas: equal within 5 % in 1 of 2 \
                 tests, not told apart yet in 1.",
            ),
            (vec![open(), open()], "hdd, ssd and nas cannot be told apart yet."),
            (vec![level(), level()], "hdd, ssd and nas: equal within 5 %."),
        ] {
            let document =
                CompareDocument { findings, ..empty(&["/mnt/hdd", "/mnt/ssd", "/srv/nas"]) };
            assert_eq!(document.summary(Lang::En), english);
        }
    }

    #[test]
    fn the_table_marks_the_best_and_what_is_equal_to_it() {
        let leads = |levels, scatter| {
            let finding = finding(levels, scatter);
            [0, 1, 2].map(|volume| lead_of(&finding, volume))
        };
        let steady = [STEADY; 3];
        let [alone, shared, behind] = [Lead::Alone, Lead::Shared, Lead::Behind].map(Some);
        assert_eq!(leads([300.0, 3000.0, 2000.0], steady), [behind, alone, behind]);
        assert_eq!(leads([300.0, 3000.0, 3000.0], steady), [behind, shared, shared]);
        let open = leads([300.0, 3000.0, 2000.0], [STEADY, STEADY, WILD]);
        assert_eq!(open, [behind, Some(Lead::Open), Some(Lead::Open)]);
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
        assert!(said.starts_with("PASS: of 2 figures none is worse by more than 5 %."));
        assert!(said.contains(" a is slower in 1 of 2 tests") && line == "gate: PASS", "{said}");
        let (said, line) = outcome(&gated(&[1.0, 0.5, 0.8], false));
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
    fn names_are_the_ends_of_paths_as_far_as_they_differ() {
        let document = empty(&["/mnt/a/data", "/mnt/b/data/", "/dev/shm"]);
        let names: Vec<String> = (0..3).map(|volume| document.short_name(volume)).collect();
        assert_eq!(names, ["a/data", "b/data", "shm"]);
        let within = empty(&["/data", "/mnt/data", "/"]);
        let names: Vec<String> = (0..3).map(|volume| within.short_name(volume)).collect();
        assert_eq!(names, ["/data", "mnt/data", "/"]);
        let one = "nfs://nas.example.com/one?nfsport=20490";
        let exports = empty(&[one, "nfs://nas.example.com/other?uid=1", "/mnt/one"]);
        let names: Vec<String> = (0..3).map(|volume| exports.short_name(volume)).collect();
        assert_eq!(names, ["nas.example.com/one", "other", "mnt/one"]);
        let alike = empty(&[one, "nfs://nas.example.com/one?nconnect=4"]);
        assert_eq!(alike.short_name(0), one);
        // As typed where that is short.
        let mut typed = empty(&["/home/me/thr/m", "/home/me/a", "/home/me/of/a/long/path"]);
        for (volume, name) in
            typed.volumes.iter_mut().zip(["thr/m/", "./a", "me/of/a/very/long/path"])
        {
            volume.place.volume.name = name.to_owned();
        }
        let names: Vec<String> = (0..3).map(|volume| typed.short_name(volume)).collect();
        assert_eq!(names, ["thr/m", "a", "path"]);
    }
}
