//! Identifying a process: numbers are reused, and other machines have the same ones.

use crate::system::process;

/// The scope of a process number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessSpace {
    /// The boot of the machine; on Windows, whose process start times are calendar times, the
    /// machine. Empty if it cannot be read.
    pub boot_id: String,
    /// The PID namespace; empty if there are none or it cannot be read.
    pub pid_namespace: String,
}

impl ProcessSpace {
    /// The one that this process is in.
    pub fn own() -> ProcessSpace {
        process::own_space()
    }
}

/// The start of the process with that number: ticks since the boot (proc_pid_stat(5), field 22); on
/// Windows units of 100 ns since 1601. None if there is no such process, or it is a zombie.
pub fn process_start(pid: u32) -> Option<u64> {
    process::start_of(pid)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn a_process_has_a_start_until_it_ends() {
        assert!(process_start(std::process::id()).is_some_and(|start| start > 0));
        assert_eq!(ProcessSpace::own(), ProcessSpace::own());
        let program = std::env::current_exe().unwrap();
        let mut child = Command::new(program).arg("--list").stdout(Stdio::null()).spawn().unwrap();
        child.wait().unwrap();
        assert_eq!(process_start(child.id()), None);
    }
}
