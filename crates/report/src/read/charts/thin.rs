//! Reduces a line's points to a visible number, without losing peaks.

use super::super::tables::six_figures;
use crate::model::ChartPoint;

/// Joins neighbours until at most `most` points are left: heights are means, and the minimum and
/// maximum of joined points become their ends.
pub fn thinned(points: &[ChartPoint], most: usize) -> Vec<ChartPoint> {
    let group = points.len().div_ceil(most.max(1)).max(1);
    if group == 1 {
        return points.to_vec();
    }
    points.chunks(group).filter_map(joined).collect()
}

fn joined(points: &[ChartPoint]) -> Option<ChartPoint> {
    let first = points.first()?;
    let count = points.len() as f64;
    let y = points.iter().map(|point| point.y).sum::<f64>() / count;
    let low = points.iter().map(|point| point.low.unwrap_or(point.y)).reduce(f64::min);
    let high = points.iter().map(|point| point.high.unwrap_or(point.y)).reduce(f64::max);
    let value = points.iter().filter_map(|point| point.value).reduce(f64::max);
    Some(ChartPoint { x: first.x, y: six_figures(y), low, high, value, ..ChartPoint::default() })
}
