//! Why a sweep is not begun: the invalid part of the request, and the correct form.

use crate::jobs::RefusedJob;
use crate::refusal::Refusal;

/// Why a sweep is not begun.
#[fathom_text::translated]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SweepError {
    /// A list of values that cannot be read.
    #[error("--{axis} {text}: {why}")]
    Values {
        /// The axis.
        axis: String,
        /// The list as typed.
        text: String,
        /// The problem, and the correct form.
        why: fathom_text::Text,
    },
    /// A name that is no option of a job.
    #[error("{name} is no option of a job{}; `fathom fio --cmdhelp` lists them", near(nearest))]
    UnknownOption {
        /// The name.
        name: String,
        /// The most similar valid name.
        nearest: Option<String>,
    },
    /// An option that the sweep decides by itself.
    #[error("{name} cannot be set or varied in a sweep: {why}")]
    Reserved {
        /// The option.
        name: String,
        /// Why it is refused.
        why: &'static str,
    },
    /// The same option twice.
    #[error("{name} is given twice; give all its values in one list")]
    Twice {
        /// The option.
        name: String,
    },
    /// Connections of a target that has none.
    #[error("{path} is no export, and --nconnect is for one; name nfs://SERVER/EXPORT")]
    NoConnections {
        /// The target.
        path: String,
    },
    /// A page cache of a target that has none.
    #[error(
        "{export} has no page cache here, and --cache in is about one; mount it to measure \
             through one"
    )]
    NoCache {
        /// The target.
        export: String,
    },
    /// Two options that decide the same.
    #[error("{one} and {other} decide the same; leave one of them out")]
    Clash {
        /// One option.
        one: &'static str,
        /// The other option.
        other: &'static str,
    },
    /// One case is no sweep.
    #[error(
        "nothing varies; give an option more than one value, as --iodepth 1..64 (one case alone is \
         `fathom measure` or `fathom fio`)"
    )]
    NothingVaries,
    /// More cases than a user would wait for.
    #[error("{cases} cases are more than {most}; vary less, or give larger steps")]
    TooMany {
        /// Their number.
        cases: usize,
        /// How many may be.
        most: usize,
    },
    /// A mix needs reads and writes.
    #[error("--rwmix needs a job that reads and writes: give --rw randrw or rw, not {rw}")]
    NotMixed {
        /// The given `rw`.
        rw: String,
    },
    /// A case that is no job.
    #[error("{}", in_case(case, &why.to_string()))]
    NoJob {
        /// Its settings.
        case: String,
        /// The job table's error.
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
        /// The size of the target.
        size_bytes: u64,
    },
    /// A position given as a share, which the guards cannot check.
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

/// An error of a job with the case that it belongs to, unless it names all of that itself.
fn in_case(case: &str, why: &str) -> String {
    match why.strip_prefix(case) {
        Some(rest) if rest.starts_with(':') => why.to_owned(),
        _ => format!("{case}: {why}"),
    }
}

fn near(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |name| format!("; did you mean {name}?"))
}
