//! Statistics that can be merged: histograms, moments, series, and [`RunResult`], the common result
//! type.
//!
//! Everything here is integers until it is displayed, so that merging is exact: over jobs, hosts
//! and intervals, in any order. No percentile is ever averaged.
#![forbid(unsafe_code)]

mod common_span;
mod histogram;
mod lat_buckets;
mod live;
pub mod log;
mod merge;
mod moments;
mod report;
mod result;
mod series;
mod slice;

pub use common_span::{CommonRate, CommonSpan};
pub use histogram::Histogram;
pub use lat_buckets::LatencyBuckets;
pub use live::{LiveLatency, LiveSnapshot, RunningJobs};
pub use merge::RateSummary;
pub use moments::Moments;
pub use report::{GroupDirection, GroupStatus, JobReport};
pub use result::*;
pub use series::SeriesInterval;
pub use slice::{CoarseHistogram, LatencySlice, SliceStart};
