//! What providers promise of their volumes, and whether a measurement keeps to it.
//!
//! The catalogue is data (`promises/*.toml`), not code: limits change, and a user may put a file
//! of his own over ours. Every row names its sources, their dates, and how surely they were read,
//! and these travel with each number that is made from it. From a row and what the user says of
//! his volume comes a [`Promise`]; what is missing is asked for by the name of the flag.
//!
//! A provider's unit stays as he writes it in the files, and becomes bytes in a [`Promise`].

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
