//! `fathom measure --for etcd`: is this volume fast enough for a program that flushes its log?

use super::MeasureArgs;
use crate::cli_error::CliError;
use crate::course::{Course, CourseContext, HistorySummary, MeasuringCommand};
use crate::exit_code;
use crate::history_writer::outcome_of;
use crate::language::{in_language, word};
use crate::output::PlanDocument;
use crate::session::Session;
use crate::terminal::heading::{self, PlanStart, PlannedTime};
use crate::terminal::notes::JudgedUnit;
use crate::terminal::screen::labelled;
use crate::terminal::screen::{Screen, warning, wrapped};
use crate::terminal::table::{self, TextTable, cell, right};
use crate::terminal::verdicts::{self, VerdictDetail};
use fathom_analysis::{GateOutcome, Requirement, RowOutcome, requirements};
use fathom_campaign::cases::{PreparedTarget, Runner};
use fathom_campaign::durable::{DurableDocument, DurableKey, DurablePlan};
use fathom_campaign::{DocumentSummary, Trial, latency, seconds, thousands};
use fathom_document::usual_flush;
use fathom_document::verdicts::{Verdict, disturbance};
use fathom_job::nearest;
use fathom_message::Lang;
use fathom_report::{JudgedCase, JudgedSuite};
use fathom_store::{HistoryFigure, Key};
use fathom_text::{Text, text};
use std::fmt::Display;

/// Measures the one target for `program` and gives the exit code.
pub fn measure(args: &MeasureArgs, program: &str, mut session: Session) -> Result<u8, CliError> {
    let requirement = requirement(program)?;
    if args.junit.junit.is_some() && requirement.limit_ms.is_none() {
        return Err(CliError::usage(text!(
            "--junit writes whether a published limit is met, and {program} has none; leave it out"
        )));
    }
    let [target] = args.targets.as_slice() else {
        return Err(CliError::usage(text!("--for measures one target at a time; name one")));
    };
    let course = Course {
        kind: "durable",
        name: target.to_string(),
        targets: &args.targets,
        args: &args.course,
        junit: Some(&args.junit),
    };
    course.connect(&mut session)?;
    let volume = session.examine_one(target)?;
    let plan = DurablePlan::new(requirement, volume, &args.beside, &args.options())?;
    course.drive(&mut DurableCommand { args, plan }, &mut session)
}

fn requirement(program: &str) -> Result<Requirement, CliError> {
    let rows = requirements()?;
    let names: Vec<String> = rows.iter().map(|row| row.id.clone()).collect();
    let found = rows.into_iter().find(|row| row.id == program);
    found.ok_or_else(|| CliError::usage(unknown(program, &names)))
}

/// Databases without a row of their own, whose commits wait for a flush of a log, too.
const DATABASES: [&str; 4] = ["mysql", "mariadb", "mongodb", "oracle"];

/// What is said of a program that has no row.
fn unknown(program: &str, names: &[String]) -> Text {
    let small = program.to_lowercase();
    let known = text!("--for knows {}, and not '{program}'", names.join(", "));
    match nearest(&small, names.iter().map(String::as_str)) {
        Some(near) => text!("{known}; did you mean {near}?"),
        None if DATABASES.contains(&small.as_str()) => {
            text!("{known}; for the log of a database take postgres")
        }
        None => known,
    }
}

/// A measurement of a log, once its plan is made.
struct DurableCommand<'a> {
    args: &'a MeasureArgs,
    plan: DurablePlan,
}

impl MeasuringCommand for DurableCommand<'_> {
    type Prepared = Runner;
    type Document = DurableDocument;

    fn plan(&self) -> PlanDocument {
        let plan = &self.plan;
        let total_us: u64 = plan.cases.iter().map(|(_, case)| case.time.total_us()).sum();
        PlanDocument {
            runs: plan.cases.len() as u64,
            total_us: Some(total_us),
            writing_us: total_us,
            seed: Some(plan.seed),
            ..PlanDocument::new("durable", [&plan.volume])
        }
    }

    fn opening(&self, runner: Option<&Runner>, session: &Session) -> String {
        opening(&self.plan, runner.map(|runner| &runner.targets[0]), session)
    }

    fn prepare(&mut self, session: &mut Session) -> Result<Runner, CliError> {
        Ok(self.plan.begin(&mut *session.machine)?)
    }

    fn title(&self) -> String {
        self.plan.requirement.title.clone()
    }

    fn run(&mut self, runner: Runner, at: CourseContext<'_>) -> Result<DurableDocument, CliError> {
        Ok(self.plan.run(&runner, at.from, &mut *at.session.machine, at.line))
    }

    fn tables(&self, document: &DurableDocument, screen: &Screen) -> String {
        saved_flushes(document, self.args.course.show.detail(), screen)
    }

    /// Its figures are the flush latencies of each run.
    fn history_summary(&self, document: &DurableDocument) -> HistorySummary {
        let figure = |run: &Trial<DurableKey>| HistoryFigure {
            label: run.title.clone(),
            key: Key::Latency,
            p50_ns: Some(run.flush.p50_ns as f64),
            p99_ns: Some(run.flush.limited_ns as f64),
            ..HistoryFigure::default()
        };
        let measured = document.runs.iter().filter(|run| run.figures.is_some());
        HistorySummary {
            title: self.title(),
            headline: measured.map(figure).collect(),
            // A target that failed has no run that could miss the limit.
            outcome: outcome_of(document.failure.is_none(), document.gate()),
        }
    }

    fn suite(&self, document: &DurableDocument) -> Option<JudgedSuite> {
        Some(suite(&self.plan, document))
    }

    fn exit_code(&self, document: &DurableDocument) -> u8 {
        let whole = document.failure.is_none() && document.runs.iter().all(Trial::is_whole);
        match document.gate() {
            Some(GateOutcome::Fail) => exit_code::MISSED,
            _ if !whole => 1,
            Some(GateOutcome::Undecided) => exit_code::UNDECIDED,
            Some(GateOutcome::Pass) | None => 0,
        }
    }
}

/// The figure that is held to the limit, and why it cannot be judged if so.
fn flush_figure(run: &Trial<DurableKey>, percent: impl Display, outcome: GateOutcome) -> String {
    let figure = latency(run.flush.limited_ns as f64);
    let measured = format!("measured a flush p{percent} of {figure}");
    match disturbance(&run.verdicts).filter(|_| outcome == GateOutcome::Undecided) {
        Some(why) => format!("{measured}. {why}"),
        None => measured,
    }
}

/// The runs that are held to the limit, as cases for CI systems; one of all where none was made.
fn suite(plan: &DurablePlan, document: &DurableDocument) -> JudgedSuite {
    let Requirement { percent, limit_ms, .. } = &document.requirement;
    let limit =
        limit_ms.map_or(String::new(), |ms| format!(": flush p{percent} of {ms} ms at most"));
    let case = |title: &str, outcome, sentence| JudgedCase {
        name: format!("{title}{limit}"),
        outcome,
        is_error: document.failure.is_some(),
        sentence,
        ..JudgedCase::default()
    };
    let judged = document.runs.iter().filter_map(|run| Some((run, document.outcome_of(run)?)));
    let figure = |run, outcome| flush_figure(run, percent, outcome);
    let mut cases: Vec<JudgedCase> = judged
        .map(|(run, outcome)| case(&run.title, outcome.row(), figure(run, outcome)))
        .collect();
    if cases.is_empty() && limit_ms.is_some() {
        let sentence = document.summary(Lang::En);
        cases.push(case(&document.requirement.title, RowOutcome::Undecided, sentence));
    }
    // Without a limit nothing is judged, and nothing throws doubt on it.
    let sound = document.runs.iter().filter(|run| run.figures.is_some() && limit_ms.is_some());
    let named: Vec<(String, &[Verdict])> =
        sound.map(|run| (run.title.clone(), run.verdicts.as_slice())).collect();
    JudgedSuite {
        name: format!("measure {}", plan.volume.volume.name),
        cases,
        warnings: verdicts::warnings(Vec::new(), &named, JudgedUnit::Test),
        ..JudgedSuite::default()
    }
}

fn opening(plan: &DurablePlan, target: Option<&PreparedTarget>, session: &Session) -> String {
    let screen = &session.screen;
    let (count, time) = (plan.cases.len(), plan.cases[0].1.time);
    let text = heading::target(&session.system, &plan.volume, target, word(heading::LOG), screen);
    let runs = localized!("{count} runs of {}", seconds(time.run_us));
    let (all_us, fill_bytes) = (count as u64 * time.total_us(), plan.volume.whole_fill_bytes());
    let time = PlannedTime::new(all_us, fill_bytes, PlanStart::of(target));
    let title = in_language(screen.lang, &plan.requirement.title);
    let title = format!("{title}: {}", asks(&plan.requirement));
    let writes = heading::writes(fill_bytes, all_us, &heading::at_1_gb(all_us));
    text + &wrapped(&title, screen.width, "", "  ")
        + &heading::time(&time, &runs, screen)
        + &labelled("Writes ", &writes, screen)
}

/// The requirement, with its source.
fn asks(requirement: &Requirement) -> String {
    let Requirement { percent, source, read_on, .. } = requirement;
    match requirement.limit_ms {
        Some(ms) => localized!("p{percent} of {ms} ms at most ({source}, read on {read_on})"),
        None => localized!("no limit is published ({source}, read on {read_on})"),
    }
}

/// The table, which has an outcome for each run with a limit; also of a run in the history.
pub fn saved_flushes(document: &DurableDocument, detail: VerdictDetail, screen: &Screen) -> String {
    let requirement = &document.requirement;
    let limited = localized!("flush p{}", requirement.percent);
    let mut table = TextTable::new();
    let mut heads =
        table::heading(&["", "flushes", "flush p50", "", "write p50", "device flushes"]);
    heads.insert(3, right(limited));
    table.row(heads);
    table.give_way(&[(6, 0)]);
    for run in document.runs.iter().filter(|run| run.figures.is_some()) {
        table.row(row(run, document.outcome_of(run)));
    }
    let usual = usual_flush(document).map(|usual| usual.text(screen.lang));
    let usual = usual.map(|usual| wrapped(&usual, screen.width, "  - ", "    "));
    table.text(screen)
        + &notes(document, screen)
        + &judged(document, detail, screen)
        + &usual.unwrap_or_default()
}

/// Runs that failed, and flushes that something before the medium answered.
fn notes(document: &DurableDocument, screen: &Screen) -> String {
    let mut text = String::new();
    let failed = document.runs.iter().filter(|run| run.figures.is_none());
    for run in failed {
        let why = run.failure.as_deref().unwrap_or_default();
        text += &warning(localized!("{}: FAILED: {why}", run.title), screen);
    }
    for run in document.runs.iter().filter(|run| run.too_fast) {
        let (title, p50) = (&run.title, latency(run.flush.p50_ns as f64));
        let cached = localized!(
            "{title}: a flush of {p50} is faster than a disk with a volatile cache can be; \
             something before the medium answers, and may lose it with the power."
        );
        text += &warning(&cached, screen);
    }
    text
}

/// Verdicts on the figures of the runs.
fn judged(document: &DurableDocument, detail: VerdictDetail, screen: &Screen) -> String {
    let sound = document.runs.iter().filter(|run| run.figures.is_some());
    let runs: Vec<_> = sound.map(|run| (run.title.clone(), run.verdicts.as_slice())).collect();
    match detail {
        VerdictDetail::Brief => verdicts::foremost(Vec::new(), &runs, JudgedUnit::Test, screen),
        _ => verdicts::beneath(Vec::new(), &runs, JudgedUnit::Test, detail, screen),
    }
}

/// A run, with its outcome where there is a limit.
fn row(run: &Trial<DurableKey>, outcome: Option<GateOutcome>) -> Vec<table::TextCell> {
    let device = run.device_flushes.map_or("-".to_owned(), |count| thousands(count as f64));
    vec![
        cell(&run.title),
        right(thousands(run.flush.flushes as f64)),
        right(latency(run.flush.p50_ns as f64)),
        right(latency(run.flush.limited_ns as f64)),
        cell(outcome.map_or("", |outcome| word(outcome.name()))),
        right(latency(run.write.p50_ns as f64)),
        right(device),
    ]
}
