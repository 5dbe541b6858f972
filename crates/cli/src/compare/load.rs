//! What was measured before, read from the history or from a file.

use super::target::Recorded;
use crate::saved_runs;
use fathom_campaign::compare::Recording;
use fathom_files::InputError;
use std::path::Path;

/// Reads a run or a file.
pub fn load(recorded: &Recorded) -> Result<Recording, String> {
    let read = match recorded {
        Recorded::File(path) => Recording::read(&path.display().to_string(), &content(path)?),
        Recorded::Run(prefix) => {
            let (entry, document) = saved_runs::result_of(prefix)?;
            Recording::read(&entry.short_id, &document)
        }
    };
    read.map_err(|why| why.to_string())
}

/// A disk image is not read into memory to find out that it is none of ours.
fn content(path: &Path) -> Result<String, String> {
    let bytes = fathom_files::read(path, fathom_files::DOCUMENT_BYTES).map_err(|error| {
        let why = error.to_string();
        match error {
            InputError::TooLarge { .. } => {
                format!("{why}; to measure a file, name it to `fathom measure`")
            }
            _ => why,
        }
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
