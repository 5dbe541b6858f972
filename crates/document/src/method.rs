//! How a volume was reached: by which engine, and whether past the page cache.

use fathom_vocab::IoEngine;
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How I/Os reach a volume.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
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
    /// I/Os that are really in flight where `depth` are asked for.
    pub fn effective_depth(&self, depth: u32) -> u32 {
        if self.engine.is_sync() { 1 } else { depth }
    }
}

/// How an engine that cases ask for reaches the target.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
pub struct ResolvedAccess {
    /// The engine asked for; none is the first that works.
    pub asked: Option<IoEngine>,
    /// What was found to work.
    pub method: Option<Method>,
    /// Why nothing does.
    pub failure: Option<String>,
}
