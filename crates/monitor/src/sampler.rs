//! Reads the counters of all subjects repeatedly.

use super::error::WatchError;
use super::reading::{CounterReading, Counters, IntervalOutcome, between};
use super::resolve::{WatchSubject, Watched};
use fathom_host::{DiskStats, Host};
use fathom_vocab::Platform;
use std::time::{Duration, Instant};

/// Reads counters.
pub trait CounterSource {
    /// A reading of each subject; none for a missing one.
    ///
    /// # Errors
    /// If the counters of all cannot be read.
    fn read(&mut self, watched: &[Watched]) -> Result<Vec<Option<CounterReading>>, WatchError>;
}

/// The counters of this machine.
#[derive(Debug)]
pub struct HostCounters {
    host: Host,
    begun: Instant,
}

impl HostCounters {
    /// Moments count from now on.
    pub fn begin(host: Host) -> HostCounters {
        HostCounters { host, begun: Instant::now() }
    }
}

impl CounterSource for HostCounters {
    fn read(&mut self, watched: &[Watched]) -> Result<Vec<Option<CounterReading>>, WatchError> {
        read(&self.host, watched, self.begun)
    }
}

/// The subjects, with the last reading of each.
pub struct Sampler {
    source: Box<dyn CounterSource>,
    watched: Vec<Watched>,
    last: Vec<CounterReading>,
}

impl Sampler {
    /// Takes the first reading of every subject.
    ///
    /// # Errors
    /// [`WatchError::NoCounters`] for a subject that has none, [`WatchError::Host`] if the
    /// counters of all cannot be read.
    pub fn begin(host: Host, watched: Vec<Watched>) -> Result<Sampler, WatchError> {
        Sampler::from_source(Box::new(HostCounters::begin(host)), watched)
    }

    /// The same of counters from elsewhere, which has those of `watched`.
    ///
    /// # Errors
    /// As of [`Sampler::begin`].
    pub fn from_source(
        mut source: Box<dyn CounterSource>,
        watched: Vec<Watched>,
    ) -> Result<Sampler, WatchError> {
        let found = source.read(&watched)?;
        let mut last = Vec::with_capacity(found.len());
        for (watched, reading) in watched.iter().zip(found) {
            last.push(reading.ok_or_else(|| uncounted(watched))?);
        }
        Ok(Sampler { source, watched, last })
    }

    /// The watched subjects, in the order of the outcomes.
    pub fn watched(&self) -> &[Watched] {
        &self.watched
    }

    /// The last reading of each subject, in the same order.
    pub fn last(&self) -> &[CounterReading] {
        &self.last
    }

    /// Reads again and returns each subject's change since its last reading.
    ///
    /// A missing subject keeps its last reading; if it returns, the counts include its activity in
    /// between.
    ///
    /// # Errors
    /// [`WatchError::Host`] if the counters of all cannot be read.
    pub fn step(&mut self) -> Result<Vec<IntervalOutcome>, WatchError> {
        let now = self.source.read(&self.watched)?;
        let step = |(last, now): (&mut CounterReading, Option<CounterReading>)| match now {
            Some(now) => {
                let outcome = between(last, &now);
                *last = now;
                outcome
            }
            None => IntervalOutcome::Gone,
        };
        Ok(self.last.iter_mut().zip(now).map(step).collect())
    }
}

/// A reading of each subject; none for a missing one.
fn read(
    host: &Host,
    watched: &[Watched],
    begun: Instant,
) -> Result<Vec<Option<CounterReading>>, WatchError> {
    let any = |subject: fn(&WatchSubject) -> bool| watched.iter().any(|w| subject(&w.subject));
    let is_device = |subject: &WatchSubject| matches!(subject, WatchSubject::Device { .. });
    // One file for all devices, so that they are read at the same moment.
    let at = begun.elapsed();
    let disks = if any(is_device) { host.disk_stats()? } else { Vec::new() };
    let reading = |watched: &Watched| match &watched.subject {
        WatchSubject::Device { device, .. } => {
            let counters = disk(&disks, &device.name)?;
            Some(CounterReading { at, counters: Counters::Disk(counters) })
        }
        other => {
            let at = begun.elapsed();
            Some(CounterReading { at, counters: elsewhere(host, other)? })
        }
    };
    Ok(watched.iter().map(reading).collect())
}

fn disk(disks: &[DiskStats], name: &str) -> Option<DiskStats> {
    disks.iter().find(|stats| stats.name == name).cloned()
}

/// The counters of a subject that is not a device; none if it is no longer mounted.
fn elsewhere(host: &Host, subject: &WatchSubject) -> Option<Counters> {
    match subject {
        WatchSubject::Nfs { mount_point, .. } => {
            let stats = host.nfs_stats(mount_point).ok().flatten()?;
            Some(Counters::Nfs(Box::new(stats)))
        }
        WatchSubject::Memory { mount_point, .. } => {
            host.file_system(mount_point).ok().map(Counters::Memory)
        }
        WatchSubject::Device { .. } => None,
    }
}

fn uncounted(watched: &Watched) -> WatchError {
    let (why, advice) = match &watched.subject {
        WatchSubject::Device { device, .. } => no_disk_counters(&device.name),
        _ => (format!("{} gives no figures", watched.name), "see whether it is still mounted"),
    };
    WatchError::NoCounters { asked: watched.asked.join(", "), why: why.into(), advice }
}

/// Why a disk has no counters, and advice.
fn no_disk_counters(disk: &str) -> (String, &'static str) {
    match Platform::here() {
        Platform::Unix => (
            format!("{disk} is not listed in /proc/diskstats"),
            "look there for the devices that are counted",
        ),
        Platform::Windows => (
            format!("the driver of {disk} keeps no counters"),
            "`diskperf -y` turns them on where it can; else measure it by `fathom measure`",
        ),
    }
}

/// When the next reading is due: whole intervals after the beginning, those missed left out.
///
/// `now` is the time since the beginning.
pub fn next_due(now: Duration, interval: Duration) -> Duration {
    let passed = now.as_nanos() / interval.as_nanos().max(1);
    let next = (passed + 1).saturating_mul(interval.as_nanos());
    Duration::from_nanos(u64::try_from(next).unwrap_or(u64::MAX))
}
