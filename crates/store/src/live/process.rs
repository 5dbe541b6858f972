//! Which process it was, and whether it still is.

use serde::{Deserialize, Serialize};
use std::fs;

/// A process so that no other is taken for it, on whatever machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunProcess {
    /// Its number.
    pub pid: u32,
    /// When it started, in the kernel's ticks since the boot (proc_pid_stat(5), field 22).
    pub started_ticks: u64,
    /// The boot that it belongs to; empty where that cannot be read.
    pub boot_id: String,
    /// The PID namespace in which its number holds; empty where that cannot be read.
    pub pid_namespace: String,
}

impl RunProcess {
    /// This process.
    pub fn own() -> RunProcess {
        let pid = std::process::id();
        let (boot_id, pid_namespace) = place();
        RunProcess { pid, started_ticks: started_ticks(pid).unwrap_or(0), boot_id, pid_namespace }
    }

    /// Whether it is there; `None` where that cannot be told from here.
    pub fn is_alive(&self) -> Option<bool> {
        let (boot_id, pid_namespace) = place();
        if boot_id.is_empty() || self.boot_id != boot_id || self.pid_namespace != pid_namespace {
            return None;
        }
        Some(started_ticks(self.pid) == Some(self.started_ticks))
    }
}

/// The boot and the namespace that this process is in.
fn place() -> (String, String) {
    let boot_id = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let namespace = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    (boot_id.trim().to_owned(), namespace.display().to_string())
}

/// When the process of that number started; none where there is none, or it is only waited for.
fn started_ticks(pid: u32) -> Option<u64> {
    parsed(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// The name in brackets may hold spaces and brackets, so fields count from its end.
fn parsed(stat: &str) -> Option<u64> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_whitespace();
    let state = fields.next()?;
    // After the state, which is field 3, field 22 is the nineteenth.
    let started = fields.nth(18)?.parse().ok()?;
    (!matches!(state, "Z" | "X")).then_some(started)
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

    #[test]
    fn a_name_with_brackets_does_not_shift_the_fields() {
        let fields = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 4711 20";
        assert_eq!(parsed(&format!("7 (a) b) S {fields}")), Some(4711));
        assert_eq!(parsed(&format!("7 (fathom) Z {fields}")), None);
        assert_eq!(parsed("7 (fathom"), None);
    }
}
