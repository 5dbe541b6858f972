//! Passes a value whose type is known only at run time to generic code.

use crate::Engine;

/// The use of an engine once it is built.
pub trait Visitor {
    /// Its result.
    type Out;

    /// Uses the engine. `notes` list, a sentence each, what the kernel refused and what replaces
    /// it.
    fn visit<E: Engine>(self, engine: E, notes: Vec<String>) -> Self::Out;
}
