//! A job in construction: the typed job, and settings that several options determine together.

use crate::error::ValueProblem;
use crate::quantity::Units;
use crate::spec::*;
use fathom_vocab::Direction;
use std::path::PathBuf;

/// The job so far.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    /// The fields that one option decides.
    pub job: JobSpec,
    /// `latency_target` and related options; used if a target is given.
    pub latency: LatencyTarget,
    /// `steadystate` and related options; used if a duration is given, as in fio.
    pub steady: SteadyStateRule,
    /// A folder was given after file names, to which it does not apply.
    late_folder: bool,
}

impl Draft {
    /// A job with fio's defaults.
    pub fn new(name: &str) -> Draft {
        Draft {
            job: JobSpec { name: name.to_string(), ..JobSpec::default() },
            latency: LatencyTarget { target_us: 0, window_us: 0, percentile: 100.0, run: false },
            steady: SteadyStateRule {
                metric: SteadyMetric::Iops,
                slope: true,
                limit: 0.01,
                percent: true,
                duration_us: 0,
                ramp_us: 0,
                interval_ms: 1000,
            },
            late_folder: false,
        }
    }

    /// Adds files by name, below the folder that is in force.
    pub fn add_files(&mut self, names: Vec<PathBuf>) {
        let target = &mut self.job.target;
        // A number of files limits only earlier names.
        let more = u32::try_from(names.len()).unwrap_or(u32::MAX);
        target.most_files = target.most_files.map(|most| most.saturating_add(more));
        let below = target.directories.first();
        let place = |name: PathBuf| match below {
            Some(folder) => path_below(folder, &name),
            None => name,
        };
        let placed: Vec<PathBuf> = names.into_iter().map(place).collect();
        target.filenames.extend(placed);
    }

    /// Adds the files of a folder, below the folder that is in force.
    pub fn add_folder(&mut self, path: PathBuf) {
        let target = &mut self.job.target;
        target.opendirs.push(OpenDir { path, below: target.directories.first().cloned() });
    }

    /// Puts files that are named after this below folders.
    pub fn put_below(&mut self, folders: Vec<PathBuf>) {
        let target = &mut self.job.target;
        self.late_folder |= !target.filenames.is_empty() || !target.opendirs.is_empty();
        target.directories = folders;
    }

    /// Sets the number of files, which limits the named ones.
    pub fn count_files(&mut self, files: u32) {
        let target = &mut self.job.target;
        target.nrfiles = files;
        if !target.filenames.is_empty() || !target.opendirs.is_empty() {
            target.most_files = Some(files);
        }
    }

    /// How unit letters are read from here on.
    pub fn units(&self) -> Units {
        Units { kb_base: self.job.measure.kb_base }
    }

    /// The finished job and warnings, or a conflict between its options, with the name of the
    /// responsible one.
    pub fn finish(mut self) -> Result<(JobSpec, Vec<String>), (ValueProblem, &'static str)> {
        if self.latency.target_us > 0 {
            self.job.pace.latency_target = Some(self.latency.clone());
        }
        if self.steady.duration_us > 0 {
            self.job.extent.steadystate = Some(self.steady.clone());
        }
        check_rates(&self.job.pace).map_err(|problem| (problem, "rate"))?;
        check_size(&self.job).map_err(|problem| (problem, "size"))?;
        check_depths(&self.job.engine).map_err(|problem| (problem, "iodepth"))?;
        check_steady(&self.steady).map_err(|problem| (problem, "steadystate_duration"))?;
        let mut warnings = self.settle_time_based();
        if self.late_folder {
            warnings.push(format!(
                "fio: directory= of job {} does not hold the files named before it; give it first",
                self.job.name
            ));
        }
        Ok((self.job, warnings))
    }

    /// fio warns and continues, and so does Fathom.
    fn settle_time_based(&mut self) -> Vec<String> {
        let extent = &mut self.job.extent;
        if !extent.time_based || extent.runtime_us > 0 {
            return Vec::new();
        }
        extent.time_based = false;
        vec![format!(
            "fio: time_based requires a runtime/timeout setting: job {} ends at its size",
            self.job.name
        )]
    }
}

fn check_rates(pace: &Pace) -> Result<(), ValueProblem> {
    for dir in Direction::ALL {
        if pace.rate_bytes[dir] > 0 && pace.rate_iops[dir] > 0 {
            return Err(ValueProblem::whole("fio: rate and rate_iops are mutually exclusive")
                .hinted("Leave out one of the two."));
        }
        let pairs = [
            (pace.rate_min_bytes[dir], pace.rate_bytes[dir]),
            (pace.rate_iops_min[dir], pace.rate_iops[dir]),
        ];
        if pairs.iter().any(|(min, rate)| *rate > 0 && min > rate) {
            return Err(ValueProblem::whole(format!(
                "fio: minimum rate exceeds rate, {}s",
                dir.name()
            ))
            .hinted("Lower the minimum or raise the rate."));
        }
    }
    Ok(())
}

fn check_size(job: &JobSpec) -> Result<(), ValueProblem> {
    let smallest = directions(job.pattern.rw).map(|dir| job.pattern.bs[dir].min()).min();
    match (job.target.size, smallest) {
        (Some(JobSize::Bytes(0)), _) => Err(ValueProblem::whole(format!(
            "{}: you need to specify size= greater than 0",
            job.name
        ))
        .hinted(
            "Give size=1g or the like; leave size out to use all of an existing file or device.",
        )),
        (Some(JobSize::Percent(0)), _) => {
            Err(ValueProblem::whole("size=0% is nothing")
                .hinted("Give a percentage from 1 to 100."))
        }
        (Some(JobSize::Bytes(size)), Some(bs)) if size < bs => Err(ValueProblem::whole(format!(
            "fio: size too small, must not be less than minimum block size: {size} < {bs}"
        ))
        .hinted("Raise size, or lower bs; a size without unit is in bytes.")),
        _ => Ok(()),
    }
}

/// The directions that a job has.
fn directions(rw: ReadWrite) -> impl Iterator<Item = Direction> {
    let has =
        [(rw.read, Direction::Read), (rw.write, Direction::Write), (rw.trim, Direction::Trim)];
    has.into_iter().filter(|(has, _)| *has).map(|(_, dir)| dir)
}

/// The rules of fio 3.42: a window is made of whole intervals of a second or more.
fn check_steady(steady: &SteadyStateRule) -> Result<(), ValueProblem> {
    if steady.duration_us == 0 {
        return Ok(());
    }
    if steady.interval_ms < 1000 {
        return Err(ValueProblem::whole("fio: steadystate_check_interval is less than a second")
            .hinted("Set ss_interval to 1s or more."));
    }
    if !steady.duration_us.is_multiple_of(steady.interval_ms * 1000) {
        return Err(ValueProblem::whole(
            "fio: steadystate_duration is no multiple of steadystate_check_interval",
        )
        .hinted("Set ss_dur to a multiple of ss_interval, which is 1s unless it is given."));
    }
    Ok(())
}

fn check_depths(engine: &EngineSpec) -> Result<(), ValueProblem> {
    let min = engine.batch_complete_min;
    if let Some(max) = engine.batch_complete_max.filter(|max| *max > 0 && *max < min) {
        return Err(ValueProblem::whole(format!(
            "iodepth_batch_complete_min ({min}) is greater than iodepth_batch_complete_max ({max})"
        ))
        .hinted("Lower the minimum."));
    }
    Ok(())
}
