//! A saw-tooth: each second (or tenth of one) begins fast and ends waiting.
//!
//! It comes from a token bucket that is refilled at fixed times and not continuously: tokens are
//! spent at once, and the remaining period passes without. Searched at periods of one second and of
//! 100 ms (the slice of Linux's blkio throttle, seen on a real one), by the autocorrelation at one
//! period against that at half of one: a trend has both, noise neither.

use crate::Tone;
use crate::quantile::{median, sorted, usable};
use crate::quantity::stretch;
use crate::shown::in_percent;
use fathom_message::{Message, Tell, shown_as_told};
use serde::{Deserialize, Serialize};

/// Periods of refilling, in seconds.
const PERIODS_S: [f64; 2] = [1.0, 0.1];
/// Intervals that a period has to have.
const LEAST_PHASES: usize = 5;
/// Periods that a series has to cover.
const LEAST_PERIODS: usize = 8;
/// Least autocorrelation at one period, and by how much it has to exceed that at half of one.
const AGREEMENT: f64 = 0.4;
/// Least share of a period's I/Os that its busiest quarter does.
const BUSIEST: f64 = 0.5;

/// A saw-tooth in a series of rates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SawTooth {
    /// Its period in seconds.
    pub period_s: f64,
    /// Share of a period's I/Os that its busiest quarter does, 0 to 1; median over the periods.
    pub busiest_quarter: f64,
    /// Autocorrelation at one period, up to 1.
    pub agreement: f64,
}

/// Whether a series shows a saw-tooth.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "finding", rename_all = "snake_case")]
pub enum SawToothFinding {
    /// It does.
    SawTooth(SawTooth),
    /// It does not.
    NoneSeen,
    /// Its intervals are too long, or it is too short.
    NotEnough,
}

/// Searches for a saw-tooth in rates of consecutive intervals of `interval_s` seconds, in any unit.
///
/// For a period of a second, intervals of 100 ms or 200 ms over at least eight seconds; for one
/// of 100 ms, intervals of 10 ms or 20 ms.
pub fn find_saw_tooth(interval_s: f64, rates: &[f64]) -> SawToothFinding {
    let rates = usable(rates);
    let most = rates.iter().copied().fold(0.0, f64::max);
    // Shares of the greatest: squares and sums of them stay in range.
    let shares: Vec<f64> = rates.iter().map(|rate| rate / most).collect();
    let mut finding = SawToothFinding::NotEnough;
    for period_s in PERIODS_S {
        let Some(phases) = phases(interval_s, period_s, shares.len()) else { continue };
        if let Some(tooth) = at_period(&shares, phases, period_s) {
            return SawToothFinding::SawTooth(tooth);
        }
        finding = SawToothFinding::NoneSeen;
    }
    finding
}

/// Intervals in a period; `None` if they do not fill it evenly or the series is too short.
fn phases(interval_s: f64, period_s: f64, intervals: usize) -> Option<usize> {
    let phases = period_s / interval_s;
    let whole = phases.round();
    let even = (phases / whole - 1.0).abs() < 0.001;
    let fits = whole >= LEAST_PHASES as f64 && whole * LEAST_PERIODS as f64 <= intervals as f64;
    (even && fits).then_some(whole as usize)
}

fn at_period(shares: &[f64], phases: usize, period_s: f64) -> Option<SawTooth> {
    let agreement = autocorrelation(shares, phases)?;
    let opposite = autocorrelation(shares, phases / 2)?;
    let quarter = phases.div_ceil(4);
    let busiest = |period: &[f64]| {
        let rising = sorted(period);
        let all: f64 = rising.iter().sum();
        let top: f64 = rising[phases - quarter..].iter().sum();
        if all > 0.0 { top / all } else { 0.0 }
    };
    let periods: Vec<f64> = shares.chunks_exact(phases).map(busiest).collect();
    let busiest_quarter = median(&periods);
    let told =
        agreement >= AGREEMENT && agreement - opposite >= AGREEMENT && busiest_quarter >= BUSIEST;
    told.then_some(SawTooth { period_s, busiest_quarter, agreement })
}

/// Autocorrelation at a lag (Box & Jenkins, section 2.1.5), per pair so that it can reach 1; `None`
/// if nothing varies.
fn autocorrelation(values: &[f64], lag: usize) -> Option<f64> {
    let pairs = values.len().checked_sub(lag).filter(|pairs| *pairs > 0)?;
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let products: f64 =
        values.iter().zip(&values[lag..]).map(|(a, b)| (a - mean) * (b - mean)).sum();
    let agreement = products / pairs as f64 / (squares / values.len() as f64);
    agreement.is_finite().then(|| agreement.min(1.0))
}

impl SawTooth {
    /// It explains latencies that rise and fall.
    pub fn tone(&self) -> Tone {
        Tone::Note
    }
}

impl SawToothFinding {
    /// How it bears on the figures.
    pub fn tone(&self) -> Tone {
        match self {
            SawToothFinding::SawTooth(tooth) => tooth.tone(),
            SawToothFinding::NoneSeen => Tone::Good,
            SawToothFinding::NotEnough => Tone::Note,
        }
    }
}

impl Tell for SawTooth {
    fn tell(&self) -> Message {
        Message::new("saw-tooth")
            .with("period", stretch(self.period_s))
            .part("share", in_percent(self.busiest_quarter))
    }
}

impl Tell for SawToothFinding {
    fn tell(&self) -> Message {
        match self {
            SawToothFinding::SawTooth(tooth) => tooth.tell(),
            SawToothFinding::NoneSeen => Message::new("saw-tooth-none"),
            SawToothFinding::NotEnough => Message::new("saw-tooth-not-enough"),
        }
    }
}

shown_as_told!(SawTooth, SawToothFinding);

#[cfg(test)]
mod tests;
