//! Whether the client was the limit, from the CPU time of its threads and of the machine.

use super::context::{ClientFacts, Context};
use fathom_analysis::{ClientFinding, ClientInputs, CpuLimit, find_client};
use fathom_stats::{JobResult, RunResult};
use fathom_vocab::Direction;

/// Threads that ran for less than this many milliseconds are not judged: the kernel counts CPU
/// time in ticks.
const LEAST_MS: u64 = 500;

/// Of several clients it is the finding on the one that was closest to its limit.
pub(super) fn answer(result: &RunResult, context: &Context) -> ClientFinding {
    let of_client = |(host, facts): &(String, ClientFacts)| {
        let is_own = |job: &&JobResult| result.client_of(job).is_some_and(|(_, of)| of == host);
        let own: Vec<&JobResult> = result.jobs.iter().filter(is_own).collect();
        ClientFinding { host: Some(host.clone()), ..finding(&own, facts) }
    };
    // Verdicts are ordered from the worst.
    let worst = context.clients.iter().map(of_client).min_by_key(|of| of.verdict as u8);
    worst.unwrap_or_else(|| finding(&result.jobs.iter().collect::<Vec<_>>(), &context.client))
}

fn finding(jobs: &[&JobResult], facts: &ClientFacts) -> ClientFinding {
    let ios = |job: &&JobResult| Direction::ALL.iter().map(|d| job.dirs[*d].total_ios).sum::<u64>();
    let measured_ms = jobs
        .iter()
        .flat_map(|job| Direction::ALL.into_iter().map(|direction| job.dirs[direction].runtime_ms));
    let seconds = measured_ms.max().unwrap_or(0) as f64 / 1e3;
    let elapsed_ms = elapsed_ms(jobs.iter().copied());
    let own_us: u64 = jobs.iter().map(|job| busy_us(job)).sum();
    let own = own_us as f64 / (elapsed_ms.max(1) as f64 * 1e3 * f64::from(facts.cpus.max(1)));
    find_client(&ClientInputs {
        iops: jobs.iter().map(ios).sum::<u64>() as f64 / seconds,
        threads: u32::try_from(jobs.len()).unwrap_or(u32::MAX),
        cpus: facts.cpus,
        core_ceiling_iops: facts.core_ceiling_iops,
        busiest_thread: jobs.iter().filter_map(|job| busy(job)).reduce(f64::max),
        waiting: facts.waiting,
        machine_busy: facts.machine_busy.filter(|_| elapsed_ms >= LEAST_MS),
        own_busy: Some(own),
        quota: facts.quota.as_ref().map(|quota| CpuLimit {
            cpus: quota.cpus,
            of: facts.cpus,
            group: quota.cgroup.clone(),
            file: quota.file.clone(),
        }),
        throttled_us: facts.quota.as_ref().map_or(0, |quota| quota.throttled_us),
        stolen_share: facts.stolen_share.filter(|_| elapsed_ms >= LEAST_MS),
        elapsed_us: elapsed_ms.saturating_mul(1000),
    })
}

/// Milliseconds from the start of the jobs to their end, with the ramp.
pub(super) fn elapsed_ms<'a>(jobs: impl IntoIterator<Item = &'a JobResult>) -> u64 {
    jobs.into_iter().map(whole_ms).max().unwrap_or(0)
}

/// Milliseconds in which its CPU time was counted: with the ramp, without the time before it.
fn whole_ms(job: &JobResult) -> u64 {
    let series_ms = job.series.intervals.len() as u64 * job.series.interval_ms;
    match series_ms {
        0 => job.elapsed_ms.max(job.runtime_ms),
        series_ms => job.elapsed_ms.max(job.runtime_ms).min(series_ms).max(job.runtime_ms),
    }
}

fn busy_us(job: &JobResult) -> u64 {
    job.cpu.user_us + job.cpu.system_us
}

/// A thread's share of a processor.
pub(super) fn busy(job: &JobResult) -> Option<f64> {
    let time_ms = whole_ms(job);
    (time_ms >= LEAST_MS).then(|| busy_us(job) as f64 / (time_ms as f64 * 1e3))
}
