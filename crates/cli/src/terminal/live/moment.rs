//! The state of any command at a moment.

use crate::language::lang;
use fathom_campaign::{FillProgress, seconds};
use fathom_stats::{LiveLatency, LiveSnapshot};
use fathom_store::live::LivePoint;
use fathom_text::{Text, text};
use fathom_vocab::PerDirection;
use std::time::{Duration, Instant};

/// One of several runs that is going on.
pub struct LivePhase {
    title: Text,
    /// Earlier runs, and the total if known.
    done: u64,
    all: Option<u64>,
    /// How long it takes in microseconds, as each of those after it does.
    length_us: u64,
    since: Instant,
}

impl LivePhase {
    /// A run that begins now, after `done` others; `all` have `length_us` each.
    pub fn begin(title: Text, done: u64, all: Option<u64>, length_us: u64) -> LivePhase {
        LivePhase { title, done, all, length_us, since: Instant::now() }
    }

    /// How many runs there were with this one.
    pub fn runs(&self) -> u64 {
        self.done + 1
    }

    /// `2/8 4 KiB random read, QD 1`; `2. all, QD 1` if the number of phases is unknown.
    pub fn label(&self) -> String {
        let title = self.title.text(lang());
        match self.all {
            Some(all) => format!("{}/{all} {title}", self.done + 1),
            None => format!("{}. {title}", self.done + 1),
        }
    }

    /// The state with this snapshot.
    pub fn moment(&self, live: &LiveSnapshot) -> Moment {
        let spent_us = self.since.elapsed().as_micros() as u64;
        let left_us = self.length_us.saturating_sub(spent_us);
        let after = self.all.map(|all| all.saturating_sub(self.done + 1));
        let share = spent_us as f64 / self.length_us.max(1) as f64;
        Moment {
            label: self.label(),
            title: self.title.clone(),
            done: self.done,
            all: self.all,
            share: Some(share.min(1.0)),
            left_us: Some(left_us.saturating_add(after.unwrap_or(0) * self.length_us)),
            left_of_phase: after.is_none(),
            rate_iops: live.rate_iops,
            rate_bytes: live.rate_bytes,
            latency: live.latency,
        }
    }
}

/// What is known of jobs before they run.
#[derive(Clone, Debug, Default)]
pub struct JobOutlook {
    /// The name of each job, in the order of their numbers.
    pub names: Vec<String>,
    /// How long all of them take together, in microseconds; none where the device decides.
    pub total_us: Option<u64>,
}

impl JobOutlook {
    /// `#2 of 3 jobs: writes`; of several at once `2 of 3 jobs running: reads, writes`; of one job
    /// its name.
    fn title(&self, live: &LiveSnapshot) -> Text {
        let running = live.running();
        let count = match running.as_slice() {
            [only] => text!("#{} of {} jobs", only + 1, live.jobs_total),
            _ => text!("{} of {} jobs running", live.jobs_running, live.jobs_total),
        };
        let names = running.iter().filter_map(|at| self.names.get(*at));
        let mut names: Vec<&str> = names.map(String::as_str).collect();
        names.dedup();
        match names.as_slice() {
            [] => count,
            [only] if live.jobs_total == 1 => Text::from((*only).to_owned()),
            names => Text::of(format_args!("{count}: {}", names.join(", "))),
        }
    }
}

/// The state at a moment.
pub struct Moment {
    /// The first line of a view.
    pub label: String,
    /// The current phase, without its number.
    pub title: Text,
    /// Finished runs, and the total if known.
    pub done: u64,
    pub all: Option<u64>,
    /// Share of this run that is done.
    pub share: Option<f64>,
    /// Time left, and whether it covers this run only.
    pub left_us: Option<u64>,
    pub left_of_phase: bool,
    /// I/Os and bytes a second.
    pub rate_iops: PerDirection<u64>,
    pub rate_bytes: PerDirection<u64>,
    /// Latencies of about the last second.
    pub latency: Option<LiveLatency>,
}

impl Moment {
    /// A place that has been filled for `spent`. The time left is that of all fills at the rate
    /// reached so far, and of the runs after them: plans only assume a rate.
    pub fn filling(what: Text, spent: Duration, progress: &FillProgress) -> Moment {
        let (done_bytes, of_bytes) = (progress.done_bytes, progress.total_bytes);
        let share = done_bytes as f64 / of_bytes.max(1) as f64;
        let rate = match spent.as_secs_f64() {
            // Of less than this no rate can be made.
            spent_s if spent_s > 0.2 => (done_bytes as f64 / spent_s) as u64,
            _ => 0,
        };
        let left_bytes = of_bytes.saturating_sub(done_bytes).saturating_add(progress.later_bytes);
        let fill_us = left_bytes.saturating_mul(1_000_000).checked_div(rate);
        Moment {
            label: what.text(lang()).to_owned(),
            title: what,
            done: 0,
            all: None,
            share: Some(share.min(1.0)),
            left_us: fill_us.map(|us| us.saturating_add(progress.trials_us)),
            left_of_phase: false,
            rate_iops: PerDirection::splat(0),
            rate_bytes: PerDirection { write: rate, ..PerDirection::splat(0) },
            latency: None,
        }
    }

    /// Jobs that are no phases. The time left is that of all of them if it was planned: a snapshot
    /// has that of the running group.
    pub fn jobs(live: &LiveSnapshot, jobs: &JobOutlook) -> Moment {
        let over = live.states.chars().filter(|state| "_XEK".contains(*state)).count();
        let title = jobs.title(live);
        let elapsed_us = live.elapsed_ms.saturating_mul(1000);
        let group_us = live.eta_s.map(|left_s| left_s.saturating_mul(1_000_000));
        let planned_us = jobs.total_us.map(|total_us| total_us.saturating_sub(elapsed_us));
        let left_us = planned_us.map(|left_us| left_us.max(group_us.unwrap_or(0))).or(group_us);
        let planned = jobs.total_us.filter(|total_us| *total_us > 0);
        let share = planned.map(|total_us| (elapsed_us as f64 / total_us as f64).min(1.0));
        Moment {
            label: title.text(lang()).to_owned(),
            title,
            done: over as u64,
            all: Some(u64::from(live.jobs_total)),
            share: share.or(live.percent.map(|percent| percent / 100.0)),
            left_us,
            left_of_phase: false,
            rate_iops: live.rate_iops,
            rate_bytes: live.rate_bytes,
            latency: live.latency,
        }
    }

    /// The same with the share of the whole command, which has gone on for `spent`: filling and
    /// runs move along one scale, that of time. A command whose end is unknown keeps its step's.
    pub fn of_whole(self, spent: Duration) -> Moment {
        let left_us = self.left_us.filter(|_| !self.left_of_phase);
        let share = left_us.map(|left_us| {
            let spent_s = spent.as_secs_f64();
            spent_s / (spent_s + left_us as f64 / 1e6).max(f64::MIN_POSITIVE)
        });
        Moment { share: share.or(self.share), ..self }
    }

    /// I/Os a second of all directions.
    pub fn iops(&self) -> u64 {
        self.rate_iops.read + self.rate_iops.write + self.rate_iops.trim
    }

    /// The same for other processes.
    pub fn point(&self, util_percent: Option<f64>) -> LivePoint {
        let tenths = |percent: f64| (percent * 10.0).round() / 10.0;
        LivePoint {
            at_ms: 0,
            phase: (*self.title).to_owned(),
            done: self.done,
            all: self.all,
            percent: self.share.map(|share| tenths(share * 100.0)),
            iops: self.iops(),
            read_bytes_per_s: self.rate_bytes.read,
            write_bytes_per_s: self.rate_bytes.write,
            p50_ns: self.latency.map(|latency| latency.p50_ns),
            p99_ns: self.latency.map(|latency| latency.p99_ns),
            max_ns: self.latency.map(|latency| latency.max_ns),
            util_percent: util_percent.map(tenths),
            left_s: self.left_us.filter(|_| !self.left_of_phase).map(|us| us.div_ceil(1_000_000)),
        }
    }
}

/// A time in whole seconds, rounded up: a line that flickers cannot be read.
pub fn whole_seconds(us: u64) -> String {
    seconds(us.div_ceil(1_000_000).saturating_mul(1_000_000))
}
