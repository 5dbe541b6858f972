//! Rates over time as points of a chart, thinned without losing a peak or a stall.

use crate::model::ChartPoint;
use crate::read::drawing::at;
use fathom_analysis::Rates;
use fathom_stats::JobResult;
use fathom_vocab::Direction;

/// Fewer seconds than this are shown in the intervals that were recorded.
const FEW: usize = 5;

/// IOPS of jobs that ran side by side, second by second, from the end of the ramp on; at most this
/// many points.
pub(super) fn iops(
    jobs: &[JobResult],
    direction: Option<Direction>,
    most: usize,
) -> Vec<ChartPoint> {
    let mut rates = Rates::of_jobs(jobs, direction, 1.0);
    if rates.len() < FEW {
        rates = Rates::of_jobs(jobs, direction, 0.0);
    }
    let step = rates.interval_s;
    let point = |(place, iops): (usize, &f64)| at(rounded(place as f64 * step), rounded(*iops));
    thin(rates.iops.iter().enumerate().map(point).collect(), most)
}

/// To a thousandth, or to a whole number if the difference is a thousandth: a page has many of
/// these.
fn rounded(value: f64) -> f64 {
    match value.abs() {
        size if size >= 1000.0 => value.round(),
        _ => (value * 1e3).round() / 1e3,
    }
}

/// At most `most` of the points (two at least), with the minimum and maximum of each joined
/// interval.
pub(super) fn thin(points: Vec<ChartPoint>, most: usize) -> Vec<ChartPoint> {
    if points.len() <= most.max(2) {
        return points;
    }
    let stretches = (most / 2).max(1);
    let length = points.len().div_ceil(stretches);
    let mut kept = Vec::with_capacity(stretches * 2);
    for stretch in points.chunks(length) {
        let place = |least: bool| {
            let order = |a: &usize, b: &usize| stretch[*a].y.total_cmp(&stretch[*b].y);
            let all = 0..stretch.len();
            if least { all.min_by(order) } else { all.max_by(order) }
        };
        let (Some(low), Some(high)) = (place(true), place(false)) else { continue };
        kept.extend([low.min(high), low.max(high)].map(|place| stretch[place]));
        if low == high {
            kept.pop();
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_stall_and_a_single_peak_survive() {
        let mut points: Vec<ChartPoint> = (0..36_000).map(|s| at(f64::from(s), 1000.0)).collect();
        (points[17_777].y, points[31_003].y) = (0.0, 9000.0);
        let kept = thin(points, 300);
        assert!(kept.len() <= 300 && kept.len() > 100, "{}", kept.len());
        assert!(kept.iter().any(|p| (p.x, p.y) == (17_777.0, 0.0)));
        assert!(kept.iter().any(|p| (p.x, p.y) == (31_003.0, 9000.0)));
        assert!(kept.windows(2).all(|pair| pair[0].x < pair[1].x));
    }

    #[test]
    fn what_is_few_stays_as_it_is() {
        let points = vec![at(0.0, 5.0), at(1.0, 7.0)];
        assert_eq!(thin(points.clone(), 2), points);
        assert_eq!(thin(Vec::new(), 10), Vec::new());
    }
}
