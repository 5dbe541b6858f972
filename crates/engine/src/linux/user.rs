//! The user of this process, and its shell.

use fathom_nfs::NfsCaller;
use std::process::Command;

/// The user that an NFS server sees if the URL names none.
pub(crate) fn nfs_caller() -> NfsCaller {
    NfsCaller { uid: rustix::process::geteuid().as_raw(), gid: rustix::process::getegid().as_raw() }
}

/// A command line, as the system's shell reads it.
pub fn shell_command(line: &str) -> Command {
    let mut shell = Command::new("/bin/sh");
    shell.arg("-c").arg(line);
    shell
}
