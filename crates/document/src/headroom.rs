//! The rate that the client can drive, and the distance of a measurement from it.
//!
//! A volume's figure is its own only if it is well below the rate that one core drives without a
//! disk.

use crate::suite::Phase;
use fathom_analysis::quantity::{binary_bytes, thousands, two_figures};
use fathom_message::Message;
use fathom_vocab::IoEngine;
use serde::{Deserialize, Serialize};

/// The size of every I/O of a ceiling.
pub const BLOCK_BYTES: u64 = 4096;

/// What a ceiling is measured on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Backing {
    /// Nothing: the engine completes each I/O itself.
    Nothing,
    /// A file in tmpfs.
    Tmpfs,
    /// A file in a file system's page cache.
    PageCache,
}

impl Backing {
    /// Its name as text.
    pub fn name(self) -> &'static str {
        match self {
            Backing::Nothing => "no kernel",
            Backing::Tmpfs => "tmpfs file",
            Backing::PageCache => "cached file",
        }
    }
}

/// A ceiling to be measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CeilingCase {
    /// The engine.
    pub engine: IoEngine,
    /// I/Os in flight for each thread.
    pub depth: u32,
    /// Threads, each with its own loop.
    pub threads: u32,
    /// What it runs on.
    pub backing: Backing,
}

/// A ceiling.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ceiling {
    /// What was measured.
    #[serde(flatten)]
    pub case: CeilingCase,
    /// I/Os a second of all threads together; none where it could not be measured.
    pub iops: Option<f64>,
    /// How much of a processor each its threads got, in percent: less than 100 where other work
    /// took the rest.
    pub cpu_percent: Option<f64>,
    /// Why it could not be measured.
    pub failure: Option<String>,
}

impl Ceiling {
    /// IOPS if each thread had a processor to itself: the measured rate, corrected for other load.
    pub fn undisturbed_iops(&self) -> Option<f64> {
        let share = self.cpu_percent.filter(|percent| *percent > 0.0)? / 100.0;
        Some(self.iops? / share)
    }

    /// Processor time that one I/O takes, in nanoseconds.
    pub fn cpu_ns(&self) -> Option<f64> {
        Some(f64::from(self.case.threads) * 1e9 / self.undisturbed_iops()?)
    }
}

/// The client beside what was measured with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Headroom {
    /// What one core drove where no disk was in the way, by the engine of the busiest phase.
    pub ceiling: Ceiling,
    /// The same, had other work left the core alone; none where it could not be measured.
    pub one_core_iops: Option<f64>,
    /// The phase that did most I/Os a second.
    pub busiest: Phase,
    /// On which of the volumes, from 0.
    pub volume: usize,
    /// Its I/Os a second.
    pub iops: f64,
    /// Them in percent of the ceiling.
    pub share_percent: Option<f64>,
}

impl Headroom {
    /// The ceiling as a sentence; the verdicts show how much of it was used. None if it could not
    /// be measured.
    pub fn told(&self) -> Option<Message> {
        let case = &self.ceiling.case;
        let told = Message::new("ceiling-of-one-core")
            .with("iops", thousands(two_figures(self.one_core_iops?)))
            .with("block", binary_bytes(BLOCK_BYTES))
            .with("engine", case.engine.name())
            .with("depth", case.depth);
        Some(told)
    }
}
