//! The engines of Windows: one arm each, and those that are not here.

use crate::arena::Arena;
use crate::config::EngineConfig;
use crate::error::EngineError;
use crate::null::NullLater;
use crate::visitor::Visitor;
use crate::windows::fileset::FileSet;
use crate::windows::mmap::Mmap;
use crate::windows::only_linux::only_linux;
use crate::windows::syncio::{Positioned, Seeking, SyncEngine};
use fathom_vocab::IoEngine;

/// Builds an engine that works on files and devices of the system, and hands it to `visitor`.
///
/// # Errors
/// Where the system refuses what the engine cannot do without, or has no such engine.
pub(crate) fn with_system_engine<V: Visitor>(
    config: EngineConfig,
    arena: Arena,
    visitor: V,
) -> Result<V::Out, EngineError> {
    let files = FileSet::new(config.files)
        .map_err(|error| EngineError::new(config.engine.name(), "looking at the files", error))?;
    let mut notes = Vec::new();
    Ok(match config.engine {
        // Nfs is built before: it is of no system.
        IoEngine::Null | IoEngine::Nfs => visitor.visit(NullLater::new(arena), notes),
        IoEngine::Psync => visitor.visit(SyncEngine::new(arena, files, Positioned), notes),
        IoEngine::Sync => {
            let seeking = Seeking::new(files.files().len());
            visitor.visit(SyncEngine::new(arena, files, seeking), notes)
        }
        IoEngine::Mmap => {
            if config.direct {
                notes.push("mmap: direct has no effect on a mapping; it is the cache".into());
            }
            visitor.visit(Mmap::new(arena, files, &config.sizes, config.writable)?, notes)
        }
        IoEngine::Pvsync
        | IoEngine::Pvsync2
        | IoEngine::Libaio
        | IoEngine::IoUring
        | IoEngine::Posixaio => {
            let name = config.engine.name();
            let source = only_linux("this engine", "use ioengine=windowsaio, or psync");
            return Err(EngineError::new(name, "choosing the engine", source));
        }
    })
}
