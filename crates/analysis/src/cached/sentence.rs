//! The sentence of a verdict with its evidence.

use super::signs::MORE_THAN_DIRECT;
use super::{ByteCounter, CacheFinding, CacheSign, CacheVerdict, FloorOf, LatencyFloor};
use crate::quantity::{count, latency, thousands};
use crate::shown::in_percent;
use fathom_message::{Message, Tell, list, shown_as_told};
use fathom_vocab::Direction;

/// A device that saw this share of the bytes saw all of them, as far as counters agree.
const SAW_ALL: f64 = 0.98;

impl Tell for CacheSign {
    fn tell(&self) -> Message {
        let share = |id, share: f64| Message::new(id).part("share", in_percent(share));
        match self {
            CacheSign::Counter { by, times } => counted(*by, *times),
            CacheSign::MemoryFilesystem { filesystem } => {
                Message::new("cached-sign-memory").part("filesystem", memory(filesystem))
            }
            CacheSign::PageCache => Message::new("cached-sign-page-cache"),
            CacheSign::CacheBeneath => Message::new("cached-sign-beneath"),
            CacheSign::OtherDirection { direction, ios, bytes } => {
                other_direction(*direction, *ios, *bytes)
            }
            CacheSign::DirectIgnored { filesystem } => {
                Message::new("cached-sign-direct-ignored").part("filesystem", named(filesystem))
            }
            CacheSign::DirectVerified => Message::new("cached-sign-direct-verified"),
            CacheSign::FitsMemory { times } => share("cached-sign-fits-memory", *times),
            CacheSign::Unwritten { share: of } => share("cached-sign-unwritten", *of),
            CacheSign::Compressible { share: of } => share("cached-sign-compressible", *of),
            CacheSign::RepeatedOffsets => Message::new("cached-sign-repeated"),
            CacheSign::BelowFloor(floor) => below(floor),
            CacheSign::Merged { ios } => {
                Message::new("cached-sign-merged").with("ios", count(*ios)).with("count", *ios)
            }
        }
    }
}

impl CacheSign {
    /// Whether it speaks against a cache: direct I/O, or a device that saw all bytes.
    fn is_against(&self) -> bool {
        match self {
            CacheSign::DirectVerified => true,
            CacheSign::Counter { times, .. } => *times >= SAW_ALL,
            _ => false,
        }
    }
}

/// Shares that differ by less say the same.
const SAME: f64 = 0.1;

/// What the device did in a direction that the job has not, over what was issued. The bytes stand
/// there only if they say more than the I/Os.
fn other_direction(direction: Direction, ios: f64, bytes: f64) -> Message {
    let is_same = (bytes - ios).abs() <= SAME * ios;
    let id = match (direction, is_same) {
        (Direction::Read, true) => "cached-sign-other-reads",
        (Direction::Read, false) => "cached-sign-other-reads-bytes",
        (_, true) => "cached-sign-other-writes",
        (_, false) => "cached-sign-other-writes-bytes",
    };
    let (per, ios) = match ios < MANY_TIMES {
        true => ("cached-per-hundred", ios * 100.0),
        false => ("cached-per-one", ios),
    };
    let ios = match ios {
        // Few but large: still more than none.
        few if few < 0.1 => format!("{few:.2}"),
        few if few < 1.0 => format!("{few:.1}"),
        many => thousands(many.round()),
    };
    Message::new(id).part("per", Message::new(per)).with("ios", ios).part("bytes", over(bytes))
}

/// From so many times on, a share in percent is hard to read.
const MANY_TIMES: f64 = 10.0;

/// A share of the test's bytes in percent, or how many times it is.
fn over(share: f64) -> Message {
    match share < MANY_TIMES {
        true => Message::new("cached-of-bytes").part("share", in_percent(share)),
        false => Message::new("cached-of-bytes-times").with("times", thousands(share.round())),
    }
}

fn counted(by: ByteCounter, times: f64) -> Message {
    let [less, more] = match by {
        ByteCounter::Device => ["cached-sign-device", "cached-sign-device-more"],
        ByteCounter::NfsClient => ["cached-sign-nfs", "cached-sign-nfs-more"],
    };
    match times < MORE_THAN_DIRECT {
        true => Message::new(less).part("share", in_percent(times)),
        false if times < 1.15 => Message::new(more).with("times", format_args!("{times:.2}")),
        false if times < 1e3 => Message::new(more).with("times", format_args!("{times:.1}")),
        false => Message::new(more).with("times", thousands(times)),
    }
}

fn below(floor: &LatencyFloor) -> Message {
    let id = match floor.of {
        FloorOf::RoundTrip => "cached-sign-round-trip",
        FloorOf::Medium => "cached-sign-medium",
    };
    let share = in_percent(floor.share_below);
    Message::new(id).part("share", share).with("time", latency(floor.floor_ns))
}

fn named(filesystem: &str) -> Message {
    match filesystem {
        "" => Message::new("cached-the-filesystem"),
        known => Message::verbatim(known),
    }
}

/// The name of the memory: a file system without a device, otherwise the device.
fn memory(filesystem: &str) -> Message {
    match filesystem {
        "tmpfs" | "ramfs" => Message::verbatim(filesystem),
        _ => Message::new("cached-the-device"),
    }
}

impl Tell for CacheFinding {
    fn tell(&self) -> Message {
        self.tell_of(direction_noun(self.direction))
    }
}

/// The name in the catalogue of the I/Os of a direction: `reads`, `writes` or `trims`.
pub fn direction_noun(direction: Direction) -> &'static str {
    match direction {
        Direction::Read => "way-reads",
        Direction::Write => "way-writes",
        Direction::Trim => "way-trims",
    }
}

impl CacheFinding {
    /// The same of runs in several directions, of which this is one.
    pub fn tell_of_all(&self) -> Message {
        self.tell_of("way-ios")
    }

    /// First what the other I/O was, then what is known of the test's own.
    fn tell_foreign(&self, what: &'static str) -> Message {
        let is_other = |sign: &&CacheSign| matches!(sign, CacheSign::OtherDirection { .. });
        let (other, own): (Vec<_>, Vec<_>) = self.signs.iter().partition(is_other);
        let clauses =
            |signs: Vec<&CacheSign>| list::clauses(signs.into_iter().map(CacheSign::tell));
        let own = match own.is_empty() {
            true => Message::verbatim(""),
            false => Message::new("cached-foreign-own").part("why", clauses(own)),
        };
        let told = Message::new("cached-foreign").part("what", Message::new(what));
        told.part("other", clauses(other)).part("own", own)
    }

    fn tell_of(&self, what: &'static str) -> Message {
        let nothing_known = self.verdict == CacheVerdict::NotEnough && self.signs.is_empty();
        let (id, share) = match self.verdict {
            CacheVerdict::Memory => ("cached-memory", None),
            CacheVerdict::Cached { share } => ("cached-cached", Some(share)),
            CacheVerdict::Unwritten { share } => ("cached-unwritten", Some(share)),
            CacheVerdict::Suspected => ("cached-suspected", None),
            CacheVerdict::SawMore { .. } => ("cached-saw-more", None),
            CacheVerdict::Foreign { .. } => return self.tell_foreign(what),
            CacheVerdict::NotCached => ("cached-not-cached", None),
            CacheVerdict::NotEnough if nothing_known => ("cached-nothing-known", None),
            CacheVerdict::NotEnough => ("cached-not-enough", None),
        };
        // What speaks against a cache is no reason to suspect one.
        let suspected = self.verdict == CacheVerdict::Suspected;
        let speaks = |sign: &&CacheSign| !suspected || !sign.is_against();
        let why = list::clauses(self.signs.iter().filter(speaks).map(CacheSign::tell));
        let told = Message::new(id).part("what", Message::new(what)).part("why", why);
        share.into_iter().fold(told, |told, share| told.part("share", in_percent(share)))
    }
}

shown_as_told!(CacheSign, CacheFinding);
