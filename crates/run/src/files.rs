//! The files of a clone and its bytes in them: names, sizes and offsets resolved.
//!
//! The rules are fio's, found by observing it: `size` is the I/O region of a clone, divided evenly
//! among its files and counted from `offset`; a device or a `filesize` caps the region; a regular
//! file grows to contain a `size` in bytes, and never for one in percent. A percentage is of what
//! is there. Unlike fio, an `offset` in percent of a file that is not there yet is of the file that
//! will be made, so that the first run does the same as the second.

use crate::error::RunError;
use crate::pins::{Pin, PinError, Pins};
use crate::target_access::{FileKind, LookError, TargetAccess, TargetState};
use fathom_engine::{FileSort, OpenError, OpenHow, TargetHandle, facts_at};
use fathom_host::FileId;
use fathom_job::{JobSize, JobSpec, path_below};
use fathom_vocab::{Direction, ErrorNumber, Platform, SplitMix};
use fathom_workload::FileExtent;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One file of a clone.
#[derive(Clone, Debug)]
pub(crate) struct FilePlan {
    pub path: PathBuf,
    pub kind: FileKind,
    /// Where I/O happens.
    pub extent: FileExtent,
    /// How long a regular file must be.
    pub size_bytes: u64,
    /// How long it is now; 0 if it is not there.
    pub existing_bytes: u64,
    /// Which file or device it is; none if it does not exist.
    pub id: Option<FileId>,
    /// The caller's open handle on it, if it has one.
    pub pin: Option<Arc<Pin>>,
    /// How it is reached.
    pub access: Arc<dyn TargetAccess>,
}

impl FilePlan {
    /// As messages name it.
    pub fn shown(&self) -> PathBuf {
        self.access.shown(&self.path)
    }

    /// Opens exactly the planned target: a file that the caller holds must be the same file, and
    /// only the examined device is opened. None if the engine needs no open file.
    pub fn open(&self, job: &JobSpec, how: &OpenHow) -> Result<Option<TargetHandle>, RunError> {
        if let Some(pin) = &self.pin {
            let opened = pin.open(how).map_err(|error| match error {
                PinError::Replaced(replaced) => replaced,
                PinError::Open(error) => open_failed(job, &error),
            });
            return opened.map(|file| Some(file.into()));
        }
        let opened = self.access.open(&self.path, how);
        let opened = opened.map_err(|error| open_failed(job, &error))?;
        if let Some(target) = &opened {
            self.check_kind(target)?;
        }
        Ok(opened)
    }

    /// The check for use was about the device at planning time, and not about a file.
    pub fn check_kind(&self, target: &TargetHandle) -> Result<(), RunError> {
        let found = self.access.identity(target);
        let found = found.map_err(|e| RunError::file(&self.shown(), "looking at it", &e))?;
        let device = self.id.filter(|id| id.is_device());
        if found.is_some_and(|found| found.is_device() && Some(found) != device) {
            return Err(RunError::replaced(&self.path, "another device", false));
        }
        Ok(())
    }
}

/// A target of a job that could not be opened.
fn open_failed(job: &JobSpec, error: &OpenError) -> RunError {
    RunError::engine(job, ErrorNumber::of(&error.source), error)
}

/// Where the I/O of `files` happens, in their order.
pub(crate) fn extents_of(files: &[FilePlan]) -> Vec<FileExtent> {
    files.iter().map(|file| file.extent).collect()
}

/// Resolves the files of clone number `clone` (from 0) of `job`.
pub(crate) fn plan_files(
    job: &JobSpec,
    clone: u32,
    seed: u64,
    pins: &Pins,
    access: &Arc<dyn TargetAccess>,
) -> Result<Vec<FilePlan>, RunError> {
    let paths = paths_of(job, clone, access.has_paths())?;
    let count = paths.len() as u64;
    paths
        .into_iter()
        .enumerate()
        .map(|(at, path)| {
            let found = look_at(job, path, pins, access)?;
            plan_file(job, clone, found, (at as u64, count), seed)
        })
        .collect()
}

fn paths_of(job: &JobSpec, clone: u32, of_kernel: bool) -> Result<Vec<PathBuf>, RunError> {
    let target = &job.target;
    if of_kernel {
        check_folders(job)?;
    } else if !target.opendirs.is_empty() {
        let message = "opendir= is for folders of this machine; give filename=";
        return Err(RunError::job(job, message));
    }
    if !target.filenames.is_empty() || !target.opendirs.is_empty() {
        return named_paths(job);
    }
    let folder = match target.directories.len() {
        0 => None,
        n => Some(&target.directories[clone as usize % n]),
    };
    let place = |name: PathBuf| folder.map_or_else(|| name.clone(), |dir| path_below(dir, &name));
    // A job named after a device, such as `[/dev/sdb]`, means that device.
    let named = Path::new(target.stem(&job.name));
    if of_kernel && target.nrfiles == 1 && names_a_special_file(named, folder.is_some()) {
        return Ok(vec![place(named.to_owned())]);
    }
    Ok((0..target.nrfiles).map(|file| place(generated_name(job, clone, file).into())).collect())
}

/// The files of `filename`, then those of `opendir`.
fn named_paths(job: &JobSpec) -> Result<Vec<PathBuf>, RunError> {
    let target = &job.target;
    let mut paths = target.filenames.clone();
    for folder in &target.opendirs {
        let found = files_below(&folder.path)?.into_iter();
        paths.extend(found.map(|path| match &folder.below {
            Some(below) => path_below(below, &path),
            None => path,
        }));
    }
    paths.truncate(target.most_files.map_or(usize::MAX, |most| most as usize));
    Ok(paths)
}

/// A folder that is misspelt shall not be made: its volume would be another one.
fn check_folders(job: &JobSpec) -> Result<(), RunError> {
    match job.target.directories.iter().find(|dir| !dir.is_dir()) {
        None => Ok(()),
        Some(dir) => Err(RunError::job(job, no_folder(dir, Platform::here()))),
    }
}

/// What is wrong with a name in `directory=` that is no folder. A colon separates names there, so
/// that a drive of Windows needs one with a backslash before it.
fn no_folder(dir: &Path, platform: Platform) -> String {
    let shown = dir.display().to_string();
    let is_drive = shown.len() == 1 && shown.starts_with(|c: char| c.is_ascii_alphabetic());
    match platform {
        Platform::Windows if is_drive => {
            format!(
                "{shown} is not a directory; write a drive as {shown}\\:\\, since : separates names"
            )
        }
        _ => format!("{shown} is not a directory; make it, or mount the volume"),
    }
}

/// Whether the name is an existing special file. Below a folder of the job fio accepts a folder's
/// name as well; without one that could only fail.
fn names_a_special_file(path: &Path, below_folder: bool) -> bool {
    facts_at(path).is_ok_and(|about| match about.sort {
        FileSort::Regular => false,
        FileSort::Folder => below_folder,
        _ => true,
    })
}

fn generated_name(job: &JobSpec, clone: u32, file: u32) -> String {
    let format = job.target.filename_format.as_deref().unwrap_or("$jobname.$jobnum.$filenum");
    format
        // The address of a client, in client mode; there is none.
        .replace("$clientuid", "")
        .replace("$jobname", job.target.stem(&job.name))
        .replace("$jobnum", &clone.to_string())
        .replace("$filenum", &file.to_string())
}

fn files_below(folder: &Path) -> Result<Vec<PathBuf>, RunError> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(dir) = folders.pop() {
        let entries =
            fs::read_dir(&dir).map_err(|e| RunError::file(&dir, "reading the folder", &e))?;
        for entry in entries {
            let entry = entry.map_err(|e| RunError::file(&dir, "reading the folder", &e))?;
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(kind) if kind.is_file() => found.push(entry.path()),
                _ => {}
            }
        }
    }
    found.sort();
    Ok(found)
}

/// The existing file, and its access.
struct Found {
    path: PathBuf,
    facts: TargetState,
    pin: Option<Arc<Pin>>,
    access: Arc<dyn TargetAccess>,
}

fn look_at(
    job: &JobSpec,
    path: PathBuf,
    pins: &Pins,
    access: &Arc<dyn TargetAccess>,
) -> Result<Found, RunError> {
    let access = access.clone();
    let pin = pins.of(&path).filter(|_| access.has_paths());
    let facts = access.look(&path, pin.as_deref()).map_err(|error| match error {
        LookError::Unfit(message) => RunError::job(job, message),
        LookError::Failed(error) => error,
    })?;
    Ok(Found { path, facts, pin, access })
}

fn plan_file(
    job: &JobSpec,
    clone: u32,
    found: Found,
    (at, count): (u64, u64),
    seed: u64,
) -> Result<FilePlan, RunError> {
    let Found { path, facts, pin, access } = found;
    let TargetState { kind, size_bytes: existing, id } = facts;
    let wanted = wanted_bytes(job, existing, count, at, seed);
    let cap = cap_of(job, kind, existing, &wanted);
    let start = start_of(job, clone, if existing > 0 { existing } else { wanted.file });
    let len = match cap {
        Some(cap) => wanted.region.min(cap.saturating_sub(start)),
        None => wanted.region,
    };
    if len == 0 {
        let shown = access.shown(&path);
        return Err(RunError::job(job, no_room(&shown, start, cap, existing)));
    }
    let size_bytes = match (job.target.filesize, job.target.size) {
        // All of the file is made, unless a part of it was asked for.
        (Some(_), None | Some(JobSize::Bytes(_))) => wanted.file,
        _ => start + len,
    };
    Ok(FilePlan {
        path,
        kind,
        extent: FileExtent { start, len, file_len: size_bytes.max(existing) },
        size_bytes,
        existing_bytes: existing,
        id,
        pin,
        access,
    })
}

/// Where I/O ends at the latest; none if the file grows as needed.
fn cap_of(job: &JobSpec, kind: FileKind, existing: u64, wanted: &Wanted) -> Option<u64> {
    match (kind, job.target.filesize, job.target.size) {
        (FileKind::Block, ..) => Some(existing),
        (_, Some(_), _) => Some(wanted.file),
        (_, None, Some(JobSize::Bytes(_))) => None,
        // A part of what is there, or all of it, ends with it.
        (_, None, Some(JobSize::Percent(_)) | None) => Some(existing),
    }
}

fn no_room(path: &Path, start: u64, cap: Option<u64>, existing: u64) -> String {
    if existing == 0 && cap.unwrap_or(0) == 0 {
        return format!(
            "you need to specify size=: {} has no size of its own to go by",
            path.display()
        );
    }
    format!(
        "offset {start} lies at or beyond the end of {} ({} bytes); give a smaller offset= or \
         offset_increment=",
        path.display(),
        cap.unwrap_or(existing)
    )
}

/// How long one file shall be, and how much of it a clone works on.
struct Wanted {
    file: u64,
    region: u64,
}

fn wanted_bytes(job: &JobSpec, existing: u64, count: u64, at: u64, seed: u64) -> Wanted {
    let block = smallest_block(job);
    let file = job.target.filesize.map(|(low, high)| pick_size(low, high, block, at, seed));
    let region = match job.target.size {
        Some(JobSize::Bytes(bytes)) => Some(bytes / count),
        Some(JobSize::Percent(p)) => Some(percent(file.unwrap_or(existing), p)),
        None => None,
    };
    let is_share = matches!(job.target.size, Some(JobSize::Percent(_)));
    match (file, region) {
        (Some(file), Some(region)) if is_share => Wanted { file, region },
        // fio limits the sum over the files (`io_limit`), and not the place in any of them.
        (Some(file), _) => Wanted { file, region: file },
        (None, region) => {
            let region = region.unwrap_or(existing);
            Wanted { file: region, region }
        }
    }
}

/// The smallest block of the job in any direction, also those that it doesn't use, as in fio.
fn smallest_block(job: &JobSpec) -> u64 {
    Direction::ALL.iter().map(|dir| job.pattern.bs[*dir].min()).min().unwrap_or(1).max(1)
}

/// A size between two bounds that depends only on seed and file number: whole blocks, which may be
/// a little less than the lower bound, as in fio.
fn pick_size(low: u64, high: u64, block: u64, at: u64, seed: u64) -> u64 {
    if low >= high {
        return low;
    }
    let drawn = low + SplitMix::nth(seed, at) % (high - low + 1);
    // A file without a whole block is refused later, with what to do.
    if drawn < block { drawn } else { drawn - drawn % block }
}

fn percent(of: u64, percent: u8) -> u64 {
    (u128::from(of) * u128::from(percent) / 100) as u64
}

/// Where a clone begins. Only what is given in percent is aligned, and upwards: bytes are meant as
/// they are.
fn start_of(job: &JobSpec, clone: u32, base: u64) -> u64 {
    let bytes = |size: JobSize| match size {
        JobSize::Bytes(bytes) => bytes,
        JobSize::Percent(p) => percent(base, p),
    };
    let target = &job.target;
    let start = bytes(target.offset)
        .saturating_add(bytes(target.offset_increment).saturating_mul(u64::from(clone)));
    let relative = |size: JobSize| matches!(size, JobSize::Percent(1..));
    if !relative(target.offset) && !relative(target.offset_increment) {
        return start;
    }
    let align = if target.offset_align > 0 { target.offset_align } else { smallest_block(job) };
    start.checked_next_multiple_of(align).unwrap_or(start)
}

/// If `filesize` and `size` are both given over several files, the job transfers `size` bytes in
/// all: returns the limit to set as `io_size`, if one is needed.
pub(crate) fn io_limit(job: &JobSpec, files: &[FilePlan]) -> Option<u64> {
    let Some(JobSize::Bytes(size)) = job.target.size else { return None };
    let sum: u64 = files.iter().map(|file| file.extent.len).sum();
    (job.target.filesize.is_some() && job.extent.io_size.is_none() && size < sum).then_some(size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_job::job_from_options;

    #[test]
    fn a_drive_without_a_backslash_before_its_colon_is_told_how_to_be_written() {
        let said = |name: &str, platform| no_folder(Path::new(name), platform);
        assert!(said("Z", Platform::Windows).contains("write a drive as Z\\:\\, since"));
        for (name, platform) in [("Z", Platform::Unix), ("ZZ", Platform::Windows)] {
            assert!(said(name, platform).ends_with("make it, or mount the volume"));
        }
    }

    fn job(line: &str) -> JobSpec {
        let options = line.split_whitespace().map(|word| word.split_once('=').unwrap());
        job_from_options("j", &options.collect::<Vec<_>>()).unwrap()
    }

    /// Seen in the logs of offsets of fio 3.33.
    #[test]
    fn an_offset_in_percent_is_aligned_upwards_and_one_in_bytes_is_left_alone() {
        let start = |line: &str, clone: u32, base: u64| start_of(&job(line), clone, base);
        assert_eq!(start("bs=4k offset=10%", 0, 65_536), 8192);
        assert_eq!(start("bs=4k offset=25%", 0, 65_536), 16_384);
        assert_eq!(start("bs=4k offset=10% offset_align=16k", 0, 65_536), 16_384);
        assert_eq!(start("bs=4k offset=10% offset_align=512", 0, 65_536), 6656);
        assert_eq!(start("bs=16k,16k,1k offset=10%", 0, 65_536), 7168, "also of unused directions");
        assert_eq!(start("bs=4k offset=5000 offset_align=4k", 0, 65_536), 5000);
        let clones = |line: &str, base: u64| [0, 1, 2].map(|clone| start(line, clone, base));
        assert_eq!(clones("offset_increment=25%", 1_000_000), [0, 253_952, 503_808]);
        assert_eq!(clones("offset=5000 offset_increment=25%", 65_536), [8192, 24_576, 40_960]);
        assert_eq!(clones("offset=10% offset_increment=5000", 65_536), [8192, 12_288, 20_480]);
        assert_eq!(clones("offset=5000 offset_increment=0%", 65_536), [5000; 3]);
        let bytes = clones("offset_increment=10000 offset_align=16k", 102_400);
        assert_eq!(bytes, [0, 10_000, 20_000]);
    }

    #[test]
    fn drawn_sizes_are_whole_blocks() {
        let sizes: Vec<u64> = (0..50).map(|at| pick_size(16_384, 65_536, 4096, at, 7)).collect();
        assert!(sizes.iter().all(|size| size.is_multiple_of(4096)), "{sizes:?}");
        assert!(sizes.iter().all(|size| (16_384..=65_536).contains(size)), "{sizes:?}");
        assert!(sizes.iter().any(|size| *size != sizes[0]), "{sizes:?}");
        assert_eq!(pick_size(10_000, 11_000, 4096, 0, 7), 8192, "a little less than asked for");
        assert_eq!(pick_size(17_000, 17_000, 4096, 0, 7), 17_000, "nothing is drawn");
    }
}
