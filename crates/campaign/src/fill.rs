//! Fills what will be measured, so that no read finds a hole, and says how far it is.

use crate::execute::Executor;
use crate::plan::VolumePlan;
use fathom_job::JobSpec;
use fathom_run::{Event, Observer, RunOptions};
use fathom_stats::{LiveSnapshot, RunResult};

/// Runs the job that fills `volume`; `told` hears how many bytes are done.
///
/// # Errors
/// In words, where laying out or writing failed.
pub(crate) fn fill(
    volume: &VolumePlan,
    job: JobSpec,
    executor: &mut dyn Executor,
    options: &RunOptions,
    told: &mut dyn FnMut(u64),
) -> Result<(), String> {
    told(0);
    let mut relay = Relay { told, volume, done_bytes: 0, error: None };
    let result = executor.execute(&[job], options, &mut relay);
    let job_error = |result: RunResult| {
        let failed = result.jobs.into_iter().find(|job| job.error.is_error());
        failed.map(|job| job.error_text)
    };
    match (relay.error.take(), result) {
        (Some(why), _) | (None, Err(why)) => Err(why),
        (None, Ok(result)) => job_error(result).map_or(Ok(()), Err),
    }
}

/// Passes on how filling goes.
struct Relay<'a> {
    told: &'a mut dyn FnMut(u64),
    volume: &'a VolumePlan,
    done_bytes: u64,
    error: Option<String>,
}

impl Observer for Relay<'_> {
    fn event(&mut self, event: &Event) {
        match event {
            Event::LaidOut { bytes } => {
                self.done_bytes += bytes;
                (self.told)(self.done_bytes);
            }
            Event::Error(error) => self.error = Some(error.to_string()),
            // Writing over a device is a job like any other, and says how far it is.
            Event::Live(LiveSnapshot { percent: Some(percent), .. }) if !self.volume.ours => {
                (self.told)((self.volume.fill_bytes as f64 * percent / 100.0) as u64);
            }
            _ => {}
        }
    }
}
