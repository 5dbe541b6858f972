//! A line chart with two logarithmic axes, as text of an SVG file. Pure: the same figures give the
//! same bytes.

use crate::figures::Spread;
use crate::svg::{Svg, Who, plain};

/// A chart of a figure against a parameter.
#[derive(Clone, Debug)]
pub struct BenchChart {
    /// The figure, with its unit.
    pub title: String,
    /// The horizontal axis, with its unit.
    pub x_label: String,
    /// Its marks: position and text.
    pub x_ticks: Vec<(f64, String)>,
    /// The vertical axis, with its unit.
    pub y_label: String,
    /// The lines.
    pub lines: Vec<ChartLine>,
    /// A note for the reader, below.
    pub foot: String,
}

/// A line of a chart.
#[derive(Clone, Debug)]
pub struct ChartLine {
    /// Its program.
    pub who: Who,
    /// The text at its end.
    pub name: String,
    /// Whether it is dashed: for another device than the first.
    pub dashed: bool,
    /// Its points: median, minimum and maximum at each position, in ascending order. All are
    /// greater than zero.
    pub points: Vec<(f64, Spread)>,
}

const WIDTH: u32 = 760;
const HEIGHT: u32 = 430;
const LEFT: f64 = 92.0;
const RIGHT: f64 = 580.0;
const TOP: f64 = 52.0;
const BOTTOM: f64 = 346.0;
/// Minimum distance of the names at the ends of lines.
const NAME_PX: f64 = 17.0;

impl BenchChart {
    /// The file's text.
    pub fn svg(&self) -> String {
        let mut svg = Svg::new(WIDTH, HEIGHT, &self.title);
        let scale = self.scale();
        self.draw_axes(&mut svg, &scale);
        for line in &self.lines {
            line.draw(&mut svg, &scale);
        }
        self.draw_names(&mut svg, &scale);
        svg.words(20.0, 418.0, "font-size=\"12\" class=\"faint\"", &self.foot);
        svg.finish()
    }

    fn scale(&self) -> Scale {
        let xs = self.x_ticks.iter().map(|(x, _)| *x);
        let spreads = || self.lines.iter().flat_map(|line| line.points.iter().map(|(_, s)| s));
        let (least, greatest) = bounds(spreads().flat_map(|s| [s.min, s.max]));
        Scale { x: bounds(xs), y: (step_below(least), step_above(greatest)) }
    }

    fn draw_axes(&self, svg: &mut Svg, scale: &Scale) {
        for value in steps(scale.y) {
            let y = scale.y_px(value);
            svg.add(&format!("<path d=\"M{LEFT} {y:.1}H{RIGHT}\" class=\"grid\"/>"));
            let how = "text-anchor=\"end\" font-size=\"12\" class=\"ink\"";
            svg.words(LEFT - 8.0, y + 4.0, how, &plain(value));
        }
        for (value, name) in &self.x_ticks {
            let x = scale.x_px(*value);
            svg.add(&format!("<path d=\"M{x:.1} {TOP}V{BOTTOM}\" class=\"grid\"/>"));
            let how = "text-anchor=\"middle\" font-size=\"12\" class=\"ink\"";
            svg.words(x, BOTTOM + 18.0, how, name);
        }
        let middle = (LEFT + RIGHT) / 2.0;
        svg.words(middle, BOTTOM + 42.0, "text-anchor=\"middle\" class=\"ink\"", &self.x_label);
        let middle = (TOP + BOTTOM) / 2.0;
        let how =
            format!("text-anchor=\"middle\" transform=\"rotate(-90 24 {middle})\" class=\"ink\"");
        svg.words(24.0, middle, &how, &self.y_label);
    }

    /// Names are at the ends of their lines, moved apart if they would touch.
    fn draw_names(&self, svg: &mut Svg, scale: &Scale) {
        let end = |line: &ChartLine| line.points.last().map(|(_, s)| scale.y_px(s.median));
        let mut names: Vec<(f64, &ChartLine)> =
            self.lines.iter().filter_map(|line| Some((end(line)?, line))).collect();
        names.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut free = TOP;
        for (y, line) in names {
            let at = y.max(free);
            free = at + NAME_PX;
            let how = format!("class=\"{}\" fill=\"currentColor\"", line.who.class());
            svg.words(RIGHT + 12.0, at + 4.0, &how, &line.name);
        }
    }
}

impl ChartLine {
    fn draw(&self, svg: &mut Svg, scale: &Scale) {
        let dash = if self.dashed { " stroke-dasharray=\"6 4\"" } else { "" };
        svg.add(&format!("<g class=\"{}\" stroke=\"currentColor\">", self.who.class()));
        let at = |(x, spread): &(f64, Spread)| (scale.x_px(*x), scale.y_px(spread.median));
        let mut path = String::new();
        for (x, y) in self.points.iter().map(at) {
            let to = if path.is_empty() { 'M' } else { 'L' };
            path.push_str(&format!("{to}{x:.1} {y:.1}"));
        }
        svg.add(&format!("<path d=\"{path}\" fill=\"none\" stroke-width=\"2\"{dash}/>"));
        for (x, spread) in &self.points {
            let (x, y) = (scale.x_px(*x), scale.y_px(spread.median));
            let (high, low) = (scale.y_px(spread.max), scale.y_px(spread.min));
            svg.add(&format!("<path d=\"M{x:.1} {high:.1}V{low:.1}\"/>"));
            svg.add(&format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"currentColor\"/>"
            ));
        }
        svg.add("</g>");
    }
}

/// The positions of values on the sheet; both ends of both axes.
struct Scale {
    x: (f64, f64),
    y: (f64, f64),
}

impl Scale {
    fn x_px(&self, value: f64) -> f64 {
        LEFT + share(self.x, value) * (RIGHT - LEFT)
    }

    fn y_px(&self, value: f64) -> f64 {
        BOTTOM - share(self.y, value) * (BOTTOM - TOP)
    }
}

/// The position of a value on a logarithmic axis; the middle for an axis without length.
fn share((least, greatest): (f64, f64), value: f64) -> f64 {
    let length = (greatest / least).ln();
    if length > 0.0 { (value / least).ln() / length } else { 0.5 }
}

/// The minimum and the maximum; 1 without values.
fn bounds(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let usable = values.filter(|value| value.is_finite() && *value > 0.0);
    let least = usable.clone().min_by(f64::total_cmp).unwrap_or(1.0);
    (least, usable.max_by(f64::total_cmp).unwrap_or(least))
}

/// 1, 2 and 5 of each power of ten.
fn series() -> impl Iterator<Item = f64> {
    (-3..12).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10f64.powi(power)))
}

fn step_below(value: f64) -> f64 {
    series().take_while(|step| *step <= value).last().unwrap_or(value)
}

fn step_above(value: f64) -> f64 {
    series().find(|step| *step >= value).unwrap_or(value)
}

/// The marks of the vertical axis: of a long one only the powers of ten.
fn steps((least, greatest): (f64, f64)) -> Vec<f64> {
    // A small tolerance for the rounding of powers of ten.
    let inside = |step: &f64| *step >= least * 0.999 && *step <= greatest * 1.001;
    let all: Vec<f64> = series().filter(inside).collect();
    let is_power = |step: &f64| (step.log10() - step.log10().round()).abs() < 1e-9;
    if all.len() > 9 { all.into_iter().filter(is_power).collect() } else { all }
}

#[cfg(test)]
mod checks {
    use super::*;

    fn spread(median: f64) -> Spread {
        Spread { median, min: median * 0.9, max: median * 1.2 }
    }

    fn example() -> BenchChart {
        let line = |who: Who, dashed, at: [f64; 3]| ChartLine {
            who,
            name: format!("{}, null", who.name()),
            dashed,
            points: [1.0, 2.0, 4.0].into_iter().zip(at.map(spread)).collect(),
        };
        BenchChart {
            title: "CPU time an I/O by jobs".into(),
            x_label: "jobs".into(),
            x_ticks: [1.0, 2.0, 4.0].map(|x| (x, plain(x))).to_vec(),
            y_label: "ns".into(),
            lines: vec![
                line(Who::Fathom, false, [34.0, 34.5, 36.0]),
                line(Who::Fio, true, [120.0, 125.0, 37.0]),
            ],
            foot: "medians".into(),
        }
    }

    #[test]
    fn a_chart_is_drawn_as_it_was() {
        insta::assert_snapshot!(example().svg());
    }

    #[test]
    fn axes_reach_around_all_values_with_their_spread() {
        assert_eq!(example().scale().y, (20.0, 200.0));
        assert_eq!(steps((20.0, 200.0)), [20.0, 50.0, 100.0, 200.0]);
        let long = steps((0.5, 2_000_000.0));
        assert_eq!(long.len(), 7, "{long:?}");
    }

    #[test]
    fn equal_ratios_are_equal_distances() {
        let scale = Scale { x: (1.0, 16.0), y: (10.0, 1000.0) };
        assert!((scale.x_px(4.0) - (LEFT + RIGHT) / 2.0).abs() < 1e-9);
        assert!((scale.y_px(100.0) - (TOP + BOTTOM) / 2.0).abs() < 1e-9);
        assert!(scale.y_px(1000.0) < scale.y_px(10.0), "more is higher");
    }

    #[test]
    fn names_do_not_lie_on_each_other() {
        let text = example().svg();
        let names = text.lines().filter(|line| line.contains(", null</text>"));
        let y = |line: &str| line.split("y=\"").nth(1)?.split('"').next()?.parse::<f64>().ok();
        let ys: Vec<f64> = names.filter_map(y).collect();
        assert!(ys.len() == 2 && (ys[0] - ys[1]).abs() >= NAME_PX - 0.11, "{ys:?}");
    }

    #[test]
    fn a_chart_without_figures_is_still_one() {
        let mut chart = example();
        chart.lines.clear();
        chart.x_ticks.truncate(1);
        let text = chart.svg();
        assert!(text.ends_with("</svg>\n") && !text.contains("NaN") && !text.contains("inf"));
    }
}
