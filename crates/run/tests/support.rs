//! What the tests of this crate share: a run in a folder of its own.

use fathom_host::Host;
use fathom_job::{JobSize, JobSpec, ReadWrite};
use fathom_run::{Control, Event, NetworkProbe, Observer, Pins, RunError};
use fathom_run::{RunOptions, RunOutcome, execute};
use fathom_vocab::IoEngine;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Notes what happened, and may act on it.
pub struct Watcher<'a>(pub &'a mut dyn FnMut(&Event));

impl Observer for Watcher<'_> {
    fn event(&mut self, event: &Event) {
        (self.0)(event);
    }
}

pub fn options() -> RunOptions {
    RunOptions {
        global_options: Vec::new(),
        live_interval: Duration::from_millis(50),
        status_interval: None,
        entropy: 42,
        notes: Vec::new(),
        readonly: false,
        jobs_fail_alone: false,
        traces_io: false,
        network: NetworkProbe::Off,
    }
}

/// Runs jobs to their end.
pub fn run(jobs: &[JobSpec]) -> Result<RunOutcome, RunError> {
    let control = Arc::new(Control::default());
    run_watched(jobs, &control, &mut |_| {})
}

/// Runs jobs on this machine until `control` stops them; `act` hears what happens.
pub fn run_watched(
    jobs: &[JobSpec],
    control: &Arc<Control>,
    act: &mut dyn FnMut(&Event),
) -> Result<RunOutcome, RunError> {
    let (host, pins) = (Host::real(), Pins::default());
    execute(jobs, &options(), &host, &pins, control, &mut Watcher(act))
}

/// A job of `size_bytes` in `folder`.
pub fn job(name: &str, folder: &Path, rw: ReadWrite, size_bytes: u64) -> JobSpec {
    let mut job = JobSpec { name: name.to_owned(), ..JobSpec::default() };
    job.target.directories = vec![folder.to_owned()];
    job.target.size = Some(JobSize::Bytes(size_bytes));
    job.pattern.rw = rw;
    job
}

pub const READ: ReadWrite =
    ReadWrite { read: true, write: false, trim: false, random: false, trimwrite: false };
pub const WRITE: ReadWrite = ReadWrite { read: false, write: true, ..READ };
pub const RANDREAD: ReadWrite = ReadWrite { random: true, ..READ };
pub const RANDWRITE: ReadWrite = ReadWrite { random: true, ..WRITE };
pub const RANDRW: ReadWrite = ReadWrite { read: true, ..RANDWRITE };

/// The engines that work on files of this machine.
pub fn file_engines() -> impl Iterator<Item = IoEngine> {
    IoEngine::here().filter(|engine| !matches!(engine, IoEngine::Null | IoEngine::Nfs))
}

/// An engine of this system that completes I/Os later.
pub fn later_engine() -> IoEngine {
    if IoEngine::Windowsaio.is_here() { IoEngine::Windowsaio } else { IoEngine::Libaio }
}
