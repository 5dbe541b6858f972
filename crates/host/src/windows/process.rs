//! Processes, by the calls of kernel32.

use crate::{Host, ProcessSpace};
use winsafe::{HPROCESS, co};

/// GetExitCodeProcess's result for a running process.
const STILL_ACTIVE: u32 = 259;

pub(crate) fn own_space() -> ProcessSpace {
    ProcessSpace { boot_id: Host::real().machine_id(), pid_namespace: String::new() }
}

pub(crate) fn start_of(pid: u32) -> Option<u64> {
    let process = HPROCESS::OpenProcess(co::PROCESS::QUERY_LIMITED_INFORMATION, false, pid).ok()?;
    // An ended process exists as long as a handle of it is open.
    let is_over = process.GetExitCodeProcess().ok()? != STILL_ACTIVE;
    let (started, ..) = process.GetProcessTimes().ok()?;
    let ticks = u64::from(started.dwHighDateTime) << 32 | u64::from(started.dwLowDateTime);
    (!is_over).then_some(ticks)
}
