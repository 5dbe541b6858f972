//! Observes running jobs: shows their progress, and stops the run once it is steady, if requested.

use super::args::RunArgs;
use crate::session::Session;
use crate::terminal::live::{JobOutlook, LiveView};
use crate::terminal::progress::ProgressLine;
use crate::terminal::screen::warn_line;
use fathom_analysis::{SteadyRule, SteadyWatch};
use fathom_job::JobSpec;
use fathom_run::{Control, Event, Observer};
use fathom_stats::LiveSnapshot;
use fathom_text::text;
use fathom_vocab::Target;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Watches a run.
pub struct ProgressObserver<'a> {
    quiet: bool,
    view: &'a mut LiveView,
    jobs: JobOutlook,
    /// Jobs whose files are only reserved, and not written, before they begin.
    reserving: Vec<String>,
    steady: Option<StopWhenSteady>,
}

/// Merges live rates into rounds, and stops the run once a window of them is steady.
struct StopWhenSteady {
    watch: SteadyWatch,
    round_ms: u64,
    /// When the round began, by the run's clock; none while jobs start or ramp.
    began_ms: Option<u64>,
    rates: Vec<f64>,
    control: Arc<Control>,
    reached: bool,
}

impl<'a> ProgressObserver<'a> {
    /// For a run on these targets that the session's control can stop.
    pub fn new(
        session: &Session,
        args: &RunArgs,
        targets: &[Target],
        jobs: JobOutlook,
        line: &'a mut ProgressLine,
    ) -> ProgressObserver<'a> {
        let steady = args.steady.map(|round| StopWhenSteady {
            watch: SteadyWatch::new(SteadyRule {
                round_s: round.as_secs_f64(),
                ..SteadyRule::default()
            }),
            round_ms: u64::try_from(round.as_millis()).unwrap_or(u64::MAX).max(1),
            began_ms: None,
            rates: Vec::new(),
            control: session.control.clone(),
            reached: false,
        });
        let (view, quiet) = (line.view(), args.course.show.quiet);
        // Devices of other machines are not visible here.
        if args.course.fleet.on.is_none() {
            let paths = targets.iter().filter_map(Target::path).map(Path::to_owned);
            let paths: Vec<PathBuf> = paths.collect();
            view.look_at(&paths);
        }
        ProgressObserver { quiet, view, jobs, reserving: Vec::new(), steady }
    }

    /// Says nothing of laying out for those of `jobs` that only have space reserved.
    pub fn leave_out_reserving(&mut self, jobs: &[JobSpec]) {
        let reserving = jobs.iter().filter(|job| !job.pattern.rw.read && !job.target.overwrite);
        self.reserving = reserving.map(|job| job.name.clone()).collect();
    }

    /// Removes the view, so that the next output is not mixed with it.
    pub fn wipe(&mut self) {
        self.view.wipe();
    }

    /// That the run was ended because it was steady, if it was.
    pub fn steady_note(&self) -> Option<String> {
        let steady = self.steady.as_ref().filter(|steady| steady.reached)?;
        Some(localized!("Ended early, as asked: {}.", steady.watch.finding()))
    }
}

impl StopWhenSteady {
    fn look(&mut self, live: &LiveSnapshot) {
        let measuring = live.jobs_running > 0 && !live.states.contains(['P', 'C', 'I', '/']);
        if !measuring || self.reached {
            self.began_ms = None;
            return;
        }
        let began_ms = match self.began_ms {
            Some(began_ms) => began_ms,
            None => {
                self.rates.clear();
                *self.began_ms.insert(live.elapsed_ms)
            }
        };
        let rate = live.rate_iops;
        self.rates.push((rate.read + rate.write + rate.trim) as f64);
        if live.elapsed_ms < began_ms.saturating_add(self.round_ms) {
            return;
        }
        let mean = self.rates.iter().sum::<f64>() / self.rates.len() as f64;
        self.rates.clear();
        self.began_ms = Some(live.elapsed_ms);
        if self.watch.push(mean).is_some() {
            self.reached = true;
            self.control.stop();
        }
    }
}

impl Observer for ProgressObserver<'_> {
    fn event(&mut self, event: &Event) {
        match event {
            Event::LayingOut { job, .. } if self.quiet || self.reserving.contains(job) => {}
            Event::LayingOut { job, bytes, .. } => {
                self.wipe();
                let size = fathom_campaign::binary_bytes(*bytes);
                warn_line(text!("laying out {size} for {job}"));
            }
            Event::Error(error) => {
                self.wipe();
                warn_line(format_args!("fathom: {error}"));
            }
            Event::JobFailed(failure) => {
                self.wipe();
                warn_line(format_args!("fathom: {}: {}", failure.job, failure.error_text));
            }
            Event::Live(live) => {
                if let Some(steady) = &mut self.steady {
                    steady.look(live);
                }
                self.view.jobs(live, &self.jobs);
            }
            _ => {}
        }
    }

    fn wants_latency(&self) -> bool {
        true
    }
}
