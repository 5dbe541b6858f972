//! `fathom compare`: which is better, by how much, and how sure is that?
//!
//! One command in two forms, told apart by what is named: folders and devices are measured side by
//! side (`volumes.rs`); runs of the history and files of results are only read (`runs.rs`). Both at
//! once is refused, since what is measured now beside what was measured then compares the times
//! as much as the volumes.

mod args;
mod heading;
mod kept;
mod progress;
mod runs;
mod runs_text;
mod table;
mod target;
#[cfg(test)]
mod tests;
mod volumes;

pub use args::CompareArgs;

use crate::cli_error::CliError;
use crate::session::ended;
use crate::terminal::screen::Screen;
use std::process::ExitCode;
use target::Targets;

/// Runs `fathom compare` and gives its exit code.
pub fn command(args: &CompareArgs) -> ExitCode {
    ended(compare(args))
}

fn compare(args: &CompareArgs) -> Result<u8, CliError> {
    args.report.check()?;
    match target::sorted(&args.targets)? {
        Targets::Places => {
            args.check_for_places()?;
            volumes::compare(args)
        }
        Targets::Recorded(recorded) => {
            args.check_for_runs()?;
            runs::compare(args, &recorded, &Screen::detect())
        }
    }
}
