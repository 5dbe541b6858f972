//! What was asked of a sweep, as it is kept: what its hash is taken of.

use super::values::Value;
use crate::setting::CaseTime;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The name of the axis of read and write shares.
pub const RWMIX: &str = "rwmix";
/// The name of the axis of the client's cache.
pub const CACHE: &str = "cache";
/// The name of the axis of machines that run the same at once.
pub const CLIENTS: &str = "clients";

/// The name of the axis of connections to an export.
pub const NCONNECT: &str = "nconnect";

/// The order of the cases within a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// As loops within each other, the last axis fastest.
    #[default]
    Nested,
    /// By chance, another in each round, the same for the same seed.
    Shuffled,
}

/// An axis as it is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AxisRecord {
    /// Option, or word of the sweep's own.
    pub name: String,
    /// Its values in order.
    pub values: Vec<String>,
}

impl AxisRecord {
    /// Whether it has more than one value.
    pub fn varies(&self) -> bool {
        self.values.len() > 1
    }

    /// Whether its values lie on a scale.
    pub fn is_scale(&self) -> bool {
        self.values.iter().all(|value| Value::of(value).position().is_some())
    }
}

/// A question as it is kept: what its hash is taken of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuestionRecord {
    /// Absolute path of the target.
    pub target: String,
    /// The machines that measure; none is this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hosts: Vec<String>,
    /// The axes, outermost first.
    pub axes: Vec<AxisRecord>,
    /// Options that are the same in all cases.
    pub fixed: Vec<(String, Option<String>)>,
    /// Bytes to measure in, if said.
    pub size_bytes: Option<u64>,
    /// How long a case runs.
    pub time: CaseTime,
    /// How often each case is run.
    pub rounds: u32,
    /// The order of the cases within a round.
    pub order: Order,
    /// Whether cases that write are left out.
    pub read_only: bool,
    /// Files and devices whose data may be destroyed.
    pub destroy: Vec<String>,
}
