//! Many cases: how do the figures of a volume change with options?
//!
//! [`Question::new`] parses axes and settings, [`SweepPlan::new`] makes the cases and plans the
//! target (pure), a [`Runner`](crate::cases::Runner) runs them, and a [`Keeper`] adds each to the
//! [`SweepDocument`] and stores it safe from signals and lost machines. [`curves`] reads the
//! document like a chart: one line for each combination of the other axes, with the knee of those
//! that raise the load.

mod axis;
mod error;
mod keeper;
mod options;
mod plan;
mod question;
mod resume;

pub use fathom_document::PlaceRecord;
pub use fathom_document::sweep::{
    AxisRecord, CACHE, CLIENTS, CaseKey, CaseRecord, Curve, Headline, NCONNECT, Number, Order,
    Point, QuestionRecord, RWMIX, RangeStep, SWEEP_SCHEMA, SessionRecord, Status, SweepDocument,
    Term, Unit, Value, Values, curves,
};

pub use axis::{Axis, CACHE_NAMES};
pub use error::SweepError;
pub use keeper::{Keeper, SweepOutcome};
pub use plan::SweepPlan;
pub use question::{Question, SweepRequest};
pub use resume::{ResumeError, Resumed, newest_unfinished, resume};
