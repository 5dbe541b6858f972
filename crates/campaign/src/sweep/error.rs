//! Why a sweep is not begun: what of the question cannot be asked, and what to write instead.

use crate::jobs::RefusedJob;
use crate::refusal::Refusal;

/// Why a sweep is not begun.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SweepError {
    /// A list of values that cannot be read.
    #[error("--{axis} {text}: {why}")]
    Values {
        /// The axis.
        axis: String,
        /// The list as given.
        text: String,
        /// What is wrong, and what to write.
        why: String,
    },
    /// A name that is no option of a job.
    #[error("{name} is no option of a job{}; `fathom fio --cmdhelp` lists them", near(nearest))]
    UnknownOption {
        /// The name.
        name: String,
        /// The nearest that is.
        nearest: Option<String>,
    },
    /// An option that the sweep decides by itself.
    #[error("{name} cannot be set or varied in a sweep: {why}")]
    Reserved {
        /// The option.
        name: String,
        /// Who decides it, or what would break.
        why: &'static str,
    },
    /// The same option twice.
    #[error("{name} is given twice; give all its values in one list")]
    Twice {
        /// The option.
        name: String,
    },
    /// Two options that decide the same.
    #[error("{one} and {other} decide the same; leave one of them out")]
    Clash {
        /// One option.
        one: &'static str,
        /// The other.
        other: &'static str,
    },
    /// One case is no sweep.
    #[error(
        "nothing varies; give an option more than one value, as --iodepth 1..64 (one case alone is \
         `fathom measure` or `fathom fio`)"
    )]
    NothingVaries,
    /// More cases than anybody waits for.
    #[error("{cases} cases are more than {most}; vary less, or give larger steps")]
    TooMany {
        /// How many.
        cases: usize,
        /// How many may be.
        most: usize,
    },
    /// A mix asks for reads and writes.
    #[error("--rwmix needs a job that reads and writes: give --rw randrw or rw, not {rw}")]
    NotMixed {
        /// What was given.
        rw: String,
    },
    /// A case that is no job.
    #[error("{case}: {why}")]
    NoJob {
        /// Its settings.
        case: String,
        /// What the option table says.
        why: RefusedJob,
    },
    /// A case that would leave the place that was laid out for it.
    #[error(
        "{case}: its I/O ends at {end_bytes} bytes, beyond the {size_bytes} that are measured in; \
         give a larger --size"
    )]
    Beyond {
        /// Its settings.
        case: String,
        /// Where its last I/O may end.
        end_bytes: u64,
        /// What is measured in.
        size_bytes: u64,
    },
    /// A place given as a share, which the guards cannot check.
    #[error("{case}: give size and offsets in bytes; a percentage is not checked for room")]
    Share {
        /// Its settings.
        case: String,
    },
    /// Every case writes, and nothing may be written.
    #[error(
        "every case writes, and {path} is only read; leave out --read-only, or name the file or \
         device with --destroy-data-on"
    )]
    NothingToRead {
        /// The target.
        path: String,
    },
    /// Cases too short to mean anything.
    #[error("{time_ms} ms are too short for a run of a case: give --time-per-run 100ms or more")]
    TooShort {
        /// Milliseconds of a case.
        time_ms: u64,
    },
    /// The place cannot be used.
    #[error(transparent)]
    Place(#[from] Refusal),
}

fn near(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |name| format!("; did you mean {name}?"))
}
