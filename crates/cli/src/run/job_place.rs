//! Where in a job file something stands, for systems that show a message beside its line.

use fathom_job::Origin;
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
