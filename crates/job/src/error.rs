//! Errors in jobs and command lines.
//!
//! A [`JobError`] is made once, where the fault is found, and shown as one or two lines: the
//! problem and its position, then advice. The first words of the first line are fio's where scripts
//! search for them; the others are ours. [`ValueProblem`] is the inner part, for code that knows
//! the fault but not its position.

use crate::origin::Origin;
use fathom_text::{Lang, Text};
use fathom_vocab::printable;
use std::fmt;

/// The kind of mistake; callers can choose exit codes by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A name that is no option.
    UnknownOption,
    /// A value that cannot be read, or is out of range.
    BadValue,
    /// An option that fio has and Fathom does not have yet.
    NotYet,
    /// Something Fathom will not do.
    Refused,
    /// Options that do not go together.
    Conflict,
    /// A job file that cannot be read, or is not a job file.
    JobFile,
    /// A command line that cannot be read.
    CommandLine,
    /// Nothing to run.
    NoJobs,
}

/// A mistake in a job or a command line, with advice.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub struct JobError {
    /// The kind of mistake.
    pub kind: ErrorKind,
    /// The problem, without its position.
    pub message: Text,
    /// The source of the words.
    pub origin: Origin,
    /// Advice.
    pub hint: Option<Text>,
    /// The job that cannot run because of it.
    pub job: Option<String>,
}

impl JobError {
    /// An error with no hint yet.
    pub fn new(kind: ErrorKind, message: impl Into<Text>, origin: Origin) -> JobError {
        JobError { kind, message: message.into(), origin, hint: None, job: None }
    }

    /// The same with advice; an empty text is no advice.
    #[must_use]
    pub fn hinted(mut self, hint: impl Into<Text>) -> JobError {
        let hint = hint.into();
        self.hint = (!hint.is_empty()).then_some(hint);
        self
    }

    /// The same, naming the job that is dropped for it.
    #[must_use]
    pub fn in_job(mut self, name: &str) -> JobError {
        self.job.get_or_insert_with(|| name.to_string());
        self
    }

    /// The same in one line, for who never typed `fio`: without the words before each part that
    /// scripts search for in fio's output, and without fio's note of the dropped job, as nothing
    /// runs.
    pub fn sentence(&self) -> Text {
        Text::each(|lang| {
            let text = self.first_line(lang);
            let own = without(without(&text, "fio: "), "failed parsing ").to_owned();
            match self.hint.as_ref().map(|hint| one_line(hint.text(lang))) {
                Some(hint) => format!("{own}. {}", without(&hint, "fio: ")),
                None => own,
            }
        })
    }

    /// The problem with its position.
    fn first_line(&self, lang: Lang) -> String {
        let message = one_line(self.message.text(lang));
        match &self.origin {
            // The message already quotes the argument.
            Origin::CommandLine(_) | Origin::Builtin => message.to_string(),
            file => format!("{message} ({})", one_line(&file.to_string())),
        }
    }

    /// The second line: fio's note of the dropped job (job files only, as fio), then the hint.
    fn second_line(&self) -> String {
        let dropped = match (&self.origin, &self.job) {
            (Origin::File { .. }, Some(job)) => Some(format!("fio: job {} dropped", one_line(job))),
            _ => None,
        };
        let hint = self.hint.as_deref().map(one_line);
        match (dropped, hint) {
            (Some(dropped), Some(hint)) => format!("{dropped}. {hint}"),
            (dropped, hint) => dropped.or(hint).unwrap_or_default(),
        }
    }
}

impl fmt::Display for JobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.first_line(Lang::En))?;
        let second = self.second_line();
        if second.is_empty() { Ok(()) } else { write!(f, "\n{second}") }
    }
}

/// `line` without `words` at its beginning.
fn without<'a>(line: &'a str, words: &str) -> &'a str {
    line.strip_prefix(words).unwrap_or(line)
}

/// User text as it may appear in a message: one line, nothing unprintable, not endless.
pub(crate) fn one_line(text: &str) -> String {
    const LONGEST: usize = 400;
    let shown = printable::line(text);
    match shown.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &shown[..end]),
        None => shown.into_owned(),
    }
}

/// A fault in a value, without the value's position.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ValueProblem {
    /// The problem.
    pub message: Text,
    /// Advice; may be empty.
    pub hint: Text,
    /// Whether `message` is complete, or explains a `failed parsing` message.
    pub whole: bool,
}

impl ValueProblem {
    /// An explanation to follow fio's `failed parsing name=value`.
    pub fn new(message: impl Into<Text>) -> ValueProblem {
        ValueProblem { message: message.into(), hint: Text::default(), whole: false }
    }

    /// A complete message.
    pub fn whole(message: impl Into<Text>) -> ValueProblem {
        ValueProblem { message: message.into(), hint: Text::default(), whole: true }
    }

    /// The same with advice.
    #[must_use]
    pub fn hinted(mut self, hint: impl Into<Text>) -> ValueProblem {
        self.hint = hint.into();
        self
    }
}
