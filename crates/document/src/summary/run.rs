//! What jobs of the user's own come to: what was asserted, else what they did.

use super::quantities::{brief_bandwidth, brief_iops, brief_latency};
use super::served::and_served;
use super::{DocumentSummary, summary_in};
use crate::run::RunDocument;
use fathom_analysis::Judged;
use fathom_analysis::{GateOutcome, RowOutcome, direction_noun};
use fathom_analysis::{GroupTotal, gate_of};
use fathom_message::{Message, list};
use fathom_stats::{JobResult, RunResult};
use fathom_vocab::Direction;
use std::collections::{BTreeMap, BTreeSet};

impl DocumentSummary for RunDocument {
    summary_in!(head.summary);

    fn claims(&self) -> Vec<Message> {
        let claim = self.asserted().unwrap_or_else(|| self.figures());
        let stopped = self.interrupted.then(|| match &self.stopped_by {
            Some(signal) => Message::new("summary-run-stopped-by").with("signal", signal.as_str()),
            None => Message::new("summary-run-stopped"),
        });
        let of = self.result.jobs.len() as u64;
        let count = self.result.jobs.iter().filter(|job| !job.error_text.is_empty()).count() as u64;
        // Where the claim is the failure itself, that needs no number.
        let is_beside = count > 0 && self.told_failure().is_none();
        let jobs = Message::new("summary-run-failed-jobs").with("count", count).with("of", of);
        let failed: u64 = self.result.jobs.iter().map(|job| job.total_err).sum();
        let failed =
            (failed > 0).then(|| Message::new("summary-run-failed-ios").with("count", failed));
        let said = Message::new("summary-sentence").part("claim", claim);
        vec![list::sentences(
            std::iter::once(said).chain(is_beside.then_some(jobs)).chain(failed).chain(stopped),
        )]
    }
}

impl RunDocument {
    /// The first job that failed.
    pub fn failed_job(&self) -> Option<&JobResult> {
        self.result.jobs.iter().find(|job| !job.error_text.is_empty())
    }

    /// The error of the failed job that the first sentence names, if it names one.
    pub fn told_failure(&self) -> Option<&str> {
        let ios = |job: &JobResult| Direction::ALL.iter().any(|way| job.dirs[*way].total_ios > 0);
        let is_told = match self.assertions.is_empty() {
            true => !self.result.jobs.iter().any(ios),
            false => gate_of(&self.assertions).outcome != GateOutcome::Fail,
        };
        self.failed_job().filter(|_| is_told).map(|job| &*job.error_text)
    }

    /// `FAIL: 3 of 6 assertions missed (p99<1us)`; none where nothing was asserted.
    fn asserted(&self) -> Option<Message> {
        let gate = gate_of(&self.assertions);
        let first = |outcome| {
            let row = self.assertions.iter().find(|row| row.outcome == outcome)?;
            let assertion = &row.assertion;
            Some(match row.jobs.is_empty() {
                true => assertion.clone(),
                false => format!("{}: {assertion}", row.jobs),
            })
        };
        let of = gate.of as u64;
        let told = |id, which| {
            Message::new(id).with("which", first(which).unwrap_or_default()).with("of", of)
        };
        Some(match gate.outcome {
            _ if gate.of == 0 => return None,
            // What failed is no question of evidence, nor made good by what other jobs did.
            GateOutcome::Pass | GateOutcome::Undecided if self.failed_job().is_some() => {
                return Some(self.failure());
            }
            GateOutcome::Pass => {
                let verdicts = self.groups.iter().flat_map(|group| &group.verdicts);
                and_served(told("summary-asserted", RowOutcome::Pass), verdicts)
            }
            GateOutcome::Fail => {
                told("summary-assertions-missed", RowOutcome::Fail).with("count", gate.failed)
            }
            GateOutcome::Undecided => told("summary-assertions-untold", RowOutcome::Undecided)
                .with("count", gate.of - gate.judged),
        })
    }

    /// `one: 28,600 IOPS, p99 4.0 ms`, of each group of jobs; jobs that took turns are not added
    /// up.
    fn figures(&self) -> Message {
        let mut groups: BTreeMap<u32, Vec<&JobResult>> = BTreeMap::new();
        for job in &self.result.jobs {
            groups.entry(job.group_id).or_default().push(job);
        }
        let groups: Vec<Vec<&JobResult>> = groups.into_values().collect();
        let told = |jobs: &Vec<&JobResult>| {
            let told = Message::new("summary-run").part("jobs", self.names(jobs));
            Some(told.part("figures", group_figures(&self.result, jobs)?))
        };
        let told: Vec<Message> = groups.iter().filter_map(told).collect();
        match told.len() {
            0 if groups.is_empty() => Message::new("summary-nothing"),
            0 => self.failure(),
            1..=MOST_GROUPS => list::semicolons(told),
            count => Message::new("summary-run-turns").with("count", count),
        }
    }

    /// The name of a job, or how many there are; on several clients each is one.
    fn names(&self, jobs: &[&JobResult]) -> Message {
        let names: BTreeSet<&str> = jobs.iter().map(|job| self.result.plain_name(job)).collect();
        let count = if self.result.clients.is_empty() { jobs.len() } else { names.len() };
        match names.first() {
            Some(only) if names.len() == 1 => Message::verbatim(*only),
            _ => Message::new("summary-run-jobs").with("jobs", count as u64),
        }
    }

    /// Why nothing was done, where that failed.
    fn failure(&self) -> Message {
        let failed = self.failed_job();
        failed.map_or_else(|| Message::new("summary-nothing"), |job| super::failed(&job.error_text))
    }
}

/// Most groups of jobs that the sentence has figures of.
const MOST_GROUPS: usize = 3;

/// `28,600 IOPS reads, 12,000 IOPS writes, p99 4.0 ms`; none where no I/O completed.
fn group_figures(result: &RunResult, jobs: &[&JobResult]) -> Option<Message> {
    let of = |way| GroupTotal::of(result, jobs, way);
    let all = of(None);
    if all.ios == 0 {
        return None;
    }
    let ways = Direction::ALL.into_iter().map(|way| (way, of(Some(way))));
    let ways: Vec<(Direction, GroupTotal)> = ways.filter(|(_, total)| total.ios > 0).collect();
    let rates = ways.iter().map(|(way, total)| match ways.len() {
        1 => Message::verbatim(rate(total)),
        _ => Message::new("summary-run-rate")
            .with("rate", rate(total))
            .part("way", Message::new(direction_noun(*way))),
    });
    let p99_ns = all.latency.percentile(99.0) as f64;
    let p99 = Message::verbatim(format!("p99 {}", brief_latency(p99_ns)));
    Some(list::commas(rates.chain([p99])))
}

/// I/Os a second, or bytes a second of large blocks.
fn rate(total: &GroupTotal) -> String {
    match Judged::rate_of(total.bytes_per_s / total.iops) {
        Judged::BytesPerS => brief_bandwidth(total.bytes_per_s / 1e6),
        _ => brief_iops(total.iops),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Head, Provenance};
    use crate::run::JobGroup;
    use fathom_analysis::Assertion;
    use fathom_analysis::verdicts::{Answer, Verdict};
    use fathom_analysis::{CacheFinding, CacheVerdict};
    use fathom_host::System;
    use fathom_message::Lang;

    /// A job of so many reads and writes of a block in a second, each of 500 us.
    fn job(name: &str, group_id: u32, ios: [u64; 2], block_bytes: u64) -> JobResult {
        let mut job = JobResult { name: name.into(), group_id, ..JobResult::default() };
        for (way, ios) in [Direction::Read, Direction::Write].into_iter().zip(ios) {
            let stats = &mut job.dirs[way];
            (stats.total_ios, stats.io_bytes, stats.runtime_ms) = (ios, ios * block_bytes, 1000);
            (0..ios).for_each(|_| stats.lat.record(500_000));
        }
        job
    }

    fn document(jobs: Vec<JobResult>, assertions: &[&str]) -> RunDocument {
        let result = RunResult { jobs, ..RunResult::default() };
        let assertions = assertions.iter().map(|text| text.parse::<Assertion>().unwrap());
        RunDocument {
            head: Head::new("fathom-run", 1, &Provenance::default()),
            interrupted: false,
            stopped_by: None,
            host: System::default(),
            jobs: String::new(),
            groups: Vec::new(),
            assertions: Vec::new(),
            gate: None,
            figures: Vec::new(),
            result: result.clone(),
            mounts: Vec::new(),
        }
        .with_assertions(assertions.flat_map(|one| one.judge(&result, &[])).collect())
    }

    fn english(jobs: Vec<JobResult>, assertions: &[&str]) -> String {
        let document = document(jobs, assertions).with_summary();
        assert!(document.head.summary.split(' ').count() <= 13, "{}", document.head.summary);
        document.head.summary
    }

    #[test]
    fn jobs_are_told_by_their_rate_and_their_latency() {
        let one = || job("one", 0, [2860, 0], 4096);
        assert_eq!(english(vec![one()], &[]), "one: 2,860 IOPS, p99 500 us.");
        let large = job("large", 0, [200, 0], 1 << 20);
        assert_eq!(english(vec![large], &[]), "large: 210 MB/s, p99 500 us.");
        let both = vec![one(), job("two", 0, [0, 900], 4096)];
        assert_eq!(english(both, &[]), "2 jobs: 2,860 IOPS reads, 900 IOPS writes, p99 500 us.");
        let clones = vec![one(), one()];
        assert_eq!(english(clones, &[]), "one: 5,720 IOPS, p99 500 us.");
        let turns = vec![one(), job("two", 1, [900, 0], 4096)];
        let told = "one: 2,860 IOPS, p99 500 us; two: 900 IOPS, p99 500 us.";
        assert_eq!(english(turns.clone(), &[]), told);
        assert!(document(turns, &[]).summary(Lang::Ko).contains("2,860 IOPS"));
        let many = (0..4).map(|group| job("one", group, [900, 0], 4096)).collect();
        assert_eq!(english(many, &[]), "4 groups of jobs; the table has the figures of each.");
        let mut failed = job("one", 0, [0, 0], 4096);
        assert_eq!(english(vec![failed.clone()], &[]), "nothing was measured.");
        failed.error_text = "No space left on device".into();
        assert_eq!(english(vec![failed], &[]), "FAILED: No space left on device.");
        let mut early = one();
        early.dirs.read.runtime_ms = 500;
        let told = "one: 5,720 IOPS, p99 500 us.";
        assert_eq!(english(vec![one(), early], &[]), told, "as the table has it: over the longest");
        let mut broken = job("two", 0, [0, 0], 4096);
        broken.error_text = "No space left on device".into();
        let told = "2 jobs: 2,860 IOPS, p99 500 us. 1 of 2 jobs failed.";
        assert_eq!(english(vec![one(), broken], &[]), told);
        let mut stopped = document(vec![one()], &[]);
        stopped.interrupted = true;
        let told = stopped.summary(Lang::En);
        assert_eq!(told, "one: 2,860 IOPS, p99 500 us. Stopped before its end.");
        stopped.stopped_by = Some("SIGTERM".to_owned());
        let told = stopped.summary(Lang::En);
        assert_eq!(told, "one: 2,860 IOPS, p99 500 us. Stopped by SIGTERM before its end.");
    }

    #[test]
    fn neither_a_failed_job_nor_failed_ios_pass_in_silence() {
        let one = || job("one", 0, [2860, 0], 4096);
        let mut failed = job("two", 0, [0, 0], 4096);
        failed.error_text = "No space left on device".into();
        let beside = document(vec![one(), failed], &["iops>1"]);
        assert_eq!(beside.summary(Lang::En), "FAILED: No space left on device.");
        assert_eq!(beside.told_failure(), Some("No space left on device"));
        let mut plain = beside.clone();
        plain.assertions.clear();
        assert_eq!(plain.told_failure(), None);
        let gate = beside.gate.expect("a gate");
        assert_eq!(gate.outcome, GateOutcome::Undecided);
        assert_eq!(gate.reason.as_deref(), Some("job two failed: No space left on device"));
        let mut halfway = job("two", 0, [0, 20], 4096);
        halfway.error_text = "No space left on device".into();
        let gate = document(vec![halfway], &["p99<1s"]).gate.expect("a gate");
        assert_eq!(gate.reason.as_deref(), Some("job two failed: No space left on device"));
        let lossy = JobResult { total_err: 450, ..one() };
        let told = english(vec![lossy.clone()], &["iops>1"]);
        assert_eq!(told, "PASS: the assertion holds (iops>1). 450 I/Os failed.");
        let told = document(vec![lossy], &[]).summary(Lang::Ko);
        assert!(told.ends_with(" I/O 450건이 실패했습니다."), "{told}");
    }

    #[test]
    fn a_pass_says_what_served_it_in_place_of_the_device() {
        let told = |verdicts: &[(Direction, CacheVerdict)], lang: Lang| {
            let cached = |(direction, verdict): &(Direction, CacheVerdict)| {
                let finding =
                    CacheFinding { direction: *direction, verdict: *verdict, signs: Vec::new() };
                Verdict::from(Answer::Cached(finding))
            };
            let mut document =
                document(vec![job("one", 0, [2860, 0], 4096)], &["iops>1", "p99<1s"]);
            let verdicts = verdicts.iter().map(cached).collect();
            document.groups = vec![JobGroup { jobs: "one".to_owned(), verdicts }];
            document.summary(lang)
        };
        let most = CacheVerdict::Cached { share: 0.87 };
        let (reads, writes) = (Direction::Read, Direction::Write);
        for (verdicts, said) in [
            (vec![(reads, most)], "; a cache served reads."),
            (vec![(reads, most), (writes, most)], "; a cache served reads and writes."),
            (vec![(reads, CacheVerdict::Cached { share: 0.2 })], "; a cache served some reads."),
            (vec![(writes, CacheVerdict::Suspected)], "; a cache may have served writes."),
            (
                vec![(reads, CacheVerdict::Memory), (writes, most)],
                "; memory served reads, not a disk.",
            ),
            (vec![(reads, CacheVerdict::NotCached)], "."),
        ] {
            assert_eq!(told(&verdicts, Lang::En), format!("PASS: all 2 assertions hold{said}"));
        }
        let korean = told(&[(reads, most)], Lang::Ko);
        assert_eq!(korean, "PASS(충족): 조건 2개 모두. 읽기에는 캐시가 응답했습니다.");
    }

    #[test]
    fn what_was_asserted_comes_first() {
        let jobs = || vec![job("one", 0, [2860, 0], 4096)];
        assert_eq!(english(jobs(), &["iops>1"]), "PASS: the assertion holds (iops>1).");
        assert_eq!(english(jobs(), &["iops>1", "p99<1s"]), "PASS: all 2 assertions hold.");
        let missed = english(jobs(), &["iops>1", "p99<1us", "max<1us"]);
        assert_eq!(missed, "FAIL: 2 of 3 assertions missed (p99<1us).");
        let missed = english(jobs(), &["p99<1us"]);
        assert_eq!(missed, "FAIL: the assertion is missed (p99<1us).");
        let untold = english(jobs(), &["write.iops>1"]);
        assert_eq!(untold, "UNDECIDED: the assertion could not be judged (write.iops>1).");
        let of_one_job = english(jobs(), &["iops>1", "one:p99<1us"]);
        assert_eq!(of_one_job, "FAIL: 1 of 2 assertions missed (one: p99<1us).");
        let untold = english(jobs(), &["iops>1", "write.iops>1"]);
        assert_eq!(untold, "UNDECIDED: 1 of 2 assertions could not be judged (write.iops>1).");
        let korean = document(jobs(), &["p99<1us"]).summary(Lang::Ko);
        assert!(korean.starts_with("FAIL(미달)") && korean.contains("p99<1us"), "{korean}");
    }
}
