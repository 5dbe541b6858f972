//! Runs side by side that were measured before: read, pair by name, show, and judge for CI.

use super::target::Recorded;
use super::{CompareArgs, runs_text};
use crate::cli_error::CliError;
use crate::output::{inputs, show};
use crate::saved_runs;
use crate::terminal::screen::{Screen, say, warn_line};
use fathom_campaign::compare::{Recording, RunsDocument};
use fathom_files::InputError;
use fathom_message::Lang;
use std::path::Path;

/// Exit code where a figure is shown to be worse than allowed.
const REGRESSED: u8 = 4;

/// Compares runs and files and gives the exit code.
pub fn compare(args: &CompareArgs, recorded: &[Recorded], screen: &Screen) -> Result<u8, CliError> {
    let recordings: Vec<Recording> = recorded.iter().map(load).collect::<Result<_, _>>()?;
    let document = RunsDocument::new(&recordings);
    if let Some(pair) = document.pairs.iter().find(|pair| pair.contrasts.is_empty()) {
        let (before, after) = (&pair.before, &pair.after);
        return Err(CliError::from(format!(
            "{before} and {after} have nothing in common; {before} has {}; {after} has {}. \
             Figures are paired by the names of phases, cases or jobs",
            pair.only_before.join("; "),
            pair.only_after.join("; ")
        )));
    }
    say(&shown(args, &document, screen)?);
    let inputs = match args.report.report.is_some() {
        true => inputs(&args.targets)?,
        false => Vec::new(),
    };
    let reported = args.report.write_of("compare", &show::json(&document)?, &inputs);
    Ok(gate(args, &document, screen).max(u8::from(!reported)))
}

fn shown(args: &CompareArgs, document: &RunsDocument, screen: &Screen) -> Result<String, String> {
    let tables = || runs_text::text(document, args.show.quiet, screen);
    args.report.text("compare", document, tables)
}

/// The exit code: 4 where something regressed by more than allowed.
fn gate(args: &CompareArgs, document: &RunsDocument, screen: &Screen) -> u8 {
    let Some(percent) = args.fail_if_worse else { return 0 };
    let regressed = document.regressed(percent);
    for contrast in &regressed {
        warn_line(&format!(
            "fathom: regressed: {}",
            runs_text::in_short(contrast, screen.unicode, Lang::En)
        ));
    }
    match regressed.is_empty() {
        true => 0,
        false => REGRESSED,
    }
}

fn load(recorded: &Recorded) -> Result<Recording, String> {
    match recorded {
        Recorded::File(path) => Recording::read(&path.display().to_string(), &content(path)?),
        Recorded::Run(prefix) => {
            let (entry, document) = saved_runs::result_of(prefix)?;
            Recording::read(&entry.short_id, &document)
        }
    }
}

/// A disk image is not read into memory to find out that it is none of ours.
fn content(path: &Path) -> Result<String, String> {
    let bytes = fathom_files::read(path, fathom_files::DOCUMENT_BYTES).map_err(|error| {
        let why = error.to_string();
        match error {
            InputError::TooLarge { .. } => {
                format!("{why}; to measure a file, name it to `fathom measure`")
            }
            _ => why,
        }
    })?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
