//! fio's formats, written from a [`RunResult`](fathom_stats::RunResult).
//!
//! A byte contract: spacing, rounding, the order of keys and which lines are absent when follow
//! fio, because programs and eyes are trained on them. Nothing here measures, prints or reads
//! the environment: text goes in as a result and out as a string.
//!
//! Names are as their users chose them. In texts for people and in terse lines an unprintable
//! letter of a name is escaped, where fio prints it raw.
#![forbid(unsafe_code)]

mod calendar;
mod clients;
mod document;
mod eta;
mod exit;
mod figures;
mod json;
mod logs;
mod normal;
mod opening;
mod options;
mod printer;
mod shares;
mod terse;

pub use clients::{ClientResult, client_document, client_line};
pub use document::{OutputFormats, document};
pub use eta::{EtaWriter, eta_line};
pub use exit::{SIGNALLED, exit_code};
pub use figures::{FigureUnit, short};
pub use json::{json, json_text};
pub use logs::{LogKind, LogLayout, aggregate_log_name, log_name, write_histogram, write_sample};
pub use normal::normal;
pub use opening::{CLONES_LINE, job_line, layout_line, starting_line};
pub use options::{CpuIdleness, OutputOptions};
pub use terse::{TerseVersion, terse};

/// The version that outputs report. Programs parse the number after the dash, so it is that of
/// the fio whose behaviour is matched; Fathom's own version is in the `RunResult`.
pub const FIO_VERSION: &str = "fio-3.42";
