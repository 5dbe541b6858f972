//! Earlier results, read from the history or from a file.

use super::error::RecordedError;
use super::target::Recorded;
use crate::cli_error::CliError;
use crate::saved_runs;
use fathom_campaign::compare::Recording;
use fathom_files::InputError;
use fathom_store::HistoryEntry;
use std::path::Path;

/// Reads a run or a file. A run is called by its id.
pub fn load(recorded: &Recorded) -> Result<Recording, CliError> {
    load_with_entry(recorded).map(|(recording, _)| recording)
}

/// The same with the entry of a run in the history.
pub fn load_with_entry(recorded: &Recorded) -> Result<(Recording, Option<HistoryEntry>), CliError> {
    let (read, entry) = match recorded {
        Recorded::File(path) => {
            (Recording::read(&path.display().to_string(), &content(path)?), None)
        }
        Recorded::Run(prefix) => {
            let (entry, document) = saved_runs::result_of(prefix)?;
            (Recording::read(&entry.short_id, &document), Some(entry))
        }
    };
    Ok((read?, entry))
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
