//! fio's formats, written from a [`RunResult`](fathom_stats::RunResult).
//!
//! Output must match byte by byte: spacing, rounding, the order of keys and the absence of lines
//! follow fio, because programs and users rely on them. Nothing here measures, prints or reads the
//! environment: the input is a result and the output a string.
//!
//! Names are untrusted. In texts and in terse lines unprintable characters of a name are escaped,
//! where fio prints them raw.
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
pub use opening::{
    CLONES_LINE, NO_DEPTH_LINE, beyond_tausworthe, job_line, layout_line, starting_line,
};
pub use options::{CpuIdleness, OutputOptions};
pub use terse::{TerseVersion, terse};

/// The version in outputs. Programs parse the number after the dash, so it is that of the fio whose
/// behaviour is matched; Fathom's own version is in the `RunResult`.
pub const FIO_VERSION: &str = "fio-3.42";
