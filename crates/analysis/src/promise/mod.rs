//! The promises of providers for their volumes, and whether a measurement meets them.
//!
//! The catalogue is data (`promises/*.toml`), not code: limits change, and users may override ours
//! with a file of their own. Every row names its sources, their dates and their confidence, and
//! each number made from it includes them. A row and the user's description of a volume give a
//! [`Promise`]; an error names the flag for missing values.
//!
//! Files use the provider's units, which become bytes in a [`Promise`].

mod bursting;
mod catalogue;
mod caveat;
mod checks;
mod citation;
mod config;
mod describe;
mod document;
mod error;
mod examples;
mod judge;
mod limits;
mod promised;
mod promising;
mod rule;
mod size;
mod vector;
mod volume;
mod wording;

pub use catalogue::{Catalogue, UnknownVolume};
pub use caveat::Caveat;
pub use citation::{Confidence, Source};
pub use config::Config;
pub use document::{CatalogueError, SCHEMA};
pub use error::PromiseError;
pub use judge::{
    ENOUGH_OF_LIMIT, HandLimits, IntervalShare, JudgedDirections, Judgement, LatencyFigure,
    LatencyLimit, MeanRate, MeasuredRun, MeasuredWay, PromiseEvidence, PromiseOutcome,
    PromiseVerdict, Stretch, Unknown, judge, judge_by_hand,
};
pub use limits::{Account, BurstRule, Charge, Consistency, Latency, Limits, Sequential};
pub use promised::{
    Accounting, AtBlockSize, Bound, BurstLevels, LatencyPromise, Level, MeasuredAt, Promise,
    Reachable,
};
pub use rule::{Line, Provisioned, Rule};
pub use size::{ByteRateUnit, QuantityError, Rate, Size, SizeUnit};
pub use vector::{Figure, Vector};
pub use volume::{
    Directions, Knob, MeasuredPoint, PromiseKind, Scope, SizeRange, Validity, Variant, VolumeKind,
    VolumeRow,
};
pub use wording::percent;
