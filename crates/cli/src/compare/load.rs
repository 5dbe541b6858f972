//! Earlier results, read from the history or from a file.

use super::RecordedError;
use super::target::Recorded;
use crate::cli_error::CliError;
use crate::saved_runs;
use fathom_campaign::compare::Recording;
use fathom_files::InputError;
use std::path::Path;

/// Reads a run or a file.
pub fn load(recorded: &Recorded) -> Result<Recording, CliError> {
    let read = match recorded {
        Recorded::File(path) => Recording::read(&path.display().to_string(), &content(path)?),
        Recorded::Run(prefix) => {
            let (entry, document) = saved_runs::result_of(prefix)?;
            Recording::read(&entry.short_id, &document)
        }
    };
    read.map_err(CliError::campaign)
}

/// Avoids reading a whole disk image only to find that it is not a result.
fn content(path: &Path) -> Result<String, RecordedError> {
    let bytes =
        fathom_files::read(path, fathom_files::DOCUMENT_BYTES).map_err(|error| match error {
            InputError::TooLarge { .. } => RecordedError::TooLarge(error),
            _ => RecordedError::File(error),
        })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
