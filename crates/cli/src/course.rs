//! The course of a command that measures, written once: dry run, files that killed runs left,
//! signals, preparation, announcement, runs, output, history, reports, exit code.
//!
//! A command supplies its question as a plan, its document and its tables. Decided here, for all
//! commands alike: a command that was stopped before its first result stores and writes nothing; a
//! file that could not be written makes the exit code 1 at least.

use crate::cli_error::CliError;
use crate::fleet::{self, FleetArgs};
use crate::history_writer::{HistoryWriter, SavedRun};
use crate::output::show::ShowArgs;
use crate::output::{JunitArgs, OutputArgs, OutputError, PlanDocument, after_stop};
use crate::session::Session;
use crate::stale_files;
use crate::terminal::progress::ProgressLine;
use crate::terminal::screen::{Screen, say, warn, warn_line};
use crate::terminal::summary;
use clap::Args;
use fathom_campaign::{DocumentSummary, Provenance};
use fathom_document::{DocumentRun, DocumentRuns};
use fathom_report::JudgedSuite;
use fathom_store::{HistoryFigure, HistoryOutcome};
use fathom_text::{Text, text};
use fathom_vocab::{PingTarget, Target};
use serde::Serialize;

/// The options of every command that measures, beside its question.
#[derive(Clone, Debug, Default, Args)]
pub struct CourseArgs {
    #[command(flatten)]
    pub fleet: FleetArgs,

    /// Measure the network's share of the latency by round trips to this host (NFS needs no option)
    ///
    /// A round trip is a TCP connection to the port that is made or refused, before the load and
    /// beside it. Without a port those of NFS, SMB, iSCSI and SSH are tried.
    #[arg(long, value_name = "HOST[:PORT]")]
    pub ping: Option<PingTarget>,

    #[command(flatten)]
    pub show: ShowArgs,

    #[command(flatten)]
    pub report: OutputArgs,
}

/// A measurement as its course names it.
pub struct Course<'a> {
    /// The command, as the history calls it.
    pub kind: &'static str,
    /// What was measured, in reports.
    pub name: String,
    pub targets: &'a [Target],
    pub args: &'a CourseArgs,
    /// None of a command that never judges.
    pub junit: Option<&'a JunitArgs>,
}

/// The result as the history lists it; one that was stopped is INTERRUPTED in any case.
pub struct HistorySummary {
    pub title: String,
    /// The figures that represent it, the most important first.
    pub headline: Vec<HistoryFigure>,
    pub outcome: HistoryOutcome,
}

/// What a command uses while it runs.
pub struct CourseContext<'a> {
    pub from: Provenance,
    pub session: &'a mut Session,
    pub line: &'a mut ProgressLine,
    pub history: InterimHistory<'a>,
}

/// The history while a command runs.
pub struct InterimHistory<'a> {
    history: &'a mut HistoryWriter,
    course: &'a Course<'a>,
}

impl InterimHistory<'_> {
    /// Stores the result so far. The next call or the end stores one that could not be.
    pub fn keep(&mut self, summary: HistorySummary, document: &impl Serialize) {
        let summary = HistorySummary { outcome: HistoryOutcome::Running, ..summary };
        if let Ok(text) = serde_json::to_string(document) {
            self.course.keep(self.history, summary, &text);
        }
    }
}

/// A command that measures, once its plan is made.
pub trait MeasuringCommand {
    /// The targets that were made ready.
    type Prepared;
    /// The result.
    type Document: DocumentSummary + Serialize;

    /// The plan for programs.
    fn plan(&self) -> PlanDocument;

    /// The plan for users; before a dry run nothing is prepared.
    fn opening(&self, prepared: Option<&Self::Prepared>, session: &Session) -> String;

    /// The exit code of a dry run.
    fn dry_run_code(&self) -> u8 {
        0
    }

    /// Makes the test files, and finds how each target is reached.
    ///
    /// # Errors
    /// If a target cannot be measured.
    fn prepare(&mut self, session: &mut Session) -> Result<Self::Prepared, CliError>;

    /// The title in the history while it runs.
    fn title(&self) -> String;

    /// Makes the runs.
    ///
    /// # Errors
    /// If none could be made.
    fn run(
        &mut self,
        prepared: Self::Prepared,
        underway: CourseContext<'_>,
    ) -> Result<Self::Document, CliError>;

    /// The tables below the first sentences.
    fn tables(&self, document: &Self::Document, screen: &Screen) -> String;

    /// The last line of a measurement that was stopped.
    fn farewell(&self, document: &Self::Document) -> Option<Text> {
        let has_files = self.plan().targets.iter().any(|target| target.test_file);
        let clause = document.stop_point()?.clause();
        Some(match has_files {
            true => text!("fathom: {clause}; test files are removed"),
            false => text!("fathom: {clause}"),
        })
    }

    fn history_summary(&self, document: &Self::Document) -> HistorySummary;

    /// Follows the history; `has_kept` if that has the result.
    fn conclude(&mut self, _document: &Self::Document, _has_kept: bool) {}

    /// The outcome of its gate in a line.
    fn gate_line(&self, _document: &Self::Document) -> Option<String> {
        None
    }

    /// The outcome of each limit for CI systems, if there are limits.
    fn suite(&self, _document: &Self::Document) -> Option<JudgedSuite> {
        None
    }

    /// The exit code of a measurement that was not stopped.
    fn exit_code(&self, document: &Self::Document) -> u8;
}

impl Course<'_> {
    /// Checks the options, and puts the machines that they name in the place of this one.
    ///
    /// # Errors
    /// If an output cannot be written, or a host not be reached.
    pub fn connect(&self, session: &mut Session) -> Result<(), CliError> {
        self.args.report.check()?;
        fleet::connect(&self.args.fleet, self.targets, session)?;
        if let Some(target) = &self.args.ping {
            session.machine.set_ping(target.clone());
        }
        Ok(())
    }

    /// Carries out a command whose plan is made, and gives the exit code.
    ///
    /// # Errors
    /// If nothing was measured.
    pub fn drive(
        &self,
        command: &mut impl MeasuringCommand,
        session: &mut Session,
    ) -> Result<u8, CliError> {
        let CourseArgs { fleet, show, report, .. } = self.args;
        if show.dry_run {
            let text = || command.opening(None, session);
            say(&report.dry_run(|| command.plan(), text)?);
            return Ok(command.dry_run_code());
        }
        if fleet.on.is_none() {
            stale_files::tell(self.targets);
        }
        session.listen()?;
        let done = self.measure(command, session);
        session.ended(done)
    }

    fn measure(
        &self,
        command: &mut impl MeasuringCommand,
        session: &mut Session,
    ) -> Result<u8, CliError> {
        let prepared = match command.prepare(session) {
            Ok(prepared) => prepared,
            Err(why) => return session.stopped.exit_code().ok_or(why),
        };
        let (show, hostname) = (&self.args.show, session.system.hostname.as_deref());
        let mut history = HistoryWriter::begin(&show.record, &session.host, hostname, show.quiet);
        self.announce(&command.opening(Some(&prepared), session));
        let feed = history.start(self.kind, &command.title(), self.targets);
        let mut line = ProgressLine::new(session.screen, &session.host, show.quiet, feed);
        let underway = CourseContext {
            from: Provenance { started_ms: history.started_ms(), ..session.provenance() },
            session,
            line: &mut line,
            history: InterimHistory { history: &mut history, course: self },
        };
        let document = command.run(prepared, underway)?;
        line.wipe();
        session.release();
        self.finish(command, &document, &mut history, session)
    }

    /// Prints the plan; on standard error where standard output is for programs.
    fn announce(&self, opening: &str) {
        let print = if self.args.report.for_programs() { warn } else { say };
        if !self.args.show.quiet && !opening.is_empty() {
            print(&format!("{opening}\n"));
        }
    }

    fn keep(&self, history: &mut HistoryWriter, summary: HistorySummary, document: &str) {
        let HistorySummary { title, headline, outcome } = summary;
        let (kind, targets) = (self.kind, self.targets);
        history.keep(&SavedRun { kind, title, targets, document, headline, outcome });
    }

    /// Shows and stores the result.
    fn finish<C: MeasuringCommand>(
        &self,
        command: &mut C,
        document: &C::Document,
        history: &mut HistoryWriter,
        session: &Session,
    ) -> Result<u8, CliError> {
        let (report, screen) = (&self.args.report, &session.screen);
        let tables = || summary::sentences(document, screen) + &command.tables(document, screen);
        say(&report.text(&self.name, document, tables)?);
        let is_stopped = document.is_interrupted();
        if let Some(farewell) = command.farewell(document).filter(|_| is_stopped) {
            warn_line(farewell);
        }
        let text = serde_json::to_string(document).map_err(OutputError::Json)?;
        let is_empty = is_stopped && document.runs().is_empty();
        if !is_stopped || document.runs().iter().any(DocumentRun::tells_something) {
            let summary = command.history_summary(document);
            let outcome = if is_stopped { HistoryOutcome::Interrupted } else { summary.outcome };
            self.keep(history, HistorySummary { outcome, ..summary }, &text);
        }
        command.conclude(document, history.has_kept());
        let mut is_written = is_empty || report.write(&self.name, &text);
        if let Some(line) = command.gate_line(document) {
            report.say_outcome(&line);
        }
        if let (Some(suite), Some(junit)) = (command.suite(document), self.junit) {
            let suite = JudgedSuite { seconds: history.elapsed_s(), ..suite };
            let suite = match is_stopped {
                true => after_stop(suite, session.stopped.name()),
                false => suite,
            };
            is_written &= junit.tell(&suite);
        }
        let code = match is_stopped {
            true => session.stopped.exit_code().unwrap_or(1),
            false => command.exit_code(document),
        };
        Ok(code.max(u8::from(!is_written)))
    }
}
