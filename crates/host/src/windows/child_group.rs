//! A process group that the console's ^C does not reach.

use std::os::windows::process::CommandExt;
use std::process::{Child, Command};

/// CREATE_NEW_PROCESS_GROUP (CreateProcessW).
const OWN_GROUP: u32 = 0x200;

pub(crate) fn in_own_group(command: &mut Command) -> &mut Command {
    command.creation_flags(OWN_GROUP)
}

pub(crate) fn wake_group(_child: &Child) {}

pub(crate) fn kill_group(child: &mut Child) {
    let _ = child.kill();
}
