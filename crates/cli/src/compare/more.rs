//! `compare --more`: repeats the newest of the compared runs until the comparison is decided.
//!
//! What is repeated is the command of that run as the history has it, in its folder, as a process
//! of its own: so every repetition is a run of the history with a command that is true. It writes
//! none of the files that the first one wrote, and shows nothing but its progress.

use crate::cli_error::CliError;
use crate::history_writer::{command_in_folder, now_ms};
use crate::output::{JunitArgs, OutputArgs};
use crate::saved_runs;
use crate::session::Session;
use crate::terminal::screen::warn_line;
use clap::{Arg, Args};
use fathom_campaign::compare::{Recording, RoundSchedule, RunsDocument};
use fathom_store::{Filter, HistoryEntry, HistoryRun};
use fathom_text::{Text, text};
use fathom_vocab::Direction;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Most runs of a side: where more are needed, the scatter is what is to be mended.
const MOST_RUNS: u64 = 30;

/// The newest run among the compared ones.
struct NewestRun<'e> {
    /// Which of the sides it is.
    side: usize,
    entry: &'e HistoryEntry,
}

/// Compares `sides`, of which `entries` are the runs of the history, until that is decided: the
/// newest run is repeated for `time` at most. `judge` compares, and is told how often it may.
///
/// # Errors
/// If none of them is a run of this host.
pub fn until_decided(
    session: &Session,
    sides: &mut [Recording],
    entries: &[Option<HistoryEntry>],
    time: Duration,
    judge: impl Fn(&[Recording], u64) -> RunsDocument,
) -> Result<RunsDocument, CliError> {
    let newest =
        NewestRun::among(entries)?.on(session.system.hostname.as_deref().unwrap_or_default())?;
    if newest.destroys(&sides[newest.side]) {
        return Err(newest.refused());
    }
    let run_ms = u128::from(newest.entry.run.duration_ms.max(1));
    let fit = u64::try_from(time.as_millis() / run_ms).unwrap_or(u64::MAX);
    let schedule = RoundSchedule::of_runs(1 + fit.clamp(1, MOST_RUNS - 1) as u32);
    let looks = schedule.looks().len() as u64;
    let mut document = judge(sides, looks);
    let mut runs = vec![sides[newest.side].clone()];
    schedule.until_decided(vec![()], |count, open| {
        while runs.len() < count as usize {
            match again(&newest.entry.run) {
                Ok(run) => runs.push(run),
                Err(why) => {
                    warn_line(text!("fathom: --more ends here: {why}"));
                    return Vec::new();
                }
            }
        }
        if count > 1 {
            let name = sides[newest.side].name.clone();
            sides[newest.side] = Recording::repeated(&name, &runs);
            document = judge(sides, looks);
        }
        if document.is_open() { open } else { Vec::new() }
    });
    Ok(document)
}

impl<'e> NewestRun<'e> {
    /// A command of another host may name a device that is here, and destroy its data.
    fn on(self, hostname: &str) -> Result<NewestRun<'e>, CliError> {
        let run = &self.entry.run;
        match run.host == hostname {
            true => Ok(self),
            false => Err(CliError::usage(text!(
                "--more repeats the newest run, {}, and that was made on the host {}: compare \
                 there",
                self.entry.short_id,
                run.host
            ))),
        }
    }

    /// Whether it writes where data of others may be by now: it was asked for by name, then and not
    /// today. Other commands write only to test files of their own.
    fn destroys(&self, recording: &Recording) -> bool {
        let run = &self.entry.run;
        let is_named = run.command.iter().any(|word| word.starts_with("--destroy"));
        let writes = || recording.entries.iter().any(|entry| entry.direction != Direction::Read);
        is_named || run.kind == "run" && writes()
    }

    fn refused(&self) -> CliError {
        let run = &self.entry.run;
        CliError::usage(text!(
            "--more would write again where the newest run, {}, wrote, and destroy what is there \
             now: run it yourself ({}), and compare again",
            self.entry.short_id,
            command_in_folder(&run.command, &run.folder)
        ))
    }

    fn among(entries: &'e [Option<HistoryEntry>]) -> Result<NewestRun<'e>, CliError> {
        let runs = entries.iter().enumerate();
        let runs =
            runs.filter_map(|(side, entry)| Some(NewestRun { side, entry: entry.as_ref()? }));
        runs.max_by_key(|run| run.entry.run.started_ms).ok_or_else(|| {
            CliError::usage(text!(
                "--more repeats the newest run of the history, and only files are compared; name \
                 a run of `fathom history`"
            ))
        })
    }
}

/// Makes a run once more, and reads it.
fn again(run: &HistoryRun) -> Result<Recording, Text> {
    let words = without_files(&run.command);
    warn_line(text!("Repeats {}", command_in_folder(&words, &run.folder)));
    let program = std::env::current_exe().map_err(Text::of)?;
    let begun_ms = now_ms();
    let command = words.iter().skip(1);
    let mut process = Command::new(program);
    process.args(command).current_dir(&run.folder).stdout(Stdio::null());
    let status = process.status().map_err(Text::of)?;
    let filter =
        Filter { kind: Some(run.kind.clone()), since_ms: Some(begun_ms), ..Filter::default() };
    let entries = saved_runs::listed(&filter).map_err(Text::of)?;
    let is_like =
        |entry: &&HistoryEntry| entry.run.targets == run.targets && entry.run.outcome.is_whole();
    let Some(entry) = entries.iter().find(is_like) else {
        return Err(text!("that command left no result ({status})"));
    };
    let (entry, document) = saved_runs::result_of(entry.id.as_str()).map_err(Text::of)?;
    Recording::read(&entry.short_id, &document).map_err(Text::of)
}

/// A command without the files that it writes its results to.
fn without_files(command: &[String]) -> Vec<String> {
    let outputs = JunitArgs::augment_args(OutputArgs::augment_args(clap::Command::new("outputs")));
    let outputs: Vec<&Arg> = outputs.get_arguments().collect();
    let mut kept = Vec::new();
    let mut words = command.iter();
    while let Some(word) = words.next() {
        let (name, has_value) = match word.split_once('=') {
            Some((name, _)) => (name, true),
            None => (word.as_str(), false),
        };
        let is_named =
            |arg: &&&Arg| arg.get_long().is_some_and(|long| name.strip_prefix("--") == Some(long));
        match outputs.iter().find(is_named) {
            None => kept.push(word.clone()),
            Some(arg) if !has_value && !arg.is_require_equals_set() => drop(words.next()),
            Some(_) => {}
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::without_files;

    #[test]
    fn a_repeated_command_writes_none_of_the_files_of_the_first() {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<String>>();
        let line = "fathom measure /mnt/a --json=a.json --json --report r.html --tag x \
                    --junit j.xml \
                    --csv --report=s.html --time 3s";
        assert_eq!(without_files(&words(line)), words("fathom measure /mnt/a --tag x --time 3s"));
    }
}
