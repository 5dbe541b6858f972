//! From a phase to a job: the typed `JobSpec` that runs, and the same job as options, so that a
//! result contains the command that repeats it.
//!
//! The settings here make figures comparable: every I/O writes fresh random data (compression and
//! deduplication gain nothing), offsets differ from run to run (a warm cache gains nothing), and
//! the ramp is not counted.

use fathom_job::{Fallocate, JobError, JobSpec, job_from_options};
use fathom_run::{Event, Observer};
use fathom_text::Text;
use fathom_vocab::shell::quoted;
use fathom_vocab::{IoEngine, NfsUrl};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A job as the options of its command line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobText {
    /// Canonical name and value, in the given order; `None` is an option without a value.
    pub options: Vec<(String, Option<String>)>,
}

impl JobText {
    pub(crate) fn set(&mut self, name: &str, value: impl ToString) {
        self.options.push((name.to_owned(), Some(value.to_string())));
    }

    /// Whether an option is given.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.options.iter().any(|(given, _)| given == name)
    }

    /// The same with another `filename`.
    pub(crate) fn renamed(&self, filename: &str) -> JobText {
        let mut text = self.clone();
        for (name, value) in &mut text.options {
            if name == "filename" {
                *value = Some(filename.to_owned());
            }
        }
        text
    }

    /// The command line that repeats the job, quoted for a shell.
    pub fn command(&self) -> String {
        let mut line = String::from("fathom fio");
        for (name, value) in &self.options {
            line.push_str(" --");
            line.push_str(name);
            if let Some(value) = value {
                line.push('=');
                line.push_str(&quoted(value));
            }
        }
        line
    }
}

/// A time in the notation of fio's options: whole seconds if possible, otherwise a smaller unit.
pub(crate) fn time_text(us: u64) -> String {
    match us {
        us if us.is_multiple_of(1_000_000) => format!("{}s", us / 1_000_000),
        us if us.is_multiple_of(1_000) => format!("{}ms", us / 1_000),
        us => format!("{us}us"),
    }
}

/// The target of a job's I/O.
#[derive(Clone, Copy, Debug)]
pub struct JobPlace<'a> {
    /// The file or device; of an export, its name there.
    pub path: &'a Path,
    /// Its export; none for a path of the machine.
    pub export: Option<&'a NfsUrl>,
}

impl<'a> JobPlace<'a> {
    /// A path of the machine.
    pub fn of_path(path: &'a Path) -> JobPlace<'a> {
        JobPlace { path, export: None }
    }

    /// Sets the options for target and engine.
    pub(crate) fn set(&self, text: &mut JobText, engine: IoEngine) {
        text.set("filename", escaped(self.path));
        text.set("ioengine", engine.name());
        if let Some(export) = self.export {
            text.set("nfs_url", export);
        }
    }

    /// The engine that is tried first.
    pub(crate) fn first_engine(&self) -> IoEngine {
        match self.export {
            Some(_) => IoEngine::Nfs,
            None => IoEngine::deep()[0],
        }
    }
}

/// `filename` is split at colons: one that belongs to the name needs a backslash.
pub(crate) fn escaped(path: &Path) -> String {
    path.display().to_string().replace(':', r"\:")
}

/// The job described by `text`, on the file or device at `path`, checked against the job table.
///
/// The path is set directly: as an option it would be split, and could not contain every byte that
/// a name may. The file must exist already, made under a guard: a job must never create a file that
/// nobody removes. Blocks reserved beforehand could make a file system treat the first writes
/// differently.
///
/// # Errors
/// The job table's error.
pub(crate) fn spec_of(text: &JobText, path: Option<&Path>) -> Result<JobSpec, RefusedJob> {
    let mut job = parsed(&text.renamed("file"))?;
    job.target.filenames = path.map(Path::to_owned).into_iter().collect();
    if let Some(path) = path {
        let given = JobText { options: std::mem::take(&mut job.given) };
        job.given = given.renamed(&escaped(path)).options;
    }
    job.target.allow_file_create = false;
    if !text.has("fallocate") {
        job.target.fallocate = Fallocate::None;
    }
    Ok(job)
}

/// The job described by `text`, unchanged.
///
/// # Errors
/// The job table's error.
pub(crate) fn parsed(text: &JobText) -> Result<JobSpec, RefusedJob> {
    let words = |(name, value): &'_ (String, Option<String>)| {
        (name.clone(), value.clone().unwrap_or_default())
    };
    let options: Vec<(String, String)> = text.options.iter().map(words).collect();
    let borrowed: Vec<(&str, &str)> =
        options.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    job_from_options("case", &borrowed).map_err(RefusedJob::from)
}

/// Why one of our jobs cannot be run, in a sentence, without fio's prefix.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RefusedJob(Text);

impl RefusedJob {
    pub(crate) fn new(why: &'static str) -> RefusedJob {
        RefusedJob(why.into())
    }
}

/// The job table's error.
impl From<JobError> for RefusedJob {
    fn from(error: JobError) -> RefusedJob {
        RefusedJob(error.sentence())
    }
}

/// Takes no note of anything.
pub(crate) struct NullObserver;

impl Observer for NullObserver {
    fn event(&mut self, _: &Event) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_quoted_for_a_shell() {
        let mut text = JobText::default();
        text.set("name", "iops-read-4k");
        text.set("filename", "/mnt/a b/it's");
        text.options.push(("readonly".to_owned(), None));
        assert_eq!(
            text.command(),
            r"fathom fio --name=iops-read-4k --filename='/mnt/a b/it'\''s' --readonly"
        );
    }

    #[test]
    fn times_and_names_are_spelt_so_that_they_read_back() {
        assert_eq!(time_text(30_000_000), "30s");
        assert_eq!(time_text(3_750_000), "3750ms");
        assert_eq!(time_text(1), "1us");
        assert_eq!(escaped(Path::new("/mnt/a:b")), r"/mnt/a\:b");
    }
}
