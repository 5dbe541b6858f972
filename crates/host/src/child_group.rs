//! A child process with all that it starts, apart from the terminal's ^C.

use crate::system;
use std::process::{Child, Command};

/// Has `command` start a group of its own, so that ^C in a terminal does not reach it.
pub fn in_own_group(command: &mut Command) -> &mut Command {
    system::child_group::in_own_group(command)
}

/// Wakes a group that was stopped; Windows stops none.
pub fn wake_group(child: &Child) {
    system::child_group::wake_group(child);
}

/// Kills a child of [`in_own_group`] with what it started. On Windows the child alone is ended:
/// what it started ends when its input does.
pub fn kill_group(child: &mut Child) {
    system::child_group::kill_group(child);
}
