//! A path as text, for what crosses to another machine. Bytes that are no text are replaced: an
//! error is told all the same, and nobody opens the path that it names.

use serde::{Deserialize, Deserializer, Serializer};
use std::path::{Path, PathBuf};

pub(crate) fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&path.to_string_lossy())
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
    String::deserialize(from).map(PathBuf::from)
}
