//! Whether one connection to a server is the limit, proved by running the same load over more of
//! them.
//!
//! A network may limit the rate of each flow, and a server each connection to a worker. No figure
//! of a single connection distinguishes that from a slow volume; a second connection does. More
//! connections do not help beyond the first count whose rate reaches the level of the best.

use crate::Tone;
use crate::quantity::megabytes_per_s;
use fathom_message::{Message, Tell, shown_as_told};
use serde::{Deserialize, Serialize};

/// How many times the rate of the fewest connections more of them must give to count as more:
/// runs of one case differ by less.
const GAIN: f64 = 1.2;
/// The share of the best rate that counts as its level, as of a knee.
const REACHED: f64 = 0.95;

/// The rate over so many connections.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConnectionRate {
    /// How many connections each job had.
    pub connections: u64,
    /// Megabytes a second over all of them.
    pub mb_per_s: f64,
}

/// What more connections give.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum ConnectionFinding {
    /// More give more: the fewest were the limit.
    FewAreTheLimit {
        /// The fewest.
        first: ConnectionRate,
        /// From where on more give no more.
        at: ConnectionRate,
        /// The most that were tried.
        last: ConnectionRate,
    },
    /// More give no more.
    NoGain {
        /// The fewest.
        first: ConnectionRate,
        /// The most that were tried.
        last: ConnectionRate,
    },
}

impl ConnectionFinding {
    /// The finding from rates over several counts of connections; none for fewer than two.
    pub fn of(rates: &[ConnectionRate]) -> Option<ConnectionFinding> {
        let sound = |of: &&ConnectionRate| of.mb_per_s > 0.0 && of.mb_per_s.is_finite();
        let mut rates: Vec<ConnectionRate> = rates.iter().filter(sound).copied().collect();
        rates.sort_by_key(|of| of.connections);
        rates.dedup_by_key(|of| of.connections);
        let (first, last) = (*rates.first()?, *rates.last()?);
        let best = rates.iter().map(|of| of.mb_per_s).fold(0.0, f64::max);
        let at = *rates.iter().find(|of| of.mb_per_s >= REACHED * best)?;
        match () {
            () if rates.len() < 2 => None,
            () if best < GAIN * first.mb_per_s => Some(ConnectionFinding::NoGain { first, last }),
            () => Some(ConnectionFinding::FewAreTheLimit { first, at, last }),
        }
    }

    /// How it bears on the figures.
    pub fn tone(&self) -> Tone {
        match self {
            ConnectionFinding::FewAreTheLimit { .. } => Tone::Warning,
            ConnectionFinding::NoGain { .. } => Tone::Note,
        }
    }
}

impl Tell for ConnectionFinding {
    fn tell(&self) -> Message {
        let told = |id: &'static str, first: &ConnectionRate, other: &ConnectionRate| {
            Message::new(id)
                .with("few", first.connections)
                .with("first", megabytes_per_s(first.mb_per_s))
                .with("many", other.connections)
                .with("other", megabytes_per_s(other.mb_per_s))
        };
        match self {
            ConnectionFinding::FewAreTheLimit { first, at, last } => {
                let end = if at == last { "connections-growing" } else { "connections-enough" };
                told("connections-limit", first, at)
                    .part("end", Message::new(end).with("at", at.connections))
            }
            ConnectionFinding::NoGain { first, last } => told("connections-no-gain", first, last),
        }
    }
}

shown_as_told!(ConnectionFinding);

#[cfg(test)]
mod tests {
    use super::*;

    fn found(rates: [f64; 4]) -> String {
        let rate = |(at, mb_per_s): (usize, &f64)| ConnectionRate {
            connections: 1 << at,
            mb_per_s: *mb_per_s,
        };
        let rates: Vec<ConnectionRate> = rates.iter().enumerate().map(rate).collect();
        ConnectionFinding::of(&rates).map(|of| of.to_string()).unwrap_or_default()
    }

    #[test]
    fn a_limit_of_each_connection_is_told_with_where_more_stop_to_pay() {
        let told = found([12.5, 24.4, 48.3, 48.1]);
        assert!(told.starts_with("One connection is the limit: it gives 12.5 MB/s"), "{told}");
        assert!(told.contains("4 together give 48.3 MB/s"), "{told}");
        assert!(told.ends_with("From 4 on more of them give no more."), "{told}");
        let told = found([12.5, 24.4, 47.6, 96.1]);
        assert!(told.contains("8 together give 96.1 MB/s. More may give more"), "{told}");
    }

    #[test]
    fn a_plain_link_gains_nothing_by_more() {
        let told = found([48.3, 48.2, 48.1, 48.1]);
        assert!(told.starts_with("More connections give no more"), "{told}");
        assert!(told.ends_with("nconnect does not help here."), "{told}");
        assert_eq!(ConnectionFinding::of(&[]), None);
        assert_eq!(found([0.0, 0.0, 0.0, 5.0]), "", "one figure proves nothing");
    }

    #[test]
    fn what_differs_by_less_than_a_fifth_is_no_gain() {
        for (gain, proved) in [(1.0, false), (1.19, false), (1.21, true), (2.0, true)] {
            let rates = [(1, 10.0), (4, 10.0 * gain)];
            let rates =
                rates.map(|(connections, mb_per_s)| ConnectionRate { connections, mb_per_s });
            let found = ConnectionFinding::of(&rates);
            let is_limit = matches!(found, Some(ConnectionFinding::FewAreTheLimit { .. }));
            assert_eq!(is_limit, proved, "{gain}: {found:?}");
        }
    }
}
