//! `watch`: what do the devices under these paths do, while anything runs?
//!
//! Paths become [`Watched`] subjects ([`resolve`]); a [`Sampler`] reads their counters again and
//! again; what happened between two [`CounterReading`]s is an [`IntervalOutcome`] ([`between`],
//! pure), whose counts and rates a [`Tally`] adds up. Decided here:
//!
//! - Counts are exact and rates are made from them: the counts of all intervals add up to what
//!   the kernel counted between the first reading and the last, whatever the intervals' lengths.
//! - A mean over the whole time is made from the sums, never from rates or from other means.
//! - Columns mean what those of sysstat's `iostat -x` and `nfsiostat` mean; the formulas stand at
//!   [`DiskRates`] and [`NfsRates`].
//! - Counters that went back belong to a device that was made anew, and count from zero.
//! - Nothing is written, to no device, no file and no setting.

mod disk;
mod error;
mod interval_counts;
mod limit;
mod memory;
mod nfs;
mod reading;
mod resolve;
mod sampler;
mod tally;
#[cfg(test)]
mod tests;

pub use disk::DiskRates;
pub use error::WatchError;
pub use interval_counts::IntervalCounts;
pub use limit::{CgroupLimit, Whose, limits_on};
pub use memory::{MemoryCounts, MemoryRates};
pub use nfs::{NfsCounts, NfsRates};
pub use reading::{CounterReading, Counters, Delta, IntervalOutcome, between};
pub use resolve::{Partitions, WatchRequest, WatchSubject, Watched, resolve};
pub(crate) use sampler::HostCounters;
pub use sampler::{Sampler, next_due};
pub use tally::{IntervalExtent, Summary, SummaryOf, Sums, Tally};
