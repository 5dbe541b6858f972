//! A path as text, to be sent to another machine. Invalid bytes are replaced: the error is still
//! readable, and nobody opens the path.

use serde::{Deserialize, Deserializer, Serializer};
use std::path::{Path, PathBuf};

pub(crate) fn serialize<S: Serializer>(path: &Path, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&path.to_string_lossy())
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
    String::deserialize(from).map(PathBuf::from)
}
