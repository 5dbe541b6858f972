//! `--debug`: a list of fio's subjects.
//!
//! Decided here: as in fio a subject is known by its beginning (`parse:1` and `parsex` are
//! `parse`), and an unknown one is complained about and does no harm. Only the subjects of
//! [`DebugSubject`] have lines.

use crate::settings::{DebugSubject, Notice, NoticeKind, Settings};

/// Subjects that `--debug` may name.
pub const DEBUG_SUBJECTS: &[&str] = &[
    "process",
    "file",
    "io",
    "mem",
    "blktrace",
    "verify",
    "random",
    "parse",
    "diskutil",
    "job",
    "mutex",
    "profile",
    "time",
    "net",
    "rate",
    "compress",
    "steadystate",
    "helperthread",
    "zbd",
    "all",
];

/// Switches on the subjects of a list, and answers each as fio does.
pub(super) fn set_debug(list: &str, settings: &mut Settings) -> Vec<Notice> {
    list.split(',').map(|word| set_subject(word, settings)).collect()
}

fn set_subject(word: &str, settings: &mut Settings) -> Notice {
    let known = DEBUG_SUBJECTS.iter().find(|subject| word.starts_with(**subject));
    let Some(known) = known else {
        let text = format!("fio: debug mask {word} not found");
        return Notice { kind: NoticeKind::Complaint, text };
    };
    let all = *known == "all";
    let meant = |subject: &DebugSubject| all || subject.name() == *known;
    settings.debug.extend(DebugSubject::ALL.into_iter().filter(meant));
    let text = match all {
        true => "fio: set all debug options".to_owned(),
        false => format!("fio: set debug option {word}"),
    };
    Notice { kind: NoticeKind::Answer, text }
}
