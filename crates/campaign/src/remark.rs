//! What a reader must know to take a figure for what it is: one sentence each.
//!
//! A remark is data, so that a program can look for it; its text is made in one place. Only what
//! is cheap and certain is remarked on; judging steadiness, caps and bursts is another room's.

use crate::figures::Figures;
use crate::method::Method;
use crate::quantity::{binary_bytes, decimal_bytes};
use fathom_stats::{DiskUtil, RunResult};
use fathom_vocab::Direction;
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
    /// The device moved less than was asked of it.
    DeviceSawLess {
        /// The device.
        device: String,
        /// Read or write.
        direction: Direction,
        /// Bytes that Fathom moved, ramp included.
        asked_bytes: u64,
        /// Bytes that the device moved.
        seen_bytes: u64,
    },
    /// The device moved more than was asked of it.
    DeviceSawMore {
        /// The device.
        device: String,
        /// Read or write.
        direction: Direction,
        /// Bytes that Fathom moved, ramp included.
        asked_bytes: u64,
        /// Bytes that the device moved.
        seen_bytes: u64,
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
    /// The measuring thread used nearly all of a CPU.
    CpuBusy {
        /// Share of one CPU in percent.
        percent: f64,
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
            Remark::DeviceSawLess { device, direction, asked_bytes, seen_bytes } => format!(
                "{device} {} only {} of {}: a cache above it did the rest, so this is not the \
                 device's figure.",
                past(*direction),
                decimal_bytes(*seen_bytes),
                decimal_bytes(*asked_bytes)
            ),
            Remark::DeviceSawMore { device, direction, asked_bytes, seen_bytes } => format!(
                "{device} {} {} where {} were asked for: other programs use it, or the file \
                 system adds its own I/O.",
                past(*direction),
                decimal_bytes(*seen_bytes),
                decimal_bytes(*asked_bytes)
            ),
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
            Remark::CpuBusy { percent } => format!(
                "The measuring thread used {percent:.0} % of a CPU: the volume may give more than \
                 one thread can ask for."
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

fn past(direction: Direction) -> &'static str {
    match direction {
        Direction::Read => "read",
        Direction::Write => "wrote",
        Direction::Trim => "discarded",
    }
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

/// A share of a CPU from which it is taken for the limit.
const BUSY_PERCENT: f64 = 95.0;

/// What a run's figures ask the reader to know: of a phase, or of a case.
pub(crate) fn on_run(
    directions: &[Direction],
    direct: bool,
    figures: &Figures,
    result: &RunResult,
) -> Vec<Remark> {
    let mut remarks = Vec::new();
    if direct {
        remarks.extend(directions.iter().filter_map(|way| on_device(*way, result)));
    }
    let identity = &figures.identity;
    // More in flight than asked for cannot be: that is the mean over a window's edges.
    if identity.iops_off_percent < -5.0 {
        let (depth, in_flight) = (identity.depth, identity.in_flight);
        remarks.push(Remark::QueueNotFull { depth, in_flight });
    }
    if identity.mb_per_s_off_percent.abs() > 5.0 {
        remarks.push(Remark::ShortTransfers { off_percent: identity.mb_per_s_off_percent });
    }
    let busy_us: u64 = result.jobs.iter().map(|job| job.cpu.user_us + job.cpu.system_us).sum();
    // CPU is counted from the start of the ramp, and so is this.
    let time_us: u64 =
        result.jobs.iter().map(|job| job.elapsed_ms.max(job.runtime_ms) * 1000).sum();
    let percent = (busy_us as f64 * 100.0 / time_us.max(1) as f64).min(100.0);
    if time_us > 0 && percent >= BUSY_PERCENT {
        remarks.push(Remark::CpuBusy { percent });
    }
    remarks
}

/// The kernel's counters against our own. Only where one disk is beneath: how a pool or a mirror
/// spreads its I/O is not known here.
fn on_device(direction: Direction, result: &RunResult) -> Option<Remark> {
    let [disk] = result.disks.as_slice() else { return None };
    if disk.aggregate.is_some() {
        return None;
    }
    let seen_bytes = seen_bytes(disk, direction)?;
    // The series has the ramp too, as the counters have.
    let intervals = result.jobs.iter().flat_map(|job| &job.series.intervals);
    let asked_bytes: u64 = intervals.map(|interval| interval.bytes[direction]).sum();
    if asked_bytes == 0 {
        return None;
    }
    let device = disk.name.clone();
    let ratio = seen_bytes as f64 / asked_bytes as f64;
    match ratio {
        r if r < 0.9 => Some(Remark::DeviceSawLess { device, direction, asked_bytes, seen_bytes }),
        r if r > 1.1 => Some(Remark::DeviceSawMore { device, direction, asked_bytes, seen_bytes }),
        _ => None,
    }
}

fn seen_bytes(disk: &DiskUtil, direction: Direction) -> Option<u64> {
    let sectors = match direction {
        Direction::Read => disk.sectors.0,
        Direction::Write => disk.sectors.1,
        Direction::Trim => return None,
    };
    Some(sectors.saturating_mul(512))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One of each kind: a new one must be added here, since the match below has no default.
    fn one_of_each() -> Vec<Remark> {
        let (text, direction) = (String::from("x"), Direction::Read);
        let all = vec![
            Remark::Memory { what: text.clone() },
            Remark::PageCache { why: text.clone() },
            Remark::OtherEngine { engine: text.clone(), why: text.clone() },
            Remark::OneAtATime { engine: text.clone() },
            Remark::SamePlace { other: text.clone() },
            Remark::Holes { size_bytes: 2, allocated_bytes: 1 },
            Remark::SizeCapped { size_bytes: 1, available_bytes: 2 },
            Remark::OnlyRead { path: text.clone(), device: true },
            Remark::Destroys { data: None },
            Remark::DeviceSawLess {
                device: text.clone(),
                direction,
                asked_bytes: 2,
                seen_bytes: 1,
            },
            Remark::DeviceSawMore { device: text, direction, asked_bytes: 1, seen_bytes: 2 },
            Remark::QueueNotFull { depth: 1, in_flight: 0.5 },
            Remark::ShortTransfers { off_percent: -50.0 },
            Remark::CpuBusy { percent: 99.0 },
        ];
        all.iter().for_each(|remark| match remark {
            Remark::Memory { .. } | Remark::PageCache { .. } | Remark::OtherEngine { .. } => {}
            Remark::OneAtATime { .. } | Remark::SamePlace { .. } | Remark::Holes { .. } => {}
            Remark::SizeCapped { .. } | Remark::OnlyRead { .. } | Remark::Destroys { .. } => {}
            Remark::DeviceSawLess { .. } | Remark::DeviceSawMore { .. } => {}
            Remark::QueueNotFull { .. } | Remark::ShortTransfers { .. } => {}
            Remark::CpuBusy { .. } => {}
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
