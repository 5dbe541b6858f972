//! The knee of a curve of IOPS over depth or jobs: where more load stops raising IOPS.
//!
//! The bounds of a closed system define the goal (Lazowska, Zahorjan, Graham, Sevcik: Quantitative
//! System Performance, 1984, chapter 5): below saturation throughput grows with the number of
//! customers, above it throughput is capped and, by Little's law, response time grows in
//! proportion. Measured curves bend softly, so the corner is defined by a rule that can be checked
//! by eye: the smallest load that reaches 95 % of the plateau. (Kneedle, Satopää et al. 2011, uses
//! the greatest distance from the chord instead; that point moves when the sweep goes on for
//! longer, which a property of the volume should not.)
//!
//! The plateau is the median of all points within a tenth of the highest, so that one lucky point
//! does not raise it. A curve without saturation has no knee.

use crate::Tone;
use crate::quantity::{latency, thousands};
use fathom_message::{Message, Tell, shown_as_told};
use serde::{Deserialize, Serialize};

/// What was raised to load a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoadKind {
    /// I/Os that each job keeps in flight.
    Depth,
    /// Jobs that run at once.
    Jobs,
    /// Machines that run the same at once.
    Clients,
}

impl LoadKind {
    fn noun(self) -> Message {
        Message::new(match self {
            LoadKind::Depth => "knee-noun-depth",
            LoadKind::Jobs => "knee-noun-jobs",
            LoadKind::Clients => "knee-noun-clients",
        })
    }

    /// A value of it in a sentence: `depth 16`, `16 jobs`.
    fn at(self, load: u64) -> Message {
        let id = match self {
            LoadKind::Depth => "knee-at-depth",
            LoadKind::Jobs => "knee-at-jobs",
            LoadKind::Clients => "knee-at-clients",
        };
        Message::new(id).with("load", load)
    }
}

/// One point of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LoadPoint {
    /// The load: depth, or number of jobs or clients.
    pub load: u64,
    /// I/Os a second.
    pub iops: f64,
    /// Mean latency in nanoseconds.
    pub latency_ns: f64,
}

impl LoadPoint {
    /// I/Os in flight on average, by Little's law.
    fn in_flight(&self) -> f64 {
        self.iops * self.latency_ns / 1e9
    }
}

/// What becomes of a curve as load grows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "verdict", rename_all = "snake_case")]
pub enum Knee {
    /// IOPS stop growing at `at`, and stay there.
    Found {
        /// What was raised.
        load: LoadKind,
        /// The first point of the plateau.
        at: LoadPoint,
        /// The height of the plateau in I/Os a second.
        plateau_iops: f64,
        /// The point of the greatest load.
        last: LoadPoint,
    },
    /// IOPS stop growing at `at`, and more load makes them fewer.
    Falling {
        /// What was raised.
        load: LoadKind,
        /// The first point of the plateau.
        at: LoadPoint,
        /// The height of the plateau in I/Os a second.
        plateau_iops: f64,
        /// The point of the greatest load.
        last: LoadPoint,
    },
    /// The greatest load is not yet beyond the knee.
    Growing {
        /// What was raised.
        load: LoadKind,
        /// The point of the greatest load.
        last: LoadPoint,
    },
    /// IOPS stop growing, and so do the I/Os in flight: the load did not reach the volume.
    NotInFlight {
        /// What was raised.
        load: LoadKind,
        /// The first point of the plateau.
        at: LoadPoint,
        /// The point of the greatest load.
        last: LoadPoint,
    },
    /// Too few points to see a bend.
    TooFew {
        /// Points with figures.
        points: usize,
    },
}

/// The share of the plateau that the knee reaches.
const REACHED: f64 = 0.95;
/// Points within this share of the highest make up the plateau.
const LEVEL: f64 = 0.9;
/// The multiple of the knee's load that must have been tried before IOPS count as no longer
/// growing: less depends on the steps of the axis.
const BEYOND: f64 = 1.5;
/// The share of the load's growth that the I/Os in flight must show: their mean is a little below
/// the requested depth, more so with fast I/Os.
const IN_PROPORTION: f64 = 0.75;
/// Two points are a line.
const FEWEST: usize = 3;

impl Knee {
    /// Reads the verdict off a curve; points need no order, and those without IOPS are left out.
    pub fn find(load: LoadKind, points: &[LoadPoint]) -> Knee {
        let sound = |p: &&LoadPoint| p.iops > 0.0 && p.iops.is_finite() && p.latency_ns > 0.0;
        let mut curve: Vec<LoadPoint> = points.iter().filter(sound).copied().collect();
        curve.sort_by_key(|point| point.load);
        curve.dedup_by_key(|point| point.load);
        let (true, Some(&last)) = (curve.len() >= FEWEST, curve.last()) else {
            return Knee::TooFew { points: curve.len() };
        };
        let plateau_iops = plateau(&curve);
        let reached = curve.iter().find(|point| point.iops >= REACHED * plateau_iops);
        let at = reached.copied().unwrap_or(last);
        let load_growth = last.load as f64 / at.load.max(1) as f64;
        if load_growth < BEYOND {
            return Knee::Growing { load, last };
        }
        if last.in_flight() < IN_PROPORTION * load_growth * at.in_flight() {
            return Knee::NotInFlight { load, at, last };
        }
        match last.iops < LEVEL * plateau_iops {
            true => Knee::Falling { load, at, plateau_iops, last },
            false => Knee::Found { load, at, plateau_iops, last },
        }
    }

    /// The load beyond which more of it gains nothing, if the curve shows it.
    pub fn load(&self) -> Option<u64> {
        match self {
            Knee::Found { at, .. } | Knee::Falling { at, .. } => Some(at.load),
            _ => None,
        }
    }

    /// How it bears on the curve.
    pub fn tone(&self) -> Tone {
        match self {
            Knee::Found { .. } | Knee::Growing { .. } | Knee::TooFew { .. } => Tone::Note,
            Knee::Falling { .. } | Knee::NotInFlight { .. } => Tone::Warning,
        }
    }
}

/// The median of the points that are within a tenth of the highest.
fn plateau(curve: &[LoadPoint]) -> f64 {
    let highest = curve.iter().map(|point| point.iops).fold(0.0, f64::max);
    let mut level: Vec<f64> =
        curve.iter().map(|point| point.iops).filter(|iops| *iops >= LEVEL * highest).collect();
    level.sort_by(f64::total_cmp);
    let middle = level.len() / 2;
    match level.len() % 2 {
        0 => (level[middle - 1] + level[middle]) / 2.0,
        _ => level[middle],
    }
}

impl Tell for Knee {
    fn tell(&self) -> Message {
        match self {
            Knee::Found { load, at, plateau_iops, last } => Message::new("knee-found")
                .part("place", load.at(at.load))
                .with("level", thousands(*plateau_iops))
                .part("noun", load.noun())
                .with("here", latency(at.latency_ns))
                .with("at", at.load)
                .with("there", latency(last.latency_ns))
                .with("last", last.load),
            Knee::Falling { load, at, plateau_iops, last } => Message::new("knee-falling")
                .with("level", thousands(*plateau_iops))
                .part("place", load.at(at.load))
                .with("iops", thousands(last.iops))
                .with("last", last.load),
            Knee::Growing { load, last } => Message::new("knee-growing")
                .part("place", load.at(last.load))
                .with("iops", thousands(last.iops)),
            Knee::NotInFlight { load, at, last } => Message::new("knee-not-in-flight")
                .part("noun", load.noun())
                .part("place", load.at(at.load))
                .part("end", load.at(last.load))
                .with("before", format_args!("{:.1}", at.in_flight()))
                .with("after", format_args!("{:.1}", last.in_flight())),
            Knee::TooFew { points } => Message::new("knee-too-few").with("points", points),
        }
    }
}

shown_as_told!(Knee);

#[cfg(test)]
mod tests;
