//! The last values of a series as small bars, the newest on the right.

use std::collections::VecDeque;

/// Number of stored values: more than a terminal can show.
const KEPT: usize = 240;

const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// For terminals without such letters.
const PLAIN_BARS: [char; 8] = ['_', '.', ':', '-', '=', '+', '*', '#'];

/// The last values of a line.
#[derive(Clone, Debug, Default)]
pub struct History(VecDeque<f64>);

impl History {
    /// Adds the newest value.
    pub fn push(&mut self, value: f64) {
        if self.0.len() == KEPT {
            self.0.pop_front();
        }
        self.0.push_back(value);
    }

    /// At most `width` bars. The highest is the greatest shown value; the lowest is used only for
    /// zero, so that zero is distinguishable from small values.
    pub fn bars(&self, width: usize, unicode: bool) -> String {
        let shown = self.0.iter().skip(self.0.len().saturating_sub(width));
        let top = shown.clone().copied().fold(0.0, f64::max);
        let bars = if unicode { BARS } else { PLAIN_BARS };
        shown.map(|value| bars[level(*value, top)]).collect()
    }
}

fn level(value: f64, top: f64) -> usize {
    if value <= 0.0 || top <= 0.0 {
        return 0;
    }
    ((value / top * 7.0).ceil() as usize).clamp(1, 7)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bars(values: &[f64], width: usize, unicode: bool) -> String {
        let mut history = History::default();
        values.iter().for_each(|value| history.push(*value));
        history.bars(width, unicode)
    }

    #[test]
    fn bars_are_scaled_to_the_greatest_that_is_shown() {
        assert_eq!(bars(&[0.0, 1.0, 350.0, 700.0], 8, true), "▁▂▅█");
        assert_eq!(bars(&[900.0, 1.0, 2.0], 2, true), "▅█");
        assert_eq!(bars(&[0.0, 0.0], 8, true), "▁▁");
        assert_eq!(bars(&[0.0, 1.0, 7.0], 8, false), "_.#");
        assert_eq!(bars(&[], 8, true), "");
    }

    #[test]
    fn no_more_is_kept_than_can_be_shown() {
        let values: Vec<f64> = (0..1000).map(f64::from).collect();
        assert_eq!(bars(&values, 9999, true).chars().count(), KEPT);
    }
}
