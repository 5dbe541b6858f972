//! `fathom promises`: the limits that a provider promises for a volume.
//!
//! The catalogue and its rules are in the analysis crate; this module finds rows and shows them. A
//! single matching row is shown in full, several as a list.

mod args;
mod detail;
mod error;
mod list;
mod numbers;
#[cfg(test)]
mod tests;

pub use args::PromisesArgs;
pub use error::PromiseQuestionError;

use crate::cli_error::CliError;
use crate::output::{OutputError, show};
use crate::session::ended;
use crate::terminal::screen::{Screen, say};
use crate::volume_args::catalogue;
use fathom_analysis::promise::{
    Catalogue, Config, Promise, PromiseError, UnknownVolume, VolumeRow,
};
use serde_json::{Value, json};
use std::process::ExitCode;

/// Version of the form of the JSON documents.
const SCHEMA: u32 = 1;

/// Runs `fathom promises` and gives its exit code.
pub fn command(args: &PromisesArgs) -> ExitCode {
    ended(answer(args, &Screen::detect()).map(|text| {
        say(&text);
        0
    }))
}

/// All that is printed.
fn answer(args: &PromisesArgs, screen: &Screen) -> Result<String, CliError> {
    let catalogue = catalogue(args.volume.promises.as_deref())?;
    let config = args.volume.config(args.iops, args.mbps);
    let rows = meant(&catalogue, &args.words).map_err(PromiseQuestionError::from)?;
    match rows.as_slice() {
        [row] if !args.words.is_empty() => one(row, &config, args.json, screen),
        rows if config == Config::default() => Ok(several(rows, args.json, screen)?),
        rows => Err(ambiguous(rows, &args.words).into()),
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
            show::json(&json!({ "kind": "fathom-promises", "schema": SCHEMA, "volumes": rows }))
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
            return Err(PromiseQuestionError::from(error).into());
        }
        promise => promise,
    };
    match as_json {
        true => Ok(show::json(&promise_json(row, config, &promise))?),
        false => Ok(detail::text(row, config, &promise, screen)),
    }
}

fn promise_json(
    row: &VolumeRow,
    config: &Config,
    promise: &Result<Promise, PromiseError>,
) -> Value {
    let found = promise.as_ref().ok();
    let caveats = found.map(|promise| &promise.caveats);
    let texts = caveats.map(|all| all.iter().map(ToString::to_string).collect::<Vec<_>>());
    json!({
        "kind": "fathom-promise",
        "schema": SCHEMA,
        "volume": row,
        "config": config,
        "promise": found,
        "caveats": texts,
        "at_block_sizes": found.map(|promise| {
            numbers::BLOCKS.map(|block_bytes| promise.at_block_size(block_bytes))
        }),
        "needed": promise.as_ref().err().map(ToString::to_string),
    })
}
