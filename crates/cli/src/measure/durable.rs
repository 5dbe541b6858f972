//! `fathom measure --for etcd`: is this volume fast enough for a program that flushes its log?

use super::MeasureArgs;
use crate::cli_error::CliError;
use crate::exit_code;
use crate::history_writer::{HistoryWriter, SavedRun, command_line, outcome_of_gate};
use crate::language::{known, word};
use crate::output::{PlanDocument, after_stop, show};
use crate::session::Session;
use crate::terminal::heading::{self, PlanStart, PlannedTime};
use crate::terminal::notes::JudgedUnit;
use crate::terminal::progress::ProgressLine;
use crate::terminal::screen::{Screen, labelled, say, warning, wrapped};
use crate::terminal::summary;
use crate::terminal::table::{self, TextTable, cell, right};
use crate::terminal::verdicts::{self, VerdictDetail};
use fathom_analysis::{GateOutcome, Requirement, RowOutcome, requirements};
use fathom_campaign::cases::PreparedTarget;
use fathom_campaign::durable::{DurableDocument, DurableKey, DurablePlan};
use fathom_campaign::{DocumentSummary, Trial, latency, seconds, thousands};
use fathom_document::usual_flush;
use fathom_document::verdicts::{Verdict, disturbance};
use fathom_job::nearest;
use fathom_message::{Lang, Message};
use fathom_report::{JudgedCase, JudgedSuite};
use fathom_store::{HistoryFigure, HistoryOutcome, Key};
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
    let volume = session.examine_one(target)?;
    let options = args.options(crate::seed::entropy());
    let plan = DurablePlan::new(requirement, volume, &args.beside, &options)
        .map_err(CliError::campaign)?;
    if args.show.dry_run {
        say(&args.report.dry_run(|| planned(&plan), || opening(&plan, None, &session))?);
        return Ok(0);
    }
    session.listen()?;
    let done = carry_out(args, &plan, &mut session);
    session.ended(done)
}

/// The plan for programs.
fn planned(plan: &DurablePlan) -> PlanDocument {
    let total_us: u64 = plan.cases.iter().map(|(_, case)| case.time.total_us()).sum();
    PlanDocument {
        runs: plan.cases.len() as u64,
        total_us: Some(total_us),
        writing_us: total_us,
        seed: Some(plan.seed),
        ..PlanDocument::new("durable", [&plan.volume])
    }
}

fn requirement(program: &str) -> Result<Requirement, CliError> {
    let rows = requirements().map_err(|why| CliError::Requirements(why.into()))?;
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

fn carry_out(
    args: &MeasureArgs,
    plan: &DurablePlan,
    session: &mut Session,
) -> Result<u8, CliError> {
    let runner = match plan.begin(&mut session.machine) {
        Ok(runner) => runner,
        Err(why) => return session.not_begun(why),
    };
    let mut recorder = args.show.recorder(session);
    let for_programs = args.report.for_programs();
    args.show.announce(for_programs, || opening(plan, Some(&runner.targets[0]), session));
    let feed = recorder.start("durable", &plan.requirement.title, &args.targets);
    let mut line = ProgressLine::new(session, args.show.quiet, feed);
    let head = (session.system.clone(), recorder.started_ms());
    let mut document = plan.run(&runner, head, &mut session.machine, &mut line);
    document.head.command = command_line();
    line.wipe();
    session.release();
    let screen = session.screen;
    let signal = session.stopped.name().filter(|_| document.interrupted);
    let tables = || {
        let detail = args.show.detail();
        summary::sentences(&document, &screen) + &saved_flushes(&document, detail, &screen)
    };
    say(&args.report.text(&plan.volume.volume.name, &document, tables)?);
    let text = show::json(&document)?;
    let reported = document.runs.is_empty() || {
        keep(&mut recorder, args, &document, &text);
        args.report.write(&plan.volume.volume.name, &text)
    };
    let told = args.junit.tell(&after_stop(suite(plan, &document), signal));
    Ok(match session.stopped.exit_code() {
        Some(code) if document.interrupted => code,
        _ => ending(&document).max(u8::from(!(reported && told))),
    })
}

/// The figure that is held to the limit, and why it cannot be judged if so.
fn flush_figure(run: &Trial<DurableKey>, percent: impl Display, outcome: GateOutcome) -> String {
    let figure = latency(run.flush.limited_ns as f64);
    let measured = format!("measured a flush p{percent} of {figure}");
    match disturbance(&run.verdicts).filter(|_| outcome == GateOutcome::Undecided) {
        Some(sign) => {
            let why = Message::new("summary-host-busy").part("sign", sign);
            format!("{measured}. {why}")
        }
        None => measured,
    }
}

/// The runs that are held to the limit, as cases for CI systems; one of all where none was made.
fn suite(plan: &DurablePlan, document: &DurableDocument) -> JudgedSuite {
    let Requirement { percent, limit_ms, .. } = &document.requirement;
    let limit =
        limit_ms.map_or(String::new(), |ms| format!(": flush p{percent} of {ms} ms at most"));
    let case = |title: &str, outcome, sentence| JudgedCase {
        subject: String::new(),
        name: format!("{title}{limit}"),
        outcome,
        is_error: document.failure.is_some(),
        sentence,
        warnings: None,
        place: None,
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
        seconds: plan.cases.iter().map(|(_, case)| case.time.run_us).sum::<u64>() as f64 / 1e6,
        ..JudgedSuite::default()
    }
}

fn ending(document: &DurableDocument) -> u8 {
    let whole = document.failure.is_none() && document.runs.iter().all(Trial::is_whole);
    match document.gate() {
        Some(GateOutcome::Fail) => exit_code::MISSED,
        _ if !whole => 1,
        Some(GateOutcome::Undecided) => exit_code::UNDECIDED,
        Some(GateOutcome::Pass) | None => 0,
    }
}

fn opening(plan: &DurablePlan, target: Option<&PreparedTarget>, session: &Session) -> String {
    let screen = &session.screen;
    let (count, time) = (plan.cases.len(), plan.cases[0].1.time);
    let text = heading::target(&session.system, &plan.volume, target, word(heading::LOG), screen);
    let runs = localized!("{count} runs of {}", seconds(time.run_us));
    let (all_us, fill_bytes) = (count as u64 * time.total_us(), plan.volume.fill_bytes);
    let time = PlannedTime::new(all_us, fill_bytes, PlanStart::of(target));
    let title = known(screen.lang, &plan.requirement.title);
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
        text += &warning(&localized!("{}: FAILED: {why}", run.title), screen);
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

/// Stores it in the history, with the flush latency of each run.
fn keep(recorder: &mut HistoryWriter, args: &MeasureArgs, document: &DurableDocument, text: &str) {
    let figure = |run: &Trial<DurableKey>| HistoryFigure {
        label: run.title.clone(),
        key: Key::Latency,
        p50_ns: Some(run.flush.p50_ns as f64),
        p99_ns: Some(run.flush.limited_ns as f64),
        ..HistoryFigure::default()
    };
    recorder.keep(&SavedRun {
        kind: "durable",
        title: document.requirement.title.clone(),
        targets: &args.targets,
        document: text,
        headline: document.runs.iter().filter(|run| run.figures.is_some()).map(figure).collect(),
        outcome: match (document.interrupted, document.gate()) {
            (true, _) => HistoryOutcome::Interrupted,
            (false, Some(GateOutcome::Fail)) => HistoryOutcome::PromiseMissed,
            (false, _) if document.failure.is_some() => HistoryOutcome::Failed,
            (false, gate) => outcome_of_gate(gate),
        },
    });
}
