//! `fathom doctor`: what could this host drive, and what stands in its way?
//!
//! Here the order of things is kept: listen for other work first, while Fathom itself is quiet,
//! then try the engines, measure, look at each target, and print. What any of it means is decided
//! in the campaign. Scratch files are small, and held by the same guards as those of a
//! measurement, so that a signal leaves none behind.

#[cfg(test)]
mod tests;
mod text;

use crate::cli_error::CliError;
use crate::history_writer;
use crate::host_probe;
use crate::output::show;
use crate::session::{Session, ended, scratch_folders};
use crate::stale_files;
use crate::terminal::paint::Frame;
use crate::terminal::screen::{self, Screen, say, warn_line};
use crate::terminal::signals::EndSignal;
use clap::{Args, ValueHint};
use fathom_campaign::doctor::{
    Ceiling, Diagnosis, EngineTrial, HostFacts, Scratch, TargetDiagnosis, TargetFacts,
    ceiling_cases, measure_ceiling, try_engine,
};
use fathom_campaign::{Machine, TestFiles, examine_volume};
use fathom_host::Host;
use fathom_vocab::{IoEngine, Target};
use std::process::ExitCode;
use std::time::Duration;

/// The command line of `fathom doctor`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub struct DoctorArgs {
    /// Folders, files or block devices to look at beside the host itself
    ///
    /// They are not measured and none of their data is touched. In a folder an empty file is
    /// made for a moment, to see whether direct I/O works there.
    #[arg(value_name = "DIR|FILE|DEVICE", default_value = ".", value_hint = ValueHint::AnyPath,
          value_parser = crate::target_arg::target())]
    pub paths: Vec<Target>,

    /// Look only: leave out the ceilings, which take a good second each
    #[arg(long)]
    pub quick: bool,

    /// One JSON document on standard output instead of text
    #[arg(long)]
    pub json: bool,
}

const AFTER_HELP: &str = "\
Examples:
  fathom doctor                          this host, and the current folder
  fathom doctor /mnt/data /dev/nvme1n1   this host, a volume and a device
  fathom doctor --quick --json .         for a script: look, do not measure

A ceiling is what one core (or all) can drive when no disk is in the way: on the null engine, on a
file in memory, on a file in the page cache. What a volume is measured to give is the volume's own
figure only as long as it stays well below. Findings come with what was seen, and what to do:

  ok        looked at, and fine
  note      to be known when figures are read
  warning   makes figures small or wrong, or keeps an engine from running

Exit codes: 0 it could look, whatever it found; 1 it could not look, or at none of the paths;
2 usage; 130 stopped by ^C, 143 by SIGTERM (128 + signal).";

/// How long is listened for other work, and how long with `--quick`.
const LISTEN: Duration = Duration::from_secs(1);
const LISTEN_QUICK: Duration = Duration::from_millis(250);
/// How long a ceiling is measured.
const CEILING: Duration = Duration::from_secs(1);

/// Runs `fathom doctor` and gives its exit code.
pub fn command(args: &DoctorArgs, session: Session) -> ExitCode {
    ended(examine(args, session))
}

fn examine(args: &DoctorArgs, mut session: Session) -> Result<u8, CliError> {
    session.host.mounts()?;
    let started_ms = history_writer::now_ms();
    session.listen()?;
    let done = diagnose(args, &mut session, started_ms);
    session.ended(done)
}

fn diagnose(args: &DoctorArgs, session: &mut Session, started_ms: u64) -> Result<u8, CliError> {
    let Session { files, machine, stopped, host, screen, .. } = session;
    let progress = Progress { screen: *screen };
    let mut facts = HostFacts::gather(host);
    progress.draw("listening for other work");
    let span = if args.quick { LISTEN_QUICK } else { LISTEN };
    facts.load = host_probe::load(host, &facts.allowed_cpus, span);
    facts.clock = host_probe::clock();
    let folders: Vec<_> = args.paths.iter().map(|of| of.path().to_owned()).collect();
    let (scratch, guards) = scratch_folders().make(host, files, &folders);
    facts.io_uring = trial(IoEngine::IoUring, &scratch, machine);
    facts.libaio = trial(IoEngine::Libaio, &scratch, machine);
    let ceilings = match args.quick {
        true => Vec::new(),
        false => ceilings(&facts, &scratch, stopped, machine, &progress),
    };
    drop(guards);
    progress.wipe();
    if let Some(code) = stopped.exit_code() {
        warn_line("fathom: stopped; scratch files are removed");
        return Ok(code);
    }
    let targets: Vec<TargetDiagnosis> =
        args.paths.iter().map(|of| diagnosis_of(host, files, of)).collect();
    let diagnosis = Diagnosis::new(facts, ceilings, targets, started_ms);
    match args.json {
        true => say(&show::json(&diagnosis)?),
        false => say(&text::whole(&diagnosis, screen)),
    }
    Ok(u8::from(diagnosis.targets.iter().all(|target| target.failure.is_some())))
}

fn trial(engine: IoEngine, scratch: &Scratch, machine: &mut dyn Machine) -> EngineTrial {
    EngineTrial {
        tried: scratch.page_cache.is_some(),
        refused: scratch.page_cache.as_ref().and_then(|_| try_engine(engine, scratch, machine)),
    }
}

fn ceilings(
    facts: &HostFacts,
    scratch: &Scratch,
    stopped: &EndSignal,
    machine: &mut dyn Machine,
    progress: &Progress,
) -> Vec<Ceiling> {
    let mut ceilings = Vec::new();
    for case in ceiling_cases(facts.usable_cpus()) {
        if stopped.exit_code().is_some() {
            break;
        }
        progress.step(&format!("measuring {}", text::case_name(&case)));
        ceilings.push(measure_ceiling(&case, scratch, CEILING, machine));
    }
    ceilings
}

fn diagnosis_of(host: &Host, files: &TestFiles, target: &Target) -> TargetDiagnosis {
    let facts = examine_volume(host, target).map(|volume| {
        let direct = host_probe::direct(&volume, files);
        TargetFacts::gather(host, volume, Some(direct))
    });
    let stale = stale_files::notice(target.path());
    TargetDiagnosis::new(&target.to_string(), facts).with_stale_files(stale)
}

/// What goes on, on standard error: drawn over itself on a terminal, else a line for each ceiling.
struct Progress {
    screen: Screen,
}

impl Progress {
    fn draw(&self, text: &str) {
        if self.screen.live {
            screen::draw(&Frame::over_line(text));
        }
    }

    fn step(&self, text: &str) {
        match self.screen.live {
            true => self.draw(text),
            false => warn_line(text),
        }
    }

    fn wipe(&self) {
        self.draw("");
    }
}
