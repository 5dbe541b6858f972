//! `fathom compare`: which is better, by how much, and with what confidence?
//!
//! One command in two forms, depending on the arguments: folders and devices are measured side by
//! side (`volumes.rs`); runs of the history and result files are only read (`runs.rs`). Mixing both
//! is refused, because a measurement now and one from the past differ in time as much as in volume.

mod args;
mod baseline;
mod brief;
mod error;
mod heading;
mod history;
mod judged;
mod load;
mod more;
mod run_names;
mod runs;
mod runs_text;
mod table;
mod target;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod volume_tests;
mod volumes;

pub use args::CompareArgs;

pub use history::title as saved_title;
pub use volumes::saved_table;

use crate::cli_error::CliError;
use crate::session::Session;
use target::Targets;

/// Compares targets to measure, or runs and files.
///
/// # Errors
/// If nothing was compared.
pub fn compare(args: &CompareArgs, session: Session) -> Result<u8, CliError> {
    let args = &args.in_sides()?;
    if args.is_alone() {
        // clap cannot express "two, or one and --baseline".
        let why = "compare takes two or more folders, devices, runs or files, and one is \
                   given; name another, or compare it with several runs by --baseline";
        return Err(CliError::usage(why));
    }
    args.course.report.check()?;
    // On other machines a target cannot be a run or result file of this one.
    let is_elsewhere = args.course.fleet.on.is_some();
    match if is_elsewhere { Targets::Places } else { target::sorted(&args.targets)? } {
        Targets::Places => compare_places(args, session),
        Targets::Recorded(recorded) => {
            args.check_for_runs()?;
            check_junit(args)?;
            runs::compare(args, &recorded, &session)
        }
    }
}

/// Compares targets to measure, even if files or runs here have the same names.
///
/// # Errors
/// If nothing was compared.
pub fn compare_places(args: &CompareArgs, session: Session) -> Result<u8, CliError> {
    args.check_for_places()?;
    check_junit(args)?;
    volumes::compare(args, session)
}

/// # Errors
/// If `--junit` would have no cases, or its file cannot be written.
fn check_junit(args: &CompareArgs) -> Result<(), CliError> {
    args.junit.check("--fail-if-worse", args.fail_if_worse.is_some())
}
