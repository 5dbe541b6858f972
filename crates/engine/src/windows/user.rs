//! Who this process runs as, and its shell.

use fathom_nfs::NfsCaller;
use std::os::windows::process::CommandExt;
use std::process::Command;

/// As whom a server of NFS is called where the URL does not say. Users of Windows have no number
/// that a server knows: they call as nobody, as the system's own client does.
pub(crate) fn nfs_caller() -> NfsCaller {
    const NOBODY: u32 = 65_534;
    NfsCaller { uid: NOBODY, gid: NOBODY }
}

/// A command line, as the system's shell reads it.
pub fn shell_command(line: &str) -> Command {
    let mut shell = Command::new("cmd");
    // Raw, because `cmd` reads its line by rules of its own; the outer quotes are taken off (`/s`).
    shell.arg("/s").arg("/c").raw_arg(format!("\"{line}\""));
    shell
}
