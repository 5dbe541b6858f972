//! `fathom sweep` as a document: the axes, every run, and the curves.

mod cap;
mod curve;
mod curves;
mod document;
mod question;
mod subject;
mod values;

pub use curve::{Curve, Headline, Point};
pub use curves::curves;
pub use document::{CaseKey, CaseRecord, KIND, SWEEP_SCHEMA, SessionRecord, Status, SweepDocument};
pub use question::{
    AxisRecord, CACHE, CLIENTS, NCONNECT, Order, QuestionRecord, RWMIX, USUAL_BS, USUAL_DEPTH,
    USUAL_MIXED_RW, USUAL_RW,
};
pub(crate) use subject::{is_axis, setting_title};
pub use subject::{option_name, settings_title};
pub use values::{Number, RangeStep, Term, Unit, Value, Values, ValuesError};
