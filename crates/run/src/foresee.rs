//! A forecast of a run without running it: the files that it would create or extend, its duration,
//! and its writes, as far as they follow from its jobs.
//!
//! It uses the same plan as a run, so that it refuses everything that a run would refuse before it
//! begins. Files are only examined.

use crate::error::RunError;
use crate::files::FilePlan;
use crate::layout::{missing, needs_data, refuse_missing};
use crate::pins::Pins;
use crate::plan::{ClonePlan, plan};
use crate::target_access::FileKind;
use fathom_host::Host;
use fathom_job::{JobSize, JobSpec};
use fathom_vocab::{Direction, IoEngine};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

/// A job as it would run.
#[derive(Clone, Debug, PartialEq)]
pub struct Foreseen {
    /// Its files, each once, whichever of its clones work on it.
    pub files: Vec<ForeseenFile>,
    /// Its start, in microseconds after the first job; none if an earlier job may take any time.
    pub begin_us: Option<Span>,
    /// Its duration, with ramp and delay; none if only the device's speed decides.
    pub time: Option<Span>,
    /// Its writes beside its layout.
    pub written: Written,
}

/// A file of a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForeseenFile {
    /// The path.
    pub path: PathBuf,
    /// Bytes that a job works on.
    pub bytes: u64,
    /// Bytes by which it would be created or extended before I/O begins.
    pub missing_bytes: u64,
    /// Whether those are written as data; else only their blocks are reserved.
    pub filled: bool,
}

/// A time in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Microseconds.
    pub us: u64,
    /// Whether it may end earlier.
    pub at_most: bool,
}

/// The writes of a job, over all its clones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// Nothing.
    Nothing,
    /// At most this number of bytes.
    AtMost(u64),
    /// As much as the device takes in this number of microseconds.
    AsFastAsItGoes {
        /// Microseconds; none if nothing ends the job.
        us: Option<u64>,
    },
}

/// The forecast of `jobs` on `host`, one for each job, in order; `readonly` as in
/// [`RunOptions`](crate::RunOptions).
///
/// # Errors
/// If a run would be refused before it begins.
pub fn foresee(
    jobs: &[JobSpec],
    host: &Host,
    entropy: u64,
    readonly: bool,
) -> Result<Vec<Foreseen>, RunError> {
    let (clones, _claims) = plan(jobs, host, entropy, &Pins::default(), false)?;
    if readonly {
        clones.iter().try_for_each(|clone| refuse_missing(&clone.files))?;
    }
    let mut all: Vec<Foreseen> = Vec::with_capacity(jobs.len());
    for (at, job) in jobs.iter().enumerate() {
        let own: Vec<&ClonePlan> = clones.iter().filter(|clone| clone.job_index == at).collect();
        let pass_bytes = own.iter().map(|clone| pass_bytes(clone)).fold(0, u64::saturating_add);
        let time = time_of(job);
        all.push(Foreseen {
            files: files_of(job, &own),
            begin_us: begin_of(&jobs[..=at], &all),
            time,
            written: written(job, pass_bytes, time),
        });
    }
    Ok(all)
}

/// Bytes that a clone moves in one pass.
fn pass_bytes(clone: &ClonePlan) -> u64 {
    let files: u64 = clone.files.iter().map(|file| file.extent.len).sum();
    match clone.job.extent.io_size {
        Some(JobSize::Bytes(bytes)) => bytes,
        Some(JobSize::Percent(percent)) => {
            (u128::from(files) * u128::from(percent) / 100).try_into().unwrap_or(u64::MAX)
        }
        None => files,
    }
}

fn files_of(job: &JobSpec, clones: &[&ClonePlan]) -> Vec<ForeseenFile> {
    let mut files: Vec<ForeseenFile> = Vec::new();
    let mut places = HashMap::new();
    for plan in clones.iter().flat_map(|clone| &clone.files) {
        if plan.kind == FileKind::Imaginary {
            continue;
        }
        let one = file_of(job, plan);
        let place = *places.entry(one.path.clone()).or_insert(files.len());
        match files.get_mut(place) {
            // Clones may work on parts of the same file; the largest size counts.
            Some(file) => {
                file.missing_bytes = file.missing_bytes.max(one.missing_bytes);
                file.bytes = file.bytes.max(one.bytes);
            }
            None => files.push(one),
        }
    }
    files
}

fn file_of(job: &JobSpec, plan: &FilePlan) -> ForeseenFile {
    let laid_out = !job.target.create_on_open;
    let short = laid_out && !missing(std::slice::from_ref(plan)).is_empty();
    ForeseenFile {
        path: plan.shown(),
        bytes: plan.extent.len,
        missing_bytes: if short { plan.size_bytes - plan.existing_bytes } else { 0 },
        filled: needs_data(job),
    }
}

fn time_of(job: &JobSpec) -> Option<Span> {
    let extent = &job.extent;
    if job.target.create_only {
        return Some(Span { us: 0, at_most: false });
    }
    let ends_early = !extent.time_based
        || extent.number_ios.is_some()
        || extent.steadystate.is_some()
        || extent.startdelay_us.0 != extent.startdelay_us.1;
    (extent.runtime_us > 0).then(|| Span {
        us: extent
            .startdelay_us
            .1
            .saturating_add(extent.ramp_time_us)
            .saturating_add(extent.runtime_us),
        at_most: ends_early,
    })
}

/// When the last of `jobs` begins; `before` are the others.
fn begin_of(jobs: &[JobSpec], before: &[Foreseen]) -> Option<Span> {
    let start = Span { us: 0, at_most: false };
    let Some((job, _)) = jobs.split_last() else { return Some(start) };
    let named = |other: &JobSpec| job.process.wait_for.as_ref() == Some(&other.name);
    // A job behind a wall keeps later jobs behind that wall as well.
    let wall = jobs.iter().rposition(|job| job.process.stonewall).unwrap_or(0);
    let awaited = |(at, other): (usize, &JobSpec)| at < wall || named(other);
    let awaited = jobs[..before.len()].iter().enumerate().map(awaited);
    let mut ends = awaited.zip(before).filter(|(awaited, _)| *awaited).map(|(_, of)| of.end());
    ends.try_fold(start, |latest, end| Some(latest.later(end?)))
}

impl Span {
    /// The later of both, as moments.
    fn later(self, other: Span) -> Span {
        let at_most = self.at_most || other.at_most;
        Span { us: self.us.max(other.us), at_most }
    }
}

impl Foreseen {
    /// Its end, in microseconds after the first job began; none if that is unknown.
    pub fn end(&self) -> Option<Span> {
        let (begin, time) = (self.begin_us?, self.time?);
        let us = begin.us.saturating_add(time.us);
        Some(Span { us, at_most: begin.at_most || time.at_most })
    }

    /// Bytes that would be written as data before I/O begins.
    pub fn filled_bytes(&self) -> u64 {
        self.files.iter().filter(|file| file.filled).map(|file| file.missing_bytes).sum()
    }
}

/// Bytes that all jobs together would write as data before I/O begins.
pub fn filled_bytes_of_all(all: &[Foreseen]) -> u64 {
    let files = all.iter().flat_map(|of| &of.files);
    missing_bytes_by_file(files.filter(|file| file.filled)).values().sum()
}

/// Bytes that are missing of each file. One that several jobs share is laid out once, as long as
/// any of them needs it.
pub fn missing_bytes_by_file<'f>(
    files: impl Iterator<Item = &'f ForeseenFile>,
) -> BTreeMap<&'f Path, u64> {
    let mut missing: BTreeMap<&Path, u64> = BTreeMap::new();
    for file in files.filter(|file| file.missing_bytes > 0) {
        let bytes = missing.entry(&file.path).or_default();
        *bytes = file.missing_bytes.max(*bytes);
    }
    missing
}

fn written(job: &JobSpec, pass_bytes: u64, time: Option<Span>) -> Written {
    let (rw, extent) = (job.pattern.rw, &job.extent);
    let discards = job.engine.engine == IoEngine::Null;
    if !rw.write || job.target.create_only || discards {
        return Written::Nothing;
    }
    let clones = u64::from(job.process.numjobs);
    let largest = job.pattern.bs[Direction::Write].max();
    let share = |bytes: u64| match rw.read {
        true => (u128::from(bytes) * u128::from(100 - job.pattern.rwmixread.min(100)) / 100) as u64,
        false => bytes,
    };
    let in_passes =
        (!extent.time_based).then(|| share(pass_bytes.saturating_mul(extent.loops.max(1))));
    let in_ios = extent.number_ios.map(|ios| ios.saturating_mul(largest).saturating_mul(clones));
    let (bytes_per_s, iops) = (job.pace.rate_bytes.write, job.pace.rate_iops.write);
    let at_rate = |rate: u64| {
        let us = time?.us;
        let bytes = u128::from(rate) * u128::from(clones) * u128::from(us) / 1_000_000;
        (rate > 0).then(|| u64::try_from(bytes).unwrap_or(u64::MAX))
    };
    let rated = at_rate(bytes_per_s).into_iter().chain(at_rate(iops.saturating_mul(largest)));
    match in_passes.into_iter().chain(in_ios).chain(rated).min() {
        Some(bytes) => Written::AtMost(bytes),
        None => Written::AsFastAsItGoes { us: time.map(|time| time.us) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_job::job_from_options;
    use std::fs;
    use std::path::Path;

    fn job(folder: &Path, name: &str, line: &str) -> JobSpec {
        // Windows drives have a colon, which separates paths.
        let directory = folder.display().to_string().replace(':', "\\:");
        let mut options: Vec<(&str, &str)> = vec![("directory", &directory)];
        options.extend(line.split_whitespace().map(|word| word.split_once('=').unwrap()));
        job_from_options(name, &options).unwrap()
    }

    fn one(folder: &Path, line: &str) -> Foreseen {
        foresee(&[job(folder, "x", line)], &Host::real(), 1, false).unwrap().remove(0)
    }

    fn span(us: u64, at_most: bool) -> Option<Span> {
        Some(Span { us, at_most })
    }

    #[test]
    fn what_is_missing_is_foreseen_and_not_made() {
        let top = tempfile::tempdir().unwrap();
        fs::write(top.path().join("x.0.0"), vec![7; 4096]).unwrap();
        let of = one(top.path(), "rw=read bs=4k size=64k numjobs=2");
        let missing: Vec<u64> = of.files.iter().map(|file| file.missing_bytes).collect();
        assert_eq!((missing, of.filled_bytes()), (vec![61_440, 65_536], 126_976));
        assert_eq!((of.time, of.written), (None, Written::Nothing));
        // A write-only file gets blocks and no data.
        let of = one(top.path(), "rw=write bs=4k size=64k loops=3");
        assert_eq!((of.filled_bytes(), of.written), (0, Written::AtMost(3 * 65_536)));
        assert_eq!(fs::read_dir(top.path()).unwrap().count(), 1);
        assert_eq!(fs::metadata(top.path().join("x.0.0")).unwrap().len(), 4096);
    }

    #[test]
    fn a_size_in_percent_ends_with_the_file() {
        let top = tempfile::tempdir().unwrap();
        fs::write(top.path().join("x.0.0"), vec![7; 65_536]).unwrap();
        for (line, bytes) in [
            ("rw=read size=100% offset=32k", 32_768),
            ("rw=write size=75% offset=50%", 32_768),
            ("rw=read size=50% filesize=96k", 49_152),
        ] {
            let of = one(top.path(), line);
            assert_eq!((of.files[0].bytes, of.files[0].missing_bytes), (bytes, 0), "{line}");
            let readonly = foresee(&[job(top.path(), "x", line)], &Host::real(), 1, true);
            assert!(readonly.is_ok(), "{line}");
        }
    }

    #[test]
    fn times_and_bytes_are_known_as_far_as_the_job_says() {
        let top = tempfile::tempdir().unwrap();
        let of = |line: &str| one(top.path(), &format!("bs=4k size=1m {line}"));
        let timed = of("rw=randwrite runtime=10 time_based=1 ramp_time=2");
        assert_eq!(timed.time, span(12_000_000, false));
        assert_eq!(timed.written, Written::AsFastAsItGoes { us: Some(12_000_000) });
        let rated = of("rw=randwrite runtime=10 time_based=1 rate_iops=100 numjobs=2");
        assert_eq!(rated.written, Written::AtMost(10 * 100 * 4096 * 2));
        let short = of("rw=randrw rwmixread=75 runtime=10");
        assert_eq!((short.time, short.written), (span(10_000_000, true), Written::AtMost(262_144)));
        let few = of("rw=write number_ios=3");
        assert_eq!((few.time, few.written), (None, Written::AtMost(3 * 4096)));
    }

    #[test]
    fn jobs_behind_a_wall_begin_when_those_before_it_are_over() {
        let top = tempfile::tempdir().unwrap();
        let job = |name: &str, line: &str| {
            job(top.path(), name, &format!("rw=read bs=4k size=64k time_based=1 {line}"))
        };
        let jobs = [
            job("a", "runtime=10"),
            job("b", "runtime=20"),
            job("c", "runtime=5 stonewall=1"),
            job("d", "runtime=1"),
            job("e", "runtime=1 wait_for=c"),
        ];
        let ends: Vec<u64> = foresee(&jobs, &Host::real(), 1, false)
            .unwrap()
            .iter()
            .map(|of| of.end().unwrap().us / 1_000_000)
            .collect();
        assert_eq!(ends, [10, 20, 25, 21, 26]);
        let open = [self::job(top.path(), "a", "rw=read bs=4k size=64k"), jobs[2].clone()];
        assert_eq!(foresee(&open, &Host::real(), 1, false).unwrap()[1].begin_us, None);
    }

    #[test]
    fn what_a_run_refuses_is_refused() {
        let top = tempfile::tempdir().unwrap();
        let gone = job(&top.path().join("gone"), "x", "rw=read size=64k");
        let refused = foresee(&[gone], &Host::real(), 1, false).unwrap_err();
        assert!(refused.to_string().contains("is not a directory"));
    }
}
