//! The access to a volume: the engine, and whether it bypassed the page cache.

use fathom_vocab::IoEngine;
use serde::{Deserialize, Serialize};

/// How I/Os reach a volume.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Method {
    /// The engine.
    pub engine: IoEngine,
    /// Whether files are opened with `O_DIRECT`.
    pub direct: bool,
    /// Why it is not the first choice: what was refused, in the system's words.
    pub why_not_direct: Option<String>,
    /// Why another engine is used than the first choice.
    pub why_not_first_engine: Option<String>,
}

impl Method {
    /// The actual I/Os in flight at a requested `depth`.
    pub fn effective_depth(&self, depth: u32) -> u32 {
        if self.engine.is_sync() { 1 } else { depth }
    }

    /// Whether I/Os bypass the host's page cache; none for an engine that has no such cache.
    pub fn bypasses_cache(&self) -> Option<bool> {
        self.engine.opens_files().then_some(self.direct)
    }
}

/// How an engine that cases ask for reaches the target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResolvedAccess {
    /// The engine asked for; none is the first that works.
    pub asked: Option<IoEngine>,
    /// What was found to work.
    pub method: Option<Method>,
    /// Why nothing does.
    pub failure: Option<String>,
}
