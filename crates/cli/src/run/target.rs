//! Where the jobs of a run do their I/O, and what is known of that place.

use fathom_analysis::DirectIo;
use fathom_campaign::Volume;
use fathom_campaign::verdicts::{Context, direct_io};
use fathom_host::Host;
use fathom_job::{JobSpec, Size};
use fathom_vocab::IoEngine;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

/// The files of a run, and the volume that they are on.
pub struct RunTarget {
    /// Files, devices and folders that jobs name, each once.
    pub paths: Vec<PathBuf>,
    /// The volume, where all are on the same one.
    pub volume: Option<Volume>,
}

impl RunTarget {
    /// Where `jobs` go.
    pub fn of(jobs: &[JobSpec], host: &Host) -> RunTarget {
        let mut paths: Vec<PathBuf> = Vec::new();
        for path in jobs.iter().flat_map(paths_of) {
            if !paths.contains(&path) {
                paths.push(path);
            }
        }
        let volumes: Result<Vec<Volume>, String> =
            paths.iter().map(|path| Volume::examine(host, path)).collect();
        let mut volumes = volumes.unwrap_or_default().into_iter();
        let first = volumes.next();
        let volume = first.filter(|first| volumes.all(|other| other.same_place_as(first)));
        RunTarget { paths, volume }
    }

    /// What is known of jobs that ran here side by side.
    pub fn context(&self, jobs: &[JobSpec]) -> Context {
        let context = match &self.volume {
            Some(volume) => Context::of_volume(volume),
            None => Context::default(),
        };
        let reads_only = jobs.iter().all(|job| !job.pattern.rw.write && !job.pattern.rw.trim);
        Context {
            direct: direct(jobs),
            working_set_bytes: working_set(jobs),
            unwritten_share: if reads_only { unwritten_share(jobs) } else { None },
            ..context
        }
        .with_jobs(jobs)
    }
}

/// The paths that a job names; its folder where it names no file.
fn paths_of(job: &JobSpec) -> Vec<PathBuf> {
    if job.engine.engine == IoEngine::Null {
        return Vec::new();
    }
    let target = &job.target;
    let here = vec![PathBuf::from(".")];
    if !target.filenames.is_empty() {
        return target.filenames.clone();
    }
    if target.directories.is_empty() { here } else { target.directories.clone() }
}

/// Files that are there once a job has run: those named, or the first by fio's usual name.
fn files_of(job: &JobSpec) -> Vec<PathBuf> {
    let usual = format!("{}.0.0", job.target.stem(&job.name));
    let file = |path: PathBuf| if path.is_dir() { path.join(&usual) } else { path };
    paths_of(job).into_iter().map(file).collect()
}

/// What became of direct I/O; not known where jobs differ.
fn direct(jobs: &[JobSpec]) -> DirectIo {
    let mut each = jobs.iter().flat_map(|job| {
        files_of(job).into_iter().map(|path| direct_io(&path, None, job.engine.direct))
    });
    let first = each.next().unwrap_or_default();
    if each.all(|other| other == first) { first } else { DirectIo::Unknown }
}

/// Bytes that jobs go over; not known where a size is a share of something or left out.
fn working_set(jobs: &[JobSpec]) -> Option<u64> {
    let bytes = |job: &JobSpec| match job.target.size {
        Some(Size::Bytes(bytes)) if job.target.filenames.is_empty() => {
            Some(bytes.saturating_mul(u64::from(job.process.numjobs)))
        }
        Some(Size::Bytes(bytes)) => Some(bytes),
        _ => None,
    };
    jobs.iter().map(bytes).sum()
}

/// The share of the files that was never written.
fn unwritten_share(jobs: &[JobSpec]) -> Option<f64> {
    let (mut length, mut allocated) = (0, 0);
    for path in jobs.iter().flat_map(files_of) {
        let about = fs::metadata(&path).ok().filter(fs::Metadata::is_file)?;
        length += about.len();
        // st_blocks counts 512 bytes each, whatever the file system's block is (stat(2)).
        let blocks = (about.blocks() * 512).min(about.len());
        // Blocks that were never written read as holes do.
        let written = fs::File::open(&path).and_then(|file| fathom_run::written_bytes(&file));
        allocated += written.map_or(blocks, |written| written.min(blocks));
    }
    let share = 1.0 - allocated as f64 / length.max(1) as f64;
    (length > 0 && share > 0.0).then_some(share)
}
