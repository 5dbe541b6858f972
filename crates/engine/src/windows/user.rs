//! The user of this process, and its shell.

use fathom_nfs::NfsCaller;
use std::os::windows::process::CommandExt;
use std::process::Command;

/// The user that an NFS server sees if the URL names none. Windows users have no number that a
/// server knows: they call as nobody, like the system's own client.
pub(crate) fn nfs_caller() -> NfsCaller {
    const NOBODY: u32 = 65_534;
    NfsCaller { uid: NOBODY, gid: NOBODY }
}

/// A command line, as the system's shell reads it.
pub fn shell_command(line: &str) -> Command {
    let mut shell = Command::new("cmd");
    // Raw, because `cmd` parses its line by its own rules; the outer quotes are removed (`/s`).
    shell.arg("/s").arg("/c").raw_arg(format!("\"{line}\""));
    shell
}
