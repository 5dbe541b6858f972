//! The facts that the caller of [`judge`](super::judge) has beside the result: the device, the
//! access, and the state of the machine.

use super::mount_counts::MountCounts;
use super::observe::{ClientObservation, LimitUse, Observed};
use crate::volume::Volume;
use fathom_analysis::{DirectIo, Medium, Offsets, Waiting};
use fathom_host::{CpuQuota, Storage};
use fathom_job::{BlockSize, JobSpec};
use fathom_vocab::{Direction, PerDirection};

/// Facts about a run beside its figures; unknown ones stay empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Context {
    /// The device below the files.
    pub medium: Medium,
    /// File system, such as `ext4`; empty for a device.
    pub filesystem: String,
    /// The effect of direct I/O.
    pub direct: DirectIo,
    /// Bytes that the run went over, each counted once.
    pub working_set_bytes: Option<u64>,
    /// Memory that may hold a cache.
    pub memory_bytes: Option<u64>,
    /// Share of the data read that was never written, 0 to 1.
    pub unwritten_share: Option<f64>,
    /// Share of the written content that compresses away, 0 to 1.
    pub compressible_share: Option<f64>,
    /// Whether a run before this one used the same offsets.
    pub offsets: Offsets,
    /// Bytes of each I/O, where all are alike.
    pub block_bytes: Option<u64>,
    /// I/Os to be in flight, over all jobs.
    pub depth: Option<u32>,
    /// The rate limit of the jobs.
    pub pace: Option<RateLimit>,
    /// Microseconds that the jobs pause after each I/O, on average; the least of all jobs.
    pub pause_us: f64,
    /// Whether the page cache is below the device.
    pub cache_beneath: bool,
    /// Limits of control groups on the device.
    pub limits: Vec<LimitUse>,
    /// The client's facts and load.
    pub client: ClientFacts,
    /// Those of each of several clients, by name.
    pub clients: Vec<(String, ClientFacts)>,
    /// The counters of a network mount.
    pub mount: Option<MountCounts>,
}

/// The rate limit of all jobs together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RateLimit {
    /// I/Os a second.
    Iops(f64),
    /// Bytes a second.
    Bytes(f64),
}

/// The facts about the client.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ClientFacts {
    /// Processors that its threads may use.
    pub cpus: u32,
    /// How its threads wait.
    pub waiting: Waiting,
    /// I/Os a second that one core can drive, as `doctor` measures it.
    pub core_ceiling_iops: Option<f64>,
    /// Busy share of all processors during the run, 0 to 1.
    pub machine_busy: Option<f64>,
    /// The CPU quota that stopped it for longest, with what was felt of it.
    pub quota: Option<CpuQuota>,
    /// Share of the processors' time that the hypervisor gave to others, 0 to 1.
    pub stolen_share: Option<f64>,
}

impl Context {
    /// The facts from a volume.
    pub fn of_volume(volume: &Volume) -> Context {
        let filesystem = match volume.mount.fstype.as_str() {
            "block" => String::new(),
            fstype => fstype.to_owned(),
        };
        let device = volume.storage.device();
        Context {
            medium: medium(volume),
            filesystem,
            cache_beneath: device.is_some_and(|device| device.direct_backing == Some(false)),
            ..Context::default()
        }
    }

    /// Adds a job's settings.
    #[must_use]
    pub fn with_job(self, job: &JobSpec) -> Context {
        self.with_jobs(std::slice::from_ref(job))
    }

    /// Adds the settings of jobs that run side by side.
    #[must_use]
    pub fn with_jobs(mut self, jobs: &[JobSpec]) -> Context {
        let mut blocks = jobs.iter().map(block_bytes);
        let first = blocks.next().flatten();
        self.block_bytes = first.filter(|bytes| blocks.all(|other| other == Some(*bytes)));
        let clones = |job: &JobSpec| job.process.numjobs.max(1);
        let in_flight = |job: &JobSpec| match job.engine.engine.is_sync() {
            true => clones(job),
            false => job.engine.iodepth.saturating_mul(clones(job)),
        };
        self.depth = Some(jobs.iter().map(in_flight).fold(0, u32::saturating_add));
        self.pace = pace(jobs);
        self.pause_us = jobs.iter().map(pause_us).reduce(f64::min).unwrap_or(0.0);
        if jobs.iter().any(|job| job.engine.private.hipri) {
            self.client.waiting = Waiting::Polling;
        }
        self.compressible_share = jobs.iter().filter_map(compressible).reduce(f64::max);
        self
    }

    /// The same of jobs that each of so many machines runs, with I/Os in flight of its own; rates
    /// are each machine's, unless all share them.
    #[must_use]
    pub fn with_clients(mut self, clients: u32, shares_rate: bool) -> Context {
        self.depth = self.depth.map(|depth| depth.saturating_mul(clients));
        if !shares_rate {
            let times = f64::from(clients);
            self.pace = self.pace.map(|pace| match pace {
                RateLimit::Iops(rate) => RateLimit::Iops(rate * times),
                RateLimit::Bytes(rate) => RateLimit::Bytes(rate * times),
            });
        }
        self
    }

    /// Adds the rate that one core can drive, in I/Os a second.
    #[must_use]
    pub fn with_ceiling(mut self, core_iops: Option<f64>) -> Context {
        self.client.core_ceiling_iops = core_iops;
        self
    }

    /// Adds the machine's activity during the run.
    #[must_use]
    pub fn with_observed(mut self, observed: &Observed) -> Context {
        self.memory_bytes = observed.memory_bytes;
        self.client = self.client.with_observed(observed);
        self.mount = observed.mount.as_ref().map(MountCounts::of);
        self.limits = observed.limits.clone();
        self
    }

    /// Adds what each machine did during the run: of one all, of several how busy each was.
    #[must_use]
    pub fn with_observations(self, seen: &[ClientObservation]) -> Context {
        if let [ClientObservation { client: None, observed }] = seen {
            return self.with_observed(observed);
        }
        let facts = |of: &ClientObservation| {
            Some((of.client.clone()?, self.client.clone().with_observed(&of.observed)))
        };
        Context { clients: seen.iter().filter_map(facts).collect(), ..self }
    }
}

impl ClientFacts {
    fn with_observed(self, observed: &Observed) -> ClientFacts {
        ClientFacts {
            cpus: observed.cpus,
            machine_busy: observed.machine_busy,
            quota: observed.quota.clone(),
            stolen_share: observed.stolen_share,
            ..self
        }
    }
}

/// Microseconds that a job pauses after each I/O, on average.
fn pause_us(job: &JobSpec) -> f64 {
    job.pace.thinktime_us as f64 / f64::from(job.pace.thinktime_blocks.max(1))
}

/// The device of a volume, for the cache verdict.
fn medium(volume: &Volume) -> Medium {
    if volume.is_memory() {
        return Medium::Memory;
    }
    fn of(storage: &Storage) -> Medium {
        match storage {
            Storage::Memory { .. } => Medium::Memory,
            Storage::Network { .. } => Medium::Network,
            Storage::Block { .. } | Storage::Pool { .. } => Medium::Device,
            Storage::Overlay { beneath: Some(beneath), .. } => of(beneath),
            Storage::Overlay { .. } | Storage::Virtual { .. } => Medium::Unknown,
        }
    }
    of(&volume.storage)
}

/// The directions that a job has.
pub(super) fn directions(job: &JobSpec) -> PerDirection<bool> {
    let rw = job.pattern.rw;
    PerDirection { read: rw.read, write: rw.write, trim: rw.trim }
}

/// Bytes of each of its I/Os, where all are alike.
fn block_bytes(job: &JobSpec) -> Option<u64> {
    let has = directions(job);
    let sizes = Direction::ALL.into_iter().filter(|way| has[*way]);
    let mut sizes = sizes.map(|way| match &job.pattern.bs[way] {
        BlockSize::Fixed(bytes) => Some(*bytes),
        _ => None,
    });
    let first = sizes.next().flatten();
    first.filter(|bytes| sizes.all(|other| other == Some(*bytes)))
}

/// The common rate limit of jobs; none if one of them has none.
fn pace(jobs: &[JobSpec]) -> Option<RateLimit> {
    let sum = |of: &dyn Fn(&JobSpec) -> PerDirection<u64>| -> Option<f64> {
        let mut total = 0.0;
        for job in jobs {
            let (has, rates) = (directions(job), of(job));
            let mine = Direction::ALL.into_iter().filter(|way| has[*way]);
            let mut each = 0;
            for way in mine {
                if rates[way] == 0 {
                    return None;
                }
                each += rates[way];
            }
            total += each as f64 * f64::from(job.process.numjobs.max(1));
        }
        (total > 0.0).then_some(total)
    };
    let iops = sum(&|job| job.pace.rate_iops).map(RateLimit::Iops);
    iops.or_else(|| sum(&|job| job.pace.rate_bytes).map(RateLimit::Bytes))
}

/// The compressible share of its buffers, if requested.
fn compressible(job: &JobSpec) -> Option<f64> {
    let buffers = &job.buffers;
    match (buffers.zero, buffers.pattern.is_empty(), buffers.compress_percentage) {
        (true, ..) | (_, false, _) => Some(1.0),
        (.., Some(percent)) => Some(f64::from(percent) / 100.0),
        _ => None,
    }
}
