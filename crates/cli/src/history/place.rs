//! Where the history is: one file in the user's data folder.

use fathom_host::{Host, Storage};
use fathom_store::{Sharing, Store, StoreError};
use std::env;
use std::path::{Path, PathBuf};

const FILE: &str = "history.sqlite3";

/// The file of the history: in `$FATHOM_HOME`, else in `fathom` in `$XDG_DATA_HOME`, else in
/// `~/.local/share/fathom`.
///
/// # Errors
/// In words, where none of them is set.
pub fn file() -> Result<PathBuf, String> {
    file_of(|name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from))
}

fn file_of(variable: impl Fn(&str) -> Option<PathBuf>) -> Result<PathBuf, String> {
    if let Some(home) = variable("FATHOM_HOME") {
        // Wherever the command goes later, the file stays where it was meant.
        return Ok(std::path::absolute(&home).unwrap_or(home).join(FILE));
    }
    // A relative one is to be ignored (XDG Base Directory Specification 0.8).
    let data = variable("XDG_DATA_HOME").filter(|path| path.is_absolute());
    let data = data.or_else(|| variable("HOME").map(|home| home.join(".local/share")));
    let no_place = "there is no place for it, since HOME is not set: set FATHOM_HOME to a folder";
    data.map(|data| data.join("fathom").join(FILE)).ok_or_else(|| no_place.to_owned())
}

/// Who may use the file at the same time: where it is on a network file system, other machines.
pub fn sharing(path: &Path) -> Sharing {
    // The folder may not be there yet.
    let there = path.ancestors().skip(1).find(|folder| folder.is_dir());
    match there.map(|folder| Host::real().storage_of(folder)) {
        Some(Ok(Storage::Network { .. })) => Sharing::ManyHosts,
        _ => Sharing::OneHost,
    }
}

/// The history to read; `None` where there is none yet.
///
/// # Errors
/// In words.
pub fn to_read() -> Result<Option<Store>, String> {
    Store::open_to_read(&file()?).map_err(|error| advised(&error))
}

/// The history to change; `None` where there is none yet.
///
/// # Errors
/// In words.
pub fn to_change() -> Result<Option<Store>, String> {
    let path = file()?;
    match path.exists() {
        true => Store::open(&path, sharing(&path)).map(Some).map_err(|error| advised(&error)),
        false => Ok(None),
    }
}

/// The error with what can be done about it here.
pub fn advised(error: &StoreError) -> String {
    match error.to_string() {
        text if text.contains("elsewhere") => format!("{text} (FATHOM_HOME names its folder)"),
        text => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(variables: &'static [(&str, &str)]) -> Result<PathBuf, String> {
        file_of(|name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| PathBuf::from(value))
        })
    }

    #[test]
    fn the_first_variable_that_is_set_decides() {
        let all = &[("FATHOM_HOME", "/f"), ("XDG_DATA_HOME", "/x"), ("HOME", "/h")];
        assert_eq!(place(all), Ok("/f/history.sqlite3".into()));
        assert_eq!(place(&all[1..]), Ok("/x/fathom/history.sqlite3".into()));
        assert_eq!(place(&all[2..]), Ok("/h/.local/share/fathom/history.sqlite3".into()));
        let relative = &[("XDG_DATA_HOME", "data"), ("HOME", "/h")];
        assert_eq!(place(relative), Ok("/h/.local/share/fathom/history.sqlite3".into()));
        assert!(place(&[]).unwrap_err().contains("set FATHOM_HOME"));
    }

    #[test]
    fn a_relative_home_is_made_absolute() {
        let path = place(&[("FATHOM_HOME", "runs")]).unwrap();
        assert!(path.is_absolute() && path.ends_with("runs/history.sqlite3"), "{path:?}");
    }
}
