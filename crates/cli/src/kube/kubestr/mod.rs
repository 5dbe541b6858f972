//! `fathom kubestr`, and Fathom under the name `kubestr`: kubestr's flags, text, JSON and exit
//! codes, over Fathom's own pods.
//!
//! Decided here:
//! - Results go to standard output in kubestr's format. With `-o json` standard output has nothing
//!   else: progress goes to standard error, so that the output can be parsed.
//! - No objects are left behind, however the command ends, and no result is lost to a limit of five
//!   minutes.
//! - Colours are printed only to a terminal, as in all commands of Fathom.
//! - Commands that browse volumes are refused by name: they measure nothing.

mod args;
mod baseline;
mod block;
mod csi;
mod fio;
mod go;
mod results;

use super::args::{PodArgs, USUAL_IMAGE, VolumeModeArg, usual_kubeconfigs};
use crate::cli_error::CliError;
use crate::help::{command_in, text_in};
use crate::session::Session;
use crate::terminal::screen::warn_line;
use crate::terminal::stdout;
use args::{KubestrArgs, KubestrCommand};
use clap::{CommandFactory, FromArgMatches};
use fathom_host::Host;
use fathom_kube::ClusterAccess;
use fathom_message::Lang;
use fathom_vocab::printable;
use serde::Serialize;
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// The exit code if a file of results cannot be written.
const UNWRITTEN: u8 = 2;

/// The definition of kubestr's command line.
pub fn kubestr_command_line() -> clap::Command {
    KubestrArgs::command()
}

/// Runs the drop-in with kubestr's arguments, the program's name not among them. Its help is in the
/// language `help`; all else is for scripts that read kubestr's words.
pub fn kubestr(args: &[OsString], host: &Host, help: Lang) -> ExitCode {
    let words = std::iter::once(OsString::from("kubestr")).chain(args.iter().cloned());
    let matches = command_in(help, kubestr_command_line()).try_get_matches_from(words);
    let args = match matches.and_then(|matches| KubestrArgs::from_arg_matches(&matches)) {
        Ok(args) => args,
        Err(error) if !error.use_stderr() => {
            stdout::say(&text_in(help, &error.to_string()));
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            // kubestr exits with 1 for wrong usage, too.
            let said = error.to_string();
            let said = said.strip_prefix("error: ").unwrap_or(&said);
            let sentence = said.lines().take_while(|line| !line.is_empty()).map(str::trim);
            warn_line(format!("Error: {}", sentence.collect::<Vec<_>>().join(" ")));
            return ExitCode::FAILURE;
        }
    };
    let session = Session::new(host.clone());
    ExitCode::from(run(&args, session).unwrap_or_else(|why| {
        warn_line(format!("Error: {why}"));
        1
    }))
}

fn run(args: &KubestrArgs, session: Session) -> Result<u8, CliError> {
    let out = TestPrinter {
        is_json: args.output == "json",
        colour: session.screen.colour,
        file: args.outfile.clone().filter(|file| !file.as_os_str().is_empty()),
    };
    if out.file.is_some() && !out.is_json {
        warn_line("kubestr: --outfile is written with -o json only; add it");
    }
    let access = |namespace: Option<&str>| ClusterAccess {
        kubeconfig: args.kubeconfig.clone(),
        usual: usual_kubeconfigs(),
        context: args.context.clone(),
        namespace: namespace.map(str::to_owned),
    };
    match &args.command {
        None => baseline::check(&access(None), &out),
        Some(KubestrCommand::Fio(args)) => {
            fio::run(&access(Some(&args.namespace)), args, &out, session)
        }
        Some(KubestrCommand::Blockmount(args)) => {
            block::mount(&access(Some(&args.namespace)), args, &out, session)
        }
        Some(KubestrCommand::Csicheck(args)) => {
            csi::check(&access(Some(&args.namespace)), args, &out, session)
        }
        Some(KubestrCommand::Version) => {
            stdout::say(concat!("kubestr of Fathom ", env!("FATHOM_VERSION"), "\n"));
            Ok(0)
        }
        Some(KubestrCommand::Other(words)) => {
            let word = words.first().map(|word| word.to_string_lossy().into_owned());
            Err(CliError::usage(format!(
                "{} is not in Fathom's kubestr, which has fio, blockmount, csicheck, version \
                 and the bare check; use kubestr itself for it",
                word.unwrap_or_default()
            )))
        }
    }
}

/// Pods with a volume of a class, as kubestr makes them.
fn pod_args(class: &str, size: &str, image: &str) -> PodArgs {
    PodArgs {
        classes: vec![class.to_owned()],
        claim: Vec::new(),
        claim_size: size.to_owned(),
        access: "ReadWriteOnce".to_owned(),
        volume_mode: VolumeModeArg::Filesystem,
        pods: "1".to_owned(),
        min_pods: None,
        node_selector: Vec::new(),
        image: if image.is_empty() { USUAL_IMAGE } else { image }.to_owned(),
        node_binaries: Vec::new(),
        run_as: None,
        patch: None,
        wait: Duration::from_secs(300),
        deadline: Duration::from_secs(6 * 3600),
    }
}

/// How a test of kubestr's ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
enum StatusCode {
    OK,
    Error,
}

/// One line of a test's result.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct TestStatus {
    status_code: StatusCode,
    status_message: String,
}

/// The result of a test, in kubestr's form.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct TestOutput {
    test_name: &'static str,
    status: Vec<TestStatus>,
    /// None if kubestr has no such member; a failed test has one that is null.
    #[serde(skip_serializing_if = "Option::is_none")]
    raw: Option<Value>,
}

impl TestOutput {
    fn of(test_name: &'static str, done: (StatusCode, String, Option<Value>)) -> TestOutput {
        let (status_code, status_message, raw) = done;
        let status = vec![TestStatus { status_code, status_message }];
        TestOutput { test_name, status, raw }
    }

    /// As a person reads it.
    fn text(&self, colour: bool) -> String {
        let mut text = format!("{}:\n", self.test_name);
        for status in &self.status {
            let message = &status.status_message;
            let (style, word, message) = match status.status_code {
                StatusCode::OK => (32, "OK", printable::lines(message)),
                // An error may quote what a file or a server has as its name.
                StatusCode::Error => (31, "Error", printable::line(message)),
            };
            let word = styled(style, word, colour);
            text += &format!("  {message}  -  {word}\n");
        }
        text
    }
}

/// A word in colour, if colours are on.
fn styled(style: u8, word: &str, colour: bool) -> String {
    if colour { format!("\x1b[1m\x1b[{style}m{word}\x1b[0m") } else { word.to_owned() }
}

/// Where results go.
struct TestPrinter {
    is_json: bool,
    /// Whether standard output is a terminal with colours.
    colour: bool,
    file: Option<PathBuf>,
}

impl TestPrinter {
    /// Prints a line of progress.
    fn tell(&self, line: &str) {
        match self.is_json {
            true => warn_line(line),
            false => stdout::say(&format!("{}\n", printable::line(line))),
        }
    }

    /// Prints an error beside the result, in kubestr's form.
    fn complain(&self, why: &CliError) {
        warn_line(format!("Error: {why}"));
    }

    /// Prints the results; returns the exit code of a failed write.
    fn print(&self, results: &[TestOutput]) -> Result<u8, CliError> {
        if !self.is_json {
            results.iter().for_each(|result| stdout::say(&result.text(self.colour)));
            return Ok(0);
        }
        let text = go::json(results)?;
        let Some(file) = &self.file else {
            stdout::say(&(text + "\n"));
            return Ok(0);
        };
        Ok(written(file, &text))
    }
}

fn written(file: &Path, text: &str) -> u8 {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let made = folder.map_or(Ok(()), std::fs::create_dir_all);
    match made.and_then(|()| fathom_files::replace(file, text.as_bytes())) {
        Ok(()) => 0,
        Err(why) => {
            warn_line(format!("Error writing output: {why}"));
            UNWRITTEN
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_result_has_kubestrs_text_and_json() {
        let of = |done| TestOutput::of("FIO test results", done);
        let message = "\nFIO version - fio-3.36\n".to_owned();
        let good = of((StatusCode::OK, message, Some(json!({"size": "1Gi"}))));
        assert_eq!(good.text(false), "FIO test results:\n  \nFIO version - fio-3.36\n  -  OK\n");
        assert!(good.text(true).ends_with("  -  \x1b[1m\x1b[32mOK\x1b[0m\n"));
        let text = go::json(&[good]).unwrap();
        assert!(
            text.starts_with("[\n    {\n        \"TestName\": \"FIO test results\",\n"),
            "{text}"
        );
        assert!(text.contains("\"StatusCode\": \"OK\"") && text.contains("\"Raw\": {"), "{text}");
        let bad = of((StatusCode::Error, "no".to_owned(), Some(Value::Null)));
        assert_eq!(bad.text(false), "FIO test results:\n  no  -  Error\n");
        assert!(go::json(&[bad]).unwrap().contains("\"Raw\": null"));
        let check = of((StatusCode::Error, "no".to_owned(), None));
        assert!(!go::json(&[check]).unwrap().contains("Raw"));
    }
}
