//! Resuming an interrupted sweep: its document is found and compared with the question, and files
//! of a killed session are removed.

use super::plan::SweepPlan;
use super::question::Question;
use crate::test_file_name::is_test_file_name;
use fathom_document::AnyDocument;
use fathom_document::sweep::{KIND, Status, SweepDocument};
use serde::Deserialize;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The settings of an earlier session.
#[derive(Clone, Debug)]
pub struct Resumed {
    /// The document so far.
    pub document: SweepDocument,
    /// Bytes that are measured in.
    pub size_bytes: Option<u64>,
}

/// Why a sweep cannot be continued.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// The folder of sweeps.
    #[error("cannot read {}: {source}", folder.display())]
    Folder {
        /// That folder.
        folder: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The document is not a sweep's.
    #[error("cannot continue {}: {why}", path.display())]
    Document {
        /// Its path.
        path: PathBuf,
        /// The problem.
        why: String,
    },
    /// The question differs.
    #[error(
        "cannot continue {}: its plan is another: {}; ask the same again, or leave out --resume to \
         begin anew",
        path.display(),
        differences.join("; ")
    )]
    Differs {
        /// The path of the document.
        path: PathBuf,
        /// The differences, part by part.
        differences: Vec<String>,
    },
    /// An existing file may be somebody else's.
    #[error(
        "{} is there, which the interrupted sweep had made and could not remove; remove it, then \
         continue",
        path.display()
    )]
    Leftover {
        /// The file.
        path: PathBuf,
    },
    /// The test file of the interrupted sweep stays.
    #[error("cannot remove the leftover {}: {source}", path.display())]
    Remove {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

/// The parts of a document that identify it.
#[derive(Deserialize)]
struct SweepState {
    kind: String,
    plan_hash: String,
    status: Status,
}

/// The newest unfinished document of `question` in `folder`. Names of later documents sort after
/// earlier ones, and end in the question's hash.
///
/// # Errors
/// If the folder cannot be read.
pub fn newest_unfinished(
    folder: &Path,
    question: &Question,
) -> Result<Option<PathBuf>, ResumeError> {
    let hash = SweepPlan::hash(question);
    let ending = format!("{hash}.json");
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(ResumeError::Folder { folder: folder.to_owned(), source }),
    };
    // To read a pipe would wait for its other end.
    let mut paths: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.to_string_lossy().ends_with(&ending) && path.is_file())
        .collect();
    paths.sort();
    let unfinished = |path: &PathBuf| {
        let text = text_of(path).ok()?;
        let head: SweepState = serde_json::from_str(&text).ok()?;
        let same = head.kind == KIND && head.plan_hash == hash;
        (same && head.status != Status::Finished).then_some(())
    };
    Ok(paths.into_iter().rev().find(|path| unfinished(path).is_some()))
}

fn text_of(path: &Path) -> Result<String, ResumeError> {
    let cannot = |why| ResumeError::Document { path: path.to_owned(), why };
    let bytes = fathom_files::read(path, fathom_files::DOCUMENT_BYTES)
        .map_err(|error| cannot(error.to_string()))?;
    String::from_utf8(bytes)
        .map_err(|error| cannot(format!("it is no text: {}", error.utf8_error())))
}

/// Reads the document at `path`, which must be of this very `question` and with this seed, if one
/// is asked for; and clears away the test file that a killed session left.
///
/// # Errors
/// If it cannot be read, differs, or another file has the test file's name.
pub fn resume(path: &Path, question: &Question, seed: Option<u64>) -> Result<Resumed, ResumeError> {
    let cannot = |why| ResumeError::Document { path: path.to_owned(), why };
    let text = text_of(path)?;
    let no_sweep = |why: String| cannot(format!("it is no sweep's document{why}"));
    let document = match AnyDocument::read(&text) {
        Ok(AnyDocument::Sweep(document)) => *document,
        Ok(_) => return Err(no_sweep(String::new())),
        Err(error) => return Err(no_sweep(format!(": {error}"))),
    };
    let mut differences = differences(&document, question);
    if let Some(seed) = seed.filter(|seed| *seed != document.seed) {
        differences.push(format!("seed was {}, is {seed}", document.seed));
    }
    if document.plan_hash != SweepPlan::hash(question) && differences.is_empty() {
        differences.push("it was made by another version of Fathom".to_owned());
    }
    if !differences.is_empty() {
        return Err(ResumeError::Differs { path: path.to_owned(), differences });
    }
    clear_leftover(&document, question)?;
    let size_bytes = document.sessions.first().map(|session| session.setup.volume.size_bytes);
    Ok(Resumed { document, size_bytes })
}

/// The differences of its question, part by part.
fn differences(document: &SweepDocument, question: &Question) -> Vec<String> {
    let json = |plan| serde_json::to_value(plan).unwrap_or_default();
    let (was, is) = (json(&document.plan), json(&question.record()));
    let (Some(was), Some(is)) = (was.as_object(), is.as_object()) else { return Vec::new() };
    let part = |(name, is): (&String, &serde_json::Value)| {
        let was = was.get(name).cloned().unwrap_or_default();
        (was != *is).then(|| format!("{name} was {was}, is {is}"))
    };
    is.iter().filter_map(part).collect()
}

/// A session that was killed had no time to remove its test file. In a folder the file's name
/// bears the mark and the number that this sweep gave it, so it is ours to remove; a file that the
/// user named is not removed on the word of a document.
fn clear_leftover(document: &SweepDocument, question: &Question) -> Result<(), ResumeError> {
    let Some(session) = document.sessions.last().filter(|session| session.setup.volume.test_file)
    else {
        return Ok(());
    };
    let path = PathBuf::from(&session.setup.volume.io_path);
    // Not followed: the target of a link is not ours.
    let Ok(about) = fs::symlink_metadata(&path) else { return Ok(()) };
    let folder = question.target.absolute();
    let marked = path.file_name().and_then(OsStr::to_str).is_some_and(is_test_file_name);
    if !marked || !about.is_file() || path.parent() != folder.path() {
        return Err(ResumeError::Leftover { path });
    }
    fs::remove_file(&path).map_err(|source| ResumeError::Remove { path, source })
}
