//! From a configuration to an engine, and into the caller's loop.
//!
//! The loop is generic over the engine so that the compiler can inline one into the other; a
//! trait object would cost a call an I/O. The one place where the type is chosen is here, and a
//! [`Visitor`] is how a value whose type is known only at run time meets generic code.

use crate::Engine;
use crate::arena::Arena;
use crate::config::EngineConfig;
use crate::error::EngineError;
use crate::fileset::FileSet;
use crate::libaio::Libaio;
use crate::mmap::Mmap;
use crate::null::{NullLater, NullNow};
use crate::posixaio::Posixaio;
use crate::syncio::{Positioned, Seeking, SyncEngine, Vectored, VectoredFlags};
use crate::uring::Uring;
use fathom_vocab::IoEngine;

/// What is done with an engine once it is built.
pub trait Visitor {
    /// What comes of it.
    type Out;

    /// Uses the engine. `notes` say, a sentence each, what the kernel refused and what was done
    /// in its place.
    fn visit<E: Engine>(self, engine: E, notes: Vec<String>) -> Self::Out;
}

/// Builds the engine asked for, trying what the kernel offers, and hands it to `visitor` on the
/// same thread: a ring belongs to the thread that made it.
///
/// # Errors
/// Where the kernel refuses what the engine cannot do without.
pub fn with_engine<V: Visitor>(config: EngineConfig, visitor: V) -> Result<V::Out, EngineError> {
    let arena = buffers(&config)?;
    let files = FileSet::new(config.files)
        .map_err(|error| EngineError::new(config.engine.name(), "looking at the files", error))?;
    let options = config.options;
    let mut notes = Vec::new();
    Ok(match config.engine {
        IoEngine::Null if arena.slots() == 1 => visitor.visit(NullNow::new(arena), notes),
        IoEngine::Null => visitor.visit(NullLater::new(arena), notes),
        IoEngine::Psync => visitor.visit(SyncEngine::new(arena, files, Positioned), notes),
        IoEngine::Sync => {
            let seeking = Seeking::new(files.files().len());
            visitor.visit(SyncEngine::new(arena, files, seeking), notes)
        }
        IoEngine::Pvsync => visitor.visit(SyncEngine::new(arena, files, Vectored), notes),
        IoEngine::Pvsync2 => {
            let flags = VectoredFlags::new(options.rw_flags(true));
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
        IoEngine::Posixaio => visitor.visit(Posixaio::new(arena, files), notes),
        IoEngine::Mmap => {
            if config.direct {
                notes.push("mmap: direct has no effect on a mapping; it is the page cache".into());
            }
            visitor.visit(Mmap::new(arena, files, &config.sizes, config.writable)?, notes)
        }
    })
}

/// The buffers that a configuration asks for.
fn buffers(config: &EngineConfig) -> Result<Arena, EngineError> {
    let (name, depth) = (config.engine.name(), config.depth.max(1));
    // A synchronous engine may well use one slot of many; the others need never exist.
    let touch = config.engine != IoEngine::Null && (depth == 1 || !config.engine.is_sync());
    Arena::new(depth, config.block_max, config.mem_align, touch).map_err(|error| {
        let what = format!("buffers of {depth} x {} bytes", config.block_max);
        EngineError::new(name, what, error).advise("lower iodepth or the block size".into())
    })
}
