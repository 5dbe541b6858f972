//! The input of a report, before it is read.

/// Something to read: its name for errors and headings, and its bytes.
#[derive(Clone, Debug)]
pub struct Input {
    /// A path, or the name of a run in the history.
    pub name: String,
    /// Its content.
    pub bytes: Vec<u8>,
}

impl Input {
    /// An input of text or bytes.
    pub fn new(name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Input {
        Input { name: name.into(), bytes: bytes.into() }
    }
}
