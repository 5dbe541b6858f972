//! Rates and latency over the time of a run: the ramp and the steady window as bands, a cap as a
//! mark.
//!
//! A chart has about 600 points a line: more are invisible, and a report of many long runs must
//! open. Intervals are joined, and their minimum and maximum become the ends of the point, so that
//! no peak is lost.

use super::super::drawing::together;
use super::super::gathered::{DirectionFigures, Gathered};
use super::super::tables::six_figures;
use super::thin::thinned;
use super::{axis, labels, line, note_of_first, point, works};
use crate::change_words::value;
use crate::model::{Band, Chart, ChartPoint, ChartSeries as Line, ChartUnit, Mark, Scale};
use fathom_analysis::quantity::stretch;
use fathom_analysis::{CapFinding, CapKind, SteadyState, SteadyWindow};
use fathom_document::compare::Judged;
use fathom_document::latency;
use fathom_document::verdicts::Answer;
use fathom_message::{Lang, Message, words};
use fathom_stats::Interval;
use std::collections::BTreeSet;

/// Most points of a line.
const MOST_POINTS: usize = 600;
/// The minimum, with many lines.
const LEAST_POINTS: usize = 60;
/// Most points of all lines of a report together.
const MOST_OF_ALL: usize = 40_000;

/// Of each work its rate and its latency over time, side by side.
pub(super) fn charts(gathered: &Gathered, lang: Lang) -> Vec<Chart> {
    let recorded = gathered.all().filter(|(_, seen)| seen.detail.series.intervals.len() > 1);
    let lines: usize = recorded.map(|(_, seen)| 2 + seen.detail.disks.len()).sum();
    let most = MOST_OF_ALL.checked_div(lines).unwrap_or(0).clamp(LEAST_POINTS, MOST_POINTS);
    let (mut charts, mut shown) = (Vec::new(), BTreeSet::new());
    for (at, (_, entries)) in works(gathered).iter().enumerate() {
        let Some((_, first)) = entries.first() else { continue };
        let mut both = vec![first.rate()];
        if blocks_vary(entries) {
            both = vec![Judged::Iops, Judged::BytesPerS];
        }
        both.push(Judged::MeanLatencyNs);
        for judged in both {
            let over = OverTime { gathered, entries, judged, most, lang };
            let pair = Some(format!("over-time-{at}"));
            charts.extend(over.chart().map(|chart| Chart { pair, ..chart }));
        }
        let devices = super::devices::over_time(gathered, entries, most, &mut shown, lang);
        let pair = Some(format!("over-time-{at}"));
        charts.extend(devices.map(|chart| Chart { pair, ..chart }));
    }
    charts
}

/// Whether MB/s are not simply IOPS times a block.
fn blocks_vary(entries: &[(usize, &DirectionFigures)]) -> bool {
    entries.iter().any(|(_, seen)| {
        let intervals = seen.detail.series.measured();
        let mut sizes = intervals.filter_map(|(_, of)| {
            let ios = of.ios[seen.entry.direction];
            (ios > 0).then(|| of.bytes[seen.entry.direction] as f64 / ios as f64)
        });
        let first = sizes.next().unwrap_or(0.0);
        sizes.any(|size| (size / first - 1.0).abs() > 0.01)
    })
}

/// One chart in the making.
struct OverTime<'g> {
    gathered: &'g Gathered,
    entries: &'g [(usize, &'g DirectionFigures)],
    judged: Judged,
    most: usize,
    lang: Lang,
}

impl OverTime<'_> {
    fn chart(&self) -> Option<Chart> {
        let mut series: Vec<Line> = Vec::new();
        let mut says = Vec::new();
        for (at, seen) in self.entries {
            let points = self.points(seen);
            if points.len() < 2 {
                continue;
            }
            let line = line(self.gathered, (*at, seen), self.entries, thinned(&points, self.most));
            says.extend(self.range(&line.name, seen, &points));
            series.push(line);
        }
        if series.is_empty() {
            return None;
        }
        let (id, title, axis_name, unit) = self.names();
        let what = labels(self.entries).join(" / ");
        Some(Chart {
            id: id.to_owned(),
            title: Message::new(title).with("what", what).text(self.lang),
            says: says.join(" "),
            note: note_of_first(self.entries, self.lang),
            x: axis(self.lang, "report-axis-time", ChartUnit::Seconds, Scale::Linear),
            y: vec![axis(self.lang, axis_name, unit, self.scale(&series))],
            series,
            bands: self.bands(),
            marks: together(self.marks()),
            stated: String::new(),
            pair: None,
        })
    }

    /// Name of the chart, its title, that of its axis, and its unit.
    fn names(&self) -> (&'static str, &'static str, &'static str, ChartUnit) {
        match self.judged {
            Judged::Iops => {
                ("iops-time", "report-chart-iops-time", "report-chart-iops", ChartUnit::Iops)
            }
            Judged::BytesPerS => (
                "bandwidth-time",
                "report-chart-bandwidth-time",
                "report-chart-bandwidth",
                ChartUnit::BytesPerS,
            ),
            Judged::MeanLatencyNs | Judged::P99LatencyNs => {
                ("latency-time", "report-chart-latency-time", "report-axis-latency", ChartUnit::Ns)
            }
        }
    }

    /// Latencies with peaks far above the others need a logarithmic scale.
    fn scale(&self, series: &[Line]) -> Scale {
        let points = || series.iter().flat_map(|of| &of.points);
        let most = points().filter_map(|of| of.high).fold(0.0, f64::max);
        let least = points().map(|of| of.y).filter(|y| *y > 0.0).fold(f64::MAX, f64::min);
        match self.judged == Judged::MeanLatencyNs && most > 20.0 * least {
            true => Scale::Log10,
            false => Scale::Linear,
        }
    }

    /// Every interval, with the ramp; without the last one, which may be incomplete.
    fn points(&self, seen: &DirectionFigures) -> Vec<ChartPoint> {
        let series = &seen.detail.series;
        let seconds = series.interval_ms as f64 / 1e3;
        let whole = series.intervals.len().saturating_sub(1);
        let own = series.intervals[..whole].iter().enumerate();
        own.filter_map(|(at, of)| self.interval(seen, at as f64 * seconds, seconds, of)).collect()
    }

    fn interval(
        &self,
        seen: &DirectionFigures,
        x: f64,
        seconds: f64,
        of: &Interval,
    ) -> Option<ChartPoint> {
        let way = seen.entry.direction;
        let ios = of.ios[way] as f64;
        match self.judged {
            Judged::Iops => point(x, ios / seconds),
            Judged::BytesPerS => point(x, of.bytes[way] as f64 / seconds),
            Judged::MeanLatencyNs | Judged::P99LatencyNs => {
                let mean = point(x, of.clat_sum_ns[way] as f64 / ios)?;
                // The maximum covers all directions: it is this one's if there is no other.
                let alone = of.ios.iter().all(|(other, ios)| other == way || *ios == 0);
                let high = alone.then(|| six_figures(of.clat_max_ns as f64));
                Some(ChartPoint { high, low: high.map(|_| mean.y), ..mean })
            }
        }
    }

    /// `NAME: between 2,900 IOPS and 3,100 IOPS after the ramp.`
    fn range(&self, name: &str, seen: &DirectionFigures, points: &[ChartPoint]) -> Option<String> {
        let ramp_s = ramp_s(seen);
        let measured = || points.iter().filter(|point| point.x >= ramp_s);
        let low = measured().map(|point| point.y).reduce(f64::min)?;
        let high = measured().map(|point| point.y).reduce(f64::max)?;
        let message = Message::new("report-says-range")
            .with("name", name)
            .with("low", value(self.judged, low))
            .with("high", value(self.judged, high));
        let mut text = message.text(self.lang);
        if self.judged == Judged::MeanLatencyNs
            && let Some(peak) = measured().filter_map(|point| point.high).reduce(f64::max)
        {
            text += " ";
            text += &Message::new("report-says-peak").with("peak", latency(peak)).text(self.lang);
        }
        Some(text)
    }

    /// The common ramp, and the steady window of the first entry that has one.
    fn bands(&self) -> Vec<Band> {
        let mut bands = Vec::new();
        let ramp = self.entries.iter().map(|(_, seen)| ramp_s(seen)).fold(0.0, f64::max);
        if ramp > 0.0 {
            bands.push(Band { name: words(self.lang, "report-ramp"), from: 0.0, to: ramp });
        }
        if let [(_, seen)] = self.entries
            && let Some(window) = steady_window(seen)
        {
            let name = Message::new("report-steady")
                .with("round", stretch(window.round_s))
                .text(self.lang);
            let (from, to) = (ramp + window.start_s, ramp + window.end_s);
            if from.is_finite() && to.is_finite() {
                bands.push(Band { name, from: six_figures(from), to: six_figures(to) });
            }
        }
        bands
    }

    /// The caps that were found, at their rates.
    fn marks(&self) -> Vec<Mark> {
        let cap = |(at, seen): &(usize, &DirectionFigures)| {
            let at_rate = cap_of(seen, self.judged)?;
            let name = Message::new("report-cap").with("rate", value(self.judged, at_rate));
            let name = match self.gathered.subjects.len() {
                1 => name.text(self.lang),
                _ => format!("{}: {}", self.gathered.subjects[*at].name, name.text(self.lang)),
            };
            Some(Mark { name, at: six_figures(at_rate), upright: false, axis: 0 })
        };
        let mut marks: Vec<Mark> = Vec::new();
        for mark in self.entries.iter().filter_map(cap).filter(|mark| mark.at.is_finite()) {
            // Reads and writes that are held to one rate differ in what no reader sees.
            if !marks.iter().any(|other| other.name == mark.name) {
                marks.push(mark);
            }
        }
        marks
    }
}

fn ramp_s(seen: &DirectionFigures) -> f64 {
    let series = &seen.detail.series;
    f64::from(series.ramp_intervals) * series.interval_ms as f64 / 1e3
}

fn steady_window(seen: &DirectionFigures) -> Option<&SteadyWindow> {
    seen.detail.verdicts.iter().find_map(|verdict| match &verdict.answer {
        Answer::Steady(found) => match &found.state {
            SteadyState::Attained { window } | SteadyState::Left { window, .. } => Some(window),
            _ => None,
        },
        _ => None,
    })
}

fn cap_of(seen: &DirectionFigures, judged: Judged) -> Option<f64> {
    seen.detail.verdicts.iter().find_map(|verdict| match &verdict.answer {
        Answer::Capped(CapFinding::Capped(cap)) => match (cap.kind, judged) {
            (CapKind::Iops, Judged::Iops) | (CapKind::Bandwidth, Judged::BytesPerS) => {
                Some(cap.value)
            }
            _ => None,
        },
        _ => None,
    })
}
