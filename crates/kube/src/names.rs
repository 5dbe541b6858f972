//! Names of our objects, and the labels by which they are found again.

use serde_json::{Value, json};
use std::fmt;
use thiserror::Error;

/// The label for the owner of an object, and its value.
pub(crate) const MANAGED_BY: (&str, &str) = ("app.kubernetes.io/managed-by", "fathom");
/// The label with the run's id.
pub(crate) const RUN_LABEL: &str = "fathom-bench.github.io/run";
/// The label of a claim with its mount name.
pub(crate) const VOLUME_LABEL: &str = "fathom-bench.github.io/volume";
/// The most letters of a label's value, and of a Job's name that its pods get.
const NAME_LETTERS: usize = 52;

/// Identifies a run's objects.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RunId(String);

/// A text that is no id of a run.
#[fathom_text::translated]
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is no run; `fathom kube cleanup` lists those that there are")]
pub struct RunIdError(String);

impl RunId {
    /// One made of a number that differs from run to run.
    pub fn of(entropy: u64) -> RunId {
        RunId(format!("{:08x}", (entropy ^ (entropy >> 32)) as u32))
    }

    /// As typed.
    ///
    /// # Errors
    /// If it has other letters than an id.
    pub fn parse(text: &str) -> Result<RunId, RunIdError> {
        let text = text.strip_prefix("fathom-").unwrap_or(text);
        let is_plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit();
        match !text.is_empty() && text.len() <= 16 && text.chars().all(is_plain) {
            true => Ok(RunId(text.to_owned())),
            false => Err(RunIdError(text.to_owned())),
        }
    }

    /// The name of the run's Job.
    pub fn job_name(&self) -> String {
        format!("fathom-{}", self.0)
    }

    /// The labels of every object of the run.
    pub(crate) fn labels(&self) -> Value {
        json!({MANAGED_BY.0: MANAGED_BY.1, RUN_LABEL: self.0})
    }

    /// Whether an object bears the run's label.
    pub(crate) fn has(&self, object: &Value) -> bool {
        label(object, RUN_LABEL) == self.0
    }

    /// The selector of this run's objects.
    pub(crate) fn selector(&self) -> String {
        format!("{},{RUN_LABEL}={}", all_runs(), self.0)
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The value of an object's label; empty if it has none.
pub(crate) fn label<'a>(object: &'a Value, name: &str) -> &'a str {
    object["metadata"]["labels"][name].as_str().unwrap_or_default()
}

/// The selector of all runs' objects.
pub(crate) fn all_runs() -> String {
    format!("{}={}", MANAGED_BY.0, MANAGED_BY.1)
}

/// A text as part of an object's name: small letters, digits and dashes.
pub(crate) fn plain(text: &str) -> String {
    let letter = |letter: char| match letter.to_ascii_lowercase() {
        letter if letter.is_ascii_alphanumeric() => letter,
        _ => '-',
    };
    let name: String = text.chars().map(letter).take(NAME_LETTERS).collect();
    let name = name.trim_matches('-');
    if name.is_empty() { "volume".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_found_by_the_name_that_it_gave_its_job() {
        let run = RunId::of(0x0123_4567_89ab_cdef);
        assert_eq!(RunId::parse(&run.job_name()), Ok(run.clone()));
        assert_eq!(run.to_string().len(), 8);
        assert!(run.selector().ends_with(&format!("=fathom,{RUN_LABEL}={run}")));
        for text in ["", "fathom-", "a,b", "A", "x=y", "0123456789abcdef0"] {
            assert!(RunId::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn names_keep_to_what_the_server_takes() {
        assert_eq!(plain("gp3.Fast_SSD"), "gp3-fast-ssd");
        assert_eq!(plain("-/-"), "volume");
        assert_eq!(plain(&"x".repeat(300)).len(), NAME_LETTERS);
    }
}
