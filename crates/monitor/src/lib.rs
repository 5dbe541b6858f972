//! `watch`: the activity of the devices below these paths.
//!
//! Paths become [`Watched`] subjects ([`resolve`]); a [`Sampler`] reads their counters repeatedly;
//! two [`CounterReading`]s give an [`IntervalOutcome`] ([`between`], pure), whose counts and rates
//! a [`Tally`] adds up. Decided here:
//!
//! - Counts are exact and rates are made from them: the counts of all intervals add up to the
//!   kernel's count between the first reading and the last, with intervals of any length.
//! - A mean over the whole time is made from the sums, never from rates or from other means.
//! - Columns have the meaning of sysstat's `iostat -x` and `nfsiostat`; the formulas are at
//!   [`DiskRates`] and [`NfsRates`].
//! - Counters that decreased belong to a device that was created again, and count from zero.
//! - Nothing is written, to no device, no file and no setting.
#![forbid(unsafe_code)]

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
pub use limit::{CgroupLimit, LimitScope, limits_on};
pub use memory::{MemoryCounts, MemoryRates};
pub use nfs::{NfsCounts, NfsRates};
pub use reading::{CounterReading, Counters, Delta, IntervalOutcome, between};
pub use resolve::{Partitions, WatchRequest, WatchSubject, Watched, resolve};
pub use sampler::{CounterSource, HostCounters, Sampler, next_due};
pub use tally::{IntervalExtent, Summary, SummaryOf, Sums, Tally};
