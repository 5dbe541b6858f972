//! The connections of a job to its server: whether one is slower than the others, and whether any
//! was lost.
//!
//! A client passes a call to the connection with the fewest in flight, so a slow path has two
//! effects: its calls take longer, and it gets fewer of them. Only time is judged, because with few
//! I/Os in flight each connection gets calls however slow it is. The reference is the median of the
//! others, which one more slow connection among many does not change.

use crate::Tone;
use crate::quantity::{count, latency};
use crate::shown::in_percent;
use fathom_message::{Message, Tell, shown_as_told};
use serde::{Deserialize, Serialize};

/// The ratio of a slow connection's time to that of the others: chance gives less over so many
/// calls.
const SLOW: f64 = 2.0;
/// With fewer calls on each connection, speed is not judged.
const LEAST_CALLS: u64 = 100;

/// What a connection did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ConnectionWork {
    /// The port that it was made from.
    pub source_port: u16,
    /// Calls that moved data.
    pub calls: u64,
    /// Their mean time.
    pub mean_ns: f64,
    /// How often it was made anew.
    pub reconnects: u64,
    /// Calls that were sent again.
    pub resends: u64,
}

/// What is to be known of connections beside each other.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum ConnectionWorkFinding {
    /// One is slower than the others.
    Uneven {
        /// The slowest.
        slowest: ConnectionWork,
        /// The mean time of a call over the middle one of the others.
        others_ns: f64,
        /// Its share of all calls, 0 to 1.
        share: f64,
        /// How many connections there are.
        connections: u64,
    },
    /// Some were lost and made anew.
    Lost {
        /// How often, over all of them.
        reconnects: u64,
        /// Calls that were sent again.
        resends: u64,
    },
}

/// The findings on the connections of each job; of several uneven jobs the worst.
pub fn find_connection_work(jobs: &[Vec<ConnectionWork>]) -> Vec<ConnectionWorkFinding> {
    let all = || jobs.iter().flatten();
    let reconnects: u64 = all().map(|of| of.reconnects).fold(0, u64::saturating_add);
    let resends: u64 = all().map(|of| of.resends).fold(0, u64::saturating_add);
    let lost = (reconnects > 0).then_some(ConnectionWorkFinding::Lost { reconnects, resends });
    let slowest = jobs.iter().filter_map(|job| uneven(job));
    let worst = slowest.max_by(|(one, _), (other, _)| one.total_cmp(other));
    lost.into_iter().chain(worst.map(|(_, found)| found)).collect()
}

/// The ratio of the slowest connection's time to the others', if it is large.
fn uneven(job: &[ConnectionWork]) -> Option<(f64, ConnectionWorkFinding)> {
    if job.len() < 2 || job.iter().any(|of| of.calls < LEAST_CALLS) {
        return None;
    }
    let mut sorted = job.to_vec();
    sorted.sort_by(|one, other| one.mean_ns.total_cmp(&other.mean_ns));
    let (slowest, others) = sorted.split_last()?;
    let others_ns = others.get(others.len() / 2)?.mean_ns;
    let times = slowest.mean_ns / others_ns;
    let calls: u64 = job.iter().map(|of| of.calls).fold(0, u64::saturating_add);
    let found = ConnectionWorkFinding::Uneven {
        slowest: *slowest,
        others_ns,
        share: slowest.calls as f64 / calls as f64,
        connections: job.len() as u64,
    };
    (times.is_finite() && times >= SLOW).then_some((times, found))
}

impl ConnectionWorkFinding {
    /// How it bears on the figures.
    pub fn tone(&self) -> Tone {
        Tone::Warning
    }
}

impl Tell for ConnectionWorkFinding {
    fn tell(&self) -> Message {
        match self {
            ConnectionWorkFinding::Uneven { slowest, others_ns, share, connections } => {
                Message::new("connections-uneven")
                    .with("port", slowest.source_port)
                    .with("time", latency(slowest.mean_ns))
                    .with("others", latency(*others_ns))
                    .with("connections", count(*connections))
                    .part("share", in_percent(*share))
            }
            ConnectionWorkFinding::Lost { reconnects, resends } => Message::new("connections-lost")
                .with("times", *reconnects)
                .with("calls", count(*resends)),
        }
    }
}

shown_as_told!(ConnectionWorkFinding);

#[cfg(test)]
mod tests {
    use super::*;

    fn work(calls: u64, mean_ns: f64) -> ConnectionWork {
        ConnectionWork { source_port: 700, calls, mean_ns, ..ConnectionWork::default() }
    }

    fn found(job: &[ConnectionWork]) -> String {
        let found = find_connection_work(&[job.to_vec()]);
        found.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_connection_that_takes_twice_the_time_of_the_others_is_named() {
        let fast = work(300, 1e6);
        let slow = ConnectionWork { source_port: 703, ..work(100, 4e6) };
        let told = found(&[fast, slow, fast, fast]);
        assert!(told.contains("port 703 takes 4.00 ms a call, the others 1.00 ms"), "{told}");
        assert!(told.contains("10 % of the calls of 4 connections"), "{told}");
        for even in [[fast, fast], [fast, work(300, 1.9e6)]] {
            assert_eq!(found(&even), "");
        }
    }

    #[test]
    fn few_calls_and_a_single_connection_tell_nothing() {
        assert_eq!(found(&[work(300, 1e6), work(99, 9e6)]), "");
        assert_eq!(found(&[work(300, 1e6)]), "");
        assert_eq!(found(&[work(300, 0.0), work(300, 0.0)]), "");
        assert_eq!(find_connection_work(&[]), []);
    }

    #[test]
    fn connections_that_were_lost_are_told_whatever_their_number() {
        let lost = ConnectionWork { reconnects: 2, resends: 17, ..work(3, 1e6) };
        let told = found(&[lost]);
        assert!(told.contains("lost and made anew 2 times; 17 calls"), "{told}");
    }

    #[test]
    fn of_several_uneven_jobs_the_worst_is_told() {
        let job = |times: f64| vec![work(300, 1e6), work(300, times * 1e6)];
        let found = find_connection_work(&[job(3.0), job(5.0), job(1.0)]);
        assert_eq!(found.len(), 1);
        assert!(found[0].to_string().contains("5.00 ms"), "{}", found[0]);
    }
}
