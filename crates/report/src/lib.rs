//! Reports of measurements: HTML with charts, Markdown, CSV, SVG.
//!
//! Two halves with one type between them. Readers (`read`) take the documents of commands, results
//! of runs and fio's own JSON, and make a [`Report`]: verdicts, charts, tables and commands, in the
//! reader's language, depending on the data. Writers (`html`, `markdown`, `csv`, `svg`) show a
//! [`Report`] and do not depend on its source.
//!
//! Decided here:
//! - A report is plain data ([`model`]): a chart's content is calculated once, in Rust; its drawing
//!   is defined once, in `assets/charts.js` and its dependencies, which a browser and [`svg`] both
//!   run.
//! - Nothing in it is trusted: every text may contain anything, and writers escape all of it.
#![forbid(unsafe_code)]

pub mod assets;
pub mod change_words;
mod csv;
mod embed;
mod figures;
mod html;
mod json;
mod junit;
mod markdown;
pub mod model;
pub mod read;
mod sections;
pub mod show;
mod svg;
mod terms;
mod words;

pub use csv::{CsvError, csv, csv_rows};
pub use embed::json;
pub use fathom_analysis::quantity;
pub use fathom_document::summary_of;
pub use html::{HtmlError, Link, html, html_among};
pub use json::document;
pub use junit::{FileLine, JUNIT_HEAD, JudgedCase, JudgedSuite, junit};
pub use markdown::markdown;
pub use model::Report;
pub use read::{Input, ReadError, compared, read, read_data};
pub use svg::{SvgError, svg};
pub use words::{Words, direction_word, page as page_words};
