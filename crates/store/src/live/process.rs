//! The identity of a process, and whether it is running.

use fathom_host::{ProcessSpace, process_start};
use serde::{Deserialize, Serialize};

/// Identifies a process uniquely over machines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunProcess {
    /// Its number.
    pub pid: u32,
    /// When it started, as [`process_start`] counts.
    pub started_ticks: u64,
    /// The boot that it belongs to ([`ProcessSpace`]); empty if that cannot be read.
    pub boot_id: String,
    /// The PID namespace of its number; empty if it cannot be read.
    pub pid_namespace: String,
}

impl RunProcess {
    /// This process.
    pub fn own() -> RunProcess {
        let pid = std::process::id();
        let ProcessSpace { boot_id, pid_namespace } = ProcessSpace::own();
        RunProcess { pid, started_ticks: process_start(pid).unwrap_or(0), boot_id, pid_namespace }
    }

    /// Whether it is running; `None` if that cannot be determined here.
    pub fn is_alive(&self) -> Option<bool> {
        let ProcessSpace { boot_id, pid_namespace } = ProcessSpace::own();
        if boot_id.is_empty() || self.boot_id != boot_id || self.pid_namespace != pid_namespace {
            return None;
        }
        Some(process_start(self.pid) == Some(self.started_ticks))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_is_alive_and_its_number_alone_is_not_enough() {
        let own = RunProcess::own();
        assert_eq!(own.is_alive(), Some(true), "{own:?}");
        let earlier = RunProcess { started_ticks: own.started_ticks - 1, ..own.clone() };
        assert_eq!(earlier.is_alive(), Some(false));
        let elsewhere = RunProcess { boot_id: "another".to_owned(), ..own };
        assert_eq!(elsewhere.is_alive(), None);
    }
}
