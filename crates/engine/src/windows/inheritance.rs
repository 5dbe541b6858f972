//! What this process inherited from the one that started it: nothing of what Linux hands on.
//! A standard output that is closed shows as an error when it is written to, and signals are not
//! handed on.

/// Whether standard output was closed when the process started: what is written says so itself.
pub fn stdout_was_closed() -> bool {
    false
}

/// Whether `signal` is ignored now: Windows hands no such wish on.
pub fn ignores_signal(_signal: i32) -> bool {
    false
}
