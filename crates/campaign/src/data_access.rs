//! The jobs' access to their data, as far as files and devices show: whether they bypass the page
//! cache, and how much of the data read was never written.

use fathom_analysis::DirectIo;
use fathom_job::JobSpec;
use fathom_run::{AlignmentSource, Pins};
use fathom_vocab::IoEngine;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// The jobs' access to their data, as far as files and devices show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DataAccess {
    /// The effect of direct I/O; unknown if the files differ.
    pub direct: DirectIo,
    /// Share of the files that was never written, 0 to 1; none if it is zero or unknown.
    pub unwritten_share: Option<f64>,
}

/// The access of `jobs` to their data; files held by `pins` are examined through their handles.
pub(crate) fn data_access(jobs: &[JobSpec], pins: &Pins) -> DataAccess {
    let reads_only = jobs.iter().all(|job| !job.pattern.rw.write && !job.pattern.rw.trim);
    DataAccess {
        direct: direct(jobs, pins),
        unwritten_share: if reads_only { unwritten_share(jobs) } else { None },
    }
}

/// The paths that a job names; its folder if it names no file.
pub(crate) fn paths_of(job: &JobSpec) -> Vec<PathBuf> {
    // Neither works on paths of this machine.
    if matches!(job.engine.engine, IoEngine::Null | IoEngine::Nfs) {
        return Vec::new();
    }
    let target = &job.target;
    let here = vec![PathBuf::from(".")];
    if !target.filenames.is_empty() {
        return target.filenames.clone();
    }
    if target.directories.is_empty() { here } else { target.directories.clone() }
}

/// Files that exist after a job has run: the named ones, or the first with fio's default name.
fn files_of(job: &JobSpec) -> Vec<PathBuf> {
    let usual = format!("{}.0.0", job.target.stem(&job.name));
    let file = |path: PathBuf| if path.is_dir() { path.join(&usual) } else { path };
    paths_of(job).into_iter().map(file).collect()
}

/// The effect of direct I/O; unknown if jobs differ.
fn direct(jobs: &[JobSpec], pins: &Pins) -> DirectIo {
    // An export has no page cache of this machine above it.
    if !jobs.is_empty() && jobs.iter().all(|job| job.engine.engine == IoEngine::Nfs) {
        return DirectIo::Verified;
    }
    let mut each = jobs.iter().flat_map(|job| {
        let asked = job.engine.direct;
        files_of(job).into_iter().map(move |path| direct_io(&path, pins, asked))
    });
    let first = each.next().unwrap_or_default();
    if each.all(|other| other == first) { first } else { DirectIo::Unknown }
}

/// The effect of direct I/O on the file at `path`; `asked` says whether it was requested.
fn direct_io(path: &Path, pins: &Pins, asked: bool) -> DirectIo {
    if !asked {
        return DirectIo::Buffered;
    }
    // Without O_DIRECT: only its kind is looked at.
    let alignment = match pins.test_file_at(path) {
        Some(file) => Ok(fathom_run::direct_alignment(file)),
        None => File::open(path).map(|file| fathom_run::direct_alignment(&file)),
    };
    match alignment {
        Ok(about) if about.supported && about.source != AlignmentSource::Assumed => {
            DirectIo::Verified
        }
        _ => DirectIo::Asked,
    }
}

/// The share of the files that was never written; none if it is zero or unknown.
fn unwritten_share(jobs: &[JobSpec]) -> Option<f64> {
    let (mut length, mut allocated) = (0, 0);
    for path in jobs.iter().flat_map(files_of) {
        let about = fs::metadata(&path).ok().filter(fs::Metadata::is_file)?;
        length += about.len();
        let blocks = fathom_host::allocated_bytes(&about).min(about.len());
        // Blocks that were never written read as holes do.
        let written = File::open(&path).and_then(|file| fathom_run::written_bytes(&file));
        allocated += written.map_or(blocks, |written| written.min(blocks));
    }
    let share = 1.0 - allocated as f64 / length.max(1) as f64;
    (length > 0 && share > 0.0).then_some(share)
}
