//! The verdicts on a run: each group of jobs that ran side by side is judged by itself.
//!
//! Devices are counted over the whole run, so where groups had their turns one after another,
//! caches are judged once, over all of them.

use super::target::RunTarget;
use fathom_campaign::verdicts::{Answer, Observed, Verdict, judge, judge_data};
use fathom_campaign::{Executor, ceiling_of};
use fathom_job::JobSpec;
use fathom_stats::{JobResult, RunResult};

/// Verdicts on the groups of a run.
pub struct Judged {
    /// Names of a group's jobs, and what may be said of it.
    pub groups: Vec<(String, Vec<Verdict>)>,
}

impl Judged {
    /// Judges `result`, which `jobs` gave at `place`, and whose client had the ceilings of
    /// `executor`.
    pub fn of(
        result: &RunResult,
        jobs: &[JobSpec],
        target: &RunTarget,
        observed: &Observed,
        executor: &dyn Executor,
    ) -> Judged {
        let mut ids: Vec<u32> = result.jobs.iter().map(|job| job.group_id).collect();
        ids.sort_unstable();
        ids.dedup();
        let context = |jobs: &[JobSpec]| {
            let context = target.context(jobs).with_observed(observed);
            context.with_ceiling(ceiling_of(jobs, executor))
        };
        let mut groups = Vec::new();
        for id in &ids {
            let members: Vec<JobResult> =
                result.jobs.iter().filter(|job| job.group_id == *id).cloned().collect();
            let specs = specs_of(&members, jobs);
            let name = names(&specs);
            let disks = if ids.len() == 1 { result.disks.clone() } else { Vec::new() };
            let part = RunResult { jobs: members, disks, ..RunResult::default() };
            let mut verdicts = judge(&part, &context(&specs));
            if ids.len() > 1 {
                verdicts.retain(|verdict| !matches!(verdict.answer, Answer::Cached(_)));
            }
            groups.push((name, verdicts));
        }
        if ids.len() > 1 {
            groups.push(("all jobs".to_owned(), judge_data(result, &context(jobs))));
        }
        Judged { groups }
    }

    /// Each group's name and verdicts; a single group needs no name.
    pub fn named(&self) -> Vec<(String, &[Verdict])> {
        let name = |name: &String| if self.groups.len() > 1 { name.clone() } else { String::new() };
        self.groups.iter().map(|(of, verdicts)| (name(of), verdicts.as_slice())).collect()
    }
}

/// The jobs whose clones these are, each once.
fn specs_of(members: &[JobResult], jobs: &[JobSpec]) -> Vec<JobSpec> {
    let mut specs = Vec::new();
    let mut next = 1;
    for job in jobs {
        let numbers = next..next + job.process.numjobs.max(1);
        next = numbers.end;
        if members.iter().any(|member| numbers.contains(&member.number)) {
            specs.push(job.clone());
        }
    }
    specs
}

fn names(jobs: &[JobSpec]) -> String {
    let names: Vec<&str> = jobs.iter().map(|job| job.name.as_str()).collect();
    names.join(", ")
}
