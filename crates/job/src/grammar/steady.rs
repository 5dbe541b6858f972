//! `steadystate`: the watched figure and its limit, such as `iops_slope:0.1%`.

use crate::error::ValueProblem;
use crate::quantity::{TimeUnit, Units, parse_size, parse_time_us};
use crate::spec::{SteadyMetric, SteadyStateRule};

/// Sets metric, slope, limit and percent of `steady`. A limit that is no percentage is in IOPS,
/// bytes a second (size suffixes count) or nanoseconds (time suffixes count).
pub(crate) fn steadystate(
    criterion: &str,
    limit: &str,
    units: Units,
    steady: &mut SteadyStateRule,
) -> Result<(), ValueProblem> {
    let (metric, slope) =
        criterion.strip_suffix("_slope").map_or((criterion, false), |m| (m, true));
    let metric = match metric {
        "bw" => SteadyMetric::Bandwidth,
        "lat" => SteadyMetric::Latency,
        _ => SteadyMetric::Iops,
    };
    if limit.is_empty() {
        return Err(ValueProblem::whole(
            "fio: steadystate threshold must be specified in addition to criterion",
        )
        .hinted("Write iops:5%, or iops_slope:0.1%."));
    }
    let percent = limit.ends_with('%');
    let limit = match (metric, limit.strip_suffix('%')) {
        (_, Some(percentage)) => decimal(percentage)?,
        (SteadyMetric::Bandwidth, None) => parse_size(limit, units)? as f64,
        (SteadyMetric::Latency, None) => parse_time_us(limit, TimeUnit::Us)? as f64 * 1000.0,
        (SteadyMetric::Iops, None) => decimal(limit)?,
    };
    *steady = SteadyStateRule { metric, slope, limit, percent, ..steady.clone() };
    Ok(())
}

/// What fio's `--debug=parse` says of a limit; its own tests read it.
pub(crate) fn limit_line(steady: &SteadyStateRule) -> String {
    let limit = steady.limit;
    match steady.metric {
        _ if steady.percent => format!("set steady state threshold to {limit:.6}%"),
        SteadyMetric::Iops => format!("set steady state IOPS threshold to {limit:.6}"),
        SteadyMetric::Bandwidth => format!("set steady state BW threshold to {limit}"),
        SteadyMetric::Latency => format!("set steady state latency threshold to {limit}"),
    }
}

fn decimal(text: &str) -> Result<f64, ValueProblem> {
    let number: Option<f64> = text.trim().parse().ok();
    number
        .filter(|n| n.is_finite() && *n >= 0.0)
        .ok_or_else(|| ValueProblem::new("the limit is no number").hinted("Write iops:5%."))
}
