//! The engines of Windows: one arm each, and the unsupported ones.

use crate::arena::Arena;
use crate::config::EngineConfig;
use crate::error::EngineError;
use crate::null::NullLater;
use crate::visitor::Visitor;
use crate::windows::aio::windowsaio;
use crate::windows::fileset::FileSet;
use crate::windows::mmap::Mmap;
use crate::windows::only_linux::only_linux;
use crate::windows::syncio::{Positioned, Seeking, SyncEngine};
use fathom_vocab::IoEngine;

/// Whether an engine takes files after it was built: none does on Windows, where nothing limits the
/// number of open files.
pub fn opens_later(_engine: IoEngine) -> bool {
    false
}

/// Builds an engine that works on files and devices of the system, and hands it to `visitor`.
///
/// # Errors
/// If the system refuses a feature that the engine needs, or has no such engine.
pub(crate) fn with_system_engine<V: Visitor>(
    config: EngineConfig,
    arena: Arena,
    visitor: V,
) -> Result<V::Out, EngineError> {
    if config.engine == IoEngine::Windowsaio {
        return Ok(visitor.visit(windowsaio(arena, config)?, Vec::new()));
    }
    let files = FileSet::new(config.files)
        .map_err(|error| EngineError::new(config.engine.name(), "looking at the files", error))?;
    let alignments = files.alignments(config.direct);
    let mut notes = Vec::new();
    Ok(match config.engine {
        // These are built before.
        IoEngine::Null | IoEngine::Nfs | IoEngine::Windowsaio => {
            visitor.visit(NullLater::new(arena), notes)
        }
        IoEngine::Psync => {
            visitor.visit(SyncEngine::new(arena, files, alignments, Positioned), notes)
        }
        IoEngine::Sync => {
            let seeking = Seeking::new(files.files().len());
            visitor.visit(SyncEngine::new(arena, files, alignments, seeking), notes)
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
            return Err(not_here(config.engine));
        }
    })
}

/// The error for an engine of Linux.
fn not_here(engine: IoEngine) -> EngineError {
    let source = only_linux("this engine", "use ioengine=windowsaio, or psync");
    EngineError::new(engine.name(), "choosing the engine", source)
}
