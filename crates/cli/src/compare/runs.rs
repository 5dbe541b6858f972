//! Compares earlier runs: read, pair by name, show, and judge for CI.

use super::error::RecordedError;
use super::load::load_with_entry;
use super::run_names::run_names;
use super::target::Recorded;
use super::{CompareArgs, baseline, judged, more, runs_text};
use crate::cli_error::CliError;
use crate::exit_code;
use crate::output::{CommandFailure, Form, OutputError, inputs, show, write_failure};
use crate::session::Session;
use crate::terminal::screen::{Screen, lang, say, warn_line};
use crate::terminal::summary;
use fathom_analysis::{JudgeRule, RowOutcome};
use fathom_campaign::DocumentSummary;
use fathom_campaign::compare::{Recording, RunsDocument};
use fathom_message::{Message, words};
use fathom_report::{JudgedCase, compared};
use fathom_store::HistoryEntry;
use fathom_text::Text;
use fathom_vocab::Target;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Compares runs and files and gives the exit code.
pub fn compare(
    args: &CompareArgs,
    recorded: &[Recorded],
    session: &Session,
) -> Result<u8, CliError> {
    let screen = &session.screen;
    let (mut recordings, mut entries) = loaded(recorded)?;
    if !args.baseline.is_empty() {
        match baseline::of(args, recorded) {
            Ok(baseline) => {
                recordings.insert(0, baseline);
                entries.insert(0, None);
            }
            Err(why) => match why.cause::<RecordedError>() {
                Some(few) if args.fail_if_worse.is_some() && few.is_too_few() => {
                    return Ok(ungated(args, few));
                }
                _ => return Err(why),
            },
        }
    }
    note_usual(&mut recordings, &entries);
    let judge = |recordings: &[Recording], looks| judged_by(args, recordings, &entries, looks);
    let document = match args.until.until_decided {
        Some(time) => more::until_decided(session, &mut recordings, &entries, time, judge)?,
        None => judge(&recordings, 1),
    };
    if let Some(pair) = document.pairs.iter().find(|pair| pair.contrasts.is_empty()) {
        return Err(RecordedError::nothing_in_common(pair).into());
    }
    say(&shown(args, &document, screen)?);
    let code = gate(args, &document, screen);
    let reported = written(args, &document)?;
    let told = args.fail_if_worse.is_none_or(|percent| {
        let cases = judged::cases(&document, percent);
        args.junit.tell(&judged::suite(args, cases, judged::warnings(&document)))
    });
    Ok(code.max(u8::from(!(reported && told))))
}

/// Notes beside single runs how far runs of their plan usually lie apart.
fn note_usual(recordings: &mut [Recording], entries: &[Option<HistoryEntry>]) {
    if recordings.iter().any(Recording::is_repeated) {
        return;
    }
    let runs = recordings.iter_mut().zip(entries).rev();
    let known = runs.filter_map(|(recording, entry)| Some((recording, entry.as_ref()?)));
    for (recording, entry) in known.take(1) {
        recording.notes.extend(baseline::usual_of(entry, recording));
    }
}

/// Writes the files that were asked for; returns whether all of them are written.
fn written(args: &CompareArgs, document: &RunsDocument) -> Result<bool, CliError> {
    let inputs = match args.course.report.report.is_some() {
        true => {
            let names = args.targets.iter().filter_map(Target::path).map(Path::to_owned);
            let names: Vec<PathBuf> = names.collect();
            inputs(&names)?
        }
        false => Vec::new(),
    };
    let report = |form: Form| {
        let line = document.gate_line().map(|line| line.text(lang()));
        form.text(&compared(&inputs, document, line, lang())?)
    };
    Ok(args.course.report.write_of("compare", &show::json(document)?, report))
}

/// The comparison at one of so many looks, with the ids of runs and what `--fail-if-worse` came to.
fn judged_by(
    args: &CompareArgs,
    recordings: &[Recording],
    entries: &[Option<HistoryEntry>],
    looks: u64,
) -> RunsDocument {
    let margin_percent = args.margin_percent();
    let rule = JudgeRule { looks, margin_percent, ..JudgeRule::among(1) };
    let mut document = RunsDocument::judged(rule, args.judged(), recordings);
    for (source, entry) in document.sources.iter_mut().zip(entries) {
        source.id = entry.as_ref().map(|entry| entry.short_id.clone());
    }
    let document = match args.fail_if_worse {
        Some(percent) => document.with_gate(percent),
        None => document,
    };
    document.with_summary()
}

/// What was recorded, called by what tells one run from the other; and the runs of the history.
fn loaded(recorded: &[Recorded]) -> Result<(Vec<Recording>, Vec<Option<HistoryEntry>>), CliError> {
    let read: Vec<_> = recorded.iter().map(load_with_entry).collect::<Result<_, _>>()?;
    let runs: Vec<&HistoryEntry> = read.iter().filter_map(|(_, entry)| entry.as_ref()).collect();
    let mut names = run_names(&runs).into_iter();
    let named = read.iter().map(|(recording, entry)| {
        let own = entry.as_ref().and_then(|_| names.next());
        let name = own.unwrap_or_else(|| recording.name.clone());
        let targets = entry.as_ref().map(|entry| entry.run.targets.clone());
        // A run of jobs names its targets in the history only.
        let targets = targets.filter(|_| recording.targets.is_empty()).unwrap_or_default();
        let targets = [recording.targets.clone(), targets].concat();
        Recording { name, targets, ..recording.clone() }
    });
    let named: Vec<Recording> = named.collect();
    Ok((named, read.into_iter().map(|(_, entry)| entry).collect()))
}

/// The outcome of a gate whose baseline has too few runs: a new pipeline has none yet, and CI
/// systems must learn that nothing was judged.
fn ungated(args: &CompareArgs, why: &RecordedError) -> u8 {
    warn_line(format_args!("fathom: {why}"));
    args.course.report.say_outcome(words(lang(), "gate-line-few-runs"));
    let case = JudgedCase {
        name: "baseline".to_owned(),
        sentence: why.to_string(),
        ..JudgedCase::default()
    };
    let written = args.junit.tell(&judged::suite(args, vec![case], Vec::new()));
    let code = if written { exit_code::UNDECIDED } else { 1 };
    let words: Vec<OsString> = std::env::args_os().collect();
    write_failure(&words, &CommandFailure { why: Text::of(why), place: None, code });
    code
}

fn shown(
    args: &CompareArgs,
    document: &RunsDocument,
    screen: &Screen,
) -> Result<String, OutputError> {
    let tables = || {
        summary::sentences(document, screen)
            + &runs_text::text(document, args.course.show.quiet, screen)
    };
    args.course.report.text("compare", document, tables)
}

/// Prints the gate's outcome, and returns its exit code.
fn gate(args: &CompareArgs, document: &RunsDocument, screen: &Screen) -> u8 {
    let (Some(gate), Some(percent)) = (&document.gate, args.fail_if_worse) else { return 0 };
    let all = document.pairs.iter().flat_map(|pair| &pair.contrasts);
    for contrast in all.filter(|of| of.outcome(percent) == RowOutcome::Fail) {
        let what = runs_text::in_short(contrast, Some(percent), screen.unicode, screen.lang);
        warn_line(Message::new("change-regressed").with("what", what).text(screen.lang));
    }
    if let Some(line) = document.gate_line() {
        args.course.report.say_outcome(line.text(screen.lang));
    }
    exit_code::of_gate(gate, exit_code::WORSE)
}
