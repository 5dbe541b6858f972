//! fio's client mode: `--client=HOST JOBFILE`. Hosts are reached by ssh and run the jobs as agents;
//! the output has fio's form.
//!
//! Decided here: clients of the same job files begin at one moment; clients of different files
//! begin when they are ready, as in fio. Of a lost client only its own figures are missing, and the
//! exit code is 1.

use super::complaint::complain;
use super::error::DropInError;
use super::session::DropInSession;
use fathom_campaign::machine::RunOrder;
use fathom_fleet::{FleetMachine, FleetNotice, FleetOptions, HostRun, Via};
use fathom_host::Host;
use fathom_job::{ClientJobs, Invocation, JobSpec};
use fathom_output::{ClientResult, client_line};
use fathom_run::{Event, Observer};
use std::process::ExitCode;

/// Reports the state of hosts on standard error.
struct Complaints;

impl FleetNotice for Complaints {
    fn notice(&mut self, sentence: &str) {
        complain(&format!("fio: {sentence}"));
    }
}

/// Forwards only events of all clients; events of one client were reported under its name.
struct ClientObserver<'a>(&'a mut DropInSession);

impl Observer for ClientObserver<'_> {
    fn event(&mut self, event: &Event) {
        if let Event::Live(_) | Event::JobFailed(_) | Event::Error(_) = event {
            self.0.event(event);
        }
    }
}

/// Runs the jobs of the clients and reports, to the last exit code.
pub fn run(invocation: Invocation, host: &Host) -> ExitCode {
    tried(invocation, host).unwrap_or_else(|why| {
        complain(&why.to_string());
        ExitCode::FAILURE
    })
}

/// # Errors
/// If nothing was started.
fn tried(invocation: Invocation, host: &Host) -> Result<ExitCode, DropInError> {
    let warnings = invocation.warnings();
    let Invocation { settings, jobs, clients, .. } = invocation;
    if settings.bandwidth_log.is_some() || jobs.iter().any(has_logs) {
        return Err(DropInError::ClientLogs);
    }
    let (mut session, control) = DropInSession::begin(settings, &[], host)?;
    let hosts: Vec<String> = clients.iter().flat_map(|of| of.hosts.iter().cloned()).collect();
    let orders = orders(&clients, &warnings, session.is_readonly());
    let options = FleetOptions {
        relays: Vec::new(),
        hosts: hosts.clone(),
        via: Via::Ssh,
        min_clients: Some(1),
        fathom_version: env!("FATHOM_VERSION").to_owned(),
        ..FleetOptions::default()
    };
    let mut fleet = FleetMachine::connect(options, control, Box::new(Complaints))?;
    if fleet.lost_hosts() > 0 {
        return Ok(ExitCode::FAILURE);
    }
    if session.is_for_people() {
        for of in &clients {
            of.hosts.iter().for_each(|host| session.put(&opening(host, &of.jobs)));
        }
    }
    let together = clients.len() == 1;
    let runs = fleet.run_each(&orders, together, &mut ClientObserver(&mut session));
    let runs = runs?;
    let lost = fleet.lost_hosts() > 0;
    drop(fleet);
    Ok(closed(session, &runs, lost))
}

fn has_logs(job: &JobSpec) -> bool {
    let logs = &job.measure.logs;
    [&logs.bw, &logs.iops, &logs.lat, &logs.hist].into_iter().any(Option::is_some)
}

/// The order of each host.
fn orders(clients: &[ClientJobs], notes: &[String], readonly: bool) -> Vec<RunOrder> {
    let entropy = fathom_vocab::entropy();
    let order = |of: &ClientJobs| RunOrder {
        jobs: of.jobs.clone(),
        global_options: of.global_options.clone(),
        entropy,
        notes: notes.to_vec(),
        readonly,
        ..RunOrder::default()
    };
    clients.iter().flat_map(|of| of.hosts.iter().map(move |_| order(of))).collect()
}

fn closed(mut session: DropInSession, runs: &[HostRun], lost: bool) -> ExitCode {
    session.end_live();
    for run in runs {
        for leftover in &run.run.outcome.leftovers {
            complain(&format!("fio: {}: {}", run.host, leftover.sentence));
        }
    }
    let results: Vec<ClientResult<'_>> = runs
        .iter()
        .map(|of| ClientResult { host: &of.host, result: &of.run.outcome.result })
        .collect();
    session.report_clients(&results);
    let left = runs.iter().any(|run| !run.run.outcome.leftovers.is_empty());
    let codes = results.iter().map(|of| fathom_output::exit_code(of.result));
    let code = codes.max().unwrap_or(1).max(u8::from(lost || left));
    match session.finish() {
        Ok(()) => ExitCode::from(code),
        Err(code) => code,
    }
}

/// The text printed for a client before its jobs run.
fn opening(host: &str, jobs: &[JobSpec]) -> String {
    let mut text = String::new();
    let mut put = |line: &str| text += &(client_line(host, line) + "\n");
    for of in fathom_run::openings(jobs) {
        put(&fathom_output::job_line(&of.name, of.group_id, &of.setup));
        if of.clones > 1 {
            put(fathom_output::CLONES_LINE);
        }
    }
    let clones = |is_thread: bool| -> usize {
        let of = jobs.iter().filter(|job| job.process.thread == is_thread);
        of.map(|job| job.process.numjobs as usize).sum()
    };
    put(&fathom_output::starting_line(clones(false), clones(true)));
    text
}
