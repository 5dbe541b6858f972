//! A child process and its resource use. The kernel reports the maximum memory of one child only by
//! `wait4`, which the standard library does not call; the benchmark needs it.

use crate::child_usage::ChildUsage;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::time::Duration;

/// Waits for a child that nobody has waited for yet; returns its exit status and resource use.
///
/// # Errors
/// If the child does not exist any more.
pub fn wait_with_usage(child: Child) -> io::Result<(ExitStatus, ChildUsage)> {
    let mut status = 0;
    // SAFETY: a structure of numbers, for which zero is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    loop {
        let id = child.id() as libc::pid_t;
        // SAFETY: the kernel writes a status and a usage, which outlive the call.
        let waited = unsafe { libc::wait4(id, &raw mut status, 0, &raw mut usage) };
        if waited >= 0 {
            break;
        }
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    let time = |time: libc::timeval| {
        Duration::new(time.tv_sec.unsigned_abs(), time.tv_usec.unsigned_abs() as u32 * 1000)
    };
    let used = ChildUsage {
        user: time(usage.ru_utime),
        system: time(usage.ru_stime),
        max_resident_bytes: usage.ru_maxrss.unsigned_abs() * 1024,
    };
    Ok((ExitStatus::from_raw(status), used))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn the_end_and_the_usage_of_a_child_are_told() {
        let child = Command::new("sh").args(["-c", "exit 7"]).spawn().expect("starts");
        let (status, used) = wait_with_usage(child).expect("ends");
        assert_eq!(status.code(), Some(7));
        assert!(used.max_resident_bytes > 100_000);
    }
}
