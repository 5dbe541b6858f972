//! A file of figures published by others: facts as published, in TOML or JSON.
//!
//! Numbers in such a file must not be negative or infinite, and an unknown field is an error,
//! because it would be lost silently.

use fathom_analysis::promise::Size;
use fathom_message::Lang;
use fathom_vocab::Direction;
use serde::Deserialize;
use std::fmt;

/// The kind of the file.
pub const KIND: &str = "fathom-published";

/// Published figures.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Published {
    /// [`KIND`].
    pub kind: String,
    /// Their subject.
    pub title: Text,
    /// Their author.
    pub source: Text,
    /// Remarks on them.
    #[serde(default)]
    pub notes: Vec<Text>,
    /// Commands that measured them.
    #[serde(default, rename = "command")]
    pub commands: Vec<Command>,
    /// Figures of single runs.
    #[serde(default, rename = "row")]
    pub rows: Vec<Row>,
    /// Sweeps over the mix of reads and writes.
    #[serde(default, rename = "mix")]
    pub mixes: Vec<Mix>,
}

/// A text: the same in all languages, or one for each.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged, expecting = "a text, or a table of one for each language: en, ko")]
pub enum Text {
    /// The same in all languages.
    Same(String),
    /// One for each.
    Each {
        /// English.
        en: String,
        /// Korean.
        ko: String,
    },
}

impl Text {
    /// In a language.
    pub fn text(&self, lang: Lang) -> String {
        match (self, lang) {
            (Text::Same(text), _) | (Text::Each { en: text, .. }, Lang::En) => text.clone(),
            (Text::Each { ko: text, .. }, Lang::Ko) => text.clone(),
        }
    }
}

/// A command and its measurement.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Command {
    /// Its measurement.
    pub what: Text,
    /// The command, in one line.
    pub command: String,
}

/// Reads or writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PublishedDirection {
    /// Reads.
    Read,
    /// Writes.
    Write,
}

impl PublishedDirection {
    /// The common type for it.
    pub fn direction(self) -> Direction {
        match self {
            PublishedDirection::Read => Direction::Read,
            PublishedDirection::Write => Direction::Write,
        }
    }
}

/// One run; unpublished values are missing.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The volume's name.
    pub volume: String,
    /// Its kind of volume, if several sizes were measured.
    pub family: Option<String>,
    /// Its size, as `500GB`.
    pub size: Option<Size>,
    /// Its provider's promise, as a row of the catalogue.
    pub promise: Option<String>,
    /// Promised I/Os a second, if the catalogue has no such row.
    pub promised_iops: Option<f64>,
    /// Reads or writes.
    pub way: PublishedDirection,
    /// Size of each I/O.
    pub block_kib: u64,
    /// I/Os in flight over all jobs.
    pub in_flight: Option<f64>,
    /// Jobs.
    pub jobs: Option<f64>,
    /// I/Os a second.
    pub iops: f64,
    /// Least of the run's intervals.
    pub min_iops: Option<f64>,
    /// Most of the run's intervals.
    pub max_iops: Option<f64>,
    /// Bytes a second, in MiB.
    pub mib_per_s: Option<f64>,
    /// Mean latency in microseconds.
    pub mean_us: Option<f64>,
    /// Percentiles of latency: percent and milliseconds.
    #[serde(default)]
    pub percentiles_ms: Vec<(f64, f64)>,
    /// Processor time of each job as user, in percent.
    pub cpu_user_percent: Option<f64>,
    /// Processor time of each job in the kernel, in percent.
    pub cpu_system_percent: Option<f64>,
}

/// A sweep over the mix.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mix {
    /// Settings common to the whole sweep.
    pub name: Text,
    /// Sweeps with the same name here are side by side.
    pub pair: Option<String>,
    /// Its published points.
    pub points: Vec<MixPoint>,
}

/// A point of it, in I/Os or in bytes a second.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MixPoint {
    /// Share of reads.
    pub reads_percent: f64,
    /// I/Os a second of both together.
    pub iops: Option<f64>,
    /// MiB a second of both together.
    pub mib_per_s: Option<f64>,
}

/// Why a text is no file of published figures.
#[fathom_text::translated]
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PublishedError {
    /// It is not TOML, or not with these fields.
    #[error("{0}")]
    Toml(Box<toml::de::Error>),
    /// It is not JSON, or not with these fields.
    #[error("{0}")]
    Json(String),
    /// It is of another kind.
    #[error("kind is '{0}' where '{KIND}' is wanted")]
    Kind(String),
    /// A number that cannot be one.
    #[error("{of}: {field} is {value}; write a number that is not negative{}", and_at_most(*most))]
    Number {
        /// The row or sweep, with its index.
        of: String,
        /// The field of the number.
        field: &'static str,
        /// The number.
        value: f64,
        /// The most that it may be.
        most: Option<f64>,
    },
    /// It contains no figures.
    #[error("it holds no figures: give at least one [[row]] or [[mix]]")]
    Empty,
}

fn and_at_most(most: Option<f64>) -> String {
    most.map(|most| format!(" and at most {most}")).unwrap_or_default()
}

/// Reads a file of figures: JSON if it begins with a brace, otherwise TOML.
///
/// # Errors
/// For text in neither format, and for invalid numbers: with the field and the row.
pub fn read(text: &str) -> Result<Published, PublishedError> {
    let published: Published = match text.trim_start().starts_with('{') {
        true => {
            serde_json::from_str(text).map_err(|error| PublishedError::Json(error.to_string()))?
        }
        false => toml::from_str(text).map_err(|error| PublishedError::Toml(Box::new(error)))?,
    };
    if published.kind != KIND {
        return Err(PublishedError::Kind(published.kind));
    }
    if published.rows.is_empty() && published.mixes.iter().all(|mix| mix.points.is_empty()) {
        return Err(PublishedError::Empty);
    }
    published.rows.iter().enumerate().try_for_each(|(number, row)| row.check(number + 1))?;
    published.mixes.iter().enumerate().try_for_each(|(number, mix)| mix.check(number + 1))?;
    Ok(published)
}

/// More than any volume ever gave, and few enough to reckon with.
const GREATEST: f64 = 1e15;

/// A number that may be missing, and the most that it may be.
type Checked = (&'static str, Option<f64>, Option<f64>);

fn check(of: impl fmt::Display, numbers: &[Checked]) -> Result<(), PublishedError> {
    for (field, value, most) in numbers {
        let Some(value) = value else { continue };
        if !value.is_finite() || *value < 0.0 || *value > most.unwrap_or(GREATEST) {
            let (of, value, most) = (of.to_string(), *value, *most);
            return Err(PublishedError::Number { of, field, value, most });
        }
    }
    Ok(())
}

impl Row {
    fn check(&self, number: usize) -> Result<(), PublishedError> {
        let of = format!("row {number} ({})", self.volume);
        let all = [
            ("promised_iops", self.promised_iops, None),
            ("in_flight", self.in_flight, None),
            ("jobs", self.jobs, None),
            ("iops", Some(self.iops), None),
            ("min_iops", self.min_iops, None),
            ("max_iops", self.max_iops, None),
            ("mib_per_s", self.mib_per_s, None),
            ("mean_us", self.mean_us, None),
            ("cpu_user_percent", self.cpu_user_percent, None),
            ("cpu_system_percent", self.cpu_system_percent, None),
        ];
        check(&of, &all)?;
        self.percentiles_ms.iter().try_for_each(|(percent, ms)| {
            let pair = [("percentiles_ms", Some(*percent), Some(100.0))];
            check(&of, &pair)?;
            check(&of, &[("percentiles_ms", Some(*ms), None)])
        })
    }

    /// Mean latency in nanoseconds.
    pub fn mean_ns(&self) -> Option<f64> {
        self.mean_us.map(|us| us * 1e3)
    }

    /// Bytes a second, as published or as IOPS and block size make them.
    pub fn bytes_per_s(&self) -> f64 {
        let computed = self.iops * self.block_kib as f64 * 1024.0;
        self.mib_per_s.map_or(computed, |mib| mib * f64::from(1u32 << 20))
    }

    /// Its latency at percentiles, in nanoseconds.
    pub fn percentiles_ns(&self) -> Vec<(f64, u64)> {
        self.percentiles_ms.iter().map(|(percent, ms)| (*percent, (ms * 1e6) as u64)).collect()
    }

    /// The IOPS that follow from this depth at this mean latency (Little's law).
    pub fn computed_iops(&self) -> Option<f64> {
        let mean_s = self.mean_us.filter(|us| *us > 0.0)? / 1e6;
        let iops = self.in_flight? / mean_s;
        (iops.is_finite() && iops > 0.0).then_some(iops)
    }
}

impl Mix {
    fn check(&self, number: usize) -> Result<(), PublishedError> {
        self.points.iter().try_for_each(|point| {
            let all = [
                ("reads_percent", Some(point.reads_percent), Some(100.0)),
                ("iops", point.iops, None),
                ("mib_per_s", point.mib_per_s, None),
            ];
            check(format!("mix {number}"), &all)
        })
    }

    /// Whether it is about bytes.
    pub fn is_bytes(&self) -> bool {
        self.points.iter().any(|point| point.mib_per_s.is_some())
    }
}

impl MixPoint {
    /// Its height: I/Os a second, or bytes.
    pub fn height(&self, bytes: bool) -> Option<f64> {
        match bytes {
            true => self.mib_per_s.map(|mib| mib * f64::from(1u32 << 20)),
            false => self.iops,
        }
    }
}
