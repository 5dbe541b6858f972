//! Which kind of targets the jobs of an engine have.

use crate::kernel_paths::KernelPaths;
use crate::no_targets::NoTargets;
use crate::target_access::TargetAccess;
use fathom_vocab::IoEngine;

/// How jobs of `engine` reach what they name.
pub(crate) fn access_of(engine: IoEngine) -> &'static dyn TargetAccess {
    match engine {
        IoEngine::Null => &NoTargets,
        _ => &KernelPaths,
    }
}
