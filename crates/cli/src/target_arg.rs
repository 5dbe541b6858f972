//! Parsers for targets on the command line, shared by all commands.

use crate::invalid_value::InvalidValue;
use clap::builder::{OsStringValueParser, TypedValueParser};
use fathom_vocab::Target;

/// Parses a target.
pub fn target() -> impl TypedValueParser<Value = Target> {
    OsStringValueParser::new().try_map(Target::try_from)
}

/// Reads a target that has to be a path of a machine.
pub fn path_target() -> impl TypedValueParser<Value = Target> {
    target().try_map(|target| match target {
        Target::Path(_) => Ok(target),
        Target::Export(_) => Err(InvalidValue::Form(
            "an export has no counters on this machine; watch its device on the server",
        )),
    })
}
