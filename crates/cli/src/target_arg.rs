//! A target on the command line: the one parser that all commands give to clap.

use clap::builder::{OsStringValueParser, TypedValueParser};
use fathom_vocab::Target;

/// Reads what a user names as a target.
pub fn target() -> impl TypedValueParser<Value = Target> {
    OsStringValueParser::new().try_map(Target::try_from)
}
