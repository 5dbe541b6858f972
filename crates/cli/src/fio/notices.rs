//! What fio says of a command line and jobs that it accepts, on the streams where it says it.

use super::complaint::complain;
use fathom_job::{Notice, NoticeKind, Settings};

/// Prints what belongs on standard error, and returns the text for the output.
pub fn printed(notices: &[Notice], settings: &Settings) -> String {
    let mut output = String::new();
    for Notice { kind, text } in notices {
        match kind {
            NoticeKind::Own => {}
            NoticeKind::Warning | NoticeKind::Complaint => complain(text),
            NoticeKind::Answer => output += &format!("{text}\n"),
            NoticeKind::Debug(subject) if settings.debug.contains(subject) => {
                output += &format!("{}\n", subject.line(text));
            }
            NoticeKind::Debug(_) => {}
        }
    }
    output
}
