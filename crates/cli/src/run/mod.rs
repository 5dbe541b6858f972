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
use crate::course::{Course, CourseContext, HistorySummary, MeasuringCommand};
use crate::exit_code;
use crate::fleet;
use crate::history_writer::outcome_of;
use crate::job_logs::{self, LogFileError, check_logs};
use crate::output::PlanDocument;
use crate::session::Session;
use crate::terminal::live::JobOutlook;
use crate::terminal::notes::JudgedUnit;
use crate::terminal::progress::ProgressLine;
use crate::terminal::screen::{Screen, say, warn_line};
use crate::terminal::stdout::note_failed_file;
use crate::terminal::verdicts::{self, VerdictDetail};
use fathom_campaign::DocumentSummary;
use fathom_campaign::machine::{MachineError, MachineRun, RunOrder};
use fathom_campaign::run::{RunDocument, RunTarget, engines_of, judge_groups, run_document};
use fathom_document::Ceiling;
use fathom_host::{Host, System};
use fathom_job::{
    Action, DiskWorld, ErrorKind, Formats, Invocation, JobError, JobSpec, parse_command_line,
};
use fathom_report::JudgedSuite;
use fathom_run::{Foreseen, NetworkProbe, RunOutcome};
use fathom_stats::RunResult;
use fathom_vocab::{IoEngine, NfsUrl};
use job_place::line_named;
use observer::ProgressObserver;
use space::Shortage;
use std::ffi::OsString;
use std::path::Path;

/// Reports errors in the jobs before anything is created on this number of machines.
///
/// # Errors
/// If they cannot be read, or are not for us.
#[cfg(feature = "kube")]
pub fn check(args: &RunArgs, session: &Session, machines: u32) -> Result<(), CliError> {
    let invocation = asked(args, &session.host, &session.system).map_err(RunRefusal::failure)?;
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
    args.course.report.check()?;
    // Before what --junit misses: that may be a flag with a spelling mistake.
    let invocation = asked(args, &session.host, &session.system).map_err(RunRefusal::failure)?;
    assertions::check(args)?;
    let is_elsewhere = args.course.fleet.on.is_some();
    if args.course.fleet.hosts()?.is_some_and(|hosts| hosts.len() > 1) && has_logs(&invocation) {
        return Err(CliError::usage(RunRefusal::LogsOfSeveral));
    }
    let targets = RunTarget::targets_of(&invocation.jobs);
    let course = Course {
        kind: "run",
        name: "run".to_owned(),
        targets: &targets,
        args: &args.course,
        junit: Some(&args.junit),
    };
    course.connect(&mut session)?;
    let forecasts = plan::forecasts(&invocation, &session.host);
    if is_elsewhere && args.course.show.dry_run {
        return plan_elsewhere(args, &invocation, &mut session);
    }
    let forecasts = match args.course.show.dry_run {
        // First, because it gives the reason why a run would be refused.
        true => Some(forecasts.map_err(RunRefusal::failure)?),
        // Files of other machines are not known here, and why a run is refused is said when it
        // begins.
        false => forecasts.ok().filter(|_| !is_elsewhere),
    };
    if !args.course.show.dry_run {
        check_logs(&invocation.jobs, &invocation.settings)?;
    }
    let forecasts = forecasts.map(|all| (space::shortages(&all, &session.host), all));
    let mut command = JobRun { args, invocation: &invocation, forecasts, has_failed: false };
    course.drive(&mut command, &mut session)
}

/// Asks the hosts whether the jobs can begin there, and shows these.
fn plan_elsewhere(
    args: &RunArgs,
    invocation: &Invocation,
    session: &mut Session,
) -> Result<u8, CliError> {
    let targets = RunTarget::targets_of(&invocation.jobs);
    let order = order_of(invocation, &RunTarget { targets, volume: None });
    let ready = session.machine.can_begin(&order);
    ready.map_err(|why| not_begun(args, why, &invocation.jobs))?;
    let hosts = session.machine.clients();
    let text = || plan::text_elsewhere(invocation, hosts, &session.screen);
    say(&args.course.report.dry_run(|| plan::document_elsewhere(invocation, hosts), text)?);
    Ok(0)
}

/// Jobs that are read, with the files that they need.
struct JobRun<'a> {
    args: &'a RunArgs,
    invocation: &'a Invocation,
    /// What does not fit, and what each job will do; none if that is not known here.
    forecasts: Option<(Vec<Shortage>, Vec<Foreseen>)>,
    /// Whether a log could not be written, or a machine is missing.
    has_failed: bool,
}

impl MeasuringCommand for JobRun<'_> {
    type Prepared = (RunTarget, Vec<Ceiling>);
    type Document = RunDocument;

    fn plan(&self) -> PlanDocument {
        let forecasts = self.forecasts.as_ref();
        forecasts.map_or_else(PlanDocument::default, |(shortages, all)| {
            plan::document(self.invocation, all, shortages)
        })
    }

    fn opening(&self, prepared: Option<&Self::Prepared>, session: &Session) -> String {
        let Some((shortages, all)) = &self.forecasts else { return String::new() };
        let early = self.args.steady.is_some();
        match prepared {
            Some(_) => plan::brief(&self.invocation.jobs, all, shortages, early, &session.screen),
            None => plan::text(self.invocation, all, shortages, session, early),
        }
    }

    /// Jobs that would fail for want of space fail here, as a pipeline reads no remark.
    fn dry_run_code(&self) -> u8 {
        u8::from(self.forecasts.as_ref().is_some_and(|(shortages, _)| !shortages.is_empty()))
    }

    /// The folders of jobs contain the user's files. The ceilings precede the counting of devices,
    /// so that their I/O is not counted.
    fn prepare(&mut self, session: &mut Session) -> Result<Self::Prepared, CliError> {
        let jobs = &self.invocation.jobs;
        let target = RunTarget::of(jobs, &mut *session.machine);
        Ok((target, session.machine.ceilings(&engines_of(jobs))))
    }

    fn title(&self) -> String {
        title(self.invocation)
    }

    fn run(
        &mut self,
        (target, ceilings): Self::Prepared,
        at: CourseContext<'_>,
    ) -> Result<RunDocument, CliError> {
        let (session, jobs) = (at.session, &self.invocation.jobs);
        let run = self.execute(&target, session, at.line)?;
        let mounts = run.mounts();
        let MachineRun { outcome, observations } = run;
        let known = (observations.as_slice(), ceilings.as_slice());
        let groups = judge_groups(&outcome.result, jobs, &target, known, &mut *session.machine);
        let mut document = run_document(outcome.result.clone(), jobs, groups, at.from);
        document.mounts = mounts;
        let signal = session.stopped.name().filter(|_| document.interrupted);
        document.stopped_by = signal.map(str::to_owned);
        let rows = assertions::judge(self.args, &document);
        at.line.wipe();
        self.has_failed = !write_logs(self.invocation, &outcome) || session.machine.is_short();
        session.add_leftovers(outcome.leftovers);
        Ok(document.with_assertions(rows).with_summary())
    }

    fn tables(&self, document: &RunDocument, screen: &Screen) -> String {
        let detail = self.args.course.show.detail();
        format!("\n{}", body(document, document.told_failure(), detail, screen))
    }

    fn history_summary(&self, document: &RunDocument) -> HistorySummary {
        HistorySummary {
            title: self.title(),
            headline: table::headline(&document.figures),
            outcome: outcome_of(
                !failed(&document.result),
                document.gate.as_ref().map(|gate| gate.outcome),
            ),
        }
    }

    fn gate_line(&self, document: &RunDocument) -> Option<String> {
        assertions::gate_line(document)
    }

    fn suite(&self, document: &RunDocument) -> Option<JudgedSuite> {
        document.gate.as_ref()?;
        // Nobody has the file that a ConfigMap was copied to.
        let is_copied = self.args.jobs_are_copied;
        let jobs = if is_copied { &[] } else { self.invocation.jobs.as_slice() };
        Some(assertions::suite(&self.title(), jobs, document))
    }

    /// A failed job or a missing machine decides, whatever the other figures are.
    fn exit_code(&self, document: &RunDocument) -> u8 {
        let is_whole = !failed(&document.result) && !self.has_failed;
        exit_code::of(is_whole, document.gate.as_ref(), exit_code::MISSED)
    }
}

impl JobRun<'_> {
    /// Runs the jobs, and shows how they go.
    fn execute(
        &self,
        target: &RunTarget,
        session: &mut Session,
        line: &mut ProgressLine,
    ) -> Result<MachineRun, CliError> {
        let invocation = self.invocation;
        let mut observer =
            ProgressObserver::new(session, self.args, &target.targets, self.outlook(), line);
        observer.leave_out_reserving(&invocation.jobs);
        let order = order_of(invocation, target);
        // Of several machines none writes while another refuses.
        let can_begin = match session.machine.clients() {
            0 | 1 => Ok(()),
            _ => session.machine.can_begin(&order),
        };
        let run = can_begin.and_then(|()| session.machine.run(&order, &mut observer));
        let mut run = run.map_err(|why| not_begun(self.args, why, &invocation.jobs))?;
        if let Some(note) = observer.steady_note().filter(|_| session.stopped.number().is_none()) {
            run.outcome.result.interrupted = false;
            run.outcome.result.notes.push(note);
        }
        Ok(run)
    }

    /// What the live view needs.
    fn outlook(&self) -> JobOutlook {
        let names = plan::names(&self.invocation.jobs);
        let forecasts = self.forecasts.as_ref().filter(|_| self.args.steady.is_none());
        JobOutlook { names, total_us: forecasts.and_then(|(_, all)| plan::total_us(all)) }
    }
}

/// The order to run these jobs on a machine.
pub fn order_of(invocation: &Invocation, target: &RunTarget) -> RunOrder {
    RunOrder {
        jobs: invocation.jobs.clone(),
        global_options: invocation.global_options.clone(),
        entropy: fathom_vocab::entropy(),
        notes: invocation.warnings(),
        readonly: invocation.settings.readonly,
        volume: target.volume.clone(),
        network: NetworkProbe::Server,
        ..RunOrder::default()
    }
}

/// Why the machine did not begin the jobs, with the line of the job that is the reason.
fn not_begun(args: &RunArgs, why: MachineError, jobs: &[JobSpec]) -> CliError {
    let place = line_named(&why.message, jobs).filter(|_| !args.jobs_are_copied);
    CliError::from(why).at(place)
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
    job.engine.nfs_url = Some(export.clone());
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
    let elsewhere = args.course.fleet.on.is_some();
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

/// The names of the jobs.
fn title(invocation: &Invocation) -> String {
    let names: Vec<&str> = invocation.jobs.iter().map(|job| job.name.as_str()).collect();
    names.join(", ")
}

fn failed(result: &RunResult) -> bool {
    result.jobs.iter().any(|job| job.error.is_error())
}
