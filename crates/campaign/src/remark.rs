//! What a reader must know to take a figure for what it is: one sentence each.
//!
//! A remark is data, so that a program can look for it; its text is made in one place. Only what
//! is cheap and certain is remarked on; what figures mean is told by [`crate::verdicts`].

use crate::figures::Figures;
use crate::method::Method;
use crate::quantity::{binary_bytes, decimal_bytes};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Something to know about a volume or a phase.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "about", rename_all = "snake_case")]
pub enum Remark {
    /// The target is memory.
    Memory {
        /// The file system or device.
        what: String,
    },
    /// The page cache took part.
    PageCache {
        /// Why direct I/O was refused.
        why: String,
    },
    /// Another engine than the first choice.
    OtherEngine {
        /// The engine used.
        engine: String,
        /// Why not the first choice.
        why: String,
    },
    /// An engine with one I/O in flight, where more were asked for.
    OneAtATime {
        /// The engine.
        engine: String,
    },
    /// Two targets on one file system or device.
    SamePlace {
        /// The other target.
        other: String,
    },
    /// A file whose holes are read from memory.
    Holes {
        /// Its length.
        size_bytes: u64,
        /// What of it has blocks.
        allocated_bytes: u64,
    },
    /// Less was laid out than usual.
    SizeCapped {
        /// What is laid out.
        size_bytes: u64,
        /// What is free.
        available_bytes: u64,
    },
    /// Data of others: writes are left out.
    OnlyRead {
        /// The target.
        path: String,
        /// Whether it is a device, parts of which may never have been written.
        device: bool,
    },
    /// Data of others is written over, as was asked for.
    Destroys {
        /// What the first bytes look like, such as `ext4`.
        data: Option<String>,
    },
    /// Fewer I/Os were in flight than asked for, or the sides of the identity part otherwise.
    QueueNotFull {
        /// Asked for.
        depth: u32,
        /// On average.
        in_flight: f64,
    },
    /// I/Os moved less than a block.
    ShortTransfers {
        /// How far MB/s lie from IOPS x block size, in percent.
        off_percent: f64,
    },
}

impl fmt::Display for Remark {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.on_volume().or_else(|| self.on_figures()).unwrap_or_default())
    }
}

impl Remark {
    /// The sentence of a remark on a volume or on the way to it.
    fn on_volume(&self) -> Option<String> {
        Some(match self {
            Remark::Memory { what } => {
                format!("{what} is memory: these are not the figures of a disk.")
            }
            Remark::PageCache { why } => format!(
                "Direct I/O is not possible here ({why}), so the page cache takes part: reads may \
                 come from memory, and writes may end there."
            ),
            Remark::OtherEngine { engine, why } => {
                format!("{engine} is used, because the first choice is not available: {why}.")
            }
            Remark::OneAtATime { engine } => format!(
                "{engine} does one I/O at a time whatever the depth: read every figure as depth 1."
            ),
            Remark::SamePlace { other } => {
                format!("This is the same file system or device as {other}: expect no difference.")
            }
            Remark::Holes { size_bytes, allocated_bytes } => format!(
                "Of the file's {}, only {} are on the volume; the holes are read from memory.",
                binary_bytes(*size_bytes),
                binary_bytes(*allocated_bytes)
            ),
            Remark::SizeCapped { size_bytes, available_bytes } => format!(
                "Only {} are measured in, because {} are free; a small range may fit into a cache.",
                binary_bytes(*size_bytes),
                decimal_bytes(*available_bytes)
            ),
            Remark::OnlyRead { path, device } => only_read(path, *device),
            Remark::Destroys { data } => {
                let what = data.as_ref().map_or("data".to_owned(), |data| format!("data ({data})"));
                format!("The {what} on it is DESTROYED, as --destroy-data-on asks for.")
            }
            _ => return None,
        })
    }

    /// The sentence of a remark on a phase's figures.
    fn on_figures(&self) -> Option<String> {
        Some(match self {
            Remark::QueueNotFull { depth: 1, in_flight } => format!(
                "{:.0} % of the time no I/O was in flight: preparing the next took longer than \
                 such a fast volume allows.",
                (1.0 - in_flight) * 100.0
            ),
            Remark::QueueNotFull { depth, in_flight } => format!(
                "Only {in_flight:.1} of {depth} I/Os were in flight on average: preparing and \
                 submitting them took longer than the volume did."
            ),
            Remark::ShortTransfers { off_percent } => format!(
                "MB/s lie {off_percent:+.0} % from IO/s x block size: some I/Os moved less than a \
                 block."
            ),
            _ => return None,
        })
    }
}

fn only_read(path: &str, device: bool) -> String {
    let thin = match device {
        true => " Parts that were never written may be answered without the disk.",
        false => "",
    };
    format!(
        "Only read, so that its data is safe.{thin} To measure writes as well, which DESTROYS the \
         data: --destroy-data-on {path}"
    )
}

/// What the way to a volume asks the reader to know.
pub(crate) fn on_method(method: &Method) -> Vec<Remark> {
    let engine = method.engine.name().to_owned();
    let mut remarks = Vec::new();
    if !method.direct {
        let why = method.why_not_direct.clone().unwrap_or_else(|| "it was not tried".to_owned());
        remarks.push(Remark::PageCache { why });
    }
    if method.engine.is_sync() {
        remarks.push(Remark::OneAtATime { engine: engine.clone() });
    }
    if let Some(why) = &method.why_not_first_engine {
        remarks.push(Remark::OtherEngine { engine, why: why.trim_end_matches('.').to_owned() });
    }
    remarks
}

/// What a run's figures ask the reader to know: of a phase, or of a case.
pub(crate) fn on_run(figures: &Figures) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let identity = &figures.identity;
    // More in flight than asked for cannot be: that is the mean over a window's edges.
    if identity.iops_off_percent < -5.0 {
        let (depth, in_flight) = (identity.depth, identity.in_flight);
        remarks.push(Remark::QueueNotFull { depth, in_flight });
    }
    if identity.mb_per_s_off_percent.abs() > 5.0 {
        remarks.push(Remark::ShortTransfers { off_percent: identity.mb_per_s_off_percent });
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of each kind: a new one must be added here, since the match below has no default.
    fn one_of_each() -> Vec<Remark> {
        let text = String::from("x");
        let all = vec![
            Remark::Memory { what: text.clone() },
            Remark::PageCache { why: text.clone() },
            Remark::OtherEngine { engine: text.clone(), why: text.clone() },
            Remark::OneAtATime { engine: text.clone() },
            Remark::SamePlace { other: text.clone() },
            Remark::Holes { size_bytes: 2, allocated_bytes: 1 },
            Remark::SizeCapped { size_bytes: 1, available_bytes: 2 },
            Remark::OnlyRead { path: text, device: true },
            Remark::Destroys { data: None },
            Remark::QueueNotFull { depth: 1, in_flight: 0.5 },
            Remark::ShortTransfers { off_percent: -50.0 },
        ];
        all.iter().for_each(|remark| match remark {
            Remark::Memory { .. } | Remark::PageCache { .. } | Remark::OtherEngine { .. } => {}
            Remark::OneAtATime { .. } | Remark::SamePlace { .. } | Remark::Holes { .. } => {}
            Remark::SizeCapped { .. } | Remark::OnlyRead { .. } | Remark::Destroys { .. } => {}
            Remark::QueueNotFull { .. } | Remark::ShortTransfers { .. } => {}
        });
        all
    }

    #[test]
    fn every_remark_is_a_sentence() {
        for remark in one_of_each() {
            let text = remark.to_string();
            assert!(text.len() > 20, "{remark:?}: {text:?}");
        }
    }
}
