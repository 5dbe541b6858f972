//! One run of the drop-in: its outputs, their moments, and its exit code.

use super::complaint::complain;
use super::error::DropInError;
use super::idleness::Idleness;
use super::notices;
use super::sink::Sink;
use crate::job_logs;
use crate::terminal::signals::{self, EndSignal, EndStyle};
use fathom_campaign::TestFiles;
use fathom_host::Host;
use fathom_job::{DebugSubject, EtaWhen, Invocation, JobSpec, Settings};
use fathom_output::{
    CLONES_LINE, ClientResult, EtaWriter, FIO_VERSION, NO_DEPTH_LINE, OutputFormats, OutputOptions,
    TerseVersion,
};
use fathom_run::{Control, Event, JobFailure, NetworkProbe, Observer, Pins};
use fathom_run::{RunError, RunOptions};
use fathom_stats::{LiveSnapshot, RunResult};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A run in progress, as its output sees it.
pub struct DropInSession {
    settings: Settings,
    sink: Sink,
    control: Arc<Control>,
    ended: EndSignal,
    told_of_signal: bool,
    eta: Option<EtaLine>,
    idleness: Option<Idleness>,
    /// Clones whose engine has no depth, although they were given one.
    capped_clones: u32,
    broken: Option<std::io::Error>,
}

/// The status line that is overwritten during a run.
struct EtaLine {
    newline_every: Option<Duration>,
    next_newline: Instant,
    writer: EtaWriter,
    shown: bool,
}

impl DropInSession {
    /// Runs the jobs and reports, to the last exit code.
    pub fn run(invocation: Invocation, host: &Host) -> ExitCode {
        DropInSession::tried(invocation, host).unwrap_or_else(|why| {
            complain(&why.to_string());
            ExitCode::FAILURE
        })
    }

    /// # Errors
    /// If nothing was started.
    fn tried(invocation: Invocation, host: &Host) -> Result<ExitCode, DropInError> {
        if invocation.jobs.is_empty() {
            return Err(DropInError::NoJobs);
        }
        let warnings = invocation.warnings();
        let Invocation { settings, jobs, global_options, notices, .. } = invocation;
        let options = run_options(&settings, global_options, warnings);
        let (mut session, control) = DropInSession::begin(settings, &jobs, host)?;
        session.put(&notices::printed(&notices, &session.settings));
        session.trace_seeds(&jobs, options.entropy);
        session.open(&jobs);
        let pins = Pins::default();
        let outcome = fathom_run::execute(&jobs, &options, host, &pins, &control, &mut session);
        Ok(session.close(&jobs, outcome))
    }

    /// Opens the output and listens for signals; logs of `jobs` must have their place.
    ///
    /// # Errors
    /// If one of these cannot be.
    pub(super) fn begin(
        settings: Settings,
        jobs: &[JobSpec],
        host: &Host,
    ) -> Result<(DropInSession, Arc<Control>), DropInError> {
        let sink = output_of(&settings)?;
        job_logs::check_logs(jobs, &settings)?;
        let control = Arc::new(Control::default());
        let ended = signals::listen(&control, &TestFiles::default(), EndStyle::Fio)
            .map_err(DropInError::Signals)?;
        let eta = EtaLine::wanted(&settings, &sink);
        let idleness = Idleness::wanted(&settings, host);
        let session = DropInSession {
            settings,
            sink,
            control: control.clone(),
            ended,
            told_of_signal: false,
            eta,
            idleness,
            capped_clones: jobs.iter().filter(|job| is_capped(job)).map(clones_of).sum(),
            broken: None,
        };
        Ok((session, control))
    }

    /// Whether jobs that write are refused.
    pub(super) fn is_readonly(&self) -> bool {
        self.settings.readonly
    }

    /// Whether text for people is wanted.
    pub(super) fn is_for_people(&self) -> bool {
        self.settings.formats.normal
    }

    /// Ends the overwritten status line, and reports a signal.
    pub(super) fn end_live(&mut self) {
        self.end_eta_line();
        self.tell_of_signal();
    }

    /// Prints the seeds of each clone, if they are wanted.
    fn trace_seeds(&mut self, jobs: &[JobSpec], entropy: u64) {
        if self.settings.debug.contains(&DebugSubject::Random) {
            let seeds = fathom_run::clone_seeds(jobs, entropy);
            self.put(&notices::seed_lines(&seeds));
        }
    }

    /// Prints the texts that precede the run.
    fn open(&mut self, jobs: &[JobSpec]) {
        if !self.settings.formats.normal {
            return;
        }
        let mut text = String::new();
        for opening in fathom_run::openings(jobs) {
            text += &fathom_output::job_line(&opening.name, opening.group_id, &opening.setup);
            text.push('\n');
            if opening.clones > 1 {
                text += CLONES_LINE;
                text.push('\n');
            }
        }
        text += FIO_VERSION;
        text.push('\n');
        self.put(&text);
    }

    fn close(
        mut self,
        jobs: &[JobSpec],
        outcome: Result<fathom_run::RunOutcome, RunError>,
    ) -> ExitCode {
        self.end_eta_line();
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(error) => {
                complain(&format!("fio: {error}"));
                return ExitCode::FAILURE;
            }
        };
        self.tell_of_signal();
        for leftover in &outcome.leftovers {
            complain(&format!("fio: {}", leftover.sentence));
        }
        self.report(&outcome.result);
        let logged = job_logs::write_logs(jobs, &outcome, &self.settings);
        if let Err(error) = &logged {
            complain(&format!("fio: {error}"));
        }
        if let Err(code) = self.finish() {
            return code;
        }
        let code = fathom_output::exit_code(&outcome.result);
        let whole = logged.is_ok() && outcome.leftovers.is_empty();
        if code == 0 && !whole { ExitCode::FAILURE } else { ExitCode::from(code) }
    }

    /// Makes the output lasting.
    ///
    /// # Errors
    /// The exit code if the output could not be written, which is reported.
    pub(super) fn finish(&mut self) -> Result<(), ExitCode> {
        if let Err(error) = self.sink.commit() {
            self.broken.get_or_insert(error);
        }
        match self.broken.take().filter(|error| !is_broken_pipe(error)) {
            Some(error) => {
                complain(&format!("fio: writing the output: {error}"));
                Err(ExitCode::FAILURE)
            }
            None => Ok(()),
        }
    }

    /// The report in every requested format, in fio's order.
    fn report(&mut self, result: &RunResult) {
        let (formats, options) = self.output();
        let text = fathom_output::document(result, formats, &options);
        self.put(&text);
    }

    /// The same of several hosts.
    pub(super) fn report_clients(&mut self, clients: &[ClientResult<'_>]) {
        let (formats, options) = self.output();
        let text = fathom_output::client_document(clients, formats, &options);
        self.put(&text);
    }

    fn output(&self) -> (OutputFormats, OutputOptions) {
        let asked = self.settings.formats;
        let version = TerseVersion::from_number(u32::from(self.settings.terse_version));
        let formats = OutputFormats {
            normal: asked.normal,
            json: asked.json || asked.json_plus,
            terse: version.filter(|_| asked.terse || self.settings.append_terse),
        };
        let options = OutputOptions {
            utc_offset_s: utc_offset_s(),
            bins: asked.json_plus,
            idleness: self.idleness.as_ref().map(Idleness::so_far),
        };
        (formats, options)
    }

    pub(super) fn put(&mut self, text: &str) {
        if self.broken.is_some() {
            return;
        }
        if let Err(error) = self.sink.put(text) {
            self.broken = Some(error);
        }
    }

    fn put_line(&mut self, line: &str) {
        self.put(&format!("{line}\n"));
    }

    fn tell_of_signal(&mut self) {
        let Some(signal) = self.ended.number().filter(|_| !self.told_of_signal) else { return };
        self.told_of_signal = true;
        if self.settings.formats.normal {
            self.put(&format!("\nfio: terminating on signal {signal}\n"));
        }
    }

    fn show_eta(&mut self, live: &LiveSnapshot) {
        let Some(eta) = &mut self.eta else { return };
        let now = Instant::now();
        let newline = eta.newline_every.is_some_and(|every| {
            let due = now >= eta.next_newline;
            if due {
                eta.next_newline = now + every;
            }
            due
        });
        eta.shown = !newline;
        let line = eta.writer.next(live, newline);
        let mut out = std::io::stdout().lock();
        // The line is a courtesy: a terminal that went away loses nothing else.
        let _ = out.write_all(line.as_bytes()).and_then(|()| out.flush());
    }

    fn end_eta_line(&mut self) {
        if self.eta.take().is_some_and(|eta| eta.shown) {
            let _ = writeln!(std::io::stdout());
        }
    }
}

impl Observer for DropInSession {
    fn event(&mut self, event: &Event) {
        match event {
            Event::Starting { processes, threads } if self.settings.formats.normal => {
                self.put_line(&fathom_output::starting_line(*processes, *threads));
                (0..self.capped_clones).for_each(|_| self.put_line(NO_DEPTH_LINE));
            }
            Event::LayingOut { job, files, bytes } if self.settings.formats.normal => {
                self.put_line(&fathom_output::layout_line(job, *files, *bytes));
            }
            Event::BeyondTausworthe { file, switches } if self.settings.formats.normal => {
                self.put_line(&fathom_output::beyond_tausworthe(file, *switches));
            }
            Event::Debug { lines } => self.put(lines),
            Event::Error(error) => complain(&format!("fio: {error}")),
            Event::JobFailed(failure) => complain(&failure_text(failure)),
            Event::Live(live) => {
                if takes_dump_request() {
                    self.control.request_status();
                }
                if self.ended.number().is_none() {
                    self.show_eta(live);
                }
            }
            Event::Status(result) => {
                self.report(result);
                if let Err(error) = self.sink.commit() {
                    self.broken.get_or_insert(error);
                }
            }
            Event::Starting { .. }
            | Event::BeyondTausworthe { .. }
            | Event::LayingOut { .. }
            | Event::LaidOut { .. } => {}
        }
    }
}

impl EtaLine {
    fn wanted(settings: &Settings, sink: &Sink) -> Option<EtaLine> {
        let formats = settings.formats;
        let only_normal = formats.normal && !formats.json && !formats.json_plus && !formats.terse;
        let wanted = match settings.eta {
            // A document on standard output stays one, as in fio.
            EtaWhen::Always => formats.normal || !sink.is_stdout(),
            EtaWhen::Never => false,
            EtaWhen::Auto => only_normal && sink.is_stdout() && std::io::stdout().is_terminal(),
        };
        wanted.then(|| EtaLine {
            newline_every: settings.eta_newline_ms.map(Duration::from_millis),
            next_newline: Instant::now(),
            writer: EtaWriter::default(),
            shown: false,
        })
    }
}

/// Whether a job was given a depth that its engine does not have.
fn is_capped(job: &JobSpec) -> bool {
    job.engine.iodepth > 1 && job.engine.engine.is_sync()
}

fn clones_of(job: &JobSpec) -> u32 {
    job.process.numjobs
}

/// Opens the output.
fn output_of(settings: &Settings) -> Result<Sink, DropInError> {
    let path = settings.output.as_deref();
    let named = || path.unwrap_or(Path::new("")).to_owned();
    Sink::open(path).map_err(|source| DropInError::Output { path: named(), source })
}

fn run_options(
    settings: &Settings,
    global_options: Vec<(String, Option<String>)>,
    notes: Vec<String>,
) -> RunOptions {
    RunOptions {
        global_options,
        live_interval: Duration::from_millis(settings.eta_interval_ms.max(250)),
        status_interval: settings.status_interval_ms.map(Duration::from_millis),
        entropy: fathom_vocab::entropy(),
        notes,
        readonly: settings.readonly,
        jobs_fail_alone: true,
        traces_io: settings.debug.contains(&DebugSubject::Io),
        network: NetworkProbe::Off,
    }
}

/// Two lines, whose first words programs search for.
fn failure_text(failure: &JobFailure) -> String {
    let JobFailure { job, pid, error, error_text } = failure;
    format!("fio: {error_text}\nfio: pid={pid}, err={error}/file:{job}, error={}", error.text())
}

fn is_broken_pipe(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::BrokenPipe
}

/// Whether somebody asked for the results so far by making fio's file for it, which is removed.
fn takes_dump_request() -> bool {
    let folder = ["TMPDIR", "TEMP"].into_iter().find_map(std::env::var_os);
    let folder = folder.map_or_else(std::env::temp_dir, PathBuf::from);
    std::fs::remove_file(folder.join("fio-dump-status")).is_ok()
}

/// Seconds that local time is ahead of UTC.
fn utc_offset_s() -> i32 {
    chrono::Local::now().offset().local_minus_utc()
}
