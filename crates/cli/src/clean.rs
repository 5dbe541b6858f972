//! `fathom clean`: removes test files that killed runs left.
//!
//! It removes only files that are proved to be ours. Other files with a test file's name are listed
//! with the reason why they stay. The proof is in the campaign crate.

use crate::cli_error::{CliError, CommonError};
use crate::language::word;
use crate::plan_args::target;
use crate::stale_files::{age, test_file_registry};
use crate::terminal::screen::{say_line, warn_line};
use clap::{Args, ValueHint};
use fathom_campaign::{
    StaleFile, decimal_bytes, stale_files, stale_files_in, stale_files_in_export,
    stale_files_in_exports,
};
use fathom_text::text;
use fathom_vocab::Target;
use std::path::PathBuf;

/// The command line of `fathom clean`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub struct CleanArgs {
    /// Folders or exports (nfs://…) to look in; without any, all in which runs of this user left a file
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath, value_parser = target())]
    pub folders: Vec<Target>,

    /// Forget the files on servers that cannot be reached; the files themselves stay
    #[arg(long, conflicts_with_all = ["folders", "dry_run"])]
    pub forget: bool,

    /// List what would be removed, and remove nothing
    #[arg(long, short = 'n')]
    pub dry_run: bool,
}

const AFTER_HELP: &str = "\
Examples:
  fathom clean --dry-run       what killed runs of this user left
  fathom clean                 remove it
  fathom clean --forget        and forget what is on servers that are gone
  fathom clean /mnt/data       this folder; files of others are only listed
  fathom clean nfs://nas/vol   the same of an export

A run removes its test file at its end, also after ^C. A run that is killed (kill -9, out of memory)
or whose machine fails cannot. A file is removed only if an entry in the folder of this user's state
($FATHOM_HOME, else ~/.local/state/fathom) says that a run on this machine made that very file, and
that run is over. Files of runs that go on are left, and so is everything that is not proved.

Exit codes: 0 nothing is left that should be gone; 1 something could not be removed or is not
proved ours; 2 usage.";

/// Runs `fathom clean` and gives its exit code.
///
/// # Errors
/// If a folder cannot be read.
pub fn clean(args: &CleanArgs) -> Result<u8, CliError> {
    let files = found(&args.folders)?;
    if files.is_empty() {
        say_line(text!("No test files of earlier runs are left."));
        return Ok(0);
    }
    let mut left = 0;
    for file in files {
        let line = described(&file);
        if args.forget && file.is_unreachable() {
            file.forget();
            say_line(format_args!("{line}: {}", word("forgotten")));
            continue;
        }
        let removed = match (file.doubt(), args.dry_run) {
            (Some(why), _) => Err(why.to_owned()),
            (None, true) => Ok("would be removed"),
            (None, false) => file.remove().map(|()| "removed").map_err(|left| left.sentence),
        };
        match removed {
            Ok(what) => say_line(format_args!("{line}: {}", word(what))),
            Err(why) => {
                left += 1;
                warn_line(text!("{line}: left, since {why}"));
            }
        }
    }
    Ok(u8::from(left > 0))
}

fn found(folders: &[Target]) -> Result<Vec<StaleFile>, CliError> {
    let registry = test_file_registry();
    if folders.is_empty() {
        let registry = registry.ok_or(CommonError::NoHome)?;
        let mut files = stale_files(&registry);
        files.extend(stale_files_in_exports(&registry));
        return Ok(files);
    }
    let mut files = Vec::new();
    for folder in folders {
        let (path, of_folder) = match folder {
            Target::Path(path) => (path.clone(), stale_files_in(path, registry.as_ref())),
            Target::Export(url) => {
                let path = PathBuf::from(url.bare().to_string());
                (path, stale_files_in_export(url, registry.as_ref()))
            }
        };
        files.extend(of_folder.map_err(CliError::file("read", &path))?);
    }
    Ok(files)
}

/// `/mnt/data/.fathom-…-0 (1.07 GB, 3 days old)`; of a file that cannot be looked at, its name.
fn described(file: &StaleFile) -> String {
    if file.is_unreachable() {
        return file.path.display().to_string();
    }
    let size = decimal_bytes(file.bytes);
    format!("{} ({size}, {})", file.path.display(), age(file.modified_s))
}
