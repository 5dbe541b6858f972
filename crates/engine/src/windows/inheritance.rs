//! State inherited from the parent process: none of what Linux passes on. A closed standard output
//! shows as an error when it is written to, and signals are not inherited.

/// Whether standard output was closed when the process started: writing to it reports that itself.
pub fn stdout_was_closed() -> bool {
    false
}

/// Whether `signal` is ignored now: Windows hands no such wish on.
pub fn ignores_signal(_signal: i32) -> bool {
    false
}
