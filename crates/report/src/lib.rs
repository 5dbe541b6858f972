//! Reports of what was measured, for people: HTML with charts, Markdown, CSV, SVG.
//!
//! Two halves with one thing between them. Readers (`read`) take the documents of commands, results
//! of runs and fio's own JSON, and make a [`Report`]: verdicts, charts, tables and commands, in the
//! reader's language, chosen by what the data allows. Writers (`html`, `markdown`, `csv`, `svg`)
//! show a [`Report`] and know nothing of where it came from.
//!
//! What was decided here:
//! - A report is plain data ([`model`]): what a chart shows is worked out once, in Rust; how it is
//!   drawn is decided once, in `assets/charts.js`, which a browser and [`svg`] both run.
//! - Nothing in it is trusted: every text may hold anything, and writers escape all of it.
#![forbid(unsafe_code)]

pub mod model;

pub use model::Report;
