//! `fathom promises`: the limits that a provider promises for a volume.
//!
//! The catalogue and its rules are in the analysis crate; this module finds rows and shows them. A
//! single matching row is shown in full, several as a list.

mod args;
mod detail;
mod list;
mod numbers;
#[cfg(test)]
mod tests;

pub use args::PromisesArgs;

use crate::cli_error::CliError;
use crate::output::{OutputError, show};
use crate::terminal::screen::{Screen, say};
use crate::volume_args::{catalogue, unknown_row};
use fathom_analysis::promise::{
    AtBlockSize, Catalogue, Config, Promise, PromiseError, UnknownVolume, VolumeRow,
};
use serde::Serialize;

/// Version of the form of the JSON documents.
pub const PROMISES_SCHEMA: u32 = 1;

/// Runs `fathom promises` and gives its exit code.
///
/// # Errors
/// If no promise is meant.
pub fn command(args: &PromisesArgs) -> Result<u8, CliError> {
    say(&answer(args, &Screen::detect())?);
    Ok(0)
}

/// All that is printed.
fn answer(args: &PromisesArgs, screen: &Screen) -> Result<String, CliError> {
    let catalogue = catalogue(args.volume.promises.as_deref())?;
    let config = args.volume.config(args.iops, args.mbps);
    let rows = meant(&catalogue, &args.words).map_err(unknown_row)?;
    match rows.as_slice() {
        [row] if !args.words.is_empty() => one(row, &config, args.json, screen),
        rows if config == Config::default() => Ok(several(rows, args.json, screen)?),
        rows => Err(CliError::usage(ambiguous(rows, &args.words))),
    }
}

/// The row of that name, else the rows that have all the words.
fn meant<'a>(
    catalogue: &'a Catalogue,
    words: &[String],
) -> Result<Vec<&'a VolumeRow>, UnknownVolume> {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let named = match words.as_slice() {
        [name] => catalogue.find(name),
        _ => Err(UnknownVolume { asked: words.join(" "), suggestions: Vec::new() }),
    };
    match (named, catalogue.search(&words)) {
        (Ok(row), _) => Ok(vec![row]),
        (Err(unknown), found) if found.is_empty() => Err(unknown),
        (Err(_), found) => Ok(found),
    }
}

fn ambiguous(rows: &[&VolumeRow], words: &[String]) -> PromiseQuestionError {
    match words {
        [] => PromiseQuestionError::NoVolume,
        words => PromiseQuestionError::Ambiguous {
            words: words.join(" "),
            rows: rows.iter().map(|row| row.id.clone()).collect(),
        },
    }
}

fn several(rows: &[&VolumeRow], as_json: bool, screen: &Screen) -> Result<String, OutputError> {
    match as_json {
        true => {
            let (kind, schema) = ("fathom-promises", PROMISES_SCHEMA);
            show::json(&PromisesDocument { kind, schema, volumes: rows })
        }
        false => Ok(list::text(rows, screen)),
    }
}

/// One row; if the options do not describe a volume, also without the inputs that its limits need.
fn one(
    row: &VolumeRow,
    config: &Config,
    as_json: bool,
    screen: &Screen,
) -> Result<String, CliError> {
    let promise = match row.promise(config) {
        Err(error) if *config != Config::default() => {
            return Err(error.into());
        }
        promise => promise,
    };
    match as_json {
        true => Ok(show::json(&PromiseDocument::of(row, config, &promise))?),
        false => Ok(detail::text(row, config, &promise, screen)),
    }
}

/// The rows that were asked for as one document.
#[derive(Serialize)]
pub struct PromisesDocument<'a> {
    /// `fathom-promises`.
    kind: &'static str,
    /// Version of its form.
    schema: u32,
    /// The rows, as the catalogue has them.
    volumes: &'a [&'a VolumeRow],
}

/// What is promised of one volume as one document.
#[derive(Serialize)]
pub struct PromiseDocument<'a> {
    /// `fathom-promise`.
    kind: &'static str,
    /// Version of its form.
    schema: u32,
    /// The row, as the catalogue has it.
    volume: &'a VolumeRow,
    /// What was said of the volume.
    config: &'a Config,
    /// What is promised of it; none where that takes more.
    promise: Option<&'a Promise>,
    /// What to know of the promise, in English.
    caveats: Option<Vec<String>>,
    /// What it comes to at several block sizes.
    at_block_sizes: Option<Vec<AtBlockSize>>,
    /// What must be said for a promise, if something must.
    needed: Option<String>,
}

impl<'a> PromiseDocument<'a> {
    fn of(
        volume: &'a VolumeRow,
        config: &'a Config,
        promise: &'a Result<Promise, PromiseError>,
    ) -> PromiseDocument<'a> {
        let found = promise.as_ref().ok();
        let texts = |of: &Promise| of.caveats.iter().map(ToString::to_string).collect();
        let sizes = |of: &Promise| {
            numbers::BLOCKS.iter().map(|block_bytes| of.at_block_size(*block_bytes)).collect()
        };
        PromiseDocument {
            kind: "fathom-promise",
            schema: PROMISES_SCHEMA,
            volume,
            config,
            promise: found,
            caveats: found.map(texts),
            at_block_sizes: found.map(sizes),
            needed: promise.as_ref().err().map(ToString::to_string),
        }
    }
}

/// Why no promise is meant.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
pub enum PromiseQuestionError {
    /// Options describe a volume, but none is named.
    #[error("name the volume whose promise is asked for, such as aws.gp3")]
    NoVolume,
    /// Several rows fit.
    #[error("'{words}' may be {}: name one of them", rows.join(", "))]
    Ambiguous { words: String, rows: Vec<String> },
}
