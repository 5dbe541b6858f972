//! Outputs of a command beside its tables: JSON, CSV, Markdown, or a report in a file; and the
//! inputs for them. All commands share this module.

mod args;
mod command_failure;
mod document_text;
mod error;
mod failure;
pub mod file;
mod form;
mod inputs;
mod judged;
mod plan;
pub mod show;
mod spaced_file;

pub use args::{OutputArgs, check_printed_forms, is_stdout};
pub use command_failure::CommandFailure;
pub use error::{NamedInputError, OutputError};
pub use failure::{write_failure, write_unfinished};
pub use form::Form;
pub use inputs::inputs;
pub use judged::{JunitArgs, after_stop};
pub use plan::{PlanDocument, PlannedRun, PlannedTarget};
pub use spaced_file::check_spaced_files;
