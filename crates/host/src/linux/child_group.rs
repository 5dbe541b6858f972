//! Groups of processes.

use rustix::process::{Pid, Signal, kill_process_group};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

pub(crate) fn in_own_group(command: &mut Command) -> &mut Command {
    command.process_group(0)
}

pub(crate) fn wake_group(child: &Child) {
    let _ = kill_process_group(Pid::from_child(child), Signal::CONT);
}

pub(crate) fn kill_group(child: &mut Child) {
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}
