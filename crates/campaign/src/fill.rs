//! Fills the target before measuring, so that no read finds a hole, and reports progress.

use crate::machine::{Machine, MachineError, RunOrder};
use crate::volume_plan::VolumePlan;
use fathom_job::JobSpec;
use fathom_run::{Event, Observer};
use fathom_stats::{LiveSnapshot, RunResult};

/// Runs the job that fills `volume`; `filled` receives the number of bytes done.
///
/// # Errors
/// If laying out or writing failed.
pub(crate) fn fill(
    volume: &VolumePlan,
    job: JobSpec,
    machine: &mut dyn Machine,
    entropy: u64,
    filled: &mut dyn FnMut(u64),
) -> Result<(), MachineError> {
    filled(0);
    let mut relay = Relay { filled, volume, done_bytes: 0, error: None };
    let run = machine.run(&RunOrder::of(job, entropy), &mut relay);
    let failed = |why: String| Err(MachineError::of_run(why));
    match (relay.error.take(), run) {
        (Some(why), _) => failed(why),
        (None, Err(why)) => Err(why),
        (None, Ok(run)) => job_error(run.outcome.result).map_or(Ok(()), failed),
    }
}

fn job_error(result: RunResult) -> Option<String> {
    let failed = result.jobs.into_iter().find(|job| job.error.is_error());
    failed.map(|job| job.error_text)
}

/// Forwards the progress of filling.
struct Relay<'a> {
    filled: &'a mut dyn FnMut(u64),
    volume: &'a VolumePlan,
    done_bytes: u64,
    error: Option<String>,
}

impl Observer for Relay<'_> {
    fn event(&mut self, event: &Event) {
        match event {
            Event::LaidOut { bytes } => {
                self.done_bytes += bytes;
                (self.filled)(self.done_bytes);
            }
            Event::Error(error) => self.error = Some(error.to_string()),
            // Overwriting a device is an ordinary job, which reports its progress.
            Event::Live(LiveSnapshot { percent: Some(percent), .. }) if !self.volume.ours => {
                (self.filled)((self.volume.fill_bytes as f64 * percent / 100.0) as u64);
            }
            _ => {}
        }
    }
}
