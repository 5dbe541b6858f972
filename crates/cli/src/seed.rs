//! Random numbers.

/// A number that no other run has: for seeds of runs that must not repeat another.
pub fn entropy() -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    RandomState::new().build_hasher().finish()
}
