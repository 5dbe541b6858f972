//! Output options and the document type of every command that measures.

use crate::history_writer::RecordArgs;
use crate::terminal::verdicts::VerdictDetail;
use clap::Args;

pub use super::document_text::{json, json_summary};

/// What every command that measures can be told about what it shows and keeps.
#[derive(Clone, Debug, Default, Args)]
pub struct ShowArgs {
    /// Show all: host and device, every note, the seed, and what the short form leaves out
    #[arg(long, short, visible_alias = "explain")]
    pub verbose: bool,

    /// Show every verdict on the figures, also those that cannot tell
    #[arg(long)]
    pub verdicts: bool,

    /// Show the results only: no heading, no plan, no progress
    #[arg(long, short)]
    pub quiet: bool,

    /// Say what would be done, and do nothing
    #[arg(long, short = 'n')]
    pub dry_run: bool,

    #[command(flatten)]
    pub record: RecordArgs,
}

impl ShowArgs {
    /// How many verdicts are shown.
    pub fn detail(&self) -> VerdictDetail {
        match (self.verdicts, self.verbose) {
            (true, _) => VerdictDetail::All,
            (false, true) => VerdictDetail::Telling,
            (false, false) => VerdictDetail::Brief,
        }
    }

    /// Whether all is to be shown; every verdict stands among the rest of it.
    pub fn is_verbose(&self) -> bool {
        self.verbose || self.verdicts
    }
}

/// The arguments of a command as they come of a line, its program first; or what is said of it.
#[cfg(test)]
pub fn typed<A: Args>(line: &str) -> Result<A, String> {
    let command = A::augment_args(clap::Command::new("fathom"));
    let matches = command.try_get_matches_from(line.split(' '));
    let args = matches.and_then(|matches| A::from_arg_matches(&matches));
    args.map_err(|error| error.to_string())
}
