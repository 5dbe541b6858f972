//! How a command shows what came of it beside its tables: as JSON, CSV, Markdown, or a report in a
//! file; and what is read back for it. Every command has it from here.

mod args;
pub mod file;
mod form;
mod inputs;
pub mod show;

pub use args::{FormArgs, ReportArgs};
pub use form::Form;
pub use inputs::inputs;
