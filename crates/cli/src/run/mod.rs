//! `fathom run`: any job of fio's, with our table, our verdicts and a place in the history.
//!
//! Jobs are read by the drop-in's own reader and run under its guards; only what is told of them
//! is ours. What is fio's alone (its output formats, its status reports) is left to `fathom fio`
//! and refused here by name, so that nobody waits for a file that never comes.

mod args;
mod document;
mod judged;
mod observer;
mod plan;
mod prefix;
mod table;
mod target;

pub use args::{RunArgs, own_words_first};

use crate::ceiling;
use crate::cli_error::CliError;
use crate::history_writer::{HistoryWriter, SavedRun};
use crate::job_logs::{self, check_logs};
use crate::session::{Session, ended, tell_leftovers, test_file_registry};
use crate::terminal::screen::{Screen, say, warn_line};
use crate::terminal::signals::{self, EndStyle};
use crate::terminal::stdout::note_failed_file;
use crate::terminal::verdicts::{self, Detail};
use fathom_campaign::verdicts::HostWatch;
use fathom_campaign::{LocalExecutor, TestFiles};
use fathom_host::{Host, System};
use fathom_job::{Action, DiskWorld, Formats, Invocation, JobSpec, parse_command_line};
use fathom_run::{Control, Outcome, Pins, RunOptions};
use fathom_stats::RunResult;
use judged::Judged;
use observer::ProgressObserver;
use prefix::without_prefix;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

/// How often the live view is told of.
const LIVE_INTERVAL: Duration = Duration::from_millis(250);

/// Runs `fathom run` and gives its exit code.
pub fn command(args: &RunArgs) -> ExitCode {
    ended(run(args))
}

fn run(args: &RunArgs) -> Result<u8, CliError> {
    args.report.check()?;
    let Session { screen, host, system } = Session::look();
    let invocation = asked(args, &host, &system)?;
    if args.show.dry_run {
        say(&dry_run(args, &invocation, &host, &system, &screen)?);
        return Ok(0);
    }
    check_logs(&invocation.jobs, &invocation.settings).map_err(|why| without_prefix(&why))?;
    let target = target::RunTarget::of(&invocation.jobs, &host);
    let mut recorder = args.show.recorder(&system);
    let (control, files) = (Arc::default(), TestFiles::registered(test_file_registry()));
    let ended = signals::listen(&control, &files, EndStyle::Fathom)
        .map_err(|error| format!("cannot listen for signals: {error}"))?;
    let executor = client(&invocation.jobs, control.clone(), &files);
    // Before devices are watched: what is written for it is no I/O of the run's.
    let feed = recorder.start("run", &title(&invocation), &target.paths);
    let watch = HostWatch::begin(host, target.volume.as_ref());
    let mut observer = ProgressObserver::new(&screen, args, &target.paths, control.clone(), feed);
    let (jobs, options) = (&invocation.jobs, options(&invocation));
    let outcome = fathom_run::execute(jobs, &options, &control, &mut observer);
    observer.wipe();
    let mut outcome = outcome.map_err(|error| without_prefix(&error.to_string()))?;
    if let Some(note) = observer.steady_note().filter(|_| ended.number().is_none()) {
        outcome.result.interrupted = false;
        outcome.result.notes.push(note);
    }
    let judged = Judged::of(&outcome.result, &invocation.jobs, &target, &watch.end(), &executor);
    let result = &outcome.result;
    let document = document::of(result, &invocation.jobs, &judged, &system, recorder.started_ms());
    let tables = || tables(args, result, &judged, &screen);
    say(&args.report.text("run", &document, tables)?);
    let logged = write_logs(&invocation, &outcome);
    let document = document.to_string();
    keep(&mut recorder, &invocation, result, &document, &target);
    let reported = args.report.write("run", &document);
    let leftovers = [files.take_leftovers(), outcome.leftovers].concat();
    let code = u8::from(failed(result) || !logged || !reported);
    Ok(tell_leftovers(&leftovers, ended.exit_code().unwrap_or(code)))
}

/// What would be done, for people or programs.
fn dry_run(
    args: &RunArgs,
    invocation: &Invocation,
    host: &Host,
    system: &System,
    screen: &Screen,
) -> Result<String, String> {
    // First, since it says why a run would be refused.
    let text = plan::text(invocation, host, system, args.steady.is_some(), screen)?;
    let document = plan::document(invocation)?;
    args.report.dry_run(|| document, || text)
}

/// What knows what one core can drive by the engines of `jobs`.
fn client(jobs: &[JobSpec], control: Arc<Control>, files: &TestFiles) -> LocalExecutor {
    let depth = |job: &JobSpec| match job.engine.engine.is_sync() {
        true => 1,
        false => job.engine.iodepth,
    };
    let engines: Vec<_> = jobs.iter().map(|job| (job.engine.engine, depth(job))).collect();
    let mut executor = LocalExecutor::new(control).with_files(files);
    // What stands in the folders of jobs is their own.
    ceiling::measure(&mut executor, &engines, files, &[]);
    executor
}

/// The jobs, as they are to run here.
fn asked(args: &RunArgs, host: &Host, system: &System) -> Result<Invocation, String> {
    let mut invocation = read(args, host, system)?;
    refuse_what_is_fios(&invocation)?;
    // Percentiles of the whole latency are what the table shows.
    let with_latency = invocation.jobs.iter_mut().map(|job| &mut job.measure);
    with_latency.for_each(|measure| measure.lat_percentiles = true);
    refuse_steady_turns(args, &invocation)?;
    Ok(invocation)
}

/// Reads jobs as the drop-in does.
fn read(args: &RunArgs, host: &Host, system: &System) -> Result<Invocation, String> {
    let words: Result<Vec<String>, String> = args
        .fio
        .iter()
        .map(|word| match word.to_str() {
            Some(word) => Ok(word.to_owned()),
            None => Err(format!("the argument {word:?} is not UTF-8; rename what it names")),
        })
        .collect();
    let environment = |name: &str| std::env::var(name).ok();
    let memory_mib = system.memory_bytes.unwrap_or(0) >> 20;
    let cpus = u32::try_from(host.online_cpus().len()).unwrap_or(u32::MAX);
    let world = DiskWorld::new(environment, memory_mib, cpus);
    parse_command_line(&words?, &world).map_err(|error| without_prefix(&error.to_string()))
}

/// # Errors
/// Names what only `fathom fio` does.
fn refuse_what_is_fios(invocation: &Invocation) -> Result<(), String> {
    let settings = &invocation.settings;
    let normal = Formats { normal: true, json: false, json_plus: false, terse: false };
    let words = match () {
        () if invocation.action != Action::Run => "what asks for help or only prints jobs",
        () if settings.output.is_some() => "--output",
        () if settings.formats != normal || settings.append_terse => "--output-format",
        () if settings.status_interval_ms.is_some() => "--status-interval",
        () if invocation.jobs.is_empty() => {
            return Err("no jobs to run; name a job file, or a job with --name=".to_owned());
        }
        () => return Ok(()),
    };
    Err(format!("{words} is fio's own: use `fathom fio` for it, or here --json"))
}

/// # Errors
/// Where the end of one job would be the end of those that wait for it.
fn refuse_steady_turns(args: &RunArgs, invocation: &Invocation) -> Result<(), String> {
    let turns = invocation.jobs.iter().any(|job| job.process.stonewall);
    match args.steady.is_some() && turns {
        true => Err("--steady ends the whole run, and here jobs wait for each other (stonewall); \
                     run one part at a time with --section"
            .to_owned()),
        false => Ok(()),
    }
}

fn options(invocation: &Invocation) -> RunOptions {
    RunOptions {
        readonly: invocation.settings.readonly,
        global_options: invocation.global_options.clone(),
        live_interval: LIVE_INTERVAL,
        status_interval: None,
        entropy: crate::seed::entropy(),
        notes: invocation.warnings.clone(),
        pins: Pins::default(),
    }
}

/// Writes the logs that jobs ask for; gives whether all are written, else it was said why not.
fn write_logs(invocation: &Invocation, outcome: &Outcome) -> bool {
    let logged = job_logs::write_logs(&invocation.jobs, outcome, &invocation.settings);
    let tell = |why: String| {
        warn_line(&format!("fathom: {}", without_prefix(&why)));
        note_failed_file();
    };
    logged.map_err(tell).is_ok()
}

/// The table, and what is said of the figures.
fn tables(args: &RunArgs, result: &RunResult, judged: &Judged, screen: &Screen) -> String {
    let mut text = table::results(result, screen);
    let told = verdicts::text(&judged.named(), Detail::of(args.show.verdicts), screen);
    if !told.is_empty() {
        text += &format!("\n{told}");
    }
    text
}

/// Keeps the run in the history.
fn keep(
    recorder: &mut HistoryWriter,
    invocation: &Invocation,
    result: &RunResult,
    document: &str,
    target: &target::RunTarget,
) {
    recorder.keep(&SavedRun {
        kind: "run",
        title: title(invocation),
        targets: &target.paths,
        document,
        headline: table::headline(result),
        outcome: match (result.interrupted, failed(result)) {
            (true, _) => fathom_store::Outcome::Interrupted,
            (false, true) => fathom_store::Outcome::Failed,
            (false, false) => fathom_store::Outcome::Ran,
        },
    });
}

/// The names of the jobs.
fn title(invocation: &Invocation) -> String {
    let names: Vec<&str> = invocation.jobs.iter().map(|job| job.name.as_str()).collect();
    names.join(", ")
}

fn failed(result: &RunResult) -> bool {
    result.jobs.iter().any(|job| job.error != 0)
}
