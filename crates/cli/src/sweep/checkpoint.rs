//! The file of a sweep: the named one, the one to resume, or a new one of this user.

use super::SweepArgs;
use super::error::CheckpointError;
use crate::cli_error::CliError;
use crate::home;
use chrono::Utc;
use fathom_campaign::sweep::{Question, SweepPlan, newest_unfinished};
use std::path::PathBuf;

/// A file for a sweep's document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckpointFile {
    /// To be created, with this mode less the umask.
    New {
        path: PathBuf,
        /// `0o600` in our own folder, because measurements are private.
        mode: u32,
    },
    /// There, with an earlier session in it.
    Old(PathBuf),
}

/// Finds the file.
///
/// # Errors
/// If no sweep can be resumed, or no folder is available.
pub fn find(args: &SweepArgs, question: &Question) -> Result<CheckpointFile, CliError> {
    let Some(resume) = &args.resume else {
        return match &args.checkpoint {
            Some(path) => Ok(CheckpointFile::New { path: path.clone(), mode: 0o666 }),
            None => Ok(CheckpointFile::New { path: new_one(question)?, mode: 0o600 }),
        };
    };
    match (resume, &args.checkpoint) {
        (Some(file), Some(other)) if file != other => {
            Err(CheckpointError::TwoFiles(file.clone()).into())
        }
        (Some(file), _) | (None, Some(file)) => Ok(CheckpointFile::Old(file.clone())),
        (None, None) => newest(question).map(CheckpointFile::Old),
    }
}

fn folder() -> Result<PathBuf, CheckpointError> {
    let home = home::folder(home::FolderKind::State).ok_or(CheckpointError::NoHome)?;
    Ok(home.join("sweeps"))
}

/// Sorted by name the newest is last, and the hash identifies the plan. The number between them is
/// random: the same sweep may be started several times in one millisecond.
fn new_one(question: &Question) -> Result<PathBuf, CliError> {
    let (folder, now) = (folder()?, Utc::now().format("%Y%m%dT%H%M%S%3fZ"));
    fathom_host::make_private_folder(&folder).map_err(|source| {
        let folder = folder.clone();
        CheckpointError::NoFolder { folder, source }
    })?;
    let chance = fathom_vocab::entropy();
    Ok(folder.join(format!("{now}-{chance:016x}-{}.json", SweepPlan::hash(question))))
}

fn newest(question: &Question) -> Result<PathBuf, CliError> {
    let folder = folder()?;
    let found = newest_unfinished(&folder, question)?;
    Ok(found.ok_or(CheckpointError::NothingToResume(folder))?)
}
