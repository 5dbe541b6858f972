//! The reports of a run for outputs: one for each clone or reporting group, and the status of each
//! group.

use crate::merge::bandwidth;
use crate::{JobResult, RateSummary, RunResult};
use fathom_vocab::{Direction, PerDirection};
use std::borrow::Cow;

/// A clone, or a reporting group as one.
#[derive(Clone, Debug)]
pub struct JobReport<'a> {
    /// Its merged figures; identity and setup are the first clone's. Copied only if there is
    /// something to add, because histograms of thousands of clones are large.
    pub job: Cow<'a, JobResult>,
    /// How many clones it speaks for.
    pub clones: u32,
    /// Rates over windows of `bwavgtime`, in KiB a second.
    pub bw: PerDirection<RateSummary>,
    /// Rates over windows of `iopsavgtime`.
    pub iops: PerDirection<RateSummary>,
    /// Bandwidth of its whole group in KiB a second, of which `bw` is a share.
    pub group_bw_kib: PerDirection<f64>,
    /// The same of all directions together.
    pub group_mixed_kib: f64,
}

impl<'a> JobReport<'a> {
    fn of(job: &'a JobResult) -> JobReport<'a> {
        JobReport {
            job: Cow::Borrowed(job),
            clones: 1,
            bw: PerDirection::from_fn(|dir| RateSummary::of(&job.dirs[dir].bw)),
            iops: PerDirection::from_fn(|dir| RateSummary::of(&job.dirs[dir].iops)),
            group_bw_kib: PerDirection::default(),
            group_mixed_kib: 0.0,
        }
    }

    fn join(&mut self, job: &JobResult) {
        self.job.to_mut().merge(job);
        self.clones += 1;
        for dir in Direction::ALL {
            self.bw[dir].add(&RateSummary::of(&job.dirs[dir].bw));
            self.iops[dir].add(&RateSummary::of(&job.dirs[dir].iops));
        }
    }

    fn takes(&self, job: &JobResult) -> bool {
        job.group_reporting && self.job.group_reporting && self.job.group_id == job.group_id
    }

    /// Bandwidth over windows, all directions as one.
    pub fn mixed_bw(&self) -> RateSummary {
        sum(&self.bw)
    }

    /// I/Os a second over windows, all directions as one.
    pub fn mixed_iops(&self) -> RateSummary {
        sum(&self.iops)
    }
}

fn sum(rates: &PerDirection<RateSummary>) -> RateSummary {
    let mut sum = RateSummary::default();
    for (_, rate) in rates.iter() {
        sum.add(rate);
    }
    sum
}

/// One direction of a group in the closing summary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroupDirection {
    /// Bytes of all reports.
    pub io_bytes: u64,
    /// Bytes a second of all together, over the longest time.
    pub bw_bytes: u64,
    /// Least bytes a second of a report.
    pub bw_min_bytes: u64,
    /// Greatest bytes a second of a report.
    pub bw_max_bytes: u64,
    /// Shortest time of a report in milliseconds.
    pub runtime_min_ms: u64,
    /// Longest time of a report in milliseconds.
    pub runtime_max_ms: u64,
}

impl GroupDirection {
    fn join(&mut self, io_bytes: u64, runtime_ms: u64) {
        if runtime_ms == 0 {
            return;
        }
        let bw = bandwidth(io_bytes, runtime_ms);
        let fresh = self.runtime_max_ms == 0;
        self.io_bytes += io_bytes;
        self.bw_min_bytes = if fresh { bw } else { self.bw_min_bytes.min(bw) };
        self.bw_max_bytes = self.bw_max_bytes.max(bw);
        self.runtime_min_ms = if fresh { runtime_ms } else { self.runtime_min_ms.min(runtime_ms) };
        self.runtime_max_ms = self.runtime_max_ms.max(runtime_ms);
        self.bw_bytes = bandwidth(self.io_bytes, self.runtime_max_ms);
    }

    /// Whether anything was measured.
    pub fn is_used(&self) -> bool {
        self.runtime_max_ms > 0
    }
}

/// A group in the closing summary.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroupStatus {
    /// Its number.
    pub group_id: u32,
    /// Each direction.
    pub dirs: PerDirection<GroupDirection>,
    /// All directions of each report as one.
    pub mixed: GroupDirection,
    /// Position in [`RunResult::jobs`] of the clone whose units the summary uses: the first of the
    /// last report.
    pub units_job: usize,
}

impl RunResult {
    /// One report for each clone, or for each run of clones of a group with `group_reporting`.
    pub fn reports(&self) -> Vec<JobReport<'_>> {
        let mut reports: Vec<JobReport<'_>> = Vec::new();
        for job in &self.jobs {
            // Clones of one group may be parted by jobs that report for themselves.
            match reports.iter_mut().find(|report| report.takes(job)) {
                Some(report) => report.join(job),
                None => reports.push(JobReport::of(job)),
            }
        }
        self.share(&mut reports);
        reports
    }

    fn share(&self, reports: &mut [JobReport<'_>]) {
        let groups = groups_of(reports, self);
        for report in reports {
            let Some(group) = groups.iter().find(|g| g.group_id == report.job.group_id) else {
                continue;
            };
            report.group_bw_kib =
                PerDirection::from_fn(|dir| group.dirs[dir].bw_bytes as f64 / 1024.0);
            report.group_mixed_kib = group.mixed.bw_bytes as f64 / 1024.0;
        }
    }

    /// The status of each group, in the order of their numbers.
    pub fn groups(&self) -> Vec<GroupStatus> {
        groups_of(&self.reports(), self)
    }
}

fn groups_of(reports: &[JobReport<'_>], result: &RunResult) -> Vec<GroupStatus> {
    let mut groups: Vec<GroupStatus> = Vec::new();
    for report in reports {
        let id = report.job.group_id;
        let at = groups.iter().position(|g| g.group_id == id).unwrap_or_else(|| {
            groups.push(GroupStatus { group_id: id, ..GroupStatus::default() });
            groups.len() - 1
        });
        let number = report.job.number;
        groups[at].units_job = result.jobs.iter().position(|job| job.number == number).unwrap_or(0);
        for (dir, stats) in report.job.dirs.iter() {
            groups[at].dirs[dir].join(stats.io_bytes, stats.runtime_ms);
        }
        if report.job.setup.unified_rw == 1 {
            let mixed = report.job.mixed();
            groups[at].mixed.join(mixed.io_bytes, mixed.runtime_ms);
        } else {
            // Shown besides the directions, the extremes are those of single directions.
            for (_, stats) in report.job.dirs.iter() {
                groups[at].mixed.join(stats.io_bytes, stats.runtime_ms);
            }
        }
    }
    groups.sort_by_key(|group| group.group_id);
    groups
}
