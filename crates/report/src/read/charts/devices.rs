//! The utilisation of devices, by the kernel's counters: over whole runs, and over time, below the
//! rates of the jobs.

use super::super::drawing::{direction_group, plain_group};
use super::super::gathered::{DirectionFigures, Gathered};
use super::super::tables::six_figures;
use super::bars::bare;
use super::thin::thinned;
use super::{axis, labels, note_of_first, point};
use crate::model::{Chart, ChartPoint, ChartSeries, ChartUnit, Scale, Shape};
use fathom_analysis::quantity::percent;
use fathom_message::{Lang, Message, words};
use fathom_stats::DiskUtil;
use fathom_vocab::Direction;
use std::collections::BTreeSet;

/// The end of its run cuts an interval short; below this length, clock ticks are too coarse.
const LEAST_MS: u64 = 200;
/// Fewer points make no useful curve.
const LEAST_POINTS: usize = 4;

/// Share of time in which each device had I/O in flight.
pub(super) fn whole(gathered: &Gathered, lang: Lang) -> Option<Chart> {
    let entries: Vec<(usize, &DirectionFigures)> = gathered.all().collect();
    let names = labels(&entries);
    let mut series: Vec<ChartSeries> = Vec::new();
    let mut busiest: Option<(f64, String, String)> = None;
    for (at, seen) in &entries {
        let Some(x) = names.iter().position(|name| *name == seen.label) else { continue };
        for disk in seen.detail.disks.iter().filter(|disk| disk.util_percent.is_finite()) {
            let name = name(gathered, *at, disk);
            let Some(bar) = point(x as f64, disk.util_percent.clamp(0.0, 100.0)) else { continue };
            if busiest.as_ref().is_none_or(|(most, ..)| bar.y > *most) {
                busiest = Some((bar.y, name.clone(), seen.label.clone()));
            }
            add(&mut series, name, bar);
        }
    }
    let (most, device, what) = busiest?;
    let y = axis(lang, "report-axis-busy", ChartUnit::Percent, Scale::Linear);
    let title = words(lang, "report-chart-devices");
    let says = Message::new("report-says-devices")
        .with("device", device)
        .with("what", what)
        .with("percent", percent(most))
        .text(lang);
    Some(Chart { says, ..bare("devices", title, names, y, series, lang) })
}

/// Adds a bar to the series with its name, which has one at each position.
fn add(series: &mut Vec<ChartSeries>, name: String, bar: ChartPoint) {
    match series.iter_mut().find(|of| of.name == name) {
        Some(of) if of.points.iter().any(|other| other.x == bar.x) => {}
        Some(of) => of.points.push(bar),
        None => {
            let points = vec![bar];
            let group = Some(plain_group(series.len()));
            series.push(ChartSeries { name, shape: Shape::Bar, axis: 0, group, points });
        }
    }
}

/// Its kernel name, with the subject if there are several.
fn name(gathered: &Gathered, subject: usize, disk: &DiskUtil) -> String {
    match gathered.subjects.len() {
        1 => disk.name.clone(),
        _ => format!("{}: {}", gathered.subjects[subject].name, disk.name),
    }
}

/// The entries of one work by their runs: directions of one run saw the same disks.
fn runs<'g>(entries: &[(usize, &'g DirectionFigures)]) -> Vec<(usize, &'g DirectionFigures)> {
    let mut runs: Vec<(usize, &DirectionFigures)> = Vec::new();
    for (at, seen) in entries {
        let same = |other: &&(usize, &DirectionFigures)| {
            (other.0, other.1.detail.began_ms) == (*at, seen.detail.began_ms)
        };
        if runs.iter().find(same).is_none() {
            runs.push((*at, seen));
        }
    }
    runs
}

/// Share of each interval in which each device under the entries of one work had I/O in flight, on
/// the time axis of their jobs.
///
/// Jobs that ran side by side share the data: `shown` lists what earlier charts showed, by subject,
/// start and length, and these are skipped.
pub(super) fn over_time(
    gathered: &Gathered,
    entries: &[(usize, &DirectionFigures)],
    most: usize,
    shown: &mut BTreeSet<(usize, u64, u64)>,
    lang: Lang,
) -> Option<Chart> {
    let mut runs = runs(entries);
    runs.retain(|(at, seen)| shown.insert((*at, seen.detail.began_ms, length_ms(seen))));
    let drawn = drawn(gathered, &runs);
    if drawn.is_empty() {
        return None;
    }
    let says: Vec<String> =
        drawn.iter().filter_map(|one| said(&one.name, one.measured(), lang)).collect();
    let mut y = axis(lang, "report-axis-busy", ChartUnit::Percent, Scale::Linear);
    y.ends = Some([0.0, 100.0]);
    let mut x = axis(lang, "report-axis-time", ChartUnit::Seconds, Scale::Linear);
    // As long as the charts of the rates above, although the last reading was a little before the
    // end.
    x.ends = runs.iter().map(|(_, seen)| length_s(seen)).reduce(f64::max).map(|end| [0.0, end]);
    let what = labels(entries).join(" / ");
    Some(Chart {
        id: "devices-time".to_owned(),
        title: Message::new("report-chart-devices-time").with("what", what).text(lang),
        says: says.join(" "),
        note: note_of_first(entries, lang),
        x,
        y: vec![y],
        series: drawn.into_iter().enumerate().map(|(at, one)| one.line(at, most)).collect(),
        bands: Vec::new(),
        marks: Vec::new(),
        stated: String::new(),
        pair: None,
    })
}

/// The counters of one disk during one run.
struct Drawn {
    name: String,
    /// For one of several runs that differ in direction.
    direction: Option<Direction>,
    points: Vec<ChartPoint>,
    ramp_s: f64,
    /// The end of the last point.
    end_s: f64,
}

impl Drawn {
    fn measured(&self) -> impl Iterator<Item = &ChartPoint> {
        self.points.iter().filter(|point| point.x >= self.ramp_s)
    }

    fn line(self, number: usize, most: usize) -> ChartSeries {
        let mut points = thinned(&self.points, most);
        // The last step, too, is as long as its stretch of time.
        let end_s = self.end_s;
        points.extend(points.last().copied().map(|last| ChartPoint { x: end_s, ..last }));
        let group = Some(self.direction.map_or_else(|| plain_group(number), direction_group));
        ChartSeries { name: self.name, shape: Shape::Step, axis: 0, group, points }
    }
}

/// Each disk of each run under its name, with its shares.
fn drawn(gathered: &Gathered, runs: &[(usize, &DirectionFigures)]) -> Vec<Drawn> {
    let of_run = |(at, seen): &(usize, &DirectionFigures)| {
        let several = runs.iter().filter(|(other, _)| other == at).count() > 1;
        let ramp_s = seen.setup.as_ref().map_or(0.0, |setup| setup.ramp_ms as f64 / 1e3);
        let one = |disk: &DiskUtil| {
            let name = match several {
                true => format!("{}, {}", name(gathered, *at, disk), seen.label),
                false => name(gathered, *at, disk),
            };
            let points = shares(seen, disk);
            let last_s = points.last().map_or(0.0, |point| point.x);
            let end_s = six_figures(last_s + disk.over_time.interval_ms as f64 / 1e3);
            let alone = several && gathered.subjects.len() == 1;
            let direction = alone.then_some(seen.entry.direction);
            Drawn { name, direction, points, ramp_s, end_s: end_s.min(length_s(seen)) }
        };
        seen.detail.disks.iter().map(one).collect::<Vec<_>>()
    };
    let all = runs.iter().flat_map(of_run);
    all.filter(|one| one.points.len() >= LEAST_POINTS).collect()
}

fn length_ms(seen: &DirectionFigures) -> u64 {
    let series = &seen.detail.series;
    (series.intervals.len() as u64).saturating_mul(series.interval_ms)
}

fn length_s(seen: &DirectionFigures) -> f64 {
    six_figures(length_ms(seen) as f64 / 1e3)
}

/// Seconds since the entry's jobs began, and the share in percent.
fn shares(seen: &DirectionFigures, disk: &DiskUtil) -> Vec<ChartPoint> {
    let length_s = length_s(seen);
    let lead_s = (disk.began_ms as f64 - seen.detail.began_ms as f64) / 1e3;
    let step_s = disk.over_time.interval_ms as f64 / 1e3;
    let intervals = disk.over_time.intervals.iter().enumerate();
    let share = |(at, of): (usize, &fathom_stats::DiskInterval)| {
        let x = lead_s + at as f64 * step_s;
        // A disk is watched from the start of a run, and a job may begin later: intervals that
        // mostly lie in its time are its own.
        let own = (0.0..=length_s).contains(&(x + step_s / 2.0));
        let long_enough = own && of.elapsed_ms >= LEAST_MS;
        point(x.max(0.0), of.util_percent().filter(|_| long_enough)?)
    };
    intervals.filter_map(share).collect()
}

/// `vda was busy 98 % of the time after the ramp, 100 % at most.`
fn said<'p>(
    name: &str,
    points: impl Iterator<Item = &'p ChartPoint>,
    lang: Lang,
) -> Option<String> {
    let shares: Vec<f64> = points.map(|point| point.y).collect();
    let most = shares.iter().copied().reduce(f64::max)?;
    let message = Message::new("report-says-devices-time")
        .with("device", name)
        .with("mean", percent(shares.iter().sum::<f64>() / shares.len() as f64))
        .with("most", percent(most));
    Some(message.text(lang))
}
