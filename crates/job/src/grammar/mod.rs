//! Values with their own grammar: parsed here, set by the rows of the table.

pub(crate) mod distribution;
pub(crate) mod errno;
pub(crate) mod pattern;
pub(crate) mod split;
pub(crate) mod steady;
