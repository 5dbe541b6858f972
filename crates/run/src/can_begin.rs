//! Whether jobs can begin, without touching anything: of machines that run the same jobs none may
//! write while another refuses.
//!
//! Decided here: whatever a run refuses is refused, and so is a file that may not be written. Space
//! is not looked for: a layout may still fail.

use crate::error::RunError;
use crate::files::FilePlan;
use crate::layout::{missing, refuse_missing};
use crate::pins::Pins;
use crate::plan::{ClonePlan, plan};
use crate::supervise::check_maps;
use crate::{RunOptions, target_access::FileKind};
use fathom_host::{Host, may_write};
use fathom_job::JobSpec;
use std::path::Path;

/// Whether `jobs` can begin on `host`; arguments as of [`execute`](crate::execute).
///
/// # Errors
/// Why they cannot.
pub fn can_begin(
    jobs: &[JobSpec],
    options: &RunOptions,
    host: &Host,
    pins: &Pins,
) -> Result<(), RunError> {
    let (clones, _claims) = plan(jobs, host, options.entropy, pins, options.jobs_fail_alone)?;
    check_maps(&clones)?;
    clones.iter().try_for_each(|clone| match options.readonly {
        true => refuse_missing(&clone.files),
        false => check_rights(clone),
    })
}

/// Refuses files that the layout or the job would write and may not.
fn check_rights(clone: &ClonePlan) -> Result<(), RunError> {
    let ClonePlan { job, files, .. } = clone;
    // The command may give the right.
    if job.process.exec_prerun.is_some() {
        return Ok(());
    }
    let is_reached = |file: &&FilePlan| file.access.has_paths() && file.pin.is_none();
    let writes = job.pattern.rw.write || job.pattern.rw.trim;
    let written: Vec<FilePlan> = if writes { files.clone() } else { missing(files) };
    written.iter().filter(is_reached).try_for_each(check_right)
}

fn check_right(file: &FilePlan) -> Result<(), RunError> {
    let path = &file.path;
    if file.kind == FileKind::Imaginary {
        return Ok(());
    }
    let (what, looked_at) = match path.exists() {
        true => ("opening the file", Some(path.as_path())),
        // Missing folders are made.
        false => ("creating the file", path.ancestors().skip(1).find(|folder| folder.exists())),
    };
    let looked_at = looked_at.unwrap_or(Path::new("."));
    may_write(looked_at).map_err(|error| RunError::file(path, what, &error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NetworkProbe;
    use fathom_job::job_from_options;
    use std::fs;
    use std::time::Duration;

    fn options(readonly: bool) -> RunOptions {
        RunOptions {
            global_options: Vec::new(),
            live_interval: Duration::ZERO,
            status_interval: None,
            entropy: 1,
            notes: Vec::new(),
            readonly,
            jobs_fail_alone: false,
            traces_io: false,
            network: NetworkProbe::Off,
        }
    }

    fn asked(folder: &Path, rw: &str, readonly: bool) -> Result<(), String> {
        // Windows drives have a colon, which separates paths.
        let folder = folder.display().to_string().replace(':', "\\:");
        let given = [("directory", folder.as_str()), ("rw", rw), ("size", "64k")];
        let job = job_from_options("x", &given).unwrap();
        let found = can_begin(&[job], &options(readonly), &Host::real(), &Pins::default());
        found.map_err(|why| why.to_string())
    }

    #[test]
    fn what_a_run_would_refuse_is_refused_and_nothing_is_made() {
        let top = tempfile::tempdir().unwrap();
        assert_eq!(asked(top.path(), "write", false), Ok(()));
        assert_eq!(asked(top.path(), "read", false), Ok(()));
        let why = asked(&top.path().join("gone"), "write", false).unwrap_err();
        assert!(why.contains("is not a directory"), "{why}");
        let why = asked(top.path(), "read", true).unwrap_err();
        assert!(why.contains("x.0.0") && why.contains("is not there"), "{why}");
        assert_eq!(fs::read_dir(top.path()).unwrap().count(), 0);
    }
}
