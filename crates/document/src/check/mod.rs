//! `fathom check` as a document: what was promised, what was run, and whether it was kept.

mod answer;
mod basis;
mod document;
mod finding;
mod load;
mod notice;
mod rows;

pub use basis::{Basis, SizeFrom};
pub use document::{CHECK_SCHEMA, CheckDocument, CheckKey, RunRecord};
pub use finding::{Doubt, RunFinding, Standing};
pub use load::{Load, Promised};
pub use notice::{BurstNotice, notices};
pub use rows::LimitRow;
