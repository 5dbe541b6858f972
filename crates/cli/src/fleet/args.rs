//! The machines on which a command measures.

use crate::agent_binaries::{BINARY_FORM, NamedBinary, named_binary};
use crate::cli_error::{CliError, CommonError};
use clap::{Args, ValueEnum};
use fathom_fleet::{FileSharing, Via, parse_hosts};
use fathom_text::text;
use std::path::Path;

/// The most bytes of a file with hosts.
const HOSTS_FILE_BYTES: u64 = 1 << 20;

/// How hosts share one file.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum SharedFile {
    /// Each has a region of its own
    Disjoint,
    /// Each has all of it
    Overlap,
}

/// Their heading in `--help`.
const ELSEWHERE: &str = "On other machines";

/// What every command that can measure elsewhere can be told about where.
#[derive(Clone, Debug, Default, Args)]
pub struct FleetArgs {
    /// Measure on these machines and not on this one: host1,host2, or @FILE with one a line
    ///
    /// Hosts are as ssh knows them; ssh must get there without a password. Several run the same at
    /// once, each on a test file of its own, and their results are added up.
    #[arg(long, help_heading = ELSEWHERE, value_name = "HOSTS")]
    pub on: Option<String>,

    /// Reach hosts by this command, with {} for the host, as 'docker exec -i {}' [default: ssh]
    #[arg(long, help_heading = ELSEWHERE, hide_short_help = true,
          value_name = "COMMAND", requires = "on")]
    pub via: Option<String>,

    /// The binary on the hosts [default: fathom, or this one copied there for the time]
    #[arg(long, help_heading = ELSEWHERE, hide_short_help = true,
          value_name = "PATH", requires = "on")]
    pub agent: Option<String>,

    /// Fathom's binary for hosts of another architecture, as arm64=FILE [default: fathom-ARCH
    /// beside this one]
    #[arg(long, help_heading = ELSEWHERE, hide_short_help = true, value_name = BINARY_FORM,
          value_parser = named_binary, requires = "on", conflicts_with_all = ["agent", "relays"])]
    pub agent_binary: Vec<NamedBinary>,

    /// Leave a binary that is copied on the hosts, in ~/.cache/fathom, to be found there again
    #[arg(long, help_heading = ELSEWHERE, hide_short_help = true,
          requires = "on", conflicts_with = "agent")]
    pub keep_agent: bool,

    /// Reach the hosts through these, each of which has its part of them: for hundreds and more
    ///
    /// A relay is reached as a host is, and reaches its part of the hosts in the same manner: keys
    /// must be there, or an agent be forwarded. It measures nothing itself.
    #[arg(long, help_heading = ELSEWHERE, hide_short_help = true,
          value_name = "HOSTS", requires = "on")]
    pub relays: Option<String>,

    /// Go on as long as so many hosts are left [default: all of them]
    #[arg(long, help_heading = ELSEWHERE, hide_short_help = true, value_name = "N", requires = "on",
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    pub min_clients: Option<usize>,

    /// One file for all hosts: a region of it for each (disjoint), or all of it (overlap)
    #[arg(long, help_heading = ELSEWHERE, hide_short_help = true,
          value_name = "HOW", requires = "on", num_args = 0..=1, require_equals = true,
          default_missing_value = "disjoint", value_enum)]
    pub shared_file: Option<SharedFile>,
}

impl FleetArgs {
    /// The hosts; none where this machine is measured.
    ///
    /// # Errors
    /// Where what was typed, or the file that it names, holds no hosts.
    pub fn hosts(&self) -> Result<Option<Vec<String>>, CliError> {
        self.on.as_deref().map(|on| hosts_of(on, "--on")).transpose()
    }

    /// The hosts through which those are reached.
    ///
    /// # Errors
    /// As of [`FleetArgs::hosts`].
    pub fn relays(&self) -> Result<Vec<String>, CliError> {
        let relays = self.relays.as_deref().map(|relays| hosts_of(relays, "--relays"));
        relays.transpose().map(Option::unwrap_or_default)
    }

    /// How the hosts share one file.
    pub fn sharing(&self) -> Option<FileSharing> {
        self.shared_file.map(|how| match how {
            SharedFile::Disjoint => FileSharing::Disjoint,
            SharedFile::Overlap => FileSharing::Overlap,
        })
    }

    /// How so many hosts are reached.
    ///
    /// # Errors
    /// Where the command cannot reach them.
    pub fn via(&self, hosts: usize) -> Result<Via, CliError> {
        let via = self.via.as_deref().map_or(Ok(Via::Ssh), Via::command);
        let via = via.and_then(|via| via.check(hosts).map(|()| via));
        via.map_err(|why| CliError::usage(text!("--via: {why}")))
    }
}

/// Hosts as typed after `option`, or of the file that is named.
fn hosts_of(typed: &str, option: &str) -> Result<Vec<String>, CliError> {
    let text = match typed.strip_prefix('@') {
        Some(file) => {
            let bytes = fathom_files::read(Path::new(file), HOSTS_FILE_BYTES);
            let bytes = bytes.map_err(CommonError::named_file("--on"))?;
            String::from_utf8_lossy(&bytes).into_owned()
        }
        None => typed.to_owned(),
    };
    parse_hosts(&text).map_err(|why| CliError::usage(text!("{option}: {why}")))
}
