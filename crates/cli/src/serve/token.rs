//! Sources of the token of `fathom serve`: the command line, a file, or the environment.
//!
//! Every user of the machine can read a command line. A file with permissions for other users is
//! refused, because its token is no secret. Only the same user can read the environment.

use super::error::{TokenFileError, TokenSourceError};
use fathom_host::{mode_of, without_waiting};
use fathom_web::Token;
use std::env;
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::path::Path;

/// The variable of the environment.
const VARIABLE: &str = "FATHOM_TOKEN";

/// Bytes of a file that are read at most: more than the longest token, with an end of a line.
const MOST_BYTES: u64 = 1024;

/// Permissions to read or write of everybody but the owner.
const OTHERS: u32 = 0o066;

/// The given token, if there is one.
///
/// # Errors
/// If the file or the variable has no valid token.
pub fn given(
    typed: Option<&Token>,
    file: Option<&Path>,
) -> Result<Option<Token>, TokenSourceError> {
    if let Some(token) = typed {
        return Ok(Some(token.clone()));
    }
    if let Some(path) = file {
        return from_file(path).map(Some);
    }
    match env::var_os(VARIABLE).filter(|text| !text.is_empty()) {
        None => Ok(None),
        Some(text) => {
            let token = text.to_str().unwrap_or_default().parse();
            let cannot = |source| TokenSourceError::Variable { name: VARIABLE, source };
            token.map(Some).map_err(cannot)
        }
    }
}

fn from_file(path: &Path) -> Result<Token, TokenSourceError> {
    let token = read(path).and_then(|text| Ok(text.trim().parse()?));
    token.map_err(|source| TokenSourceError::File { path: path.to_owned(), source })
}

fn read(path: &Path) -> Result<String, TokenFileError> {
    // Not blocking, so that a pipe without a writer is refused and not waited for.
    let file = without_waiting(OpenOptions::new().read(true)).open(path);
    let file = file.map_err(TokenFileError::Closed)?;
    let meta = file.metadata().map_err(TokenFileError::Unknown)?;
    if !meta.is_file() {
        return Err(TokenFileError::NoFile);
    }
    if mode_of(&meta).is_some_and(|mode| mode & OTHERS != 0) {
        return Err(TokenFileError::Public(path.to_owned()));
    }
    bounded(&file)
}

fn bounded(file: &File) -> Result<String, TokenFileError> {
    let mut text = String::new();
    let read = file.take(MOST_BYTES + 1).read_to_string(&mut text);
    match read {
        Err(error) => Err(TokenFileError::NoText(error)),
        Ok(bytes) if bytes as u64 > MOST_BYTES => {
            Err(TokenFileError::TooLong { most_bytes: MOST_BYTES })
        }
        Ok(_) => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_that_others_can_read_or_that_holds_no_token_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("token");
        let given = |text: &str, mode| {
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fathom_host::permissions(mode).unwrap()).unwrap();
            let token = from_file(&path).map_err(|why| why.to_string());
            token.map(|token| token.as_str().to_owned())
        };
        let refused = |path: &Path| from_file(path).unwrap_err().to_string();
        let token = "0123456789abcdef";
        assert_eq!(given(&format!("{token}\n"), 0o600), Ok(token.to_owned()));
        assert_eq!(given(token, 0o400), Ok(token.to_owned()));
        for mode in [0o640, 0o604, 0o620, 0o602, 0o644] {
            assert!(given(token, mode).unwrap_err().contains("chmod 600"), "{mode:o}");
        }
        assert!(given("short\n", 0o600).unwrap_err().contains("16 to 200"));
        let long = format!("{token}{}", " ".repeat(2000));
        assert!(given(&long, 0o600).unwrap_err().contains("1024 bytes"));
        assert!(refused(folder.path()).contains("is no file"));
        assert!(refused(&folder.path().join("none")).contains("none: "));
    }
}
