//! Names on the command line: targets to measure, or earlier results.
//!
//! A file is always read as a result and never measured: otherwise its content would decide whether
//! it is loaded with I/O. A name that does not exist can only be a run.

use super::error::RecordedError;
use crate::cli_error::CliError;
use crate::saved_runs;
use fathom_text::text;
use fathom_vocab::Target;
use std::path::{Path, PathBuf};

/// All targets, which must be of one kind.
#[derive(Debug, PartialEq, Eq)]
pub enum Targets {
    /// Folders and devices.
    Places,
    /// Runs and files.
    Recorded(Vec<Recorded>),
}

/// Something that was measured before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// A file of results.
    File(PathBuf),
    /// The beginning of a run's name in the history.
    Run(String),
}

/// Sorts the targets.
///
/// # Errors
/// The reason, if a target is neither, or both kinds are mixed.
pub fn sorted(targets: &[Target]) -> Result<Targets, CliError> {
    let (mut places, mut recorded) = (Vec::new(), Vec::new());
    for target in targets {
        let known = match target {
            Target::Path(path) => recorded_at(path)?,
            Target::Export(_) => None,
        };
        match known {
            Some(what) => recorded.push(what),
            None => places.push(target),
        }
    }
    match (places.first(), recorded.first()) {
        (Some(place), Some(_)) => Err(mixed(place, &recorded)),
        (_, None) => Ok(Targets::Places),
        (None, Some(_)) => Ok(Targets::Recorded(recorded)),
    }
}

/// Why a folder or device does not go with earlier results. A name that is neither a folder nor a
/// run is rather a folder's name with a typo.
fn mixed(place: &Target, recorded: &[Recorded]) -> CliError {
    let unknown = recorded.iter().find_map(|of| match of {
        Recorded::Run(name) if !saved_runs::is_saved(name) => Some(PathBuf::from(name)),
        _ => None,
    });
    match unknown {
        Some(name) => RecordedError::Missing(name).into(),
        None => CliError::usage(text!(
            "{place} would be measured, and others were measured before; the two cannot be \
                 mixed. Measure first (fathom measure --json {place} >now.json), then compare the \
                 files or the runs of `fathom history`"
        )),
    }
}

/// The earlier result with this name; none if the name is a target to measure.
///
/// # Errors
/// If nothing has that name.
pub fn recorded_at(path: &Path) -> Result<Option<Recorded>, RecordedError> {
    if path.is_file() {
        return Ok(Some(Recorded::File(path.to_owned())));
    }
    if path.exists() {
        return Ok(None);
    }
    match path.to_str() {
        Some(name) if saved_runs::is_name(name) => Ok(Some(Recorded::Run(name.to_owned()))),
        _ => Err(RecordedError::Missing(path.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_measured_and_files_and_names_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("result.json");
        std::fs::write(&file, "{}").unwrap();
        let place = Target::from(folder.path());
        let named = |path: &Path| Target::from(path);
        assert_eq!(sorted(&[place.clone(), "/".into()]).unwrap(), Targets::Places);
        let both = vec![Recorded::File(file.clone()), Recorded::Run("1KYX".to_owned())];
        assert_eq!(sorted(&[named(&file), "1KYX".into()]).unwrap(), Targets::Recorded(both));
        let mixed = sorted(&[place, named(&file)]).unwrap_err();
        assert!(mixed.code() == 2 && mixed.to_string().contains("cannot be mixed"), "{mixed}");
        let typo = sorted(&["/".into(), "no-such-folder-or-run".into()]).unwrap_err();
        assert!(typo.to_string().starts_with("no-such-folder-or-run does not exist"), "{typo}");
        let missing = sorted(&[named(&file), named(&folder.path().join("none"))]).unwrap_err();
        assert!(missing.to_string().contains("does not exist"), "{missing}");
    }
}
