//! A report as a file: written completely or not at all, and never over another file.

use super::OutputError;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

/// What to do with an existing file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// A report is replaced, anything else stays.
    KeepForeign,
    /// Replace any file.
    Replace,
}

/// Larger than any report that we write; a larger file is not read to find out its type.
const LARGEST_REPORT_BYTES: u64 = 256 << 20;

/// Whether [`write`] could write to `path`; leaves nothing there.
///
/// # Errors
/// As [`write`].
pub fn check(
    path: &Path,
    is_ours: impl Fn(&str) -> bool,
    existing: Existing,
) -> Result<(), OutputError> {
    may_be_replaced(path, is_ours, existing)?;
    fathom_files::can_replace(path).map_err(|error| cannot(path, error))
}

fn cannot(path: &Path, source: io::Error) -> OutputError {
    OutputError::File { path: path.to_owned(), source }
}

/// Writes `text` to `path`; `is_ours` says whether a file's content is a report.
///
/// # Errors
/// If there is another file, or writing fails; then no part of it is left.
pub fn write(
    path: &Path,
    text: &str,
    is_ours: impl Fn(&str) -> bool,
    existing: Existing,
) -> Result<(), OutputError> {
    may_be_replaced(path, is_ours, existing)?;
    fathom_files::replace(path, text.as_bytes()).map_err(|error| cannot(path, error))
}

/// Whether something can stand at `path` before the result and be replaced by it: not in a pipe, a
/// device or standard output by its name.
pub fn is_replaceable(path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Ok(there) => there.is_file(),
        Err(error) => error.kind() == ErrorKind::NotFound,
    }
}

/// # Errors
/// If the existing file is not ours.
fn may_be_replaced(
    path: &Path,
    is_ours: impl Fn(&str) -> bool,
    existing: Existing,
) -> Result<(), OutputError> {
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => {
            return Err(OutputError::Folder(path.to_owned()));
        }
        Ok(there) if !there.is_file() => {}
        Ok(there) if existing == Existing::KeepForeign => {
            let small = there.len() <= LARGEST_REPORT_BYTES;
            let ours = there.len() == 0
                || (small && fs::read_to_string(path).is_ok_and(|old| is_ours(&old)));
            if !ours {
                return Err(OutputError::Foreign(path.to_owned()));
            }
        }
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(cannot(path, error)),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::form::Form;
    use super::*;

    #[test]
    fn a_report_replaces_a_report_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.md");
        let put = |text: &str, existing| {
            let report = fathom_report::Report { title: text.to_owned(), ..Default::default() };
            let text = Form::Markdown.text(&report).unwrap();
            write(&path, &text, |old| Form::Markdown.is_ours(old), existing).map(|()| text)
        };
        put("first", Existing::KeepForeign).unwrap();
        let second = put("second", Existing::KeepForeign).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), second);
        fs::write(&path, "# my notes\n").unwrap();
        let why = put("third", Existing::KeepForeign).unwrap_err();
        assert!(why.to_string().contains("--force"), "{why}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "# my notes\n");
        put("third", Existing::Replace).unwrap();
        // Nothing else is left in the folder.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_link_stays_a_link() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("a.csv"), folder.path().join("b.csv"));
        fs::write(&real, "").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        write(&link, "x,y\n", |_| false, Existing::KeepForeign).unwrap();
        assert_eq!(fs::read_to_string(&real).unwrap(), "x,y\n");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let why = write(folder.path(), "x", |_| true, Existing::Replace).unwrap_err();
        assert!(why.to_string().contains("is a folder"), "{why}");
    }
}
