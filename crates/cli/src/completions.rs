//! Files generated from the command line's definition: completions for `fathom completions`, and
//! man pages for packages.

use crate::cli_error::CliError;
use crate::terminal::stdout;
use clap::{Args, Command};
use clap_complete::Shell;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The command line of `fathom completions`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}

const AFTER_HELP: &str = "\
Examples:
  fathom completions bash >~/.local/share/bash-completion/completions/fathom
  fathom completions zsh >~/.zfunc/_fathom      if ~/.zfunc is in fpath
  fathom completions fish >~/.config/fish/completions/fathom.fish";

/// The command line of `fathom man-pages`, which packages use.
#[derive(Clone, Debug, Args)]
pub struct ManPagesArgs {
    /// A folder that is there; a page a command is written into it
    pub folder: PathBuf,
}

/// Prints completions of `command`.
pub fn completions(args: &CompletionsArgs, mut command: Command) -> Result<u8, CliError> {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, "fathom", &mut text);
    // Unescaped: shell scripts contain characters that are unprintable elsewhere.
    stdout::note(stdout::lock().and_then(|mut out| out.write_all(&text)));
    Ok(0)
}

/// Writes `fathom.1` and a page for each command.
pub fn man_pages(args: &ManPagesArgs, command: Command) -> Result<u8, CliError> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    page(&command, "fathom", &args.folder)?;
    for subcommand in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        let name = format!("fathom-{}", subcommand.get_name());
        page(subcommand, &name, &args.folder)?;
    }
    Ok(0)
}

fn page(command: &Command, name: &str, folder: &Path) -> Result<(), CliError> {
    let path = folder.join(format!("{name}.1"));
    let cannot = CliError::file("write", &path);
    let mut text = Vec::new();
    let man = clap_mangen::Man::new(command.clone()).title(name.to_owned());
    man.render(&mut text).map_err(&cannot)?;
    fathom_files::replace(&path, &text).map_err(cannot)
}
