//! Remarks that a reader needs to interpret a figure: one sentence each.
//!
//! A remark is data, so that programs can search for it; its text is made in one place. Only cheap
//! and certain facts are remarks; [`crate::verdicts`] interprets figures.

use fathom_analysis::quantity::{binary_bytes, decimal_bytes};
use fathom_message::{Message, Tell, shown_as_told};
use serde::{Deserialize, Serialize};

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
    /// The process was stopped meanwhile.
    Pause {
        /// For how long, in milliseconds.
        pause_ms: u64,
    },
    /// Machines that were to measure and did not.
    MissingClients {
        /// Their names.
        hosts: Vec<String>,
    },
    /// I/Os moved less than a block.
    ShortTransfers {
        /// How far MB/s lie from IOPS x block size, in percent.
        off_percent: f64,
    },
    /// A run before it left its limit undecided, so that it was made again, and this one counts.
    MeasuredAgain {
        /// Whole seconds of the first run.
        first_s: u64,
        /// Whole seconds of this one.
        seconds: u64,
    },
}

impl Tell for Remark {
    fn tell(&self) -> Message {
        match self {
            Remark::Memory { what } => Message::new("remark-memory").with("what", what),
            Remark::PageCache { why } => Message::new("remark-page-cache").with("why", why),
            Remark::OtherEngine { engine, why } => {
                Message::new("remark-other-engine").with("engine", engine).with("why", why)
            }
            Remark::OneAtATime { engine } => {
                Message::new("remark-one-at-a-time").with("engine", engine)
            }
            Remark::SamePlace { other } => Message::new("remark-same-place").with("other", other),
            Remark::Holes { size_bytes, allocated_bytes } => Message::new("remark-holes")
                .with("size", binary_bytes(*size_bytes))
                .with("allocated", binary_bytes(*allocated_bytes)),
            Remark::SizeCapped { size_bytes, available_bytes } => {
                Message::new("remark-size-capped")
                    .with("size", binary_bytes(*size_bytes))
                    .with("available", decimal_bytes(*available_bytes))
            }
            Remark::OnlyRead { path, device: true } => {
                Message::new("remark-only-read-device").with("path", path)
            }
            Remark::OnlyRead { path, device: false } => {
                Message::new("remark-only-read-file").with("path", path)
            }
            Remark::Destroys { data } => destroys(data.as_deref()),
            Remark::QueueNotFull { depth, in_flight } => queue_not_full(*depth, *in_flight),
            Remark::Pause { pause_ms } => Message::new("remark-pause")
                .with("time", format_args!("{:.1} s", *pause_ms as f64 / 1e3)),
            Remark::MissingClients { hosts } => {
                Message::new("remark-missing-clients").with("hosts", hosts.join(", "))
            }
            Remark::ShortTransfers { off_percent } => Message::new("remark-short-transfers")
                .with("off", format_args!("{off_percent:+.0} %")),
            Remark::MeasuredAgain { first_s, seconds } => Message::new("remark-measured-again")
                .with("first", *first_s)
                .with("seconds", *seconds),
        }
    }
}

shown_as_told!(Remark);

fn destroys(data: Option<&str>) -> Message {
    match data {
        Some(data) => Message::new("remark-destroys-known").with("data", data),
        None => Message::new("remark-destroys"),
    }
}

fn queue_not_full(depth: u32, in_flight: f64) -> Message {
    match depth {
        1 => Message::new("remark-idle-queue")
            .with("idle", format_args!("{:.0} %", (1.0 - in_flight) * 100.0)),
        depth => Message::new("remark-queue-not-full")
            .with("in-flight", format_args!("{in_flight:.1}"))
            .with("depth", depth),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_message::Lang;

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
            Remark::Pause { pause_ms: 10_000 },
            Remark::MissingClients { hosts: vec!["h3".to_owned()] },
            Remark::ShortTransfers { off_percent: -50.0 },
            Remark::MeasuredAgain { first_s: 30, seconds: 90 },
        ];
        all.iter().for_each(|remark| match remark {
            Remark::Memory { .. } | Remark::PageCache { .. } | Remark::OtherEngine { .. } => {}
            Remark::OneAtATime { .. } | Remark::SamePlace { .. } | Remark::Holes { .. } => {}
            Remark::SizeCapped { .. } | Remark::OnlyRead { .. } | Remark::Destroys { .. } => {}
            Remark::QueueNotFull { .. } | Remark::ShortTransfers { .. } => {}
            Remark::Pause { .. } | Remark::MissingClients { .. } => {}
            Remark::MeasuredAgain { .. } => {}
        });
        all
    }

    #[test]
    fn every_remark_is_a_sentence() {
        for remark in one_of_each() {
            for text in Lang::ALL.map(|lang| remark.tell().text(lang)) {
                assert!(text.len() > 20 && !text.contains('{'), "{remark:?}: {text:?}");
            }
        }
    }
}
