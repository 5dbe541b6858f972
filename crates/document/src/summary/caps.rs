//! The latency of an I/O that no cap delays, beside the caps of a volume.

use super::quantities::brief_latency;
use fathom_analysis::Figures;
pub(super) use fathom_analysis::cap_scope::{CapScope, capped, common_group, found, merged};
use fathom_message::Message;

/// A rate of this share of a cap is at it.
const AT_CAP: f64 = 0.9;
/// An I/O that takes less than this share of a cap's pace did not wait for it.
const NOT_WAITED: f64 = 0.5;

/// `Median read below the cap: 62 us.`, for single reads of this block size; none if they waited
/// for the cap themselves.
pub(super) fn below(caps: &[CapScope<'_>], figures: &Figures, block_bytes: u64) -> Option<Message> {
    let held = caps.iter().filter(|one| one.reads).map(|one| one.iops(block_bytes));
    let least = held.fold(f64::INFINITY, f64::min);
    let p50_ns = figures.p50_ns as f64;
    let waited = figures.iops >= AT_CAP * least && p50_ns >= NOT_WAITED * 1e9 / least;
    let told = Message::new("summary-below-cap").with("latency", brief_latency(p50_ns));
    (least.is_finite() && figures.p50_ns > 0 && !waited).then_some(told)
}
