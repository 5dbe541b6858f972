//! Limits as text, and the limits that a device's rates have reached.

use fathom_campaign::{megabytes_per_s, thousands};
use fathom_host::ThrottleUnit;
use fathom_monitor::{CgroupLimit, IntervalOutcome, LimitScope, WatchSubject, Watched};

/// The limits on a subject; only devices have some.
pub fn limits_of(watched: &Watched) -> &[CgroupLimit] {
    match &watched.subject {
        WatchSubject::Device { limits, .. } => limits,
        _ => &[],
    }
}

/// Those that the interval's rates are at.
pub fn reached<'a>(watched: &'a Watched, outcome: &IntervalOutcome) -> Vec<&'a CgroupLimit> {
    let IntervalOutcome::Disk(delta) = outcome else { return Vec::new() };
    let Some(rates) = &delta.rates else { return Vec::new() };
    limits_of(watched).iter().filter(|limit| limit.is_reached_by(rates)).collect()
}

/// `3,000 reads/s`; `105 MB/s written`.
pub fn amount(limit: &CgroupLimit) -> String {
    let count = thousands(limit.per_second as f64);
    let mb = megabytes_per_s(limit.per_second as f64 / 1e6);
    match limit.unit {
        ThrottleUnit::ReadIops => localized!("{count} reads/s"),
        ThrottleUnit::WriteIops => localized!("{count} writes/s"),
        ThrottleUnit::ReadBytes => localized!("{mb} MB/s read"),
        ThrottleUnit::WriteBytes => localized!("{mb} MB/s written"),
    }
}

/// The processes that the limit applies to.
pub fn holder(limit: &CgroupLimit) -> String {
    match limit.whose {
        LimitScope::Ours => localized!("control group {}, ours", limit.cgroup),
        LimitScope::Others => localized!("control group {}", limit.cgroup),
    }
}
