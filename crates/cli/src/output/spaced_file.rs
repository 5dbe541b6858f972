//! A file that a user gives to `--json`, `--csv` or `--markdown` after a space.
//!
//! Without `=FILE` these flags print to standard output, so the next word would be a target or a
//! job file: `--csv out.csv` would measure `out.csv`. The command line is refused with the correct
//! form before anything else is said of it.

use super::OutputError;
use super::failure::COMMANDS;
use super::form::Form;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

const FLAGS: [(&str, Form); 4] = [
    ("--json", Form::Json),
    ("--json-summary", Form::Json),
    ("--csv", Form::Csv),
    ("--markdown", Form::Markdown),
];

/// # Errors
/// If the word after one of the flags has the ending of its form, and no such file exists.
pub fn check_spaced_files(words: &[OsString]) -> Result<(), OutputError> {
    let command = words.get(1).and_then(|word| word.to_str());
    if !command.is_some_and(|command| command == "history" || COMMANDS.contains(&command)) {
        return Ok(());
    }
    match words.windows(2).find_map(|pair| spaced_file(&pair[0], &pair[1])) {
        Some((flag, path)) => Err(OutputError::SpacedFile { flag, path }),
        None => Ok(()),
    }
}

fn spaced_file(flag: &OsString, next: &OsString) -> Option<(&'static str, PathBuf)> {
    let (flag, form) = FLAGS.into_iter().find(|(name, _)| flag == name)?;
    if next.as_encoded_bytes().starts_with(b"-") {
        return None;
    }
    let path = Path::new(next);
    let ending = path.extension()?.to_str()?;
    // An existing file may be an input of `compare`, or a target.
    (ending == form.extension() && !path.exists()).then(|| (flag, path.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_after_a_space_is_answered_with_the_right_form() {
        let folder = tempfile::tempdir().unwrap();
        let there = folder.path().join("there.json");
        std::fs::write(&there, "{}").unwrap();
        let refused = |line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            check_spaced_files(&words).err().map(|why| why.to_string())
        };
        let why = refused("fathom measure . --csv out.csv").unwrap();
        assert!(
            why.starts_with("out.csv does not exist; ") && why.contains("--csv=out.csv"),
            "{why}"
        );
        assert!(
            refused("fathom run --markdown x/y.md a.fio").unwrap().contains("--markdown=x/y.md")
        );
        for line in [
            "fathom measure . --csv",
            "fathom measure --csv .",
            "fathom measure . --csv=out.csv",
            "fathom compare --csv a.json b.json",
            "fathom doctor --json x.json",
            "fathom measure --json-summary --json=x.json .",
            &format!("fathom compare --json {} b.json", there.display()),
        ] {
            assert_eq!(refused(line), None, "{line}");
        }
    }
}
