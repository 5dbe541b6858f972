//! The sentence that says a verdict and what it rests on.

use super::signs::MORE;
use super::{CacheFinding, CacheSign, CacheVerdict, FloorOf, LatencyFloor, SeenBy};
use crate::quantity::{latency, thousands};
use crate::shown::{in_percent, listed};
use fathom_vocab::Direction;
use std::fmt;

impl fmt::Display for CacheSign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CacheSign::Counter { by, times } => f.write_str(&counted(*by, *times)),
            CacheSign::MemoryFilesystem { filesystem } => {
                write!(f, "{} is memory", named(filesystem))
            }
            CacheSign::PageCache => f.write_str("it went through the page cache"),
            CacheSign::DirectIgnored { filesystem } => {
                write!(f, "{} took direct I/O and buffered all the same", named(filesystem))
            }
            CacheSign::DirectVerified => f.write_str("direct I/O was verified"),
            CacheSign::FitsMemory { times } => {
                write!(f, "the working set is {} of memory", in_percent(*times))
            }
            CacheSign::Unwritten { share } => write!(f, "{} was never written", in_percent(*share)),
            CacheSign::Compressible { share } => {
                write!(f, "{} of the content compresses away", in_percent(*share))
            }
            CacheSign::RepeatedOffsets => {
                f.write_str("a run before it used the same offsets (randrepeat)")
            }
            CacheSign::BelowFloor(floor) => f.write_str(&below(floor)),
            CacheSign::Merged { ios } => write!(f, "{} I/Os were merged", thousands(*ios as f64)),
        }
    }
}

fn counted(by: SeenBy, times: f64) -> String {
    let by = match by {
        SeenBy::Device => "the device",
        SeenBy::NfsClient => "the NFS client",
    };
    match times < MORE {
        true => format!("{by} saw {} of the bytes", in_percent(times)),
        false => format!("{by} saw {times:.1} times the bytes"),
    }
}

fn below(floor: &LatencyFloor) -> String {
    let of = match floor.of {
        FloorOf::RoundTrip => "the network's round trip",
        FloorOf::Medium => "the medium's access",
    };
    let (share, time) = (in_percent(floor.share_below), latency(floor.floor_ns));
    format!("{share} of I/Os were faster than {of} of {time}")
}

fn named(filesystem: &str) -> &str {
    if filesystem.is_empty() { "the file system" } else { filesystem }
}

impl fmt::Display for CacheFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.direction {
            Direction::Read => "reads",
            Direction::Write => "writes",
            Direction::Trim => "trims",
        };
        let signs: Vec<String> = self.signs.iter().map(CacheSign::to_string).collect();
        f.write_str(&self.verdict.sentence(what, &listed(&signs)))
    }
}

impl CacheVerdict {
    /// About `what` (reads, writes), because of `why`.
    fn sentence(self, what: &str, why: &str) -> String {
        match self {
            CacheVerdict::Memory => format!("These {what} are memory's and no storage's: {why}."),
            CacheVerdict::Cached { share } => {
                format!(
                    "{} of the {what} came to a cache before the device: {why}.",
                    in_percent(share)
                )
            }
            CacheVerdict::Unwritten { share } => format!(
                "{} of the {what} found nothing written and cost no I/O: {why}. Fill the file \
                 first.",
                in_percent(share)
            ),
            CacheVerdict::Suspected => {
                format!("The {what} may be a cache's in part: {why}.")
            }
            CacheVerdict::SawMore { .. } => format!(
                "More was done than these {what}: {why}. Somebody else used the device, or \
                 read-ahead, journal or parity added to it."
            ),
            CacheVerdict::NotCached => format!(
                "No cache of this machine took part in the {what}: {why}. One inside the storage \
                 would not show."
            ),
            CacheVerdict::NotEnough if why.is_empty() => {
                format!("Nothing is known that would tell whether the {what} were cached.")
            }
            CacheVerdict::NotEnough => {
                format!("Not enough to tell whether the {what} were cached: {why}.")
            }
        }
    }
}
