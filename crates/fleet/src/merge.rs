//! The results of several machines as one: jobs are side by side under the names of their hosts,
//! with all their counts, so that merging adds histograms and never percentiles. The results of a
//! relay's hosts are added as if each had reported here.

use crate::loss::AgentLoss;
use fathom_campaign::machine::MachineRun;
use fathom_run::{IoSpan, JobFailure, RunOutcome};
use fathom_stats::{ClientSpan, CommonSpan, JobResult, LiveSnapshot, RunResult};

/// The result of one host.
#[derive(Debug)]
pub(crate) struct ClientRun {
    pub(crate) host: String,
    pub(crate) run: MachineRun,
    /// From when to when it did I/O, by the coordinator's clock.
    pub(crate) span_ns: (u64, u64),
    /// Uncertainty of that, in nanoseconds.
    pub(crate) clock_error_ns: u64,
}

/// The moment at which all hosts were to begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StartMoment {
    /// By the coordinator's clock, as of spans.
    pub(crate) clock_ns: u64,
    /// In milliseconds since 1970, by the coordinator's machine.
    pub(crate) unix_ms: u64,
}

impl ClientRun {
    /// Puts its moments on the coordinator's clock, so that charts of several hosts have one axis
    /// of time: its first I/O is the same moment on both clocks.
    fn move_clock(&mut self, started: StartMoment) {
        let result = &mut self.run.outcome.result;
        let Some(own_ms) = result.first_begin_ms() else { return };
        let after_ns = self.span_ns.0.saturating_sub(started.clock_ns);
        let common_ms = started.unix_ms.saturating_add(after_ns / 1_000_000);
        result.move_clock(common_ms.wrapping_sub(own_ms).cast_signed());
    }
}

/// The runs of several hosts as one run. Jobs are in the order of their numbers, and for each those
/// of all hosts, in the hosts' order. Disks and the machines' own counters
/// keep their host's name. The `missing` hosts are named; the run was `interrupted` if too few were
/// left. All were to begin at `started`, and all moments become those of the coordinator's clock.
pub(crate) fn merged(
    clients: Vec<ClientRun>,
    missing: &[AgentLoss],
    interrupted: bool,
    started: StartMoment,
) -> MachineRun {
    let spans = spans(&clients);
    let mut whole = RunOutcome {
        result: RunResult::default(),
        logs: Vec::new(),
        leftovers: Vec::new(),
        io_span: io_span(&clients, started.clock_ns),
    };
    let mut jobs: Vec<(usize, usize, JobResult)> = Vec::new();
    let mut observations = Vec::new();
    for (at, mut client) in clients.into_iter().enumerate() {
        client.move_clock(started);
        observations.extend(client.run.observations.into_iter().map(|mut seen| {
            seen.client.get_or_insert_with(|| client.host.clone());
            seen
        }));
        let RunOutcome { mut result, logs, leftovers, .. } = client.run.outcome;
        // A relay has each of its jobs once for each host below it, under that host's name.
        let below = result.clients.len().max(1);
        if result.clients.is_empty() {
            name_by_host(&mut result, &client.host);
        }
        let own = std::mem::take(&mut result.jobs).into_iter().enumerate();
        jobs.extend(own.map(|(number, job)| (number / below, at, job)));
        whole.result.disks.append(&mut result.disks);
        add_result(&mut whole.result, result, &client.host, at == 0);
        whole.logs.extend(logs);
        whole.leftovers.extend(leftovers);
    }
    whole.result.jobs = in_order(jobs);
    set_clients(&mut whole.result, spans);
    add_missing(&mut whole.result, missing);
    whole.result.interrupted |= interrupted;
    MachineRun { outcome: whole, observations }
}

/// Names hosts that have no part in a result, and why.
fn add_missing(whole: &mut RunResult, missing: &[AgentLoss]) {
    for loss in missing {
        whole.notes.push(loss.to_string());
        if !whole.missing_clients.contains(&loss.host) {
            whole.missing_clients.push(loss.host.clone());
        }
    }
}

/// Adds the host's name to jobs and disks.
fn name_by_host(result: &mut RunResult, host: &str) {
    for job in &mut result.jobs {
        job.name = format!("{}@{host}", job.name);
    }
    for disk in &mut result.disks {
        disk.name = format!("{host}:{}", disk.name);
    }
}

/// Jobs with their numbers and the index of their machine, in the order of both, renumbered.
fn in_order(mut jobs: Vec<(usize, usize, JobResult)>) -> Vec<JobResult> {
    jobs.sort_by_key(|(number, at, _)| (*number, *at));
    let number = |(place, (_, _, job)): (usize, (usize, usize, JobResult))| JobResult {
        number: u32::try_from(place + 1).unwrap_or(u32::MAX),
        ..job
    };
    jobs.into_iter().enumerate().map(number).collect()
}

/// From the first I/O of all to the last, counted from the moment at which they were to begin.
fn io_span(clients: &[ClientRun], started_ns: u64) -> Option<IoSpan> {
    let begun_ns = clients.iter().map(|client| client.span_ns.0).min()?;
    let ended_ns = clients.iter().map(|client| client.span_ns.1).max()?;
    Some(IoSpan {
        begun_ns: begun_ns.saturating_sub(started_ns),
        ended_ns: ended_ns.saturating_sub(started_ns),
    })
}

/// Sets when each ran, and the figures of the common time.
fn set_clients(whole: &mut RunResult, spans: Vec<ClientSpan>) {
    whole.notes.extend(skew(&spans));
    whole.clients = spans;
    whole.common_span = CommonSpan::of(whole);
}

fn add_result(whole: &mut RunResult, mut own: RunResult, host: &str, is_first: bool) {
    let notes: Vec<String> = own.notes.drain(..).map(|note| format!("{host}: {note}")).collect();
    for network in &mut own.network {
        network.host.get_or_insert_with(|| host.to_owned());
    }
    if is_first {
        let (disks, jobs) = (std::mem::take(&mut whole.disks), std::mem::take(&mut whole.jobs));
        *whole = RunResult { disks, jobs, notes, ..own };
        return;
    }
    whole.notes.extend(notes);
    whole.missing_clients.append(&mut own.missing_clients);
    whole.network.append(&mut own.network);
    whole.timestamp_ms = whole.timestamp_ms.max(own.timestamp_ms);
    whole.started_ms = whole.started_ms.min(own.started_ms);
    whole.interrupted |= own.interrupted;
    whole.pause_ms = whole.pause_ms.max(own.pause_ms);
}

/// When each did its I/O, from the first of all.
fn spans(clients: &[ClientRun]) -> Vec<ClientSpan> {
    let first_ns = clients.iter().map(|client| client.span_ns.0).min().unwrap_or(0);
    clients.iter().flat_map(|client| own_spans(client, first_ns)).collect()
}

/// The spans of a host, or of those below a relay, whose own spans count from the first of them.
fn own_spans(client: &ClientRun, first_ns: u64) -> Vec<ClientSpan> {
    let begun_ns = client.span_ns.0.saturating_sub(first_ns);
    let below = &client.run.outcome.result.clients;
    if below.is_empty() {
        return vec![ClientSpan {
            host: client.host.clone(),
            begun_ns,
            ended_ns: client.span_ns.1.saturating_sub(first_ns),
            clock_error_ns: client.clock_error_ns,
        }];
    }
    let span = |below: &ClientSpan| ClientSpan {
        host: below.host.clone(),
        begun_ns: begun_ns.saturating_add(below.begun_ns),
        ended_ns: begun_ns.saturating_add(below.ended_ns),
        clock_error_ns: below.clock_error_ns.saturating_add(client.clock_error_ns),
    };
    below.iter().map(span).collect()
}

/// How far apart hosts began and ended, in a sentence.
fn skew(spans: &[ClientSpan]) -> Option<String> {
    let (begun_ms, ended_ms) = (
        apart_ms(spans.iter().map(|span| span.begun_ns))?,
        apart_ms(spans.iter().map(|span| span.ended_ns))?,
    );
    let (hosts, count) = (host_list(spans), spans.len());
    let clients = if count == 1 { "client" } else { "clients" };
    let error_ms = spans.iter().map(|span| span.clock_error_ns).max()? as f64 / 1e6;
    Some(format!(
        "{count} {clients} ran this at once ({hosts}): their I/O began within {begun_ms:.2} ms of \
         each other and ended within {ended_ms:.2} ms; clocks are compared to {error_ms:.2} ms"
    ))
}

/// The hosts; of very many the first. The result's spans have all of them.
fn host_list(spans: &[ClientSpan]) -> String {
    const MOST: usize = 12;
    let hosts: Vec<&str> = spans.iter().take(MOST).map(|span| span.host.as_str()).collect();
    match spans.len().saturating_sub(MOST) {
        0 => hosts.join(", "),
        more => format!("{}, and {more} more", hosts.join(", ")),
    }
}

fn apart_ms(moments_ns: impl Iterator<Item = u64> + Clone) -> Option<f64> {
    Some((moments_ns.clone().max()? - moments_ns.min()?) as f64 / 1e6)
}

/// The live figures of all hosts as one. Latencies are of a moment and cannot be added.
pub(crate) fn live(latest: &[Option<LiveSnapshot>]) -> Option<LiveSnapshot> {
    let mut all = latest.iter().flatten();
    let mut whole = LiveSnapshot { latency: None, ..all.next()?.clone() };
    for one in all {
        whole.jobs_running = whole.jobs_running.saturating_add(one.jobs_running);
        whole.jobs_total = whole.jobs_total.saturating_add(one.jobs_total);
        whole.files_open = whole.files_open.saturating_add(one.files_open);
        whole.states += &one.states;
        for (direction, rate) in one.rate_bytes.iter() {
            whole.rate_bytes[direction] = whole.rate_bytes[direction].saturating_add(*rate);
        }
        for (direction, rate) in one.rate_iops.iter() {
            whole.rate_iops[direction] = whole.rate_iops[direction].saturating_add(*rate);
        }
        whole.percent = whole.percent.zip(one.percent).map(|(a, b)| a.min(b));
        whole.eta_s = whole.eta_s.zip(one.eta_s).map(|(a, b)| a.max(b));
        whole.elapsed_ms = whole.elapsed_ms.max(one.elapsed_ms);
    }
    Some(whole)
}

/// A failure with the host that it was on.
pub(crate) fn named(failure: &JobFailure, host: &str) -> JobFailure {
    JobFailure { job: format!("{}@{host}", failure.job), ..failure.clone() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_campaign::verdicts::{ClientObservation, Observed};
    use fathom_host::NfsStats;
    use fathom_stats::DiskUtil;
    use proptest::prelude::*;

    fn client(host: &str, latencies_ns: &[u64], begun_ns: u64) -> ClientRun {
        let mut job = JobResult { name: "a".into(), number: 1, ..JobResult::default() };
        for ns in latencies_ns {
            job.dirs.read.clat.histogram.record(*ns);
            job.dirs.read.total_ios += 1;
        }
        let result = RunResult { jobs: vec![job], ..RunResult::default() };
        let outcome = RunOutcome { result, logs: Vec::new(), leftovers: Vec::new(), io_span: None };
        let run = MachineRun { outcome, observations: Vec::new() };
        ClientRun {
            host: host.into(),
            run,
            span_ns: (begun_ns, begun_ns + 1_000_000),
            clock_error_ns: 0,
        }
    }

    const START: StartMoment = StartMoment { clock_ns: 0, unix_ms: 1_000_000 };

    fn sum(result: &RunResult) -> JobResult {
        let mut sum = JobResult::default();
        result.jobs.iter().for_each(|job| sum.merge(job));
        sum
    }

    #[test]
    fn hosts_whose_clocks_lie_apart_have_one_axis_of_time() {
        let on_clock = |host: &str, began_ms: u64, begun_ns: u64| {
            let mut client = client(host, &[5], begun_ns);
            let result = &mut client.run.outcome.result;
            result.jobs[0].job_start_ms = began_ms;
            result.disks = vec![DiskUtil { began_ms: began_ms - 10, ..DiskUtil::default() }];
            client
        };
        // One is 1,000 s behind and the other 2,000 s ahead; the second began 3 ms later.
        let clients = vec![on_clock("h1", 500_000, 0), on_clock("h2", 3_000_000, 3_000_000)];
        let whole = merged(clients, &[], false, START).outcome.result;
        let began: Vec<u64> = whole.jobs.iter().map(|job| job.job_start_ms).collect();
        assert_eq!(began, [1_000_000, 1_000_003]);
        let disks: Vec<u64> = whole.disks.iter().map(|disk| disk.began_ms).collect();
        assert_eq!(disks, [999_990, 999_993]);
    }

    #[test]
    fn of_very_many_hosts_the_first_are_named() {
        let span = |at: usize| ClientSpan { host: format!("h{at}"), ..ClientSpan::default() };
        let spans: Vec<ClientSpan> = (0..1000).map(span).collect();
        assert_eq!(host_list(&spans[..2]), "h0, h1");
        assert!(host_list(&spans[..12]).ends_with("h11"));
        assert!(host_list(&spans).ends_with("h10, h11, and 988 more"), "{}", host_list(&spans));
    }

    proptest! {
        #[test]
        fn the_sum_of_clients_is_what_one_would_have_measured(
            clients in prop::collection::vec(prop::collection::vec(1u64..10_000_000_000, 0..50), 1..7)
        ) {
            let all: Vec<u64> = clients.iter().flatten().copied().collect();
            let of = |(at, own): (usize, &Vec<u64>)| client(&format!("c{at}"), own, 0);
            let whole = merged(clients.iter().enumerate().map(of).collect(), &[], false, START).outcome.result;
            let one = client("c", &all, 0).run.outcome.result;
            let (whole_sum, one_sum) = (sum(&whole), sum(&one));
            prop_assert_eq!(&whole_sum.dirs.read.clat.histogram, &one_sum.dirs.read.clat.histogram);
            prop_assert_eq!(whole_sum.dirs.read.total_ios, all.len() as u64);
            let numbers: Vec<u32> = whole.jobs.iter().map(|job| job.number).collect();
            prop_assert_eq!(numbers, (1..=clients.len() as u32).collect::<Vec<_>>());
        }
    }

    #[test]
    fn clients_and_what_was_lost_are_named() {
        let loss = AgentLoss {
            host: "c3".into(),
            phase: "running a".into(),
            kind: crate::LossKind::Silent(4000),
        };
        let clients = vec![client("c1", &[5], 0), client("c2", &[7], 250_000)];
        let whole = merged(clients, &[loss], true, START).outcome.result;
        let names: Vec<&str> = whole.jobs.iter().map(|job| job.name.as_str()).collect();
        assert_eq!(names, ["a@c1", "a@c2"]);
        assert!(whole.interrupted, "a part is missing");
        assert!(whole.notes[0].contains("2 clients") && whole.notes[0].contains("0.25 ms"));
        let begun: Vec<u64> = whole.clients.iter().map(|client| client.begun_ns).collect();
        assert_eq!(begun, [0, 250_000]);
        assert!(whole.notes[1].starts_with("c3: lost while running a: nothing was heard"));
        assert_eq!(whole.missing_clients, ["c3"]);
    }

    #[test]
    fn nfs_mounts_keep_the_name_of_their_host() {
        let on_a_mount = |host: &str, source: &str| {
            let mut client = client(host, &[5], 0);
            let counted = NfsStats { source: source.into(), ..NfsStats::default() };
            let observed = Observed { mount: Some(counted), ..Observed::default() };
            client.run.observations = vec![ClientObservation { client: None, observed }];
            client
        };
        let below =
            merged(vec![on_a_mount("c1", "nas:/a"), client("c2", &[5], 0)], &[], false, START);
        let relay = ClientRun { run: below, ..client("relay", &[], 0) };
        let whole = merged(vec![relay, on_a_mount("c3", "nas:/b")], &[], false, START);
        let mounts = whole.mounts();
        let named: Vec<(Option<&str>, &str)> = mounts
            .iter()
            .map(|mount| (mount.client.as_deref(), mount.counted.source.as_str()))
            .collect();
        assert_eq!(named, [(Some("c1"), "nas:/a"), (Some("c3"), "nas:/b")]);
    }
}
