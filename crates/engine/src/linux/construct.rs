//! The engines of Linux: one arm each.

use super::rw_flags::rw_flags;
use crate::arena::Arena;
use crate::config::EngineConfig;
use crate::error::EngineError;
use crate::linux::fileset::FileSet;
use crate::linux::libaio::Libaio;
use crate::linux::mmap::Mmap;
use crate::linux::posixaio::Posixaio;
use crate::linux::syncio::{Positioned, Seeking, SyncEngine, Vectored, VectoredFlags};
use crate::linux::uring::Uring;
use crate::null::NullLater;
use crate::visitor::Visitor;
use fathom_vocab::IoEngine;
use std::io;

/// Whether an engine takes files after it was built. There is nothing to open for the null engine,
/// and a file of an export needs no descriptor.
pub fn opens_later(engine: IoEngine) -> bool {
    !matches!(engine, IoEngine::Null | IoEngine::Nfs)
}

/// Builds an engine that works on files and devices of the kernel, and hands it to `visitor`.
///
/// # Errors
/// If the kernel refuses a feature that the engine needs.
pub(crate) fn with_system_engine<V: Visitor>(
    config: EngineConfig,
    arena: Arena,
    visitor: V,
) -> Result<V::Out, EngineError> {
    let files = FileSet::new(config.files, config.files_later)
        .map_err(|error| EngineError::new(config.engine.name(), "looking at the files", error))?;
    let options = config.options;
    let mut notes = Vec::new();
    Ok(match config.engine {
        // Nfs is built before: it is of no system.
        IoEngine::Null | IoEngine::Nfs => visitor.visit(NullLater::new(arena), notes),
        IoEngine::Psync => visitor.visit(SyncEngine::new(arena, files, Positioned), notes),
        IoEngine::Sync => {
            let seeking = Seeking::new(files.files().len());
            visitor.visit(SyncEngine::new(arena, files, seeking), notes)
        }
        IoEngine::Pvsync => visitor.visit(SyncEngine::new(arena, files, Vectored), notes),
        IoEngine::Pvsync2 => {
            let flags = VectoredFlags::new(rw_flags(&options, true));
            visitor.visit(SyncEngine::new(arena, files, flags), notes)
        }
        IoEngine::Libaio => {
            let engine = Libaio::new(arena, files, &options, &mut notes)?;
            visitor.visit(engine, notes)
        }
        IoEngine::IoUring => {
            let engine = Uring::new(arena, files, &options, &mut notes)?;
            visitor.visit(engine, notes)
        }
        IoEngine::Windowsaio => return Err(only_windows()),
        IoEngine::Posixaio => visitor.visit(Posixaio::new(arena, files), notes),
        IoEngine::Mmap => {
            if config.direct {
                notes.push("mmap: direct has no effect on a mapping; it is the page cache".into());
            }
            visitor.visit(Mmap::new(arena, files, config.sizes, config.writable)?, notes)
        }
    })
}

/// The error for the engine that Linux does not have.
fn only_windows() -> EngineError {
    let text = "it is on Windows only; use ioengine=io_uring or libaio";
    let source = io::Error::new(io::ErrorKind::Unsupported, text);
    EngineError::new("windowsaio", "choosing the engine", source)
}
