//! A curve of a sweep, as in a chart, and its points.

use crate::over_rounds::spread_percent;
use crate::setting::Setting;
use fathom_analysis::CaseFigures;
use fathom_analysis::{Cap, ConnectionFinding, Knee};
use fathom_message::{Message, Tell};
use serde::{Deserialize, Serialize};

/// Which figure a curve is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Headline {
    /// I/Os a second.
    Iops,
    /// Megabytes a second: of large blocks, and where block sizes differ.
    Throughput,
}

/// One curve.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Values of the other axes that vary, the same all along it.
    pub settings: Vec<Setting>,
    /// The axis along the bottom.
    pub axis: String,
    /// What it is about.
    pub headline: Headline,
    /// Its points in the order of the axis.
    pub points: Vec<Point>,
    /// Where more load buys nothing more; for depth, jobs and clients.
    pub knee: Option<Knee>,
    /// What holds the rate while depth or block size grows.
    #[serde(default)]
    pub cap: Option<Cap>,
    /// What more connections to the server give; of curves over their number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connections: Option<ConnectionFinding>,
}

/// One point: a case over all its rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Value of the axis, as text.
    pub value: String,
    /// Its place where the axis is a scale: depth, jobs, clients, bytes, percent of reads.
    pub position: Option<u64>,
    /// Which case.
    pub case: usize,
    /// Its figures over all rounds that gave any.
    pub figures: Option<CaseFigures>,
    /// I/Os a second of each of these rounds.
    pub rounds_iops: Vec<f64>,
    /// What failed in the others.
    pub failures: Vec<String>,
    /// Along a curve of clients: I/Os a second of each client, in percent of what each has at the
    /// curve's first point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scaling_percent: Option<f64>,
}

impl Point {
    /// The figure that the curve is about; none if there are no figures.
    pub fn height(&self, headline: Headline) -> Option<f64> {
        let total = self.figures.as_ref()?.total;
        Some(match headline {
            Headline::Iops => total.iops,
            Headline::Throughput => total.mb_per_s,
        })
    }

    /// The spread of rounds, in percent of their mean; none for fewer than two.
    pub fn spread_percent(&self) -> Option<f64> {
        spread_percent(&self.rounds_iops)
    }
}

impl Curve {
    /// The knee's point, if there is a knee: points beyond gain little and take longer.
    pub fn knee_point(&self) -> Option<&Point> {
        let load = self.knee.as_ref().and_then(Knee::load)?;
        self.points.iter().find(|point| point.position == Some(load))
    }

    /// Its settings; none if there is only one curve.
    pub fn own_settings(&self) -> Option<String> {
        // Words speak for themselves, numbers do not.
        let name = |setting: &Setting| match setting.axis.as_str() {
            "rw" | "ioengine" => setting.value.clone(),
            axis => format!("{axis}={}", setting.value),
        };
        let names: Vec<String> = self.settings.iter().map(name).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// What more connections to the server give, as a sentence.
    pub fn connection_sentence(&self) -> Option<Message> {
        let told = self.connections.as_ref()?.tell();
        Some(match self.own_settings() {
            None => told,
            Some(names) => {
                Message::new("curve-connections-of").with("curve", names).part("told", told)
            }
        })
    }

    /// The highest point, of equals the first.
    pub fn best(&self) -> Option<&Point> {
        let height = |point: &&Point| point.height(self.headline).unwrap_or(f64::MIN);
        let with_figures = self.points.iter().rev().filter(|point| point.figures.is_some());
        // Of equal values `max_by` returns the last, which is the first because the points are
        // reversed.
        with_figures.max_by(|a, b| height(a).total_cmp(&height(b)))
    }
}
