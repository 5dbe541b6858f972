//! What fio says of a command line and jobs that it accepts, on the streams where it says it.

use super::complaint::complain;
use fathom_job::{DebugSubject, Notice, NoticeKind, Settings};
use fathom_run::CloneSeeds;

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

/// The lines of `--debug=random` about the seeds of each clone: fio has more streams of random
/// numbers than Fathom, and so more of them.
pub fn seed_lines(clones: &[CloneSeeds]) -> String {
    let line = |text: &str| format!("{}\n", DebugSubject::Random.line(text));
    let mut lines = String::new();
    for clone in clones {
        if !clone.repeat {
            lines += &line("using system RNG for random seeds");
        }
        lines += &line(&format!("FIO_RAND_NR_OFFS={}", clone.seeds.len()));
        for (number, seed) in clone.seeds.iter().enumerate() {
            lines += &line(&format!("rand_seeds[{number}]={seed}"));
        }
    }
    lines
}
