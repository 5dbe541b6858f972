//! Prepares files for a job before I/O begins.
//!
//! A file that is long enough is unchanged. A file that a job will read is filled with data to its
//! end, because reading a hole measures memory; a write-only file gets blocks according to
//! `fallocate`, unless `overwrite` requests data. Only missing bytes are written: existing ones are
//! never touched. A file that several jobs or clones share is laid out once, as in fio.

use crate::control::Control;
use crate::error::{FileChange, RunError};
use crate::files::FilePlan;
use crate::target_access::FileKind;
use fathom_engine::{Allocate, OpenHow, TargetHandle};
use fathom_job::{Buffers, Fallocate, JobSpec};
use fathom_vocab::IoEngine;
use fathom_workload::BufferFiller;
use std::collections::HashMap;
use std::io;
use std::path::PathBuf;

/// Bytes written at a time.
const CHUNK_BYTES: usize = 1 << 20;

/// Files that must be made or extended, of all `files`.
pub(crate) fn missing(files: &[FilePlan]) -> Vec<FilePlan> {
    files.iter().filter(|file| is_short(file)).cloned().collect()
}

fn is_short(file: &FilePlan) -> bool {
    file.kind == FileKind::Regular && file.existing_bytes < file.size_bytes
}

/// What a run has laid out so far, by the name of the file.
#[derive(Debug, Default)]
pub(crate) struct LaidOutFiles(HashMap<PathBuf, LaidOutBytes>);

/// How far a file was laid out.
#[derive(Clone, Copy, Debug, Default)]
struct LaidOutBytes {
    /// With data, from its beginning.
    filled: u64,
    /// With data or with blocks alone.
    reserved: u64,
}

impl LaidOutFiles {
    /// Files of a job that must still be made or extended. Blocks alone are not enough for a job
    /// that needs data.
    pub fn missing(&self, job: &JobSpec, files: &[FilePlan]) -> Vec<FilePlan> {
        let now = |file: FilePlan| {
            let laid_out = self.0.get(&file.shown()).copied().unwrap_or_default();
            let made = if needs_data(job) { laid_out.filled } else { laid_out.reserved };
            FilePlan { existing_bytes: file.existing_bytes.max(made), ..file }
        };
        missing(files).into_iter().map(now).filter(is_short).collect()
    }

    /// Adds files that were laid out for a job.
    pub fn add(&mut self, job: &JobSpec, files: &[FilePlan]) {
        for file in files {
            let laid_out = self.0.entry(file.shown()).or_default();
            laid_out.reserved = laid_out.reserved.max(file.size_bytes);
            if needs_data(job) {
                laid_out.filled = laid_out.filled.max(file.size_bytes);
            }
        }
    }
}

/// Whether a job's files are filled before it begins.
pub(crate) fn needs_data(job: &JobSpec) -> bool {
    job.pattern.rw.read || job.target.overwrite
}

/// Refuses a job whose files do not all exist, if nothing may be written.
pub(crate) fn refuse_missing(files: &[FilePlan]) -> Result<(), RunError> {
    let Some(plan) = missing(files).into_iter().next() else { return Ok(()) };
    let (path, there) = (plan.shown(), plan.access.exists(&plan.path));
    Err(match there {
        true => RunError::ReadOnly {
            path,
            change: FileChange::Extend,
            why: format!("has {} bytes of {}", plan.existing_bytes, plan.size_bytes),
            remedy: "give a smaller size=".to_owned(),
        },
        false => RunError::ReadOnly {
            path,
            change: FileChange::Create,
            why: "is not there".to_owned(),
            remedy: "name a file that is there".to_owned(),
        },
    })
}

/// Lays out the missing parts of a job's files.
pub(crate) fn lay_out(
    job: &JobSpec,
    files: &[FilePlan],
    control: &Control,
    progress: &mut dyn FnMut(u64),
) -> Result<(), RunError> {
    let missing = missing(files);
    if !job.target.allow_file_create {
        // A job whose second file is not there must not extend the first.
        for plan in missing.iter().filter(|plan| plan.pin.is_none()) {
            open(job, plan)?;
        }
    }
    for plan in &missing {
        lay_out_file(job, plan, control, progress)?;
    }
    Ok(())
}

fn lay_out_file(
    job: &JobSpec,
    plan: &FilePlan,
    control: &Control,
    progress: &mut dyn FnMut(u64),
) -> Result<(), RunError> {
    // A file that the caller holds exists, and its caller removes it.
    let may_create = job.target.allow_file_create && plan.pin.is_none();
    let new = may_create && !plan.access.exists(&plan.path);
    let file = match (&plan.pin, may_create) {
        (Some(_), _) => plan.open(job, &OpenHow { write: true, ..OpenHow::default() })?,
        (None, true) => Some(create(plan)?),
        (None, false) => Some(open(job, plan)?),
    };
    let Some(file) = file else { return Ok(()) };
    plan.check_kind(&file)?;
    let plan = &as_it_is(plan, &file)?;
    let fill = needs_data(job);
    let done = reserve(job, plan, &file, fill)
        .map_err(|e| RunError::file(&plan.shown(), "reserving space", &e))
        .and_then(|()| if fill { write_tail(job, plan, &file, control, progress) } else { Ok(()) });
    if done.is_err() && new {
        // A half-made file would be taken for a whole one by the next run.
        let _ = plan.access.remove(&plan.path);
    }
    done
}

/// The plan of a file in its present state: removed parts must be written again, or would remain
/// holes.
fn as_it_is(plan: &FilePlan, file: &TargetHandle) -> Result<FilePlan, RunError> {
    let found = file.size_bytes();
    let found = found.map_err(|e| RunError::file(&plan.shown(), "reading the length", &e))?;
    Ok(FilePlan { existing_bytes: plan.existing_bytes.min(found), ..plan.clone() })
}

fn create(plan: &FilePlan) -> Result<TargetHandle, RunError> {
    plan.access.make_folder_of(&plan.path)?;
    let made = plan.access.open_for_layout(&plan.path, true);
    made.map_err(|e| RunError::file(&plan.shown(), "creating the file", &e))
}

/// Opens a file that must exist. It is opened without permission to create it, rather than checked
/// before: a file that is removed in between would be created again without an owner.
fn open(job: &JobSpec, plan: &FilePlan) -> Result<TargetHandle, RunError> {
    let (path, was_there) = (&plan.shown(), plan.existing_bytes > 0);
    plan.access.open_for_layout(&plan.path, false).map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => RunError::job(
            job,
            match was_there {
                true => format!(
                    "{} is gone since the run began, and making it again is disallowed by \
                     allow_file_create=0; leave the file alone while it is measured",
                    path.display()
                ),
                false => {
                    format!("file creation disallowed by allow_file_create=0: {}", path.display())
                }
            },
        ),
        _ => RunError::file(path, "opening the file", &error),
    })
}

/// Reserves blocks for the file, according to `fallocate`. If `native` is not supported, nothing is
/// lost.
fn reserve(job: &JobSpec, plan: &FilePlan, file: &TargetHandle, fill: bool) -> io::Result<()> {
    // A file system that reserves nothing would take data until it is full.
    i64::try_from(plan.size_bytes).map_err(|_| io::ErrorKind::FileTooLarge)?;
    if job.engine.engine == IoEngine::Mmap && !fill {
        // Writing to a mapping makes no file longer.
        file.set_len(plan.size_bytes)?;
    }
    let how = match job.target.fallocate {
        Fallocate::None => return Ok(()),
        Fallocate::Native => Allocate::Native,
        Fallocate::Posix => Allocate::Posix,
        Fallocate::Keep => Allocate::KeepSize,
        Fallocate::Truncate => Allocate::Truncate,
    };
    match file.allocate(how, plan.size_bytes) {
        Err(error) if how == Allocate::Native && !can_never_be(&error) => {
            if fill {
                Ok(())
            } else {
                file.set_len(plan.size_bytes)
            }
        }
        other => other,
    }
}

/// Whether no data of that length has room, however it is written.
fn can_never_be(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::FileTooLarge)
}

fn write_tail(
    job: &JobSpec,
    plan: &FilePlan,
    file: &TargetHandle,
    control: &Control,
    progress: &mut dyn FnMut(u64),
) -> Result<(), RunError> {
    let wrap = |what| move |e: io::Error| RunError::file(&plan.shown(), what, &e);
    // Fresh content for every chunk: repeated content would be deduplicated or compressed away.
    let style = Buffers { refill: !job.buffers.zero, ..job.buffers.clone() };
    let mut filler = BufferFiller::new(&style, CHUNK_BYTES, plan.size_bytes ^ 0x1a70);
    let mut chunk = vec![0; CHUNK_BYTES];
    filler.init(&mut chunk);
    let mut at = plan.existing_bytes;
    while at < plan.size_bytes {
        if control.stopping() {
            return Err(RunError::Interrupted { during: "laying out files".to_owned() });
        }
        let len = (plan.size_bytes - at).min(CHUNK_BYTES as u64) as usize;
        filler.prepare(&mut chunk[..len], at, at);
        file.write_all_at(&chunk[..len], at).map_err(wrap("laying out the file"))?;
        at += len as u64;
        progress(len as u64);
    }
    if job.target.create_fsync {
        file.sync_all().map_err(wrap("flushing the file"))?;
    }
    Ok(())
}

/// Reads a file through once, so that it is in the page cache.
pub(crate) fn pre_read(job: &JobSpec, plan: &FilePlan) -> Result<(), RunError> {
    let wrap = |e: io::Error| RunError::file(&plan.shown(), "reading the file beforehand", &e);
    let how = OpenHow { read: true, ..OpenHow::default() };
    let Some(file) = plan.open(job, &how)? else { return Ok(()) };
    let mut chunk = vec![0; CHUNK_BYTES];
    let (mut at, end) = (plan.extent.start, plan.extent.start + plan.extent.len);
    while at < end {
        let len = (end - at).min(CHUNK_BYTES as u64) as usize;
        match file.read_at(&mut chunk[..len], at).map_err(wrap)? {
            0 => break,
            n => at += n as u64,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_workload::FileExtent;

    #[test]
    fn a_size_that_can_never_be_is_refused_before_anything_is_written() {
        // Windows reserves nothing, so that such a file is written until the disk is full.
        if std::env::consts::OS == "windows" {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let job = fathom_job::job_from_options("big", &[("rw", "read"), ("size", "1m")])
            .expect("a sound job");
        for (at, size_bytes) in [i64::MAX as u64, 1 << 63].into_iter().enumerate() {
            let path = folder.path().join(at.to_string());
            let plan = FilePlan {
                path: path.clone(),
                kind: FileKind::Regular,
                extent: FileExtent::whole(size_bytes),
                size_bytes,
                existing_bytes: 0,
                id: None,
                pin: None,
                access: crate::access_choice::access_of(&job).expect("paths"),
            };
            let mut written = 0;
            let count = &mut |bytes| written += bytes;
            let error = super::lay_out(&job, &[plan], &Control::default(), count).unwrap_err();
            assert!(error.to_string().contains("reserving space"), "{error}");
            assert_eq!((written, path.exists()), (0, false));
        }
    }

    #[test]
    fn a_file_that_went_away_since_is_not_made_where_none_may_be() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("gone");
        let mut job = fathom_job::job_from_options("gone", &[("rw", "write"), ("size", "1m")])
            .expect("a sound job");
        // It had a block when the run was planned.
        let plan = FilePlan {
            path: path.clone(),
            kind: FileKind::Regular,
            extent: FileExtent::whole(1 << 20),
            size_bytes: 1 << 20,
            existing_bytes: 4096,
            id: None,
            pin: None,
            access: crate::access_choice::access_of(&job).expect("paths"),
        };
        job.target.allow_file_create = false;
        let lay_out = |job: &JobSpec| {
            let missing = std::slice::from_ref(&plan);
            super::lay_out(job, missing, &Control::default(), &mut |_| ())
        };
        let error = lay_out(&job).unwrap_err();
        assert!(error.to_string().contains("disallowed by allow_file_create=0"), "{error}");
        assert!(error.to_string().contains("is gone since the run began"), "{error}");
        assert!(!path.exists());
        // No other file of the job is extended either.
        let other = folder.path().join("other");
        std::fs::write(&other, [1; 4096]).unwrap();
        let both = [FilePlan { path: other.clone(), ..plan.clone() }, plan.clone()];
        super::lay_out(&job, &both, &Control::default(), &mut |_| ()).unwrap_err();
        assert_eq!(std::fs::metadata(&other).unwrap().len(), 4096);
        // If it may be created, it is laid out whole: its first block does not count as written.
        job.target.allow_file_create = true;
        job.target.overwrite = true;
        lay_out(&job).unwrap();
        let content = std::fs::read(&path).unwrap();
        assert_eq!(content.len(), 1 << 20);
        assert!(content.chunks(4096).all(|block| block.iter().any(|byte| *byte != 0)));
    }
}
