//! In what two recordings differ beside their figures. A difference between them then need not be
//! one of the storage, so a comparison says it once.

use super::recording::Recording;
use crate::{binary_bytes, seconds};
use fathom_message::{Message, Tell, list};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// One difference of two recordings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "of", rename_all = "snake_case")]
pub enum RecordingDifference {
    /// They measured different volumes.
    Volume {
        /// Those of the first.
        before: Vec<String>,
        /// Those of the other.
        after: Vec<String>,
        /// Whether all are folders of one file system, whose storage is the same.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        one_file_system: bool,
    },
    /// Different commands or programs made them.
    Command {
        /// That of the first: `measure`, `fio-3.33`.
        before: String,
        /// That of the other.
        after: String,
    },
    /// They measured in very different sizes, of which a cache or the disk's own may hold one.
    Size {
        /// Bytes of the first.
        before: u64,
        /// Bytes of the other.
        after: u64,
    },
    /// Their runs took very different times, of which a burst may cover one.
    Time {
        /// Microseconds of a run of the first.
        before: u64,
        /// Of one of the other.
        after: u64,
    },
    /// Figures of one name have another pattern, block size, depth or number of jobs.
    Load {
        /// The names.
        names: Vec<String>,
    },
}

/// All differences of two recordings; what is not known of one is none.
pub(super) fn differences(before: &Recording, after: &Recording) -> Vec<RecordingDifference> {
    let is_known = !before.targets.is_empty() && !after.targets.is_empty();
    let volume = (is_known && !have_same_targets(before, after)).then(|| {
        let one_file_system = has_one_file_system(before, after);
        let (before, after) = (before.targets.clone(), after.targets.clone());
        RecordingDifference::Volume { before, after, one_file_system }
    });
    let command = (before.kind != after.kind).then(|| {
        let (before, after) = (program(&before.kind), program(&after.kind));
        RecordingDifference::Command { before, after }
    });
    let names = before.names_of_other_loads(after);
    let load = (!names.is_empty()).then_some(RecordingDifference::Load { names });
    let size = far_apart(before.size_bytes, after.size_bytes)
        .map(|[before, after]| RecordingDifference::Size { before, after });
    let time = far_apart(before.run_us, after.run_us)
        .map(|[before, after]| RecordingDifference::Time { before, after });
    [volume, command, load, size, time].into_iter().flatten().collect()
}

/// Sizes and times that differ by less than this factor are alike.
const FAR: u64 = 2;

/// Both values, if they are far apart.
fn far_apart(before: Option<u64>, after: Option<u64>) -> Option<[u64; 2]> {
    let (before, after) = (before?, after?);
    let (least, most) = (before.min(after), before.max(after));
    (most >= FAR * least && least > 0).then_some([before, after])
}

/// Whether each target of one is a target of the other, or lies in one: a job names the file that
/// `measure` makes in a folder.
fn have_same_targets(before: &Recording, after: &Recording) -> bool {
    let is_within = |a: &String, b: &String| Path::new(a).starts_with(b);
    let is_same = |a: &String, b: &String| is_within(a, b) || is_within(b, a);
    let is_in = |a: &String, all: &[String]| all.iter().any(|b| is_same(a, b));
    before.targets.iter().all(|target| is_in(target, &after.targets))
        && after.targets.iter().all(|target| is_in(target, &before.targets))
}

/// Whether all targets of both lie on one file system.
fn has_one_file_system(before: &Recording, after: &Recording) -> bool {
    match (before.file_systems.as_slice(), after.file_systems.as_slice()) {
        ([first, more @ ..], others @ [_, ..]) => more.iter().chain(others).all(|of| of == first),
        _ => false,
    }
}

/// A kind of document as its command.
fn program(kind: &str) -> String {
    kind.strip_prefix("fathom-").unwrap_or(kind).to_owned()
}

/// The differences in a sentence; none without any.
pub(super) fn sentence(differences: &[RecordingDifference]) -> Option<Message> {
    let what = || list::names(differences.iter().map(Tell::tell));
    (!differences.is_empty()).then(|| Message::new("change-unlike").part("what", what()))
}

impl RecordingDifference {
    /// Whether it is one of folders in one file system.
    pub fn is_of_folders(&self) -> bool {
        matches!(self, RecordingDifference::Volume { one_file_system: true, .. })
    }
}

impl Tell for RecordingDifference {
    fn tell(&self) -> Message {
        let sides = |id, before: String, after: String| {
            Message::new(id).with("before", before).with("after", after)
        };
        match self {
            RecordingDifference::Volume { before, after, one_file_system } => {
                let id = match one_file_system {
                    true => "change-unlike-folder",
                    false => "change-unlike-volume",
                };
                sides(id, before.join(", "), after.join(", "))
            }
            RecordingDifference::Command { before, after } => {
                sides("change-unlike-command", before.clone(), after.clone())
            }
            RecordingDifference::Size { before, after } => {
                let [before, after] = [before, after].map(|bytes| binary_bytes(*bytes));
                sides("change-unlike-size", before, after)
            }
            RecordingDifference::Time { before, after } => {
                let [before, after] = [before, after].map(|us| seconds(*us));
                sides("change-unlike-time", before, after)
            }
            RecordingDifference::Load { names } => {
                Message::new("change-unlike-load").with("names", names.join("; "))
            }
        }
    }
}
