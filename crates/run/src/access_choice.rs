//! The kind of a job's targets.

use crate::error::RunError;
use crate::export_access::ExportAccess;
use crate::kernel_paths::KernelPaths;
use crate::no_targets::NoTargets;
use crate::target_access::TargetAccess;
use fathom_job::JobSpec;
use fathom_vocab::IoEngine;
use std::sync::Arc;

/// The access of `job` to its targets.
///
/// # Errors
/// If it does not state where its targets are.
pub(crate) fn access_of(job: &JobSpec) -> Result<Arc<dyn TargetAccess>, RunError> {
    Ok(match job.engine.engine {
        IoEngine::Null => Arc::new(NoTargets),
        IoEngine::Nfs => match &job.engine.nfs_url {
            Some(url) => Arc::new(ExportAccess::new(url.clone())),
            None => {
                let message = "ioengine=nfs needs nfs_url=nfs://SERVER/EXPORT";
                return Err(RunError::job(job, message));
            }
        },
        _ => Arc::new(KernelPaths),
    })
}
