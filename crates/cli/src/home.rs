//! Folders of files that outlive a command, if no option names one: the history is data, sweeps
//! that can be resumed are state, and `$FATHOM_HOME` holds both.

use crate::system::{DATA_FOLDER, STATE_FOLDER};
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

/// Kinds of files, as the XDG base directory specification (0.8) divides them; on Windows both are
/// in `%LOCALAPPDATA%`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FolderKind {
    /// Files that a user would miss: the history.
    Data,
    /// Files that a command needs to continue: sweeps.
    State,
}

/// This user's folder: `$FATHOM_HOME`, made absolute at once, so that it does not depend on the
/// working folder; otherwise the specification's folder for this kind. None if the environment has
/// neither that nor a home.
pub fn folder(kind: FolderKind) -> Option<PathBuf> {
    named_by(kind, |name| env::var_os(name))
}

fn named_by(kind: FolderKind, variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let place = match kind {
        FolderKind::Data => DATA_FOLDER,
        FolderKind::State => STATE_FOLDER,
    };
    let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(home) = set("FATHOM_HOME") {
        return Some(std::path::absolute(&home).unwrap_or(home));
    }
    // A relative one is invalid and to be ignored (XDG, "Basics").
    let named = set(place.variable).filter(|path| path.is_absolute());
    let base = named.or_else(|| set(place.home).map(|home| home.join(place.usual)));
    base.map(|base| base.join("fathom"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(kind: FolderKind, variables: &[(&str, &str)]) -> Option<String> {
        let found = named_by(kind, |name| {
            let known = variables.iter().find(|(known, _)| *known == name);
            known.map(|(_, value)| OsString::from(value))
        });
        found.map(|path| path.display().to_string())
    }

    #[test]
    fn the_first_that_is_set_decides() {
        let all = [
            ("FATHOM_HOME", "/f"),
            ("XDG_DATA_HOME", "/d"),
            ("XDG_STATE_HOME", "/s"),
            ("HOME", "/h"),
        ];
        let (data, state) = (FolderKind::Data, FolderKind::State);
        for kind in [data, state] {
            assert_eq!(place(kind, &all).as_deref(), Some("/f"));
            assert_eq!(place(kind, &[]), None);
        }
        assert_eq!(place(data, &all[1..]).as_deref(), Some("/d/fathom"));
        assert_eq!(place(state, &all[1..]).as_deref(), Some("/s/fathom"));
        assert_eq!(place(data, &all[3..]).as_deref(), Some("/h/.local/share/fathom"));
        assert_eq!(place(state, &all[3..]).as_deref(), Some("/h/.local/state/fathom"));
        let odd = [("FATHOM_HOME", ""), ("XDG_STATE_HOME", "x"), ("HOME", "/h")];
        assert_eq!(place(state, &odd).as_deref(), Some("/h/.local/state/fathom"));
    }

    #[test]
    fn a_relative_home_is_made_absolute() {
        let path = place(FolderKind::Data, &[("FATHOM_HOME", "runs")]).expect("it is named");
        assert!(path.starts_with('/') && path.ends_with("/runs"), "{path}");
    }
}
