//! The plain figures of the user's own jobs: what a script reads without adding up histograms.
//!
//! They are those of the table: clones of a job, and its parts on several machines, are one job.
//! [`Figures`](crate::Figures) does not fit, because such a job need not have one depth and one
//! block size that explain its figures.

use fathom_stats::{DirectionStats, RunResult};
use fathom_vocab::Direction;
use serde::{Deserialize, Serialize};

/// The figures of a job in one direction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JobFigures {
    /// The name of the job.
    pub job: String,
    /// The direction of its I/Os.
    pub direction: Direction,
    /// I/Os that completed.
    pub ios: u64,
    /// I/Os a second.
    pub iops: f64,
    /// Bytes a second.
    pub bytes_per_s: f64,
    /// Mean latency in nanoseconds, from taking an I/O up to its completion. This and all further
    /// figures are missing if the job measures no latency.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mean_ns: Option<f64>,
    /// Median latency in nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p50_ns: Option<u64>,
    /// 99th percentile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p99_ns: Option<u64>,
    /// 99.9th percentile.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub p999_ns: Option<u64>,
    /// Greatest latency in nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_ns: Option<u64>,
}

impl JobFigures {
    /// The figures of each job in each direction in which it completed an I/O.
    pub fn of(result: &RunResult) -> Vec<JobFigures> {
        let jobs = result.whole_jobs();
        let of_job = |job| Direction::ALL.into_iter().map(move |way| (job, way));
        let each = jobs.iter().flat_map(of_job);
        each.filter_map(|(job, way)| of_direction(&job.name, way, &job.dirs[way])).collect()
    }
}

fn of_direction(job: &str, direction: Direction, stats: &DirectionStats) -> Option<JobFigures> {
    let seconds = stats.runtime_ms as f64 / 1e3;
    if stats.total_ios == 0 || seconds <= 0.0 {
        return None;
    }
    let latency = stats.lat_or_clat();
    let is_measured = latency.moments.count > 0;
    let has_histogram = latency.histogram.total() > 0;
    let percentile = |percent| has_histogram.then(|| latency.percentile(percent));
    Some(JobFigures {
        job: job.to_owned(),
        direction,
        ios: stats.total_ios,
        iops: stats.total_ios as f64 / seconds,
        bytes_per_s: stats.io_bytes as f64 / seconds,
        mean_ns: is_measured.then(|| latency.moments.mean()),
        p50_ns: percentile(50.0),
        p99_ns: percentile(99.0),
        p999_ns: percentile(99.9),
        max_ns: is_measured.then_some(latency.moments.max),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_stats::{ClientSpan, JobResult};

    /// A job with this number of reads of 4 KiB in a second, each of `ns`.
    fn reads(name: &str, ios: u64, ns: u64) -> JobResult {
        let mut job = JobResult { name: name.to_owned(), ..JobResult::default() };
        let read = &mut job.dirs.read;
        (read.total_ios, read.io_bytes, read.runtime_ms) = (ios, ios * 4096, 1000);
        (0..ios).for_each(|_| read.lat.record(ns));
        job
    }

    #[test]
    fn clones_and_parts_on_several_machines_are_one_job() {
        let mut mixed = reads("a@h1", 100, 1000);
        mixed.dirs.write = reads("", 50, 2000).dirs.read;
        let clients =
            ["h1", "h2"].map(|host| ClientSpan { host: host.to_owned(), ..ClientSpan::default() });
        let result = RunResult {
            jobs: vec![mixed, reads("a@h2", 300, 50_000), reads("b", 10, 9), reads("b", 10, 9)],
            clients: clients.to_vec(),
            ..RunResult::default()
        };
        let figures = JobFigures::of(&result);
        let rates = figures.iter().map(|of| (of.job.as_str(), of.direction, of.ios, of.iops));
        assert_eq!(
            rates.collect::<Vec<_>>(),
            [
                ("a", Direction::Read, 400, 400.0),
                ("a", Direction::Write, 50, 50.0),
                ("b", Direction::Read, 20, 20.0),
            ]
        );
        let [all, writes, _] = figures.as_slice() else { panic!("{figures:?}") };
        assert_eq!((all.bytes_per_s, all.mean_ns), (400.0 * 4096.0, Some(37_750.0)));
        assert!(all.p50_ns.is_some_and(|ns| ns.abs_diff(50_000) * 128 <= 50_000), "{all:?}");
        assert_eq!((all.max_ns, writes.max_ns), (Some(50_000), Some(2000)));
    }

    #[test]
    fn a_job_without_latencies_has_rates_alone() {
        let mut job = reads("a", 100, 1000);
        job.dirs.read.lat = Default::default();
        let result = RunResult { jobs: vec![job], ..RunResult::default() };
        let text = serde_json::to_string(&JobFigures::of(&result)).unwrap();
        let rates =
            r#"[{"job":"a","direction":"read","ios":100,"iops":100.0,"bytes_per_s":409600.0}]"#;
        assert_eq!(text, rates);
    }
}
