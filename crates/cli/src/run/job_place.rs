//! Where in a job file something stands, for systems that show a message beside its line.

use fathom_job::{JobSpec, Origin};
use fathom_report::FileLine;
use std::path::Path;

/// The line of a job file; none of what was typed.
pub fn line_of(origin: &Origin) -> Option<FileLine> {
    match origin {
        Origin::File { path, line } if path != Path::new("-") => {
            Some(FileLine { file: path.display().to_string(), line: *line })
        }
        _ => None,
    }
}

/// The same of an origin as text, `nightly.fio:7`.
pub fn line_in(origin: &str) -> Option<FileLine> {
    let (file, line) = origin.rsplit_once(':')?;
    let line = line.parse().ok().filter(|_| file != "-")?;
    Some(FileLine { file: file.to_owned(), line })
}

/// The line of the job that a message of a machine names by it.
pub fn line_named(message: &str, jobs: &[JobSpec]) -> Option<FileLine> {
    let is_named = |job: &&JobSpec| message.contains(&format!("job {} ({})", job.name, job.origin));
    line_of(&jobs.iter().find(is_named)?.origin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_a_job_is_found_in_its_origin() {
        let line = |file: &str, line| Some(FileLine { file: file.to_owned(), line });
        assert_eq!(line_in("ci/a.fio:7"), line("ci/a.fio", 7));
        for origin in ["-:3", "command line: --name=x", "built-in job", "a.fio"] {
            assert_eq!(line_in(origin), None, "{origin}");
        }
        let origin = Origin::File { path: "b.fio".into(), line: 4 };
        let jobs = [JobSpec { name: "x".to_owned(), origin, ..JobSpec::default() }];
        let message = "job x (b.fio:4): /nowhere is not a directory";
        assert_eq!(line_named(message, &jobs), line("b.fio", 4));
        assert_eq!(line_named("the disk is gone", &jobs), None);
    }
}
