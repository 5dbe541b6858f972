//! The view of a run from outside.

use crate::control::{CloneCounters, State};
use crate::plan::ClonePlan;
use fathom_job::JobSpec;
use fathom_stats::{LiveSnapshot, RunningJobs};
use fathom_vocab::{Direction, PerDirection};
use std::collections::VecDeque;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

/// Rates are taken over about this many seconds, so that the line is readable.
const RATE_WINDOW_S: f64 = 1.5;

/// Turns counters into rates, from one snapshot to the next.
#[derive(Debug)]
pub(crate) struct SnapshotView {
    began: Instant,
    looks: VecDeque<(Instant, PerDirection<u64>, PerDirection<u64>)>,
    running: RunningJobs,
}

impl SnapshotView {
    /// A view of a run that begins now.
    pub fn new() -> SnapshotView {
        let (looks, running) = (VecDeque::new(), RunningJobs::default());
        SnapshotView { began: Instant::now(), looks, running }
    }

    /// Milliseconds since the run began.
    pub fn elapsed_ms(&self) -> u64 {
        self.began.elapsed().as_millis() as u64
    }

    /// The state of all clones; `now_ns` is the run's clock.
    pub fn look<'a>(
        &mut self,
        clones: impl Iterator<Item = (&'a ClonePlan, &'a CloneCounters)>,
        now_ns: u64,
    ) -> LiveSnapshot {
        let clones: Vec<_> = clones.collect();
        let mut live = LiveSnapshot {
            jobs_total: clones.len() as u32,
            kb_base: 1024,
            elapsed_ms: self.elapsed_ms(),
            ..LiveSnapshot::default()
        };
        let mut done = Progress::default();
        let (mut ios, mut bytes) = (PerDirection::splat(0), PerDirection::splat(0));
        for (plan, counters) in &clones {
            live.states.push(letter(&plan.job, counters.state()));
            if is_running(counters.state()) {
                live.jobs_running += 1;
                live.files_open += counters.open_files.load(Relaxed);
                live.kb_base = plan.job.measure.kb_base;
                live.unit_base = u8::from(plan.job.measure.unit_base == 1);
                add_targets(&mut live, &plan.job);
            }
            done.add(plan, counters, now_ns);
            for dir in Direction::ALL {
                ios[dir] += counters.ios[dir.index()].load(Relaxed);
                bytes[dir] += counters.bytes[dir.index()].load(Relaxed);
            }
        }
        self.turn_to(live.running());
        self.rates(&mut live, ios, bytes);
        (live.percent, live.eta_s) = done.estimate();
        live
    }

    /// Begins anew where other jobs run.
    fn turn_to(&mut self, running: Vec<usize>) {
        if self.running.turn_to(running) {
            self.looks.clear();
        }
    }

    fn rates(&mut self, live: &mut LiveSnapshot, ios: PerDirection<u64>, bytes: PerDirection<u64>) {
        let now = Instant::now();
        self.looks.push_back((now, ios, bytes));
        while self.looks.len() > 2
            && now.duration_since(self.looks[1].0).as_secs_f64() >= RATE_WINDOW_S
        {
            self.looks.pop_front();
        }
        let Some((then, ios_then, bytes_then)) = self.looks.front().copied() else { return };
        let seconds = now.duration_since(then).as_secs_f64();
        if seconds <= 0.0 {
            return;
        }
        // Counters go back to zero when a ramp ends.
        let rate = |now: u64, then: u64| (now.saturating_sub(then) as f64 / seconds) as u64;
        live.rate_iops = PerDirection::from_fn(|dir| rate(ios[dir], ios_then[dir]));
        live.rate_bytes = PerDirection::from_fn(|dir| rate(bytes[dir], bytes_then[dir]));
    }
}

/// The progress of the clones, in seconds if they have a runtime and in bytes if not.
#[derive(Debug, Default)]
struct Progress {
    share_sum: f64,
    counted: f64,
    left_s: f64,
    unknown: bool,
}

impl Progress {
    fn add(&mut self, plan: &ClonePlan, live: &CloneCounters, now_ns: u64) {
        self.counted += 1.0;
        if matches!(live.state(), State::Done | State::Failed) {
            self.share_sum += 1.0;
            return;
        }
        let started_ns = live.started_ns.load(Relaxed);
        if started_ns == 0 {
            self.unknown |= plan.job.extent.runtime_us == 0;
            self.left_s = self.left_s.max(total_s(&plan.job));
            return;
        }
        let spent_s = now_ns.saturating_sub(started_ns) as f64 / 1e9;
        let by_time = (plan.job.extent.runtime_us > 0).then(|| spent_s / total_s(&plan.job));
        let by_bytes = (!plan.job.extent.time_based).then(|| share_of_bytes(plan, live)).flatten();
        let share = match (by_time, by_bytes) {
            (Some(time), Some(bytes)) => time.max(bytes),
            (Some(share), None) | (None, Some(share)) => share,
            (None, None) => {
                self.unknown = true;
                return;
            }
        };
        let share = share.clamp(0.0, 1.0);
        self.share_sum += share;
        match by_time {
            Some(_) if by_bytes.is_none_or(|bytes| bytes < share) => {
                self.left_s = self.left_s.max(total_s(&plan.job) - spent_s);
            }
            _ if share > 0.0 => self.left_s = self.left_s.max(spent_s / share - spent_s),
            _ => self.unknown = true,
        }
    }

    fn estimate(&self) -> (Option<f64>, Option<u64>) {
        let percent = self.share_sum / self.counted.max(1.0) * 100.0;
        match self.unknown {
            true => (None, None),
            false => (Some(percent), Some(self.left_s.max(0.0).ceil() as u64)),
        }
    }
}

fn total_s(job: &JobSpec) -> f64 {
    (job.extent.runtime_us.saturating_add(job.extent.ramp_time_us)) as f64 / 1e6
}

fn share_of_bytes(plan: &ClonePlan, live: &CloneCounters) -> Option<f64> {
    let expected = live.expected_bytes.load(Relaxed).saturating_mul(plan.job.extent.loops);
    let done: u64 = live.bytes.iter().map(|bytes| bytes.load(Relaxed)).sum();
    (expected > 0).then(|| done as f64 / expected as f64)
}

fn is_running(state: State) -> bool {
    matches!(
        state,
        State::Ready | State::Ramping | State::Running | State::Finishing | State::Verifying
    )
}

/// Rate limits of the running jobs, added up over their directions.
fn add_targets(live: &mut LiveSnapshot, job: &JobSpec) {
    let rw = job.pattern.rw;
    let does = PerDirection { read: rw.read, write: rw.write, trim: rw.trim };
    let sum = |rates: &PerDirection<u64>| {
        rates.iter().filter(|(dir, _)| does[*dir]).map(|(_, rate)| *rate).sum::<u64>()
    };
    let add = |into: &mut Option<(u64, u64)>, least: u64, greatest: u64| {
        if least + greatest > 0 {
            let (low, high) = into.unwrap_or_default();
            *into = Some((low + least, high + greatest));
        }
    };
    add(&mut live.target_bytes, sum(&job.pace.rate_min_bytes), sum(&job.pace.rate_bytes));
    add(&mut live.target_iops, sum(&job.pace.rate_iops_min), sum(&job.pace.rate_iops));
}

/// The letter by which fio's status line shows a clone.
fn letter(job: &JobSpec, state: State) -> char {
    match state {
        State::Waiting => 'P',
        State::Created => 'C',
        State::Ready => 'I',
        State::Ramping => '/',
        State::Running => running_letter(job),
        State::Finishing => 'F',
        State::Verifying => 'V',
        State::Done => '_',
        State::Failed => 'X',
    }
}

fn running_letter(job: &JobSpec) -> char {
    let rw = job.pattern.rw;
    let letter = match (rw.read, rw.write, rw.trim) {
        (true, true, _) => 'M',
        (_, true, _) => 'W',
        (_, _, true) => 'D',
        _ => 'R',
    };
    if rw.random { letter.to_ascii_lowercase() } else { letter }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_of_a_job_begins_anew_after_the_one_before() {
        let mut view = SnapshotView::new();
        let mut rate = |running: Vec<usize>, ios: u64| {
            let mut live = LiveSnapshot::default();
            view.turn_to(running);
            view.rates(&mut live, PerDirection::splat(ios), PerDirection::splat(0));
            live.rate_iops.read
        };
        rate(vec![0, 1], 0);
        assert!(rate(vec![0, 1], 1_000_000_000) > 0);
        assert!(rate(vec![1], 2_000_000_000) > 0, "one of both goes on");
        rate(vec![], 2_000_000_000);
        assert_eq!(rate(vec![2], 2_000_000_000), 0, "the third has done nothing yet");
    }
}
