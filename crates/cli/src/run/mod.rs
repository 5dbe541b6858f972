//! `fathom run`: any fio job, with Fathom's table, verdicts and history.
//!
//! The drop-in's reader reads the jobs and its guards apply; only the output is Fathom's. Features
//! of fio's own output (formats, status reports) are left to `fathom fio` and refused here by name,
//! so that nobody waits for a file that is never written.

mod args;
mod assertions;
mod job_place;
mod observer;
mod plan;
mod refusal;
mod space;
mod table;

pub use args::{RunArgs, own_words_first};
pub use refusal::RunRefusal;

use crate::cli_error::CliError;
use crate::fleet;
use crate::history_writer::{HistoryWriter, SavedRun, command_line, outcome_of_gate};
use crate::job_logs::{self, check_logs};
use crate::log_file_error::LogFileError;
use crate::output::show;
use crate::session::{Session, ended};
use crate::stale_files;
use crate::terminal::live::{Feed, JobOutlook};
use crate::terminal::notes::JudgedUnit;
use crate::terminal::screen::{Screen, say, warn_line};
use crate::terminal::stdout::note_failed_file;
use crate::terminal::summary;
use crate::terminal::verdicts::{self, VerdictDetail};
use fathom_campaign::machine::{MachineError, MachineRun, RunOrder};
use fathom_campaign::run::{RunDocument, RunTarget, engines_of, judge_groups, run_document};
use fathom_campaign::{DocumentSummary, Machine};
use fathom_host::{Host, System};
use fathom_job::{
    Action, DiskWorld, ErrorKind, Formats, Invocation, JobError, JobSpec, parse_command_line,
};
use fathom_run::RunOutcome;
use fathom_stats::RunResult;
use fathom_store::HistoryOutcome;
use fathom_vocab::{IoEngine, NfsUrl};
use job_place::line_named;
use observer::ProgressObserver;
use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;

/// Runs `fathom run` and gives its exit code.
pub fn command(args: &RunArgs, session: Session) -> ExitCode {
    ended(run(args, session))
}

/// Reports errors in the jobs before anything is created on this number of machines.
///
/// # Errors
/// If they cannot be read, or are not for us.
#[cfg(feature = "kube")]
pub fn check(args: &RunArgs, session: &Session, machines: u32) -> Result<(), CliError> {
    let invocation = asked(args, &session.host, &session.system)?;
    assertions::check(args)?;
    match machines > 1 && has_logs(&invocation) {
        true => Err(CliError::usage(RunRefusal::LogsOfSeveral)),
        false => Ok(()),
    }
}

/// Whether jobs write logs, which exist for one machine only.
fn has_logs(invocation: &Invocation) -> bool {
    let logs = |job: &JobSpec| {
        let logs = &job.measure.logs;
        [&logs.bw, &logs.iops, &logs.lat, &logs.hist].into_iter().any(Option::is_some)
    };
    invocation.settings.bandwidth_log.is_some() || invocation.jobs.iter().any(logs)
}

/// Runs the jobs on the machine that the session has, and gives the exit code.
///
/// # Errors
/// If they did not run.
pub fn run(args: &RunArgs, mut session: Session) -> Result<u8, CliError> {
    args.report.check()?;
    // Before what --junit misses: that may be a flag with a spelling mistake.
    let invocation = asked(args, &session.host, &session.system)?;
    assertions::check(args)?;
    connect(args, &invocation, &mut session)?;
    if args.show.dry_run {
        return dry_run(args, &invocation, &session);
    }
    check_logs(&invocation.jobs, &invocation.settings)?;
    if args.fleet.on.is_none() {
        stale_files::tell(&RunTarget::targets_of(&invocation.jobs));
    }
    session.listen()?;
    let done = carry_out(args, &invocation, &mut session);
    session.ended(done)
}

/// Puts the machines that were named in the place of this one.
fn connect(args: &RunArgs, invocation: &Invocation, session: &mut Session) -> Result<(), CliError> {
    let Some(hosts) = args.fleet.hosts()? else { return Ok(()) };
    if args.show.dry_run {
        return Err(CliError::usage(RunRefusal::DryRunElsewhere));
    }
    if hosts.len() > 1 && has_logs(invocation) {
        return Err(CliError::usage(RunRefusal::LogsOfSeveral));
    }
    fleet::connect(&args.fleet, &RunTarget::targets_of(&invocation.jobs), session)
}

/// Runs the jobs, and shows and stores the result.
fn carry_out(
    args: &RunArgs,
    invocation: &Invocation,
    session: &mut Session,
) -> Result<u8, CliError> {
    let target = RunTarget::of(&invocation.jobs, &mut session.machine);
    let mut recorder = args.show.recorder(session);
    // The folders of jobs contain the user's files. This precedes the counting of devices, so that
    // its I/O is not counted.
    let ceilings = session.machine.ceilings(&engines_of(&invocation.jobs));
    let jobs = announce(args, invocation, session);
    let feed = recorder.start("run", &title(invocation), &target.targets);
    let run = execute(args, invocation, (&target, jobs), session, feed)?;
    let mounts = run.mounts();
    let MachineRun { outcome, observed, .. } = run;
    let (jobs, known) = (&invocation.jobs, (observed.as_ref(), ceilings.as_slice()));
    let groups = judge_groups(&outcome.result, jobs, &target, known, &mut session.machine);
    let (system, started_ms) = (session.system.clone(), recorder.started_ms());
    let mut document = run_document(outcome.result.clone(), jobs, groups, system, started_ms);
    document.mounts = mounts;
    document.head.command = command_line();
    document.stopped_by = stopped_by(session, &document);
    let rows = assertions::judge(args, &document);
    let document = document.with_assertions(rows).with_summary();
    let tables = || tables(args, &document, &session.screen);
    say(&args.report.text("run", &document, tables)?);
    let logged = write_logs(invocation, &outcome);
    let text = show::json(&document)?;
    keep(&mut recorder, invocation, &document, &text, &target);
    let reported = args.report.write("run", &text);
    session.add_leftovers(outcome.leftovers);
    let kept = assertions::conclude(args, invocation, &document);
    // A failed job or a missing machine decides the exit code, whatever the other figures are.
    let failed = failed(&document.result) || session.machine.is_short();
    let code = match failed || !logged || !reported {
        true => 1,
        false => kept,
    };
    Ok(session.stopped.exit_code().unwrap_or(code))
}

/// The name of the signal that stopped the run, if one did.
fn stopped_by(session: &Session, document: &RunDocument) -> Option<String> {
    session.stopped.name().filter(|_| document.interrupted).map(str::to_owned)
}

/// Why the machine did not begin the jobs, with the line of the job that is the reason.
fn not_begun(args: &RunArgs, why: MachineError, jobs: &[JobSpec]) -> CliError {
    let place = line_named(&why.message, jobs).filter(|_| !args.jobs_are_copied);
    match place {
        Some(place) => RunRefusal::OnMachine { why, place }.into(),
        None => why.into(),
    }
}

/// Prints the plan, and returns what the live view needs of it. Files of other machines are not
/// known here, and why a run is refused is said when it begins.
fn announce(args: &RunArgs, invocation: &Invocation, session: &Session) -> JobOutlook {
    let names = plan::names(&invocation.jobs);
    let forecasts = match args.fleet.on {
        Some(_) => None,
        None => plan::forecasts(invocation, &session.host).ok(),
    };
    let Some(forecasts) = forecasts else { return JobOutlook { names, total_us: None } };
    let early = args.steady.is_some();
    args.show.announce(args.report.for_programs(), || {
        plan::brief(&invocation.jobs, &forecasts, early, session)
    });
    JobOutlook { names, total_us: plan::total_us(&forecasts).filter(|_| !early) }
}

/// Runs the jobs, and shows how they go.
fn execute(
    args: &RunArgs,
    invocation: &Invocation,
    (target, jobs): (&RunTarget, JobOutlook),
    session: &mut Session,
    feed: Feed,
) -> Result<MachineRun, CliError> {
    let mut observer = ProgressObserver::new(session, args, &target.targets, jobs, feed);
    observer.leave_out_reserving(&invocation.jobs);
    let order = RunOrder {
        jobs: invocation.jobs.clone(),
        global_options: invocation.global_options.clone(),
        entropy: crate::seed::entropy(),
        notes: invocation.warnings(),
        readonly: invocation.settings.readonly,
        volume: target.volume.clone(),
        clients: None,
        shares_rate: false,
    };
    // Of several machines none writes while another refuses.
    let can_begin = match session.machine.clients() {
        0 | 1 => Ok(()),
        _ => session.machine.can_begin(&order),
    };
    let run = can_begin.and_then(|()| session.machine.run(&order, &mut observer));
    observer.wipe();
    let mut run = run.map_err(|why| not_begun(args, why, &invocation.jobs))?;
    if let Some(note) = observer.steady_note().filter(|_| session.stopped.number().is_none()) {
        run.outcome.result.interrupted = false;
        run.outcome.result.notes.push(note);
    }
    Ok(run)
}

/// Prints the plan, for users or programs, and gives the exit code: jobs that would fail for want
/// of space fail here, as a pipeline reads no remark.
fn dry_run(args: &RunArgs, invocation: &Invocation, session: &Session) -> Result<u8, CliError> {
    // First, because it gives the reason why a run would be refused.
    let forecasts = plan::forecasts(invocation, &session.host)?;
    let shortages = space::shortages(&forecasts, &session.host);
    let document = || plan::document(invocation, &forecasts, &shortages);
    let early = args.steady.is_some();
    let text = || plan::text(invocation, &forecasts, &shortages, session, early);
    say(&args.report.dry_run(document, text)?);
    Ok(u8::from(!shortages.is_empty()))
}

/// The jobs, as they are to run here.
fn asked(args: &RunArgs, host: &Host, system: &System) -> Result<Invocation, RunRefusal> {
    let mut invocation = read(args, host, system)?;
    refuse_what_is_fios(&invocation)?;
    if let Some(place) = &args.place {
        invocation.jobs.iter_mut().for_each(|job| put_in(job, place));
    }
    // The table shows percentiles of total latency.
    let with_latency = invocation.jobs.iter_mut().map(|job| &mut job.measure);
    with_latency.for_each(|measure| measure.lat_percentiles = true);
    refuse_steady_turns(args, &invocation)?;
    assertions::check_jobs(args, &invocation.jobs)?;
    Ok(invocation)
}

/// Has a job that names neither folder nor file work in the folder or on the device `place`.
fn put_in(job: &mut JobSpec, place: &Path) {
    let target = &mut job.target;
    if !target.filenames.is_empty() || !target.directories.is_empty() {
        return;
    }
    let (option, own) = match place.starts_with("/dev") {
        true => ("filename", &mut target.filenames),
        false => ("directory", &mut target.directories),
    };
    own.push(place.to_owned());
    // A job travels to its machine as the options that it was given.
    job.given.push((option.to_owned(), Some(place.display().to_string())));
}

/// Has a job work on an export, by the engine that reaches one; names of files are names there.
fn lay_on(job: &mut JobSpec, export: &NfsUrl) {
    job.engine.engine = IoEngine::Nfs;
    job.engine.private.nfs_url = Some(export.clone());
    // A job travels to its machine as the options that it was given.
    let options = [("ioengine", IoEngine::Nfs.name().to_owned()), ("nfs_url", export.to_string())];
    let options = options.map(|(name, value)| (name.to_owned(), Some(value)));
    job.given.retain(|(name, _)| options.iter().all(|(other, _)| name != other));
    job.given.extend(options);
}

/// The export among the command line's arguments, which fio does not know, and the other arguments.
///
/// # Errors
/// If a URL is invalid, or there are several.
fn split_export(words: Vec<String>) -> Result<(Vec<String>, Option<NfsUrl>), RunRefusal> {
    let (urls, words): (Vec<String>, Vec<String>) =
        words.into_iter().partition(|word| word.starts_with("nfs://"));
    let parse = |url: &String| {
        NfsUrl::parse(url).map_err(|why| RunRefusal::Export { url: url.clone(), why })
    };
    match urls.as_slice() {
        [] => Ok((words, None)),
        [url] => Ok((words, Some(parse(url)?))),
        _ => Err(RunRefusal::SeveralExports),
    }
}

/// Reads jobs as the drop-in does, and moves them to an export if one is named.
fn read(args: &RunArgs, host: &Host, system: &System) -> Result<Invocation, RunRefusal> {
    let word = |word: &OsString| match word.to_str() {
        Some(word) => Ok(word.to_owned()),
        None => Err(RunRefusal::NotUtf8(word.clone())),
    };
    let words: Vec<String> = args.fio.iter().map(word).collect::<Result<_, _>>()?;
    let (words, export) = split_export(words)?;
    let environment = |name: &str| std::env::var(name).ok();
    let memory_mib = system.memory_bytes.unwrap_or(0) >> 20;
    let cpus = u32::try_from(host.online_cpus().len()).unwrap_or(u32::MAX);
    let elsewhere = args.fleet.on.is_some();
    let world = DiskWorld::new(environment, memory_mib, cpus).for_jobs_elsewhere(elsewhere);
    let parsed = parse_command_line(&words, &world).map_err(args::with_own_flags);
    let mut invocation = parsed.map_err(|error| without_jobs(error, &words))?;
    if let Some(export) = &export {
        invocation.jobs.iter_mut().for_each(|job| lay_on(job, export));
    }
    Ok(invocation)
}

/// The same error, or that the named job file has no job.
fn without_jobs(error: JobError, words: &[String]) -> RunRefusal {
    let mut files = words.iter().filter(|word| !word.starts_with('-') && Path::new(word).is_file());
    let has_section = words.iter().any(|word| word.starts_with("--section"));
    match files.next().filter(|_| error.kind == ErrorKind::NoJobs && !has_section) {
        Some(file) => RunRefusal::EmptyFile(file.into()),
        None => error.into(),
    }
}

/// # Errors
/// Names options that only `fathom fio` supports.
fn refuse_what_is_fios(invocation: &Invocation) -> Result<(), RunRefusal> {
    let settings = &invocation.settings;
    let normal = Formats { normal: true, json: false, json_plus: false, terse: false };
    let words = match () {
        () if invocation.action != Action::Run => {
            "an option that prints in place of a run, as --version or --showcmd,"
        }
        () if settings.output.is_some() => "--output",
        () if settings.formats != normal || settings.append_terse => "--output-format",
        () if settings.status_interval_ms.is_some() => "--status-interval",
        () if invocation.jobs.is_empty() => return Err(RunRefusal::NoJobs),
        () => return Ok(()),
    };
    Err(RunRefusal::FioOnly(words))
}

/// # Errors
/// If the end of one job would be the end of those that wait for it.
fn refuse_steady_turns(args: &RunArgs, invocation: &Invocation) -> Result<(), RunRefusal> {
    let turns = invocation.jobs.iter().any(|job| job.process.stonewall);
    match args.steady.is_some() && turns {
        true => Err(RunRefusal::SteadyTurns),
        false => Ok(()),
    }
}

/// Writes the logs that jobs request; returns whether all are written, after printing errors.
fn write_logs(invocation: &Invocation, outcome: &RunOutcome) -> bool {
    let logged = job_logs::write_logs(&invocation.jobs, outcome, &invocation.settings);
    let tell = |why: LogFileError| {
        warn_line(format_args!("fathom: {why}"));
        note_failed_file();
    };
    logged.map_err(tell).is_ok()
}

/// The first sentence, the table, and the remarks on its figures.
fn tables(args: &RunArgs, document: &RunDocument, screen: &Screen) -> String {
    let body = body(document, document.told_failure(), args.show.detail(), screen);
    summary::sentences(document, screen) + "\n" + &body
}

/// The table of a run in the history.
pub fn saved_table(document: &RunDocument, detail: VerdictDetail, screen: &Screen) -> String {
    body(document, None, detail, screen)
}

/// The table and its notes, without the failure `told` that was told before.
fn body(
    document: &RunDocument,
    told: Option<&str>,
    detail: VerdictDetail,
    screen: &Screen,
) -> String {
    let mut text = table::results(&document.result, screen);
    text += &fleet::clients_of_run(&document.result, screen);
    text += &assertions::text(&document.assertions, screen);
    let mut notes = table::failures(&document.result, screen.lang);
    notes.retain(|note| told.is_none_or(|why| !note.text.ends_with(why)));
    notes.extend(table::notes(&document.result, screen.lang));
    let groups = document.named_groups();
    // No heading says what the files lie on.
    let memory = verdicts::memory(&groups, screen.lang);
    notes.extend(memory.filter(|_| detail != VerdictDetail::All));
    text += &verdicts::beneath(notes, &groups, JudgedUnit::Test, detail, screen);
    text
}

/// Stores the run in the history.
fn keep(
    recorder: &mut HistoryWriter,
    invocation: &Invocation,
    document: &RunDocument,
    text: &str,
    target: &RunTarget,
) {
    recorder.keep(&SavedRun {
        kind: "run",
        title: title(invocation),
        targets: &target.targets,
        document: text,
        headline: table::headline(&document.figures),
        outcome: match (document.result.interrupted, failed(&document.result)) {
            (true, _) => HistoryOutcome::Interrupted,
            (false, true) => HistoryOutcome::Failed,
            (false, false) => outcome_of_gate(document.gate.as_ref().map(|gate| gate.outcome)),
        },
    });
}

/// The names of the jobs.
fn title(invocation: &Invocation) -> String {
    let names: Vec<&str> = invocation.jobs.iter().map(|job| job.name.as_str()).collect();
    names.join(", ")
}

fn failed(result: &RunResult) -> bool {
    result.jobs.iter().any(|job| job.error.is_error())
}
