//! From a configuration to an engine, and into the caller's loop.
//!
//! The loop is generic over the engine so that the compiler can inline one into the other; a trait
//! object would cost a call for each I/O. The type is chosen here and, for engines of one system,
//! in that system's folder; a [`Visitor`] passes a value whose type is known only at run time to
//! generic code.

use crate::arena::Arena;
use crate::config::EngineConfig;
use crate::error::EngineError;
use crate::nfs::Nfs;
use crate::null::{NullLater, NullNow};
use crate::system::construct::with_system_engine;
use crate::visitor::Visitor;
use fathom_vocab::IoEngine;

/// Builds the requested engine with the system's best features, and passes it to `visitor` on the
/// same thread: a ring belongs to the thread that made it.
///
/// # Errors
/// If the system refuses a feature that the engine needs.
pub fn with_engine<V: Visitor>(config: EngineConfig, visitor: V) -> Result<V::Out, EngineError> {
    let arena = buffers(&config)?;
    match config.engine {
        IoEngine::Null if arena.slots() == 1 => Ok(visitor.visit(NullNow::new(arena), Vec::new())),
        IoEngine::Null => Ok(visitor.visit(NullLater::new(arena), Vec::new())),
        IoEngine::Nfs => Ok(visitor.visit(Nfs::new(arena, config.files)?, Vec::new())),
        _ => with_system_engine(config, arena, visitor),
    }
}

/// The buffers of a configuration.
fn buffers(config: &EngineConfig) -> Result<Arena, EngineError> {
    let (name, depth) = (config.engine.name(), config.depth.max(1));
    // A synchronous engine may well use one slot of many; the others need never exist.
    let touch = config.engine != IoEngine::Null && (depth == 1 || !config.engine.is_sync());
    Arena::new(depth, config.block_max, config.mem_align, touch).map_err(|error| {
        let what = format!("buffers of {depth} x {} bytes", config.block_max);
        EngineError::new(name, what, error).advise("lower iodepth or the block size".into())
    })
}
