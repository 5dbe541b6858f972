//! Opens the files of a clone: all of them before the start, or each when its first I/O is due.
//!
//! The second is for jobs that work on few of their files at a time (`openfiles`, or one file after
//! another). As in fio, opening then takes part of the run's time, and never needs more descriptors
//! than files at work. All other jobs have their files open before the start, so that no opening is
//! measured.

use crate::error::RunError;
use crate::files::FilePlan;
use crate::layout;
use crate::plan::ClonePlan;
use crate::target_access::FileKind;
use fathom_engine::{Access, AlignmentError, OpenHow, TargetHandle, opens_later};
use fathom_job::JobSpec;
use fathom_vocab::{Direction, ErrorNumber, IoEngine, PerDirection};
use fathom_workload::paced_for;

/// Whether the files of a clone are opened when their first I/O is due.
pub(crate) fn is_on_use(plan: &ClonePlan) -> bool {
    let (job, count) = (&plan.job, plan.files.len());
    let rw = job.pattern.rw;
    // Of a mix with rates an I/O of each direction is chosen in advance.
    let chosen_ahead = rw.read && rw.write && paced_for(job, plan.seed).is_some();
    let engine = &job.engine;
    let opens_later = opens_later(engine.engine) && !engine.private.registerfiles;
    let few_at_once = job.target.files_at_once(count) < count;
    // All of them are read back.
    few_at_once && opens_later && !chosen_ahead && !job.reads_back()
}

/// Reads the files into the page cache, if the job says so.
pub(crate) fn read_beforehand(plan: &ClonePlan) -> Result<(), RunError> {
    match plan.job.target.pre_read {
        true => plan.files.iter().try_for_each(|file| layout::pre_read(&plan.job, file)),
        false => Ok(()),
    }
}

/// Opens all files of a clone; none where its engine needs none.
pub(crate) fn open_files(plan: &ClonePlan) -> Result<Vec<TargetHandle>, RunError> {
    let opened = plan.files.iter().map(|file| open_file(&plan.job, file));
    opened.filter_map(Result::transpose).collect()
}

/// Opens a file as its job needs it.
pub(crate) fn open_file(job: &JobSpec, plan: &FilePlan) -> Result<Option<TargetHandle>, RunError> {
    let rw = job.pattern.rw;
    let write = rw.write || rw.trim;
    let on_open = job.target.create_on_open;
    let may_create = plan.kind == FileKind::Regular && job.target.allow_file_create;
    if on_open && may_create {
        plan.access.make_folder_of(&plan.path)?;
    }
    let how = OpenHow {
        read: rw.read || job.reads_back() || job.engine.engine == IoEngine::Mmap,
        write,
        create: may_create && (write || on_open),
        direct: job.engine.direct,
        sync: job.engine.sync,
        overlapped: !job.engine.engine.is_sync(),
        ..OpenHow::default()
    };
    let Some(file) = plan.open(job, &how)? else { return Ok(None) };
    if job.engine.direct {
        check_alignment(job, plan, &file)?;
    }
    // A file that is read beforehand on request is meant to be in the cache.
    if job.target.invalidate && !job.target.pre_read {
        // Not being allowed to drop the cache of a device makes no job fail in fio either.
        let _ = file.drop_cache(plan.extent.start, plan.extent.len);
    }
    if job.target.fadvise && plan.kind != FileKind::Special {
        let access = if rw.random { Access::Random } else { Access::Sequential };
        // Only advice: a file system that takes none works all the same.
        let _ = file.advise_access(access);
    }
    Ok(Some(file))
}

/// Refuses what the kernel would refuse with a bare EINVAL, with advice.
fn check_alignment(job: &JobSpec, plan: &FilePlan, file: &TargetHandle) -> Result<(), RunError> {
    let alignment = file.direct_alignment();
    let check = || {
        let rw = job.pattern.rw;
        let used = PerDirection { read: rw.read, write: rw.write, trim: false };
        for dir in Direction::ALL.into_iter().filter(|dir| used[*dir]) {
            for size in job.pattern.bs[dir].sizes() {
                alignment.check("bs", size)?;
            }
        }
        alignment.check("offset", plan.extent.start)?;
        alignment.check_memory(job.engine.iomem_align)
    };
    check().map_err(|why: AlignmentError| {
        RunError::engine(job, ErrorNumber::EINVAL, format!("{}: {why}", plan.shown().display()))
    })
}
