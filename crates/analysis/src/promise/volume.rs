//! A row of the catalogue: one kind of volume that a provider sells, as written in a file.

use super::citation::{Confidence, Source};
use super::limits::{Account, Limits};
use super::size::SizeUnit;
use super::vector::Vector;
use fathom_message::Message;
use serde::{Deserialize, Serialize};

/// One kind of volume, with what is promised of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VolumeRow {
    /// `provider.kind`; an older generation has its year behind an `@`.
    pub id: String,
    /// What the provider calls it.
    pub name: String,
    /// Who sells it; a file may state it once for all its rows.
    #[serde(default)]
    pub provider: String,
    /// Block or file.
    pub kind: VolumeKind,
    /// What the limits are shared by.
    pub scope: Scope,
    /// When these limits held; both open where only the present ones are known.
    #[serde(default)]
    pub valid: Validity,
    /// Which sizes there are; without it the size does not matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<SizeRange>,
    /// A setting beside size and provisioned performance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub knob: Option<Knob>,
    /// The limits; empty where a variant must be chosen, or nothing is promised.
    #[serde(default)]
    pub limits: Limits,
    /// Whether the limits hold for reads and writes together.
    #[serde(default)]
    pub directions: Directions,
    /// How I/Os are counted.
    #[serde(default)]
    pub account: Account,
    /// How firm it is.
    #[serde(default)]
    pub promise: PromiseKind,
    /// Service levels and modes that change the limits.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variants: Vec<Variant>,
    /// What somebody measured, where nothing is promised.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub measured: Vec<MeasuredPoint>,
    /// Time for each I/O with which the provider reckons the queue that its limits need, in
    /// microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue_us: Option<f64>,
    /// Of when the numbers are.
    pub as_of: String,
    /// Where they stand.
    pub sources: Vec<Source>,
    /// How surely they were read.
    pub confidence: Confidence,
    /// What else is to be known, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Published examples, which the rules must reproduce.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vectors: Vec<Vector>,
}

/// What a volume is to its client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VolumeKind {
    /// A block device.
    Block,
    /// A file system over the network.
    File,
}

/// What a row's limits are shared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// One volume has them to itself.
    Volume,
    /// All volumes of this kind on one virtual machine share them.
    Vm,
    /// All volumes of a pool share them.
    Pool,
    /// The whole file system, whoever mounts it.
    FileSystem,
    /// The physical host that the instance runs on.
    Host,
}

impl Scope {
    /// As text, for the end of "the limits are of …".
    pub fn words(self) -> Message {
        Message::new(match self {
            Scope::Volume => "scope-volume",
            Scope::Vm => "scope-vm",
            Scope::Pool => "scope-pool",
            Scope::FileSystem => "scope-file-system",
            Scope::Host => "scope-host",
        })
    }
}

/// Since when and until when a row holds; dates as they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Validity {
    /// From.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Up to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

/// The sizes that are sold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SizeRange {
    /// The unit of every size in the row.
    pub unit: SizeUnit,
    /// The smallest, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// The largest, where it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// Sizes are multiples of this, and others count as the next one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
}

impl SizeRange {
    /// `size` in the provider's accounting: the next multiple of the step, if there is one.
    pub(super) fn on_grid(&self, size: f64) -> f64 {
        match self.step {
            Some(step) => (size / step - 1e-9).ceil() * step,
            None => size,
        }
    }
}

/// A setting that some volumes have, as OCI's VPUs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Knob {
    /// What it is called when it is given.
    pub name: String,
    /// What it is.
    pub title: String,
    /// Its lowest value.
    pub min: f64,
    /// Its highest value.
    pub max: f64,
    /// The distance between two values.
    pub step: f64,
    /// What it is where nothing is said; without it, it must be said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<f64>,
}

/// Whether a limit holds for reads and writes together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Directions {
    /// Reads and writes together; also where the provider does not say.
    #[default]
    Sum,
    /// Reads and writes have a limit each.
    Each,
}

/// How firm a promise is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromiseKind {
    /// The provider states it as what the volume gives.
    #[default]
    Guarantee,
    /// The provider calls it a target, or states it without being bound by it.
    Target,
    /// There is no promise; at most there are figures that somebody measured.
    None,
}

/// A service level or a mode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variant {
    /// What it is called when it is given.
    pub id: String,
    /// What it is.
    pub name: String,
    /// What it changes.
    #[serde(default)]
    pub limits: Limits,
    /// What is to be known of it, in sentences.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A figure that somebody measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredPoint {
    /// Size of the volume, in the row's unit.
    pub size: f64,
    /// Reads a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_iops: Option<f64>,
    /// Writes a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_iops: Option<f64>,
    /// Bytes a second of reads, in the limits' unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_rate: Option<f64>,
    /// Bytes a second of writes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_rate: Option<f64>,
}
