//! A child process with its descendants, protected from the terminal's ^C.

use crate::system;
use std::process::{Child, Command};

/// Starts `command` in its own group, so that ^C in a terminal does not reach it.
pub fn in_own_group(command: &mut Command) -> &mut Command {
    system::child_group::in_own_group(command)
}

/// Wakes a group that was stopped; Windows stops none.
pub fn wake_group(child: &Child) {
    system::child_group::wake_group(child);
}

/// Kills a child of [`in_own_group`] with its descendants. On Windows only the child is ended: its
/// descendants end when their input closes.
pub fn kill_group(child: &mut Child) {
    system::child_group::kill_group(child);
}
