//! Messages about test files that killed runs left.

use crate::home;
use crate::terminal::screen::warn_line;
use fathom_campaign::{Registry, decimal_bytes, stale_files_in};
use fathom_text::{Text, text};
use fathom_vocab::Target;
use fathom_vocab::shell::quoted;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// The registry of test files, by which `fathom clean` removes those of a killed process. None if
/// there is no home.
pub fn test_file_registry() -> Option<Registry> {
    home::folder(home::FolderKind::State)
        .map(|folder| Registry::in_folder(folder.join("test-files")))
}

/// How long ago, in the largest unit that fits.
pub fn age(modified_s: i64) -> Text {
    let now_s = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let age_s = now_s.saturating_sub(u64::try_from(modified_s).unwrap_or(0));
    match age_s {
        ..120 => text!("{count|1=1 second|{count} seconds} old", count = age_s),
        120..7200 => text!("{count|1=1 minute|{count} minutes} old", count = age_s / 60),
        7200..172_800 => text!("{count|1=1 hour|{count} hours} old", count = age_s / 3600),
        _ => text!("{count|1=1 day|{count} days} old", count = age_s / 86_400),
    }
}

/// The message about test files of earlier runs in a folder to be measured; none if there are none,
/// or if it is not a folder.
pub fn notice(folder: &Path) -> Option<Text> {
    let files = stale_files_in(folder, test_file_registry().as_ref()).ok()?;
    let oldest = files.iter().map(|file| file.modified_s).min()?;
    let bytes = files.iter().map(|file| file.bytes).sum();
    let (count, size) = (files.len(), decimal_bytes(bytes));
    Some(text!(
        "{} has {count|1=a test file|test files} of runs that did not remove them: {count}, \
         {size}, the oldest {}",
        folder.display(),
        age(oldest)
    ))
}

/// Prints where killed runs have left files, before a run in these folders of this machine.
pub fn tell(targets: &[Target]) {
    for target in targets {
        if let Some(notice) = target.path().and_then(notice) {
            let target = quoted(&target.to_string());
            warn_line(text!(
                "fathom: {notice}; `fathom clean {target}` removes those that are proved ours"
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_has_the_unit_that_fits() {
        let ago = |s: i64| {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs() as i64;
            age(now - s).to_string()
        };
        assert_eq!(
            [ago(3 * 86_400 + 60), ago(7300), ago(125)],
            ["3 days old", "2 hours old", "2 minutes old"]
        );
    }
}
