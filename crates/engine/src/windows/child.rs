//! A child process and its resource use.

use crate::child_usage::ChildUsage;
use crate::windows::handle::succeeded;
use crate::windows::thread::time_of;
use std::io;
use std::os::windows::io::AsRawHandle;
use std::process::{Child, ExitStatus};
use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::System::ProcessStatus::{K32GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS};
use windows_sys::Win32::System::Threading::GetProcessTimes;

/// Waits for a child that nobody has waited for yet; returns its exit status and resource use,
/// without that of its own children.
///
/// # Errors
/// If the system does not report it.
pub fn wait_with_usage(mut child: Child) -> io::Result<(ExitStatus, ChildUsage)> {
    let status = child.wait()?;
    let handle = child.as_raw_handle();
    let (mut begun, mut ended) = (FILETIME::default(), FILETIME::default());
    let (mut system, mut user) = (FILETIME::default(), FILETIME::default());
    // SAFETY: the child's handle is open until it is dropped; the call fills four records.
    succeeded(unsafe {
        GetProcessTimes(handle, &raw mut begun, &raw mut ended, &raw mut system, &raw mut user)
    })?;
    let mut memory = PROCESS_MEMORY_COUNTERS::default();
    let bytes = size_of::<PROCESS_MEMORY_COUNTERS>() as u32;
    // SAFETY: the record is as long as is said.
    succeeded(unsafe { K32GetProcessMemoryInfo(handle, &raw mut memory, bytes) })?;
    let max_resident_bytes = memory.PeakWorkingSetSize as u64;
    Ok((status, ChildUsage { user: time_of(user), system: time_of(system), max_resident_bytes }))
}
