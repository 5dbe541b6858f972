//! How a value whose type is known only at run time meets generic code.

use crate::Engine;

/// What is done with an engine once it is built.
pub trait Visitor {
    /// What comes of it.
    type Out;

    /// Uses the engine. `notes` say, a sentence each, what the kernel refused and what was done
    /// in its place.
    fn visit<E: Engine>(self, engine: E, notes: Vec<String>) -> Self::Out;
}
