//! `fathom report`: results as a page, a table or a document to share; also used at the end of
//! every command that measures (`--report`, `--csv`, `--markdown`).
//!
//! Both make the same report of the same document: a command's report equals the later
//! `fathom report` of its run.

mod args;

pub use args::ReportCommand;
use fathom_text::text;

use crate::cli_error::CliError;
use crate::output::file::{self, Existing};
use crate::output::{Form, OutputError, inputs, is_stdout};
use crate::terminal::screen::{self, Screen, say, say_line, warn_line};
use fathom_report::{Input, Report};
use std::path::{Path, PathBuf};

/// Runs `fathom report`.
///
/// # Errors
/// If an input cannot be read, or a report not be written.
pub fn report(args: &ReportCommand) -> Result<(), CliError> {
    let form = args.form()?;
    let form = match (form, args.output.as_deref()) {
        (None, Some(path)) => Some(Form::of_path(path).map_err(CliError::usage)?),
        (form, _) => form,
    };
    let inputs = inputs(&args.runs)?;
    let existing = if args.force { Existing::Replace } else { Existing::KeepForeign };
    if let Some(folder) = &args.svg {
        let report = fathom_report::read(&inputs, screen::lang()).map_err(OutputError::from)?;
        return drawn(&report, folder, existing);
    }
    let mut last = None;
    for (form, path) in args.files() {
        last = Some(written(&inputs, form, path, existing)?);
    }
    let usual = PathBuf::from(format!("report.{}", Form::DEFAULT.extension()));
    match (form, args.output.as_deref().filter(|path| !is_stdout(path))) {
        (Some(form), Some(path)) => last = Some(written(&inputs, form, path, existing)?),
        // A format without a file: for a pipe.
        (Some(form), None) => say(&form.of_inputs(&inputs, screen::lang())?),
        (None, _) if args.files().next().is_some() => {}
        (None, _) => last = Some(written(&inputs, Form::DEFAULT, &usual, existing)?),
    }
    match last {
        Some(path) if args.open => {
            show(&path);
            Ok(())
        }
        Some(path) => {
            hint(&path);
            Ok(())
        }
        None if args.open => {
            Err(CliError::usage(text!("--open shows a file: name one, as -o report.html")))
        }
        None => Ok(()),
    }
}

/// Opens the file in the program that the system has for it. The file is written, so a failure is
/// only a warning.
fn show(path: &Path) {
    if let Err(why) = open::that(path) {
        let path = path.display();
        warn_line(text!("fathom: warning: cannot open {path}: {why}; open it in a browser"));
    }
}

/// Says on a terminal how the page is opened.
fn hint(path: &Path) {
    let is_page = path.extension().is_some_and(|ending| ending == Form::Html.extension());
    if is_page && Screen::detect().live {
        warn_line(text!("To open it: fathom report --open, or open the file in a browser."));
    }
}

/// Bytes that identify our drawings.
const SVG_HEAD: usize = 40;

/// Writes a file for each chart, and prints their paths.
fn drawn(report: &Report, folder: &Path, existing: Existing) -> Result<(), CliError> {
    let charts = fathom_report::svg(report).map_err(OutputError::from)?;
    std::fs::create_dir_all(folder).map_err(CliError::file("make", folder))?;
    for (name, text) in charts {
        let path = folder.join(name).with_extension("svg");
        // Two drawings of ours begin alike.
        let ours = |old: &str| old.get(..SVG_HEAD) == text.get(..SVG_HEAD);
        file::write(&path, &text, ours, existing)?;
        say_line(format_args!("{}", path.display()));
    }
    Ok(())
}

/// Writes the file, prints its path, and returns it.
fn written(
    inputs: &[Input],
    form: Form,
    path: &Path,
    existing: Existing,
) -> Result<PathBuf, OutputError> {
    let text = form.of_inputs(inputs, screen::lang())?;
    file::write(path, &text, |old| form.is_ours(old), existing)?;
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    say_line(format_args!("{}", path.display()));
    Ok(path)
}
