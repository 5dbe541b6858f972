//! The chart on the first screen of a page, and the folded section of each other chart.
//!
//! Decided by the content of a chart, so that readers of documents do not depend on pages: time on
//! the bottom axis, latencies, utilisation of devices and processors, and all others.

use crate::model::{Chart, ChartUnit, Scale};

/// The topic of a section's charts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChartTopic {
    Rates,
    Latency,
    OverTime,
    Machine,
}

impl ChartTopic {
    const ALL: [ChartTopic; 4] =
        [ChartTopic::Rates, ChartTopic::Latency, ChartTopic::OverTime, ChartTopic::Machine];

    fn of(chart: &Chart) -> ChartTopic {
        let unit = |wanted| chart.y.iter().any(|axis| axis.unit == wanted);
        match chart {
            Chart { x, .. } if x.unit == ChartUnit::Seconds => ChartTopic::OverTime,
            Chart { id, .. } if id == "cpu" || id == "devices" => ChartTopic::Machine,
            Chart { x, .. } if x.scale == Scale::Nines || x.unit == ChartUnit::Ns => {
                ChartTopic::Latency
            }
            _ if unit(ChartUnit::Ns) => ChartTopic::Latency,
            _ => ChartTopic::Rates,
        }
    }

    /// The section's name in links.
    pub fn id(self) -> &'static str {
        match self {
            ChartTopic::Rates => "rates",
            ChartTopic::Latency => "latencies",
            ChartTopic::OverTime => "over-time",
            ChartTopic::Machine => "machine",
        }
    }

    /// Its heading in the catalogue.
    pub fn message(self) -> &'static str {
        match self {
            ChartTopic::Rates => "page-section-rates",
            ChartTopic::Latency => "page-section-latency",
            ChartTopic::OverTime => "page-section-over-time",
            ChartTopic::Machine => "page-section-machine",
        }
    }
}

/// Charts of one topic, each with its place among all charts.
#[derive(Debug)]
pub(crate) struct Section<'a> {
    pub topic: ChartTopic,
    pub charts: Vec<(usize, &'a Chart)>,
}

impl<'a> Section<'a> {
    /// Charts side by side: pairs, and others in twos.
    pub fn rows(&self) -> Vec<Vec<(usize, &'a Chart)>> {
        let mut rows = Vec::new();
        let mut left = self.charts.as_slice();
        while !left.is_empty() {
            let (row, rest) = left.split_at(beside(left));
            rows.push(row.to_vec());
            left = rest;
        }
        rows
    }
}

/// The number of following charts that are side by side.
fn beside(charts: &[(usize, &Chart)]) -> usize {
    match charts {
        [(_, Chart { pair: Some(pair), .. }), ..] => {
            charts.iter().take_while(|(_, chart)| chart.pair.as_ref() == Some(pair)).count()
        }
        [_, (_, Chart { pair: None, .. }), ..] => 2,
        _ => 1,
    }
}

/// The chart of the first screen, and the others by their topics.
pub(crate) fn split(charts: &[Chart]) -> (Option<&Chart>, Vec<Section<'_>>) {
    let folded = charts.iter().enumerate().skip(1);
    let section = |topic| {
        let own = folded.clone().filter(|(_, chart)| ChartTopic::of(chart) == topic);
        Section { topic, charts: own.collect() }
    };
    let sections = ChartTopic::ALL.map(section).into_iter();
    (charts.first(), sections.filter(|section| !section.charts.is_empty()).collect())
}
