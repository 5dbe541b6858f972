//! Where Fathom keeps what outlives a command, if nobody says where.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

/// The folder of this user: `$FATHOM_HOME`, else what the XDG base directory specification gives
/// for state. None where the environment names neither that nor a home.
pub fn folder() -> Option<PathBuf> {
    named_by(|name| env::var_os(name))
}

fn named_by(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    // A relative path in XDG_STATE_HOME is invalid and to be ignored (XDG, "Basics").
    let state = || set("XDG_STATE_HOME").filter(|path| path.is_absolute());
    let usual = || set("HOME").map(|home| home.join(".local/state"));
    set("FATHOM_HOME").or_else(|| state().or_else(usual).map(|state| state.join("fathom")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_that_is_set_decides() {
        let folder = |pairs: &'static [(&str, &str)]| {
            let found = named_by(|name| {
                pairs.iter().find(|(n, _)| *n == name).map(|(_, value)| OsString::from(value))
            });
            found.map(|path| path.display().to_string())
        };
        let all = [("FATHOM_HOME", "/f"), ("XDG_STATE_HOME", "/x"), ("HOME", "/h")];
        assert_eq!(folder(Box::leak(Box::new(all))), Some("/f".to_owned()));
        let state = &[("FATHOM_HOME", ""), ("XDG_STATE_HOME", "/x"), ("HOME", "/h")];
        assert_eq!(folder(state), Some("/x/fathom".to_owned()));
        let relative = &[("XDG_STATE_HOME", "x"), ("HOME", "/h")];
        assert_eq!(folder(relative), Some("/h/.local/state/fathom".to_owned()));
        assert_eq!(folder(&[]), None);
    }
}
