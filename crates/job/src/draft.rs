//! A job in construction: the typed job, and settings that several options determine together.

use crate::error::ValueProblem;
use crate::quantity::Units;
use crate::settings::{Notice, NoticeKind};
use crate::spec::*;
use fathom_text::{Text, text};
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
    /// `verify` was given.
    pub has_verify: bool,
    /// Options that were given and that verification does not have yet.
    pub missing_verify: Vec<&'static str>,
    /// A folder was given after file names, to which it does not apply.
    late_folder: bool,
    /// Remarks so far.
    notices: Vec<Notice>,
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
            has_verify: false,
            missing_verify: Vec::new(),
            late_folder: false,
            notices: Vec::new(),
        }
    }

    /// Remarks on the job.
    pub fn notice(&mut self, kind: NoticeKind, text: String) {
        self.notices.push(Notice { kind, text });
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

    /// Checks options against one another; a conflict has the name of the responsible one.
    pub fn check(&mut self) -> Result<(), (ValueProblem, &'static str)> {
        check_rates(&self.job.pace).map_err(|problem| (problem, "rate"))?;
        check_size(&self.job).map_err(|problem| (problem, "size"))?;
        let engine = &mut self.job.engine;
        let min = engine.batch_complete_min;
        engine.batch_complete_max = engine.batch_complete_max.map(|max| max.max(min));
        self.settle_verify()?;
        check_steady(&self.steady).map_err(|problem| (problem, "steadystate_duration"))?;
        self.settle_time_based();
        self.settle_random_map();
        if self.job.pattern.bs_unaligned && self.job.engine.direct {
            let text = "fio: bs_unaligned may not work with raw io".to_owned();
            self.notice(NoticeKind::Warning, text);
        }
        let EngineSpec { engine, iodepth, .. } = &self.job.engine;
        if *iodepth > 1 && engine.is_sync() {
            let text = format!(
                "{}: iodepth={iodepth} has no effect with ioengine={}, which makes one I/O at a \
                 time; use io_uring or libaio",
                self.job.name,
                engine.name()
            );
            self.notice(NoticeKind::Own, text);
        }
        if self.late_folder {
            let text = format!(
                "fio: directory= of job {} does not hold the files named before it; give it first",
                self.job.name
            );
            self.notice(NoticeKind::Own, text);
        }
        Ok(())
    }

    /// A pattern alone means a header and the pattern, as in fio; options that only serve
    /// verification count with it.
    fn settle_verify(&mut self) -> Result<(), (ValueProblem, &'static str)> {
        let verify = &mut self.job.verify;
        if !self.has_verify && !verify.pattern.bytes.is_empty() {
            verify.method = Some(VerifyMethod::PatternHeader);
        }
        if verify.method.is_none() {
            return Ok(());
        }
        if let Some(name) = self.missing_verify.first() {
            let message = text!("fio: option {name} is not supported yet with verify=");
            let advice = "Leave it out: what was written is checked without it.";
            return Err((ValueProblem::whole(message).hinted(advice), name));
        }
        check_verify(&self.job).map_err(|problem| (problem, "verify"))
    }

    /// The finished job and remarks on it.
    pub fn finish(mut self) -> (JobSpec, Vec<Notice>) {
        if self.latency.target_us > 0 {
            self.job.pace.latency_target = Some(self.latency);
        }
        if self.steady.duration_us > 0 {
            self.job.extent.steadystate = Some(self.steady);
        }
        let name = &self.job.name;
        let logs = &mut self.job.measure.logs;
        for prefix in [&mut logs.bw, &mut logs.iops, &mut logs.lat, &mut logs.hist] {
            // Without a value, logs are named after the job.
            prefix.iter_mut().filter(|prefix| prefix.is_empty()).for_each(|p| p.clone_from(name));
        }
        (self.job, self.notices)
    }

    /// A map has one bit for each block, so blocks must begin at multiples of their size.
    fn settle_random_map(&mut self) {
        let pattern = &mut self.job.pattern;
        let is_odd = |dir| {
            let align = pattern.blockalign[dir];
            align > 0 && align != pattern.bs[dir].min()
        };
        if pattern.rw.random && !pattern.norandommap && Direction::ALL.into_iter().any(is_odd) {
            pattern.norandommap = true;
            let text = "fio: Any use of blockalign= turns off randommap".to_owned();
            self.notice(NoticeKind::Warning, text);
        }
    }

    /// fio warns and continues, and so does Fathom.
    fn settle_time_based(&mut self) {
        let extent = &mut self.job.extent;
        if !extent.time_based || extent.runtime_us > 0 {
            return;
        }
        extent.time_based = false;
        let text = format!(
            "fio: time_based requires a runtime/timeout setting: job {} ends at its size",
            self.job.name
        );
        self.notice(NoticeKind::Warning, text);
    }
}

fn check_rates(pace: &Pace) -> Result<(), ValueProblem> {
    for dir in Direction::ALL {
        let both = |bytes: u64, iops: u64| bytes > 0 && iops > 0;
        if both(pace.rate_bytes[dir], pace.rate_iops[dir])
            || both(pace.rate_min_bytes[dir], pace.rate_iops_min[dir])
        {
            return Err(ValueProblem::whole("fio: rate and rate_iops are mutually exclusive")
                .hinted("Leave out one of the two."));
        }
        let pairs = [
            (pace.rate_min_bytes[dir], pace.rate_bytes[dir]),
            (pace.rate_iops_min[dir], pace.rate_iops[dir]),
        ];
        if pairs.iter().any(|(min, rate)| *rate > 0 && min > rate) {
            return Err(ValueProblem::whole(text!(
                "fio: minimum rate exceeds rate, {}s",
                dir.name()
            ))
            .hinted("Lower the minimum or raise the rate."));
        }
    }
    Ok(())
}

/// What cannot be verified, so that nothing is left unchecked in silence.
fn check_verify(job: &JobSpec) -> Result<(), ValueProblem> {
    let (rules, pattern) = (&job.verify, &job.pattern);
    let Some(method) = rules.method else { return Ok(()) };
    let refuse =
        |message: Text, advice: &'static str| Err(ValueProblem::whole(message).hinted(advice));
    if matches!(method, VerifyMethod::Pattern | VerifyMethod::PatternHeader)
        && rules.pattern.bytes.is_empty()
    {
        let message = text!("verify={} needs the bytes: verify_pattern", method.name());
        return refuse(message, "Add verify_pattern=0xdeadbeef, or use verify=crc32c.");
    }
    if pattern.rw.trim {
        let message = text!("verify is not supported yet with trims");
        return refuse(message, "Leave out verify, or use rw=write.");
    }
    let paced = job.pace.rate_bytes.iter().chain(job.pace.rate_iops.iter()).any(|(_, &r)| r > 0);
    if pattern.rw.read && pattern.rw.write && rules.do_verify && paced {
        let message = text!("verify is not supported yet with a rate of reads and writes");
        return refuse(message, "Leave out the rate, or use rw=write or do_verify=0.");
    }
    let header = method.header_bytes();
    let least = directions(pattern.rw).map(|dir| pattern.bs[dir].min()).min().unwrap_or(0);
    let sizes: Vec<u64> = directions(pattern.rw).flat_map(|dir| pattern.bs[dir].sizes()).collect();
    let interval = u64::from(rules.interval);
    let is_divisor = interval > 0 && sizes.iter().any(|size| size.is_multiple_of(interval));
    let piece = if is_divisor { least.min(interval) } else { least };
    if piece < header {
        let message = text!("verify={} needs blocks of {header} bytes or more", method.name());
        return refuse(message, "Raise bs or verify_interval, or use verify=crc32c.");
    }
    let offset = u64::from(rules.offset);
    if offset > 0 && (offset < header || offset + header > piece) {
        let message =
            text!("verify_offset={offset} is not between {header} and {piece} - {header}");
        return refuse(message, "The header must lie within a block, and behind its first place.");
    }
    Ok(())
}

fn check_size(job: &JobSpec) -> Result<(), ValueProblem> {
    let smallest = directions(job.pattern.rw).map(|dir| job.pattern.bs[dir].min()).min();
    match (job.target.size, smallest) {
        (Some(JobSize::Bytes(size)), Some(bs)) if size < bs => Err(ValueProblem::whole(text!(
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
