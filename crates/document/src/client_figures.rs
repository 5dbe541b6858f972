//! The figures of each of several clients of a run, and which of them lag.
//!
//! Everything that shows clients reads these: the terminal's tables and the report's. Figures of
//! all are those of the whole run, from the first I/O to the last.

use crate::thousands;
use fathom_analysis::laggards;
use fathom_message::Message;
use fathom_stats::{DirectionStats, RunResult};

/// The clients of a job of one run.
#[derive(Clone, Debug)]
pub struct ClientsOfJob<'r> {
    /// The job.
    pub job: &'r str,
    /// Its clients, in the order of the hosts.
    pub clients: Vec<ClientFigures<'r>>,
}

/// What one client did of a job, all directions together.
#[derive(Clone, Debug)]
pub struct ClientFigures<'r> {
    /// The client.
    pub host: &'r str,
    /// Its figures.
    pub total: DirectionStats,
    /// Whether it failed, so that its figures say nothing about its speed.
    pub has_failed: bool,
}

impl<'r> ClientsOfJob<'r> {
    /// Each job of `result` that at least two clients ran.
    pub fn each(result: &'r RunResult) -> Vec<ClientsOfJob<'r>> {
        let mut all: Vec<ClientsOfJob<'r>> = Vec::new();
        for job in &result.jobs {
            let Some((name, host)) = result.client_of(job) else { continue };
            let at = all.iter().position(|of| of.job == name).unwrap_or_else(|| {
                all.push(ClientsOfJob { job: name, clients: Vec::new() });
                all.len() - 1
            });
            let has_failed = job.error.is_error() || !job.error_text.is_empty();
            let own = ClientFigures { host, total: job.mixed(), has_failed };
            match all[at].clients.iter_mut().find(|of| of.host == host) {
                Some(of) => of.add(&own),
                None => all[at].clients.push(own),
            }
        }
        all.retain(|of| of.clients.len() > 1);
        all
    }

    /// All clients together.
    pub fn sum(&self) -> DirectionStats {
        self.clients.iter().fold(DirectionStats::default(), |mut sum, of| {
            sum.merge(&of.total);
            sum
        })
    }

    /// The clients that are far slower than the others, each in a sentence that says by how much.
    pub fn lags(&self) -> Vec<(&'r str, Message)> {
        let sound: Vec<&ClientFigures> = self.clients.iter().filter(|of| !of.has_failed).collect();
        let rates: Vec<f64> = sound.iter().map(|of| of.total.iops_mean()).collect();
        let slow = laggards(&rates);
        let others = || (0..rates.len()).filter(|at| !slow.contains(at)).map(|at| rates[at]);
        let (least, most) = (others().fold(f64::INFINITY, f64::min), others().fold(0.0, f64::max));
        let told = |at: &usize| {
            let lags = Message::new("client-lags")
                .with("host", sound[*at].host)
                .with("iops", thousands(rates[*at]))
                .with("least", thousands(least))
                .with("most", thousands(most));
            (sound[*at].host, lags)
        };
        slow.iter().map(told).collect()
    }
}

impl ClientFigures<'_> {
    fn add(&mut self, other: &ClientFigures<'_>) {
        self.total.merge(&other.total);
        self.has_failed |= other.has_failed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_stats::{ClientSpan, JobResult};

    /// A second in which each host did so many I/Os.
    fn result(ios: &[(&str, u64)]) -> RunResult {
        let job = |(host, ios): &(&str, u64)| {
            let mut job = JobResult { name: format!("iops@{host}"), ..JobResult::default() };
            (job.dirs.read.total_ios, job.dirs.read.runtime_ms) = (*ios, 1000);
            job
        };
        let client = |(host, _): &(&str, u64)| ClientSpan {
            host: (*host).to_owned(),
            ..ClientSpan::default()
        };
        RunResult {
            jobs: ios.iter().map(job).collect(),
            clients: ios.iter().map(client).collect(),
            ..RunResult::default()
        }
    }

    #[test]
    fn a_host_with_a_user_is_told_from_the_job_and_clones_are_added_up() {
        let result = result(&[("me@h", 1000), ("h", 2000), ("me@h", 10)]);
        let [of] = &ClientsOfJob::each(&result)[..] else { panic!("one job") };
        let figures: Vec<(&str, u64)> =
            of.clients.iter().map(|of| (of.host, of.total.total_ios)).collect();
        assert_eq!((of.job, figures), ("iops", vec![("me@h", 1010), ("h", 2000)]));
        assert_eq!(of.sum().iops_mean(), 3010.0);
        let alone = RunResult { jobs: vec![result.jobs[0].clone()], ..result.clone() };
        assert!(ClientsOfJob::each(&alone).is_empty());
    }

    #[test]
    fn one_that_lags_is_named_with_the_others_figures_and_one_that_failed_never() {
        let mut result = result(&[("a", 1000), ("b", 1010), ("c", 990), ("slow", 600)]);
        let lags = |result: &RunResult| {
            let each = ClientsOfJob::each(result);
            each[0].lags().iter().map(|(_, why)| why.to_string()).collect::<Vec<_>>()
        };
        let told = "slow lags: it did 600 IOPS, and each of the others did 990 to 1,010; look at \
                    its CPU and network.";
        assert_eq!(lags(&result), [told]);
        result.jobs[3].error_text = "No space left on device".to_owned();
        assert_eq!(lags(&result), Vec::<String>::new());
    }
}
