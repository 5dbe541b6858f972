//! `fathom compare`: which is better, by how much, and how sure is that?
//!
//! One command in two forms, told apart by what is named: folders and devices are measured side by
//! side (`volumes.rs`); runs of the history and files of results are only read (`runs.rs`). Both at
//! once is refused, since what is measured now beside what was measured then compares the times
//! as much as the volumes.

mod args;
mod baseline;
mod brief;
mod error;
mod heading;
mod history;
mod load;
mod runs;
mod runs_text;
mod table;
mod target;
#[cfg(test)]
mod tests;
mod volumes;

pub use args::CompareArgs;
pub use error::RecordedError;

use crate::cli_error::CliError;
use crate::session::{Session, ended};
use std::process::ExitCode;
use target::Targets;

/// Runs `fathom compare` and gives its exit code.
pub fn command(args: &CompareArgs, session: Session) -> ExitCode {
    if args.is_alone() {
        // clap cannot say "two, or one and --baseline".
        let why = "compare takes 2 values or more, and one is given; name another, or compare it \
                   with several runs by --baseline";
        return ended(Err(CliError::usage(why)));
    }
    ended(compare(args, session))
}

/// Compares targets that are places, whatever there is of their names here.
///
/// # Errors
/// Where nothing was compared.
pub fn compare_places(args: &CompareArgs, session: Session) -> Result<u8, CliError> {
    args.check_for_places()?;
    volumes::compare(args, session)
}

fn compare(args: &CompareArgs, session: Session) -> Result<u8, CliError> {
    args.report.check()?;
    // What is looked for on other machines can be no run or file of this one.
    let is_elsewhere = args.fleet.on.is_some();
    match if is_elsewhere { Targets::Places } else { target::sorted(&args.targets)? } {
        Targets::Places => compare_places(args, session),
        Targets::Recorded(recorded) => {
            args.check_for_runs()?;
            runs::compare(args, &recorded, &session.screen)
        }
    }
}
