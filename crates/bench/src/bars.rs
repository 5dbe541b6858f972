//! A bar chart of Fathom beside fio, as text of an SVG file: `docs/cost.svg`.

use crate::svg::{Svg, Who, plain};

/// A bar chart.
#[derive(Clone, Debug)]
pub struct Bars {
    /// The figure, with its unit.
    pub title: String,
    /// The compared works: a name, and the bars below each other.
    pub groups: Vec<(String, Vec<(Who, f64)>)>,
    /// A note for the reader, below.
    pub foot: String,
}

const WIDTH: u32 = 760;
const LEFT: f64 = 250.0;
/// The longest bar; there is space for a number and a name after it.
const LONGEST: f64 = 400.0;
const BAR: f64 = 16.0;
const BAR_STEP: f64 = 19.0;
const GROUP_STEP: f64 = 46.0;
const TOP: f64 = 52.0;

impl Bars {
    /// The file's text.
    pub fn svg(&self) -> String {
        let height = TOP + GROUP_STEP * self.groups.len() as f64 + 38.0;
        let mut svg = Svg::new(WIDTH, height as u32, &self.title);
        let values = self.groups.iter().flat_map(|(_, bars)| bars.iter().map(|(_, v)| *v));
        let greatest = values.fold(0.0, f64::max).max(f64::MIN_POSITIVE);
        for (at, (name, bars)) in self.groups.iter().enumerate() {
            let top = TOP + GROUP_STEP * at as f64;
            svg.words(20.0, top + 22.0, "class=\"ink\"", name);
            for (row, (who, value)) in bars.iter().enumerate() {
                let (y, width) = (top + BAR_STEP * row as f64, value / greatest * LONGEST);
                svg.add(&format!(
                    "<rect x=\"{LEFT}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{BAR}\" \
                     class=\"{}\" fill=\"currentColor\"/>",
                    who.class()
                ));
                let words = format!("{} {}", plain(*value), who.name());
                svg.words(LEFT + width + 6.0, y + 13.0, "class=\"ink\"", &words);
            }
        }
        svg.words(20.0, height - 12.0, "font-size=\"12\" class=\"faint\"", &self.foot);
        svg.finish()
    }
}

#[cfg(test)]
mod checks {
    use super::*;

    #[test]
    fn bars_are_drawn_as_they_were() {
        let bars = Bars {
            title: "User CPU time an I/O in ns".into(),
            groups: vec![
                ("null, depth 1".into(), vec![(Who::Fathom, 34.1), (Who::Fio, 127.0)]),
                ("psync".into(), vec![(Who::Fathom, 113.0), (Who::Fio, 1326.0)]),
            ],
            foot: "medians".into(),
        };
        insta::assert_snapshot!(bars.svg());
    }
}
