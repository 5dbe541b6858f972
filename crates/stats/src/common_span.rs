//! The activity of several machines while all of them ran, from the series of their jobs.
//!
//! Figures from the first start to the last end include the time in which only some ran; these
//! leave it out. Decided here: an interval that lies partly within counts by its share, so that
//! figures are as precise as the intervals; ramps are left out.

use crate::{ClientSpan, Interval, JobResult, RunResult};
use fathom_vocab::{Direction, PerDirection};
use serde::{Deserialize, Serialize};

/// The time in which all machines ran, by the clock of [`ClientSpan`], and what they did in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CommonSpan {
    /// Nanoseconds from the first I/O of any machine to where the last one was at it, after ramps.
    pub begun_ns: u64,
    /// Nanoseconds from the first I/O of any machine to the end of the first.
    pub ended_ns: u64,
    /// What all did together in it.
    pub dirs: PerDirection<CommonRate>,
}

/// What all machines did a second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CommonRate {
    /// I/Os a second.
    pub iops: f64,
    /// Bytes a second.
    pub bytes_per_s: f64,
}

/// A job on the common clock.
struct PlacedJob<'a> {
    job: &'a JobResult,
    begun_ns: u64,
    ended_ns: u64,
}

const MS: u64 = 1_000_000;

impl PlacedJob<'_> {
    fn interval_ns(&self) -> u64 {
        self.job.series.interval_ms.max(1) * MS
    }

    /// Where an interval begins: after a ramp they are counted from its end.
    fn interval_begin_ns(&self, at: u64) -> u64 {
        let phase_ns = (self.job.setup.ramp_ms * MS) % self.interval_ns();
        self.begun_ns.saturating_add(at * self.interval_ns() + phase_ns)
    }

    /// The start of the first interval without any of the ramp.
    fn measured_ns(&self) -> u64 {
        match self.job.series.ramp_intervals {
            0 => self.begun_ns,
            ramp => self.interval_begin_ns(u64::from(ramp)),
        }
    }

    /// Each interval, and its share between `begun_ns` and `ended_ns`, 0 to 1.
    fn within(&self, begun_ns: u64, ended_ns: u64) -> impl Iterator<Item = (&Interval, f64)> {
        let every_ns = self.interval_ns();
        self.job.series.intervals.iter().zip(0u64..).map(move |(interval, at)| {
            let begin_ns = self.interval_begin_ns(at);
            // The last one ends with the job.
            let end_ns = begin_ns.saturating_add(every_ns).min(self.ended_ns.max(begin_ns + 1));
            let inner_ns = end_ns.min(ended_ns).saturating_sub(begin_ns.max(begun_ns));
            (interval, inner_ns as f64 / (end_ns - begin_ns) as f64)
        })
    }
}

/// The jobs of one machine.
fn placed<'a>(result: &'a RunResult, client: &ClientSpan) -> Vec<PlacedJob<'a>> {
    let of_client =
        |job: &&JobResult| result.client_of(job).is_some_and(|(_, host)| host == client.host);
    let own = || result.jobs.iter().filter(of_client);
    let start_ms = |job: &JobResult| job.job_start_ms.saturating_sub(job.setup.ramp_ms);
    // Its own clock gives the distances between its jobs' starts.
    let first_ms = own().map(start_ms).min().unwrap_or(0);
    let place = |job: &'a JobResult| PlacedJob {
        begun_ns: client.begun_ns.saturating_add((start_ms(job) - first_ms) * MS),
        ended_ns: client.ended_ns,
        job,
    };
    own().map(place).collect()
}

impl CommonSpan {
    /// For a run of several machines; none if there was no moment at which all ran.
    pub fn of(result: &RunResult) -> Option<CommonSpan> {
        let clients: Vec<Vec<PlacedJob<'_>>> =
            result.clients.iter().map(|client| placed(result, client)).collect();
        let measured = |jobs: &Vec<PlacedJob<'_>>| jobs.iter().map(PlacedJob::measured_ns).min();
        let begun: Option<Vec<u64>> = clients.iter().map(measured).collect();
        let begun_ns = begun?.into_iter().max().filter(|_| clients.len() > 1)?;
        let ended_ns = result.clients.iter().map(|client| client.ended_ns).min()?;
        let span_s = ended_ns.checked_sub(begun_ns).filter(|ns| *ns > 0)? as f64 / 1e9;
        let mut dirs = PerDirection::<CommonRate>::default();
        for job in clients.iter().flatten() {
            for (interval, share) in job.within(begun_ns, ended_ns) {
                for way in Direction::ALL {
                    dirs[way].iops += interval.ios[way] as f64 * share / span_s;
                    dirs[way].bytes_per_s += interval.bytes[way] as f64 * share / span_s;
                }
            }
        }
        Some(CommonSpan { begun_ns, ended_ns, dirs })
    }

    /// All directions together.
    pub fn total(&self) -> CommonRate {
        let mut total = CommonRate::default();
        for (_, rate) in self.dirs.iter() {
            total.iops += rate.iops;
            total.bytes_per_s += rate.bytes_per_s;
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// One machine whose job does this number of reads of 4 KiB in each interval of 100 ms.
    fn add(result: &mut RunResult, host: &str, begun_ms: u64, reads: &[u64]) {
        let mut job = JobResult { name: format!("a@{host}"), ..JobResult::default() };
        job.series.interval_ms = 100;
        for ios in reads {
            let mut interval = Interval::default();
            interval.ios[Direction::Read] = *ios;
            interval.bytes[Direction::Read] = ios * 4096;
            job.series.intervals.push(interval);
        }
        result.jobs.push(job);
        result.clients.push(ClientSpan {
            host: host.to_owned(),
            begun_ns: begun_ms * MS,
            ended_ns: (begun_ms + 100 * reads.len() as u64) * MS,
            clock_error_ns: 0,
        });
    }

    #[test]
    fn what_only_some_did_is_left_out() {
        let mut result = RunResult::default();
        add(&mut result, "a", 0, &[1000, 10, 10, 10]);
        add(&mut result, "b", 100, &[20, 20, 20, 1000]);
        let span = CommonSpan::of(&result).unwrap();
        assert_eq!((span.begun_ns, span.ended_ns), (100 * MS, 400 * MS));
        assert!((span.total().iops - 300.0).abs() < 1e-9, "{span:?}");
        assert!((span.dirs[Direction::Read].bytes_per_s - 300.0 * 4096.0).abs() < 1e-6);
    }

    #[test]
    fn a_ramp_is_left_out_and_an_interval_counts_by_its_share() {
        let mut result = RunResult::default();
        // A ramp of 30 ms: the later part of the first interval is beside it.
        add(&mut result, "a", 0, &[500, 10, 10]);
        result.jobs[0].series.ramp_intervals = 1;
        result.jobs[0].setup.ramp_ms = 30;
        result.jobs[0].job_start_ms = 30;
        result.clients[0].ended_ns = 330 * MS;
        add(&mut result, "b", 50, &[10, 10, 10]);
        let span = CommonSpan::of(&result).unwrap();
        assert_eq!((span.begun_ns, span.ended_ns), (130 * MS, 330 * MS));
        assert!((span.total().iops - 200.0).abs() < 1e-9, "{span:?}");
    }

    #[test]
    fn there_is_none_of_one_machine_or_of_machines_in_turn() {
        let mut result = RunResult::default();
        add(&mut result, "a", 0, &[5, 5]);
        assert_eq!(CommonSpan::of(&result), None);
        add(&mut result, "b", 200, &[5, 5]);
        assert_eq!(CommonSpan::of(&result), None);
    }

    proptest! {
        #[test]
        fn clients_at_one_speed_do_it_in_any_span(
            begun in prop::collection::vec(0u64..300, 2..6), each in 1u64..1_000_000,
        ) {
            let mut result = RunResult::default();
            for (at, begun_ms) in begun.iter().enumerate() {
                add(&mut result, &format!("h{at}"), *begun_ms, &[each; 5]);
            }
            let span = CommonSpan::of(&result).unwrap();
            let expected = 10.0 * each as f64 * begun.len() as f64;
            prop_assert!((span.total().iops / expected - 1.0).abs() < 1e-9);
        }
    }
}
