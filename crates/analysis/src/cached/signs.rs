//! From facts to signs, and from signs to a verdict.

use super::{
    CacheFinding, CacheInputs, CacheSign, CacheVerdict, DirectIo, ForeignBytes, LatencyFloor,
    Medium, Offsets,
};
use fathom_vocab::Direction;

/// A counter with less than this share of the issued bytes missed some: the published rule of thumb
/// for comparing a job's I/O with iostat's.
const MISSED: f64 = 0.9;
/// A counter with this multiple of the issued bytes includes foreign I/O.
const MORE: f64 = 1.1;
/// The same for direct I/O: nothing is read ahead, and the counter sees exactly the job's I/O.
pub(super) const MORE_THAN_DIRECT: f64 = 1.03;
/// I/Os or bytes in a direction that the job does not use are foreign from this share of the job's
/// on; a file system's own records are less.
const OTHER: f64 = 0.05;
/// Both for jobs on a device itself: no file system's records are counted, and direct I/O is
/// counted to the byte.
const MORE_OF_DEVICE: f64 = 1.01;
const OTHER_OF_DEVICE: f64 = 0.01;
/// Bytes a second from which on more of a device is foreign use: reading its partition table is
/// less.
const LEAST_MORE_BYTES: f64 = 65_536.0;
/// Below this share, I/Os that beat the floor are clocks and chance.
const BEAT: f64 = 0.05;
/// Holes explain the missing bytes if they make up this share of them.
const EXPLAINS: f64 = 0.8;
/// Memory cannot hold a working set of this multiple of it.
const HOLDS: f64 = 2.0;

/// Decides whether the job measured the storage or a memory before it.
pub fn find_cached(inputs: &CacheInputs) -> CacheFinding {
    let signs = signs(inputs);
    let verdict = verdict(inputs, &signs);
    CacheFinding { direction: inputs.direction, verdict, signs }
}

/// A share that is one: between 0 and 1.
fn share(share: Option<f64>) -> Option<f64> {
    share.filter(|share| *share > 0.0 && *share <= 1.0)
}

fn floor(inputs: &CacheInputs) -> Option<LatencyFloor> {
    let known = inputs.floor.filter(|floor| floor.floor_ns > 0.0 && floor.floor_ns.is_finite());
    known.filter(|floor| share(Some(floor.share_below)).is_some_and(|share| share >= BEAT))
}

/// Counted bytes over issued bytes.
fn times(inputs: &CacheInputs) -> Option<f64> {
    let seen = inputs.seen.filter(|_| inputs.issued_bytes > 0)?;
    Some(seen.bytes as f64 / inputs.issued_bytes as f64)
}

/// Foreign bytes in a direction that the job does not use.
fn others(inputs: &CacheInputs) -> Option<ForeignBytes> {
    let least = if is_device(inputs) { OTHER_OF_DEVICE } else { OTHER };
    inputs.other.filter(|other| other.ios >= least || other.bytes >= least)
}

/// The multiple of the issued bytes from which on foreign I/O was present.
fn more(inputs: &CacheInputs) -> f64 {
    let extra = inputs.seen.map_or(0, |seen| seen.bytes).saturating_sub(inputs.issued_bytes) as f64;
    match inputs.direct {
        DirectIo::Verified if is_device(inputs) && extra >= LEAST_MORE_BYTES * inputs.seconds => {
            MORE_OF_DEVICE
        }
        DirectIo::Verified => MORE_THAN_DIRECT,
        _ => MORE,
    }
}

/// Whether the job's I/O goes to a device itself, for a known time.
fn is_device(inputs: &CacheInputs) -> bool {
    let bare = inputs.medium == Medium::Device && inputs.filesystem.is_empty();
    bare && inputs.direct == DirectIo::Verified && inputs.seconds > 0.0
}

/// The working set over memory.
fn fits(inputs: &CacheInputs) -> Option<f64> {
    let memory = inputs.memory_bytes.filter(|bytes| *bytes > 0)?;
    Some(inputs.working_set_bytes? as f64 / memory as f64)
}

fn signs(inputs: &CacheInputs) -> Vec<CacheSign> {
    let filesystem = inputs.filesystem.clone();
    let buffered = matches!(inputs.direct, DirectIo::Buffered | DirectIo::Ignored);
    let reads = inputs.direction == Direction::Read;
    let counted = inputs.seen.zip(times(inputs));
    let found = [
        (inputs.medium == Medium::Memory)
            .then(|| CacheSign::MemoryFilesystem { filesystem: filesystem.clone() }),
        counted.map(|(seen, times)| CacheSign::Counter { by: seen.by, times }),
        floor(inputs).map(CacheSign::BelowFloor),
        match inputs.direct {
            DirectIo::Buffered => Some(CacheSign::PageCache),
            DirectIo::Ignored => Some(CacheSign::DirectIgnored { filesystem }),
            DirectIo::Verified => Some(CacheSign::DirectVerified),
            DirectIo::Unknown | DirectIo::Asked => None,
        },
        inputs.cache_beneath.then_some(CacheSign::CacheBeneath),
        others(inputs).map(|other| CacheSign::OtherDirection {
            direction: other.direction,
            ios: other.ios,
            bytes: other.bytes,
        }),
        fits(inputs)
            .filter(|times| buffered && *times < HOLDS)
            .map(|times| CacheSign::FitsMemory { times }),
        share(inputs.unwritten_share).filter(|_| reads).map(|share| CacheSign::Unwritten { share }),
        share(inputs.compressible_share).map(|share| CacheSign::Compressible { share }),
        (reads && inputs.offsets == Offsets::Repeated).then_some(CacheSign::RepeatedOffsets),
        inputs
            .seen
            .filter(|seen| seen.merges > 0)
            .map(|seen| CacheSign::Merged { ios: seen.merges }),
    ];
    found.into_iter().flatten().collect()
}

fn verdict(inputs: &CacheInputs, signs: &[CacheSign]) -> CacheVerdict {
    if inputs.medium == Medium::Memory {
        return CacheVerdict::Memory;
    }
    let below = floor(inputs).map_or(0.0, |floor| floor.share_below);
    let missed = times(inputs).filter(|times| *times < MISSED).map_or(0.0, |times| 1.0 - times);
    let unwritten = share(inputs.unwritten_share).filter(|_| inputs.direction == Direction::Read);
    match (times(inputs), unwritten, others(inputs)) {
        // Holes cost the device nothing and take no time: both look like a cache.
        (_, Some(holes), _) if missed.max(below) > 0.0 && holes >= EXPLAINS * missed.max(below) => {
            CacheVerdict::Unwritten { share: holes }
        }
        _ if missed.max(below) > 0.0 => CacheVerdict::Cached { share: missed.max(below) },
        (Some(times), ..) if times > more(inputs) => CacheVerdict::SawMore { times },
        (Some(_), _, Some(other)) => CacheVerdict::Foreign { times: other.bytes },
        (None, ..) if signs.iter().any(speaks_for_it) => CacheVerdict::Suspected,
        (None, ..) => CacheVerdict::NotEnough,
        (Some(_), ..) if signs.iter().any(speaks_for_storages_own) => CacheVerdict::Suspected,
        (Some(times), ..)
            if signs.iter().any(is_held_by_memory) && !is_each_read(inputs, times) =>
        {
            CacheVerdict::Suspected
        }
        (Some(_), ..) => CacheVerdict::NotCached,
    }
}

/// Whether the device read as much as was asked for. Readahead compensates for reads that the cache
/// answers, but not to the byte. Writes that went to the cache reach the device too, but later.
fn is_each_read(inputs: &CacheInputs, times: f64) -> bool {
    inputs.direction == Direction::Read && (times - 1.0).abs() <= MORE_THAN_DIRECT - 1.0
}

fn speaks_for_it(sign: &CacheSign) -> bool {
    use CacheSign::{DirectIgnored, FitsMemory, PageCache, Unwritten};
    matches!(sign, PageCache | DirectIgnored { .. } | FitsMemory { .. } | Unwritten { .. })
        || speaks_for_storages_own(sign)
}

/// I/O through a page cache that holds all of it.
fn is_held_by_memory(sign: &CacheSign) -> bool {
    matches!(sign, CacheSign::FitsMemory { times } if *times < 1.0)
}

/// A fact that no counter on this side of the device shows: the storage answers from its own
/// memory, or stores less than it received.
fn speaks_for_storages_own(sign: &CacheSign) -> bool {
    use CacheSign::{CacheBeneath, Compressible, RepeatedOffsets};
    matches!(sign, RepeatedOffsets | Compressible { .. } | CacheBeneath)
}
