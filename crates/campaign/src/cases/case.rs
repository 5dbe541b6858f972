//! One case: the settings that distinguish it, and its job.
//!
//! A job is parsed from text by the same table that reads job files, so that a case can vary any
//! job option, and the command stored with its figures is the job itself. The settings that make
//! figures comparable are added here, as in `measure`: fresh random data, offsets that differ from
//! run to run, a ramp that is not counted.

use crate::demand::Demand;
use crate::jobs::RefusedJob;
use crate::jobs::{JobPlace, JobText, parsed, spec_of, time_text};
use fathom_document::{CaseTime, Setting, short_bytes, title_of};
use fathom_job::{BlockSize, JobSize, JobSpec};
use fathom_vocab::{Direction, IoEngine, NfsUrl, SyncMode};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Whether the client's page cache takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CachePolicy {
    /// Bypass it if possible; otherwise use it, with a remark.
    PastIfPossible,
    /// Past it, or the case fails.
    Past,
    /// Use it, with the same offsets in every run, which is fio's default.
    Through,
    /// As the options `direct` or `buffered` say.
    AsSaid,
}

/// How a case wants to reach its volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reach {
    /// The engine; none is the first that works.
    pub engine: Option<IoEngine>,
    /// The treatment of the page cache.
    pub cache: CachePolicy,
}

/// One case.
#[derive(Clone, Debug)]
pub struct Case {
    /// Its number among all cases, from 0.
    pub index: usize,
    /// The settings that distinguish it.
    pub settings: Vec<Setting>,
    /// Its job's name.
    pub name: String,
    /// How it wants to reach the volume.
    pub reach: Reach,
    /// How long it runs.
    pub time: CaseTime,
    /// How many machines run it at once; none means all.
    pub clients: Option<u32>,
    /// How many connections each of its jobs has to an export; none means as the target says.
    pub nconnect: Option<u32>,
    /// Whether its rate is that of all machines together, and not of each.
    pub shares_rate: bool,
    /// Cases whose jobs run at the same time, in the same run.
    pub beside: Vec<Case>,
    /// Options of its job other than target, access and time.
    options: Vec<(String, String)>,
    /// The job on a place large enough for anything.
    draft: JobSpec,
}

/// Larger than any job's block, so that a draft is never refused for its size.
const ROOM_BYTES: u64 = 1 << 50;

impl Case {
    /// A case whose job has `options`, canonical name and value (empty for none), checked against
    /// the job table.
    ///
    /// # Errors
    /// The job table's error.
    pub fn new(
        index: usize,
        settings: Vec<Setting>,
        reach: Reach,
        time: CaseTime,
        options: Vec<(String, String)>,
    ) -> Result<Case, RefusedJob> {
        let name = name_of(index, &settings);
        let draft = JobSpec::default();
        let mut case = Case {
            index,
            settings,
            name,
            reach,
            time,
            clients: None,
            nconnect: None,
            shares_rate: false,
            beside: Vec::new(),
            options,
            draft,
        };
        let place = JobPlace::of_path(Path::new("/file"));
        let engine = reach.engine.unwrap_or(place.first_engine());
        case.draft = parsed(&case.text(place, ROOM_BYTES, engine, true))?;
        Ok(case)
    }

    /// The same under another name.
    #[must_use]
    pub(crate) fn named(self, name: &str) -> Case {
        Case { name: name.to_owned(), ..self }
    }

    /// The same with the jobs of other cases beside its own jobs, which are measured.
    #[must_use]
    pub(crate) fn with_beside(self, beside: Vec<Case>) -> Case {
        Case { beside, ..self }
    }

    /// Itself and those beside it.
    pub fn with_those_beside(&self) -> impl Iterator<Item = &Case> {
        std::iter::once(self).chain(&self.beside)
    }

    /// Its settings in a line: `rw=randread, iodepth=16`.
    pub fn title(&self) -> String {
        title_of(&self.settings)
    }

    /// Whether it changes data on the volume.
    pub fn writes(&self) -> bool {
        self.with_those_beside().any(|case| {
            let rw = case.draft.pattern.rw;
            rw.write || rw.trim
        })
    }

    /// The share of its I/Os that write, in percent.
    pub fn write_percent(&self) -> u64 {
        let pattern = &self.draft.pattern;
        match (pattern.rw.read, pattern.rw.write) {
            (true, true) => 100 - u64::from(pattern.rwmixread.min(100)),
            (_, writes) => 100 * u64::from(writes),
        }
    }

    /// The directions that it has, trims left out.
    pub fn directions(&self) -> Vec<Direction> {
        let rw = self.draft.pattern.rw;
        let both = [(rw.read, Direction::Read), (rw.write, Direction::Write)];
        both.into_iter().filter(|(has, _)| *has).map(|(_, direction)| direction).collect()
    }

    /// I/Os that each of its jobs keeps in flight.
    pub fn depth(&self) -> u32 {
        self.draft.engine.iodepth
    }

    /// Jobs that run at once.
    pub fn jobs(&self) -> u32 {
        self.draft.process.numjobs
    }

    /// Bytes of each I/O; none if they differ.
    pub fn block_bytes(&self) -> Option<u64> {
        let sizes = self.directions().into_iter().map(|way| &self.draft.pattern.bs[way]);
        let mut fixed = sizes.map(|size| match size {
            BlockSize::Fixed(bytes) => Some(*bytes),
            _ => None,
        });
        let first = fixed.next().flatten();
        first.filter(|bytes| fixed.all(|other| other == Some(*bytes)))
    }

    /// Bytes of its largest I/O.
    pub fn largest_block_bytes(&self) -> u64 {
        let sizes = self.directions().into_iter().map(|way| self.draft.pattern.bs[way].max());
        sizes.max().unwrap_or_else(|| self.draft.pattern.bs.trim.max())
    }

    /// Whether something other than depth and latency sets its pace: a rate, pauses, flushes.
    pub fn is_paced(&self) -> bool {
        let (pace, flush) = (&self.draft.pace, &self.draft.flush);
        let limited = Direction::ALL.iter().any(|d| pace.rate_bytes[*d] + pace.rate_iops[*d] > 0);
        let flushes = flush.fsync_blocks + flush.fdatasync_blocks > 0;
        limited || flushes || pace.thinktime_us > 0 || pace.latency_target.is_some()
    }

    /// The size in its options; none if the campaign decides.
    pub fn own_size(&self) -> Option<JobSize> {
        self.has("size").then_some(self.draft.target.size).flatten()
    }

    /// The maximum end of its last I/O, in bytes, if `size_bytes` are measured in; none if it
    /// depends on a percentage.
    pub fn end_bytes(&self, size_bytes: u64) -> Option<u64> {
        let target = &self.draft.target;
        let bytes = |size: JobSize| match size {
            JobSize::Bytes(bytes) => Some(bytes),
            JobSize::Percent(0) => Some(0),
            JobSize::Percent(_) => None,
        };
        let size = match self.own_size() {
            Some(size) => bytes(size)?,
            None if self.splits() => size_bytes / u64::from(self.jobs()),
            None => size_bytes,
        };
        let apart = match self.splits() {
            true => size,
            false => bytes(target.offset_increment)?,
        };
        let before = apart.saturating_mul(u64::from(self.jobs()) - 1);
        Some(bytes(target.offset)?.saturating_add(before).saturating_add(size))
    }

    /// Whether it goes past the page cache, where that is `possible`.
    pub fn is_direct(&self, possible: bool) -> bool {
        match self.reach.cache {
            CachePolicy::AsSaid => self.draft.engine.direct,
            CachePolicy::Through => false,
            CachePolicy::PastIfPossible | CachePolicy::Past => possible,
        }
    }

    /// Whether it flushes what it writes, by itself or by how its file is opened.
    pub fn is_flushed(&self) -> bool {
        let flush = &self.draft.flush;
        let is_opened_so = self.draft.engine.sync != SyncMode::None;
        is_opened_so || flush.fsync_blocks > 0 || flush.fdatasync_blocks > 0
    }

    /// Adds its requirements on the target.
    pub fn add_to(&self, demand: &mut Demand) {
        self.beside.iter().for_each(|case| case.add_to(demand));
        let largest = self.largest_block_bytes();
        if !matches!(self.reach.cache, CachePolicy::Through | CachePolicy::AsSaid) {
            let sizes =
                self.directions().into_iter().flat_map(|d| self.draft.pattern.bs[d].sizes());
            demand.direct_blocks_bytes.extend(sizes);
        }
        demand.largest_block_bytes = demand.largest_block_bytes.max(largest);
        let in_flight = largest.saturating_mul(u64::from(self.depth()));
        demand.in_flight_bytes = demand.in_flight_bytes.max(in_flight);
    }

    /// Its job on a place, with this access.
    ///
    /// # Errors
    /// If an option does not go with the engine.
    pub fn job(
        &self,
        place: JobPlace<'_>,
        size_bytes: u64,
        engine: IoEngine,
        direct: bool,
    ) -> Result<JobSpec, RefusedJob> {
        spec_of(&self.text(place, size_bytes, engine, direct), Some(place.path))
    }

    /// The same as the options of a command line.
    pub fn text(
        &self,
        place: JobPlace<'_>,
        size_bytes: u64,
        engine: IoEngine,
        direct: bool,
    ) -> JobText {
        let mut text = JobText::default();
        text.set("name", &self.name);
        let export = place.export.map(|export| self.over(export));
        JobPlace { export: export.as_ref(), ..place }.set(&mut text, engine);
        self.set_region(&mut text, size_bytes);
        if self.reach.cache != CachePolicy::AsSaid {
            text.set("direct", u8::from(direct));
        }
        for (name, value) in &self.options {
            let value = Some(value.clone()).filter(|value| !value.is_empty());
            text.options.push((name.clone(), value));
        }
        text.set("time_based", 1);
        text.set("runtime", time_text(self.time.run_us));
        text.set("ramp_time", time_text(self.time.ramp_us));
        let repeats = u8::from(self.reach.cache == CachePolicy::Through);
        for (name, value) in [("randrepeat", repeats), ("refill_buffers", 1)] {
            if !self.has(name) {
                text.set(name, value);
            }
        }
        if self.jobs() > 1 && !self.has("group_reporting") {
            text.set("group_reporting", 1);
        }
        text.set("lat_percentiles", 1);
        text.set("thread", 1);
        text
    }

    /// An export, over the requested number of connections.
    fn over(&self, export: &NfsUrl) -> NfsUrl {
        let mut export = export.clone();
        export.arguments.nconnect = self.nconnect.or(export.arguments.nconnect);
        export
    }

    /// The bytes that it works on. Jobs that read a file from its start would find data that the
    /// previous job has just brought into a cache, so each gets its own part.
    fn set_region(&self, text: &mut JobText, size_bytes: u64) {
        if self.has("size") {
            return;
        }
        if !self.splits() {
            return text.set("size", short_bytes(size_bytes));
        }
        let (part, block) = (size_bytes / u64::from(self.jobs()), self.largest_block_bytes());
        let part = part - part % block.max(1);
        text.set("size", short_bytes(part));
        text.set("offset_increment", short_bytes(part));
    }

    /// Whether its jobs share the place out among them.
    fn splits(&self) -> bool {
        let said = ["size", "offset", "offset_increment"].iter().any(|name| self.has(name));
        self.jobs() > 1 && !self.draft.pattern.rw.random && !said
    }

    fn has(&self, option: &str) -> bool {
        self.options.iter().any(|(name, _)| name == option)
    }
}

/// `randread-4k-16`: the values, in letters that mean nothing to a shell or to a job file.
fn name_of(index: usize, settings: &[Setting]) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let values: Vec<String> =
        settings.iter().map(|setting| setting.value.chars().map(kept).collect()).collect();
    match values.is_empty() {
        true => format!("case-{index}"),
        false => values.join("-"),
    }
}
