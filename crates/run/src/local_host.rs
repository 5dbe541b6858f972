//! The machine that this process runs on, with loop devices asked by their own call.
//!
//! `host` has no `unsafe` and so no ioctl; the engine has both. Who guards data meets here: every
//! run looks at loop devices through [`asking_loops`], whatever host it was given.

use fathom_host::{FileId, Host};
use std::fs::File;
use std::io;

/// This machine.
pub fn local_host() -> Host {
    asking_loops(&Host::real())
}

/// The same host, which asks loop devices what stands behind them.
pub(crate) fn asking_loops(host: &Host) -> Host {
    host.clone().with_loops(behind_loop)
}

fn behind_loop(device: &File) -> io::Result<FileId> {
    let behind = fathom_engine::loop_backing(device)?;
    Ok(match behind.block_device {
        Some((major, minor)) => FileId::Device { major, minor },
        None => FileId::File { device: behind.device, inode: behind.inode },
    })
}
