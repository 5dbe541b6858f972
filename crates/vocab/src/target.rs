//! A target, as a user names it: every command parses and prints it by this module.
//!
//! Decided here:
//! - A target is data, not a file: the measuring machine determines what exists there.
//! - Text in the form of a URL is not a path: a file with such a name is given as `./nfs://…`.
//! - `nfs://server/export/path` is an export, a folder or a file in it; the server knows which.
//! - Printing and parsing are inverse for every text; a path that is not text is printed with
//!   replacement characters, like paths everywhere.

use crate::nfs_url::{NfsUrl, NfsUrlError};
use serde::{Deserialize, Serialize};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Component, Path, PathBuf};

/// A thing to measure.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Target {
    /// An export of an NFS server, or a folder or file in it, reached without a mount. This variant
    /// is first, because every text parses as a path.
    Export(Box<NfsUrl>),
    /// A folder, a file (there or not yet) or a device of the machine that measures.
    Path(PathBuf),
}

/// Why a text names no target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TargetSyntaxError {
    /// It is empty.
    Empty,
    /// It names no export of an NFS server, though it begins so.
    Export(NfsUrlError),
    /// It is a URL of another scheme.
    Url(String),
}

impl fmt::Display for TargetSyntaxError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(to, "it is empty; name a folder, a file or a device"),
            Self::Export(why) => why.fmt(to),
            Self::Url(_) => write!(
                to,
                "it is a URL; name a folder, a file, a device or nfs://SERVER/EXPORT (a file of \
                 that name is ./NAME)"
            ),
        }
    }
}

impl std::error::Error for TargetSyntaxError {}

/// The empty path, which no text gives: for a document that stores only a target's name.
impl Default for Target {
    fn default() -> Target {
        Target::Path(PathBuf::new())
    }
}

impl Target {
    /// The path on the machine that measures; none for an export.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Target::Path(path) => Some(path),
            Target::Export(_) => None,
        }
    }

    /// Its absolute form, which has the same meaning everywhere.
    pub fn absolute(&self) -> Target {
        match self {
            Target::Path(path) if !path.is_absolute() && begins_with_drive(path) => self.clone(),
            Target::Path(path) => {
                let absolute = std::path::absolute(path).unwrap_or_else(|_| path.clone());
                Target::Path(without_parents(&absolute))
            }
            Target::Export(_) => self.clone(),
        }
    }

    /// Whether it means the same wherever a command is typed.
    pub fn is_absolute(&self) -> bool {
        self.path().is_none_or(|path| path.is_absolute() || begins_with_drive(path))
    }
}

/// The same path without `..`: one and the same folder is then called the same, wherever a command
/// was typed. A link before a `..` is followed, since its parent is not the folder that it is in.
pub fn without_parents(path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for component in path.components() {
        if component != Component::ParentDir {
            whole.push(component);
            continue;
        }
        if whole.is_symlink() {
            whole = whole.canonicalize().unwrap_or(whole);
        }
        match whole.components().next_back() {
            Some(Component::Normal(_)) if !whole.is_symlink() => {
                whole.pop();
            }
            Some(Component::RootDir) => {}
            _ => whole.push(component),
        }
    }
    whole
}

/// Whether a path begins with a drive or a server, as those of Windows do. It is one from the root
/// on every system, since it may be of another machine; a file here that is called so is `./C:\x`.
fn begins_with_drive(path: &Path) -> bool {
    match path.as_os_str().as_encoded_bytes() {
        [letter, b':', b'\\' | b'/', ..] => letter.is_ascii_alphabetic(),
        [b'\\', b'\\', ..] => true,
        _ => false,
    }
}

/// Whether a path in a document is absolute, on any system.
pub fn is_from_root(path: &str) -> bool {
    path.starts_with('/') || begins_with_drive(Path::new(path))
}

/// The parent folder of a path in a document, on any system; none for a root or a bare name.
pub fn folder_of(path: &str) -> Option<&str> {
    let is_separator =
        |letter: char| letter == '/' || (letter == '\\' && begins_with_drive(Path::new(path)));
    let (at, _) = path.char_indices().rfind(|(_, letter)| is_separator(*letter))?;
    let folder = match &path[..at] {
        // A root keeps its separator.
        above if above.is_empty() || above.ends_with(':') => &path[..=at],
        above => above,
    };
    (folder.len() < path.len()).then_some(folder)
}

/// The name of a target in a document, without the arguments of an export's URL.
pub fn without_arguments(name: &str) -> &str {
    match name.split_once('?') {
        Some((export, _)) if export.starts_with("nfs://") => export,
        _ => name,
    }
}

impl TryFrom<OsString> for Target {
    type Error = TargetSyntaxError;

    fn try_from(text: OsString) -> Result<Target, TargetSyntaxError> {
        if text.is_empty() {
            return Err(TargetSyntaxError::Empty);
        }
        match scheme(&text) {
            None => Ok(Target::Path(text.into())),
            Some("nfs") => match NfsUrl::parse(&text.to_string_lossy()) {
                Ok(url) => Ok(Target::Export(Box::new(url))),
                Err(why) => Err(TargetSyntaxError::Export(why)),
            },
            Some(_) => Err(TargetSyntaxError::Url(text.to_string_lossy().into_owned())),
        }
    }
}

/// The text before `://`, if it is a valid URL scheme (RFC 3986, section 3.1).
fn scheme(text: &OsStr) -> Option<&str> {
    let (scheme, _) = text.to_str()?.split_once("://")?;
    let mut letters = scheme.bytes();
    let begins = letters.next()?.is_ascii_alphabetic();
    let goes_on = letters.all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    (begins && goes_on).then_some(scheme)
}

impl From<PathBuf> for Target {
    fn from(path: PathBuf) -> Target {
        Target::Path(path)
    }
}

/// A path, even in the form of a URL.
impl From<&str> for Target {
    fn from(path: &str) -> Target {
        Target::Path(path.into())
    }
}

impl From<&Path> for Target {
    fn from(path: &Path) -> Target {
        Target::Path(path.to_owned())
    }
}

impl fmt::Display for Target {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Target::Path(path) => path.display().fmt(to),
            Target::Export(url) => url.fmt(to),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Target, TargetSyntaxError> {
        Target::try_from(OsString::from(text))
    }

    #[test]
    fn what_is_printed_is_parsed_to_the_same() {
        for text in [".", "/mnt/a b", "한글", "a:b", "./nfs://x", "1://x", "//x", "C:/x", "a/b://c"]
        {
            assert_eq!(parse(text).map(|target| target.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn one_folder_is_called_the_same_wherever_it_was_named_from() {
        for (path, plain) in [
            ("/tmp/ci/../mnt/nas", "/tmp/mnt/nas"),
            ("/a/b/../../c", "/c"),
            ("/../a", "/a"),
            ("/a/b", "/a/b"),
            ("../x", "../x"),
        ] {
            assert_eq!(without_parents(Path::new(path)), Path::new(plain), "{path}");
        }
        assert_eq!(Target::from("/tmp/ci/../nas").absolute(), Target::from("/tmp/nas").absolute());
    }

    #[test]
    fn an_export_is_named_by_its_url_and_crosses_as_text() {
        let text = "nfs://server/export/a%20b?nfsport=20490&nconnect=4";
        let target = parse(text).unwrap();
        assert!(matches!(&target, Target::Export(url) if url.export == "/export/a b"));
        assert_eq!((target.to_string().as_str(), target.path()), (text, None));
        assert!(target.is_absolute() && target.absolute() == target);
        for target in [target, Target::from("/mnt/x"), Target::from("./nfs://x")] {
            let json = serde_json::to_string(&target).unwrap();
            assert_eq!(serde_json::from_str::<Target>(&json).unwrap(), target);
        }
    }

    #[test]
    fn only_an_export_has_arguments() {
        assert_eq!(without_arguments("nfs://nas/a?uid=1&gid=2"), "nfs://nas/a");
        for name in ["nfs://nas/a", "/mnt/a?b", "./nfs://nas/a?b", ""] {
            assert_eq!(without_arguments(name), name);
        }
    }

    #[test]
    fn a_drive_or_a_server_of_windows_is_named_from_the_root_on_every_system() {
        for text in [r"Z:\a", "z:/a", r"\\server\share"] {
            let target = parse(text).unwrap();
            assert!(target.is_absolute(), "{text}");
            assert!(target.absolute().to_string().starts_with(&text[..2]), "{text}");
        }
        for text in ["a", r".\a", "./Z:/a", "Z:", "Z:a", "1:/a"] {
            assert!(!parse(text).unwrap().is_absolute(), "{text}");
        }
    }

    #[test]
    fn a_folder_of_a_document_is_read_on_any_system() {
        for (path, folder) in [
            ("/mnt/a/f", Some("/mnt/a")),
            ("/f", Some("/")),
            ("/", None),
            ("f", None),
            (r"/mnt/a\b", Some("/mnt")),
            (r"Z:\a\f", Some(r"Z:\a")),
            (r"Z:\a/f", Some(r"Z:\a")),
            (r"Z:\f", Some(r"Z:\")),
            (r"Z:\", None),
            (r"\\server\share\f", Some(r"\\server\share")),
        ] {
            assert_eq!(folder_of(path), folder, "{path}");
        }
        for path in ["/", "/mnt", r"Z:\", "z:/a", r"\\server\share"] {
            assert!(is_from_root(path), "{path}");
        }
        for path in ["", ".", "a/b", r"a\b", "Z:a"] {
            assert!(!is_from_root(path), "{path}");
        }
    }

    #[test]
    fn what_is_no_path_says_what_to_name() {
        assert_eq!(parse(""), Err(TargetSyntaxError::Empty));
        let nfs = parse("nfs://server").unwrap_err().to_string();
        assert!(nfs.contains("names no export"), "{nfs}");
        for text in ["http://x", "s3://bucket", "svn+ssh://x"] {
            assert_eq!(parse(text), Err(TargetSyntaxError::Url(text.to_owned())));
        }
    }
}
