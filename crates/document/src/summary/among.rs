//! How three and more volumes stand to each other, in a few clauses: which is fastest, and what the
//! other tests say of it; without a fastest, which are slower.

use crate::compare::{CompareDocument, Lead, PhaseFinding, VolumeStanding, is_told};
use crate::test_title::test_title;
use fathom_analysis::lead;
use fathom_message::{Message, list};
use fathom_text::{Text, text};

/// Most volumes that a clause counts the tests of.
const MOST_COUNTED: usize = 3;

/// A volume and the tests that show something of it.
struct VolumeTests<'d> {
    volume: usize,
    tests: Vec<&'d PhaseFinding>,
}

impl CompareDocument {
    /// The claim over all tests; none without any.
    pub(super) fn among(&self) -> Option<Message> {
        let fastest = self.fastest();
        match fastest.as_slice() {
            _ if self.findings.is_empty() => None,
            [] => Some(self.without_fastest()),
            [only] => {
                let clauses = std::iter::once(self.fastest_in(only)).chain(self.other_tests(only));
                Some(list::semicolons(clauses))
            }
            several => Some(self.counted(several, ["summary-fastest", "summary-fastest-too"])),
        }
    }

    /// The same in a few words for a list.
    pub(super) fn essence_of_several(&self) -> Text {
        let of = self.findings.len();
        let told = |one: &VolumeTests<'_>| (self.short_name(one.volume), one.tests.len());
        match (self.fastest().first().map(told), self.slower().first().map(told)) {
            (Some((name, count)), _) => text!("{name} fastest in {count} of {of} tests"),
            (None, Some((name, count))) => text!("{name} slower in {count} of {of} tests"),
            (None, None) => text!("none fastest in {of} tests"),
        }
    }

    /// The volumes for which a test shows something, the one with the most tests first.
    fn with_tests(&self, shows: impl Fn(&PhaseFinding, usize) -> bool) -> Vec<VolumeTests<'_>> {
        let each = (0..self.volumes.len()).map(|volume| {
            let tests = self.findings.iter().filter(|finding| shows(finding, volume));
            VolumeTests { volume, tests: tests.collect() }
        });
        let mut all: Vec<VolumeTests<'_>> = each.filter(|one| !one.tests.is_empty()).collect();
        all.sort_by_key(|one| std::cmp::Reverse(one.tests.len()));
        all
    }

    /// The volumes that are shown to be fastest.
    fn fastest(&self) -> Vec<VolumeTests<'_>> {
        self.with_tests(|finding, volume| lead_of(finding, volume) == Some(Lead::Alone))
    }

    /// The volumes that are shown to be slower than another one.
    fn slower(&self) -> Vec<VolumeTests<'_>> {
        self.with_tests(PhaseFinding::shows_slower)
    }

    /// `ssd is fastest in 2 of 6 tests`; of a single one of several tests, in which.
    fn fastest_in(&self, only: &VolumeTests<'_>) -> Message {
        let test = only.tests.first().filter(|_| only.tests.len() == 1 && self.findings.len() > 1);
        match test {
            Some(test) => Message::new("summary-fastest-in")
                .with("best", self.short_name(only.volume))
                .part("test", test_title(&test.title)),
            None => self.counted(std::slice::from_ref(only), ["summary-fastest"; 2]),
        }
    }

    /// What the other tests say of the only volume that is fastest in some: `slower in 1 test`, `no
    /// difference from nas in 2 tests`, `1 test is not judged`.
    fn other_tests(&self, only: &VolumeTests<'_>) -> Vec<Message> {
        let tests = |wanted| {
            let is_wanted = move |of: &&PhaseFinding| lead_of(of, only.volume) == Some(wanted);
            self.findings.iter().filter(is_wanted).collect::<Vec<_>>()
        };
        let (behind, even, open) = (tests(Lead::Behind), tests(Lead::Shared), tests(Lead::Open));
        let is_even = |volume: &usize| {
            let shares = |of: &&PhaseFinding| lead_of(of, *volume) == Some(Lead::Shared);
            *volume != only.volume && even.iter().all(shares)
        };
        let others: Vec<usize> = (0..self.volumes.len()).filter(is_even).collect();
        let of_even = match others.is_empty() {
            true => Message::new("summary-even-with-one"),
            false => Message::new("summary-even-with").part("others", self.names(&others)),
        };
        let clauses = [
            (Message::new("summary-slower-in"), behind.len()),
            (of_even, even.len()),
            (Message::new("summary-open"), open.len()),
        ];
        let made = clauses.into_iter().filter(|(_, count)| *count > 0);
        made.map(|(clause, count)| clause.count("count", count as u64)).collect()
    }

    /// `ssd and nas: no difference shown; hdd is slower in 5 of 6 tests`.
    fn without_fastest(&self) -> Message {
        let slower = self.slower();
        let slow = self.counted(&slower, ["summary-slower", "summary-slower-too"]);
        let is_slow = |volume: &usize| slower.iter().any(|one| one.volume == *volume);
        let rest: Vec<usize> = (0..self.volumes.len()).filter(|of| !is_slow(of)).collect();
        match (slower.is_empty(), rest.len()) {
            (true, _) => self.without_difference(),
            (false, 0 | 1) => Message::new("summary-none-fastest-slower").part("slower", slow),
            (false, _) => {
                let id = if self.are_even(&rest) { "summary-even" } else { "summary-even-open" };
                let even = Message::new(id).part("names", self.names(&rest));
                list::semicolons([even, slow])
            }
        }
    }

    /// Whether a test shows two of these volumes to be as good as the best.
    fn are_even(&self, volumes: &[usize]) -> bool {
        let shares = |finding: &PhaseFinding, volume: &usize| {
            lead_of(finding, *volume) == Some(Lead::Shared)
        };
        let count =
            |finding: &PhaseFinding| volumes.iter().filter(|of| shares(finding, of)).count();
        self.findings.iter().any(|finding| count(finding) > 1)
    }

    /// Where no test shows a difference, and not all of them were judged.
    fn without_difference(&self) -> Message {
        let of = self.findings.len();
        let same = self.findings.iter().filter(|finding| finding.is_level()).count();
        let is_judged = |finding: &&PhaseFinding| {
            let first = finding.standings.iter().filter_map(|of| of.over_first.as_ref());
            first.map(|comparison| &comparison.difference).any(is_told)
        };
        let judged = self.findings.iter().filter(is_judged).count();
        match (same, judged) {
            (0, 0) => Message::new("summary-none-judged").with("of", of),
            (0, _) => Message::new("summary-none-fastest").with("of", of),
            (same, _) => Message::new("summary-level-in-part")
                .part("bound", lead(self.most_that_may_be()))
                .with("same", same)
                .with("of", of)
                .with("untold", of - same),
        }
    }

    /// `hdd is slower in 5 of 6 tests, usb in 3`, by the sentences of the first and of the others.
    fn counted(&self, all: &[VolumeTests<'_>], [first, other]: [&'static str; 2]) -> Message {
        list::commas(all.iter().take(MOST_COUNTED).enumerate().map(|(at, one)| {
            Message::new(if at == 0 { first } else { other })
                .with("name", self.short_name(one.volume))
                .with("count", one.tests.len())
                .with("of", self.findings.len())
        }))
    }

    fn names(&self, volumes: &[usize]) -> Message {
        list::names(volumes.iter().map(|volume| Message::verbatim(self.short_name(*volume))))
    }
}

/// How a volume stands to the best in a test; none where it did not run.
fn lead_of(finding: &PhaseFinding, volume: usize) -> Option<Lead> {
    let own = |of: &&VolumeStanding| of.volume == volume;
    finding.lead(finding.standings.iter().find(own)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DocumentSummary;
    use crate::summary::compare::tests::empty;
    use fathom_analysis::Judged;
    use fathom_analysis::{Better, Comparison, Ranking, Side};
    use fathom_message::Lang;

    const STEADY: [f64; 5] = [1.0, 1.01, 0.99, 1.005, 0.995];
    const WILD: [f64; 5] = [3.0, 0.2, 1.5, 0.4, 0.1];

    /// A test in which each volume did so many I/Os a second, in rounds that scatter so.
    fn test(levels: [f64; 3], scatter: [[f64; 5]; 3]) -> PhaseFinding {
        let rounds = |at: usize| scatter[at].map(|part| part * levels[at]);
        let side = |at: usize| Side::of_repeats(["hdd", "ssd", "nas"][at], &rounds(at));
        let over_first = |at: usize| {
            let pairs: Vec<(f64, f64)> = rounds(0).into_iter().zip(rounds(at)).collect();
            let names = ["hdd".to_owned(), side(at).name];
            Comparison::paired_among(names, &pairs, Better::Higher, Some(4))
        };
        let standing = |at: usize| VolumeStanding {
            volume: at,
            side: side(at),
            values: rounds(at).map(Some).to_vec(),
            merged: None,
            mean_latency_ns: 1.0,
            over_first: (at > 0).then(|| over_first(at)),
        };
        PhaseFinding {
            phase: 0,
            title: "4 KiB random read, QD 32".to_owned(),
            judged: Judged::Iops,
            standings: (0..3).map(standing).collect(),
            ranking: Some(Ranking::among((0..3).map(side).collect(), Better::Higher, Some(2))),
            sentences: Vec::new(),
        }
    }

    fn document(findings: Vec<PhaseFinding>) -> CompareDocument {
        CompareDocument { findings, ..empty(&["/mnt/hdd", "/mnt/ssd", "/srv/nas"]) }
    }

    #[test]
    fn the_first_sentence_says_which_volume_and_which_are_not_told_apart() {
        let steady = [STEADY; 3];
        let even = || test([300.0, 3000.0, 3000.0], steady);
        let ahead = || test([300.0, 3000.0, 2000.0], steady);
        let open = || test([300.0, 300.0, 300.0], [STEADY, WILD, WILD]);
        let level = || test([300.0; 3], steady);
        let swapped = || test([300.0, 2000.0, 3000.0], steady);
        let behind = || test([3000.0, 300.0, 3000.0], steady);
        for (findings, english, korean) in [
            (
                vec![even(), even()],
                "ssd and nas: no difference shown; hdd is slower in 2 of 2 tests.",
                "ssd, nas: 차이 확인되지 않음; hdd가 테스트 2개 중 2개에서 느림.",
            ),
            (
                vec![ahead(), even()],
                "ssd is fastest in 4 KiB random read, QD 32; no difference from nas in 1 test.",
                "ssd: 4 KiB 랜덤 읽기, 큐 깊이 32에서 가장 빠름; nas와 테스트 1개에서 차이 없음.",
            ),
            (
                vec![ahead(), behind(), even(), open()],
                "ssd is fastest in 4 KiB random read, QD 32; slower in 1 test; no difference from nas \
                 in 1 test; 1 test is not judged.",
                "ssd: 4 KiB 랜덤 읽기, 큐 깊이 32에서 가장 빠름; 테스트 1개에서는 더 느림; nas와 테스트 \
                 1개에서 차이 없음; 테스트 1개는 판정 불가.",
            ),
            (
                vec![ahead(), ahead()],
                "ssd is fastest in 2 of 2 tests.",
                "ssd: 테스트 2개 중 2개에서 가장 빠름.",
            ),
            (
                vec![ahead(), swapped(), swapped()],
                "nas is fastest in 2 of 3 tests, ssd in 1.",
                "nas: 테스트 3개 중 2개에서 가장 빠름, ssd: 1개.",
            ),
            (
                vec![ahead(), ahead(), open()],
                "ssd is fastest in 2 of 3 tests; 1 test is not judged.",
                "ssd: 테스트 3개 중 2개에서 가장 빠름; 테스트 1개는 판정 불가.",
            ),
            (vec![open(), open()], "0 of 2 tests could be judged.", "테스트 2개 모두 판정 불가."),
            (
                vec![level(), open()],
                "No difference above 2.3 % in 1 of 2 tests; 1 not judged.",
                "테스트 2개 중 1개에서 2.3 %를 넘는 차이 없음, 1개는 판정 불가.",
            ),
        ] {
            let document = document(findings);
            assert_eq!(document.summary(Lang::En), english);
            assert_eq!(document.summary(Lang::Ko), korean);
        }
    }

    #[test]
    fn a_list_has_the_first_clause() {
        let document = document(vec![test([300.0, 3000.0, 3000.0], [STEADY; 3])]);
        assert_eq!(document.essence(), "hdd slower in 1 of 1 tests");
    }

    #[test]
    fn the_table_marks_the_best_and_what_is_not_told_apart_from_it() {
        let leads = |levels, scatter| {
            let finding = test(levels, scatter);
            [0, 1, 2].map(|volume| lead_of(&finding, volume))
        };
        let steady = [STEADY; 3];
        let [alone, shared, behind] = [Lead::Alone, Lead::Shared, Lead::Behind].map(Some);
        assert_eq!(leads([300.0, 3000.0, 2000.0], steady), [behind, alone, behind]);
        assert_eq!(leads([300.0, 3000.0, 3000.0], steady), [behind, shared, shared]);
        let open = leads([300.0, 3000.0, 2000.0], [STEADY, STEADY, WILD]);
        assert_eq!(open, [behind, Some(Lead::Open), Some(Lead::Open)]);
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
