//! `fathom watch`: the activity of the devices below these paths.
//!
//! The loop: read, print, sleep until the next reading is due or a signal arrives. The campaign
//! crate interprets the counters; a [`WatchFormat`] formats them.

mod args;
mod column;
mod csv;
mod format;
mod heading;
mod json;
mod limits;
mod live;
mod plain;
mod summary;
#[cfg(test)]
mod tests;
mod wake;

pub use args::WatchArgs;

use crate::cli_error::CliError;
use crate::fleet;
use crate::language::lang;
use crate::session::{Session, ended};
use crate::terminal::paint::{Window, can_draw_over};
use crate::terminal::screen::{Screen, warn, warn_line};
use crate::terminal::stdout;
use chrono::{DateTime, FixedOffset, Local};
use fathom_host::Host;
use fathom_monitor::{
    IntervalExtent, Partitions, Sampler, Summary, Tally, WatchRequest, next_due, resolve,
};
use fathom_vocab::Target;
use format::{Begin, End, EndedBy, IdleLines, WatchFormat, WatchInterval, WatchText};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Runs `fathom watch` and gives its exit code.
pub fn command(args: &WatchArgs, host: Host) -> ExitCode {
    match watch(args, host) {
        Ok(code) => ExitCode::from(code),
        Err(Failure::ReaderGone) => ExitCode::SUCCESS,
        Err(Failure::Fleet(why)) => ended(Err::<u8, CliError>(*why)),
        Err(Failure::Why(why)) => {
            warn_line(format_args!("fathom: {why}"));
            ExitCode::FAILURE
        }
    }
}

/// Why the watching could not begin or go on.
enum Failure {
    /// The reader of the output has closed it, as `head` does.
    ReaderGone,
    /// The machines that it is to watch on are not to be had.
    Fleet(Box<CliError>),
    /// The reason.
    Why(String),
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::Why(lang().show(error))
    }
}

fn watch(args: &WatchArgs, host: Host) -> Result<u8, Failure> {
    let signals = wake::listen()
        .map_err(|error| Failure::Why(localized!("cannot listen for signals: {error}")))?;
    let partitions = if args.all_partitions { Partitions::All } else { Partitions::Asked };
    let sampler = sampler(args, partitions, host)?;
    let session = WatchSession {
        tallies: sampler.watched().iter().map(|_| Tally::default()).collect(),
        sampler,
        face: face_for(args),
        idle: if args.no_idle { IdleLines::LeftOut } else { IdleLines::Shown },
        number: 0,
    };
    let by = session.run(args, &signals)?;
    Ok(match (by, args.count) {
        // Without a count, a signal is the normal end.
        (EndedBy::Count, _) | (_, None) => 0,
        (EndedBy::Signal(number), Some(_)) => u8::try_from(128 + number).unwrap_or(130),
    })
}

/// Reads counters of this machine, or of those that the arguments name.
fn sampler(args: &WatchArgs, partitions: Partitions, host: Host) -> Result<Sampler, Failure> {
    let paths: Vec<PathBuf> =
        args.paths.iter().filter_map(Target::path).map(Path::to_owned).collect();
    if args.fleet.on.is_none() {
        let watched = resolve(&host, &paths, partitions)?;
        return Ok(Sampler::begin(host, watched)?);
    }
    let mut session = Session::new(host);
    fleet::connect(&args.fleet, &args.paths, &mut session)
        .map_err(|why| Failure::Fleet(Box::new(why)))?;
    let asked = WatchRequest { paths, partitions };
    let watched = session.machine.watch(&asked)?;
    Ok(Sampler::from_source(Box::new(session.machine), watched)?)
}

fn face_for(args: &WatchArgs) -> Box<dyn WatchFormat> {
    let screen = Screen::detect();
    match (args.json, args.csv) {
        (true, _) => Box::new(json::JsonWatch),
        (_, true) => Box::new(csv::Csv::new(screen)),
        _ if can_draw_over(&io::stdout()) => Box::new(live::Live::new(screen, Window::of_stdout)),
        _ => Box::new(plain::Plain::new(screen)),
    }
}

/// A running watch.
struct WatchSession {
    sampler: Sampler,
    tallies: Vec<Tally>,
    face: Box<dyn WatchFormat>,
    idle: IdleLines,
    number: u64,
}

impl WatchSession {
    /// Reads and prints, until the count is reached or a signal arrives.
    fn run(mut self, args: &WatchArgs, signals: &Receiver<i32>) -> Result<EndedBy, Failure> {
        let begun = Instant::now();
        let (watched, first) = (self.sampler.watched(), self.sampler.last());
        let begin = Begin { time: now(), interval: args.interval, watched, first };
        say(&self.face.begin(&begin))?;
        let mut due = Duration::ZERO;
        let by = loop {
            if args.count == Some(self.number) {
                break EndedBy::Count;
            }
            due = next_due(begun.elapsed().max(due), args.interval);
            match signals.recv_timeout(due.saturating_sub(begun.elapsed())) {
                Ok(signal) => {
                    self.interval(IntervalExtent::Cut)?;
                    break EndedBy::Signal(signal);
                }
                Err(RecvTimeoutError::Timeout) => self.interval(IntervalExtent::Whole)?,
                // The listener ends with the process only.
                Err(RecvTimeoutError::Disconnected) => break EndedBy::Count,
            }
        };
        let summaries: Vec<Option<Summary>> = self.tallies.iter().map(Tally::summary).collect();
        let watched = self.sampler.watched();
        let end = End { time: now(), by, watched, summaries: &summaries };
        say(&self.face.end(&end))?;
        Ok(by)
    }

    fn interval(&mut self, extent: IntervalExtent) -> Result<(), Failure> {
        let outcomes = self.sampler.step()?;
        self.number += 1;
        for (tally, outcome) in self.tallies.iter_mut().zip(&outcomes) {
            tally.add(outcome, extent);
        }
        say(&self.face.interval(&WatchInterval {
            time: now(),
            number: self.number,
            extent,
            watched: self.sampler.watched(),
            outcomes: &outcomes,
            idle: self.idle,
        }))
    }
}

fn now() -> DateTime<FixedOffset> {
    Local::now().fixed_offset()
}

/// Prints; a closed reader ends the watching.
fn say(said: &WatchText) -> Result<(), Failure> {
    if !said.aside.is_empty() {
        warn(&said.aside);
    }
    match stdout::write_after(&said.frame, &said.out) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Failure::ReaderGone),
        Err(error) => Err(Failure::Why(format!("cannot write to standard output: {error}"))),
    }
}
