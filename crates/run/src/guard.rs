//! Refuses to destroy what it was not told to: a device in use is no write target unless the job
//! says so by name (`allow_mounted_write=1`).

use crate::error::RunError;
use crate::files::{FileKind, FilePlan};
use fathom_host::{Host, InUse};
use fathom_job::JobSpec;
use std::path::Path;

/// Checks every device that `job` would write.
pub(crate) fn check_targets(
    job: &JobSpec,
    files: &[FilePlan],
    host: &Host,
) -> Result<(), RunError> {
    let rw = job.pattern.rw;
    if !(rw.write || rw.trim) || job.target.allow_mounted_write {
        return Ok(());
    }
    for file in files.iter().filter(|file| file.kind == FileKind::Block) {
        let uses = host.in_use(&file.path).map_err(|error| RunError::InUse {
            path: file.path.clone(),
            why: format!("may be in use, which could not be found out ({error})"),
            remedy: REMEDY.to_owned(),
        })?;
        let why = match uses.is_empty() {
            false => Some(describe(&uses)),
            true => partition_table(host, &file.path),
        };
        if let Some(why) = why {
            let remedy = REMEDY.to_owned();
            return Err(RunError::InUse { path: file.path.clone(), why, remedy });
        }
    }
    Ok(())
}

const REMEDY: &str =
    "if that is what you want, release the device first, or give allow_mounted_write=1";

/// A partition table that the kernel has not read, as on a loop device without `-P`. A file
/// system alone is no reason: measuring again where one was is what devices for tests are for.
fn partition_table(host: &Host, device: &Path) -> Option<String> {
    let found = host.data_on(device).ok().flatten()?;
    let table = found.contains("partition table");
    table.then(|| format!("carries {found}, and 'allow_mounted_write' isn't set"))
}

/// The first words are fio's for the mounted case, because programs look for them.
fn describe(uses: &[InUse]) -> String {
    let evidence: Vec<String> = uses.iter().map(ToString::to_string).collect();
    let mounted = |u: &InUse| matches!(u, InUse::Mounted { .. } | InUse::PartitionMounted { .. });
    let lead = if uses.iter().any(mounted) {
        "appears mounted, and 'allow_mounted_write' isn't set"
    } else {
        "is in use, and 'allow_mounted_write' isn't set"
    };
    format!("{lead} ({})", evidence.join("; "))
}
