//! `fathom doctor`: what can this host drive, and what limits it?
//!
//! The machine examines itself, this one or others (`campaign/src/doctor/examination.rs`); this
//! file reads arguments and prints answers. Scratch files are small, and the same guards remove
//! them as those of a measurement, also after a signal.

#[cfg(test)]
mod tests;
mod text;

use crate::cli_error::CliError;
use crate::exit_code;
use crate::fleet::{self, FleetArgs};
use crate::history_writer;
use crate::language::word;
use crate::output::show;
use crate::session::Session;
use crate::terminal::paint::Frame;
use crate::terminal::screen::{self, Screen, say, say_line, warn_line};
use clap::{Args, ValueHint};
use fathom_doctor::{DIAGNOSIS_SCHEMA, DoctorRequest, DoctorStep, HostDiagnosis, Severity};
use fathom_text::text;
use fathom_vocab::{Target, printable};
use serde::Serialize;

/// The command line of `fathom doctor`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub struct DoctorArgs {
    /// Folders, files or block devices to look at beside the host itself
    ///
    /// They are not measured and none of their data is touched. In a folder an empty file is
    /// made for a moment, to see whether direct I/O works there. Without any it is the current
    /// folder; with --on none.
    #[arg(value_name = "DIR|FILE|DEVICE", value_hint = ValueHint::AnyPath,
          value_parser = crate::plan_args::target())]
    pub paths: Vec<Target>,

    /// Look only: leave out the ceilings, which take a good second each
    #[arg(long)]
    pub quick: bool,

    /// Exit with 4 if there is a warning, so that a pipeline stops there
    #[arg(long)]
    pub strict: bool,

    /// Show all: the host, its ceilings, and what is fine
    #[arg(long, short, visible_alias = "explain")]
    pub verbose: bool,

    /// One JSON document on standard output instead of text
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub fleet: FleetArgs,
}

impl DoctorArgs {
    fn paths(&self) -> Vec<Target> {
        match self.paths.is_empty() && self.fleet.on.is_none() {
            true => vec![Target::from(".")],
            false => self.paths.clone(),
        }
    }
}

const AFTER_HELP: &str = "\
Examples:
  fathom doctor                          this host, and the current folder
  fathom doctor /mnt/data /dev/nvme1n1   this host, a volume and a device
  fathom doctor --quick --json .         for a script: look, do not measure
  fathom doctor --quick --strict .       in CI: exit code 4 on a warning
  fathom doctor --on host1,host2         other hosts, each by itself

A ceiling is what one core (or all) can drive when no disk is in the way: on the null engine, on a
file in memory, on a file in the page cache. What a volume is measured to give is the volume's own
figure only as long as it stays well below. The first line counts the findings. Each comes with
what was seen, and what to do:

  warning   makes figures small or wrong, or keeps an engine from running
  note      to be known when figures are read
  ok        looked at, and fine: shown with --verbose

Exit codes: 0 it could look, whatever it found; 1 it could not look, or not at every path; 2 usage;
4 --strict, and there are warnings; 130 stopped by ^C, 143 by SIGTERM (128 + signal).";

/// Runs `fathom doctor` and gives its exit code.
///
/// # Errors
/// If the host cannot be examined.
pub fn examine(args: &DoctorArgs, mut session: Session) -> Result<u8, CliError> {
    fleet::connect(&args.fleet, &args.paths, &mut session)?;
    session.listen()?;
    let done = diagnose(args, &mut session);
    session.ended(done)
}

fn diagnose(args: &DoctorArgs, session: &mut Session) -> Result<u8, CliError> {
    let asked = DoctorRequest {
        paths: args.paths(),
        is_quick: args.quick,
        taken_ms: history_writer::now_ms(),
    };
    let progress = Progress { screen: session.screen };
    let diagnosed = session.machine.diagnose(&asked, &mut |step| progress.told(&step));
    progress.wipe();
    if let Some(code) = session.stopped.exit_code() {
        warn_line(text!("fathom: stopped; scratch files are removed"));
        return Ok(code);
    }
    let diagnosed = diagnosed?;
    let shown = match (args.json, diagnosed.as_slice()) {
        (true, [HostDiagnosis { host: None, diagnosis }]) => show::json(diagnosis)?,
        (true, several) => show::json(&DiagnosedHosts::of(several))?,
        (false, several) => text::hosts(several, args.verbose, &session.screen),
    };
    say(&shown);
    Ok(ending(args, &diagnosed))
}

/// 1 if a path could not be examined, whatever was found on the others; 4 if `--strict` is given
/// and there are warnings.
fn ending(args: &DoctorArgs, diagnosed: &[HostDiagnosis]) -> u8 {
    let failures: Vec<String> = diagnosed.iter().flat_map(failures).collect();
    failures.iter().for_each(|why| warn_line(format_args!("fathom: {why}")));
    if !args.strict {
        return u8::from(!failures.is_empty());
    }
    let warnings = |of: &HostDiagnosis| of.diagnosis.count(Severity::Warning);
    let warnings: usize = diagnosed.iter().map(warnings).sum();
    if failures.is_empty() {
        // Output for programs must remain parseable.
        match args.json {
            true => warn_line(text::outcome(warnings)),
            false => say_line(text::outcome(warnings)),
        }
    }
    match (failures.is_empty(), warnings) {
        (false, _) => 1,
        (true, 0) => 0,
        (true, _) => exit_code::WARNED,
    }
}

/// Why targets of a host could not be examined; of another host with its name.
fn failures(of: &HostDiagnosis) -> impl Iterator<Item = String> {
    let host = of.host.as_ref().map(|host| format!("{}: ", printable::line(host)));
    let host = host.unwrap_or_default();
    let failed = of.diagnosis.targets.iter().filter_map(|target| target.failure.as_deref());
    failed.map(move |why| format!("{host}{why}"))
}

/// The diagnoses of other machines as one document.
#[derive(Serialize)]
pub struct DiagnosedHosts<'a> {
    /// `fathom-doctor-hosts`.
    kind: &'static str,
    /// Version of its form.
    schema: u32,
    /// A diagnosis each, in the order in which they were named.
    hosts: &'a [HostDiagnosis],
}

impl DiagnosedHosts<'_> {
    fn of(hosts: &[HostDiagnosis]) -> DiagnosedHosts<'_> {
        DiagnosedHosts { kind: "fathom-doctor-hosts", schema: DIAGNOSIS_SCHEMA, hosts }
    }
}

/// What goes on, on standard error: drawn over itself on a terminal, else a line for each ceiling.
struct Progress {
    screen: Screen,
}

impl Progress {
    fn told(&self, step: &DoctorStep) {
        match step {
            DoctorStep::Listening => self.draw(word("listening for other work")),
            DoctorStep::Measuring(case) => {
                self.step(&localized!("measuring {}", text::case_name(case)));
            }
        }
    }

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
