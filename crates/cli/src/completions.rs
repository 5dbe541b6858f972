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

/// The heading that man pages are generated with, above what follows the options in the help.
const EXTRA: &str = ".SH EXTRA\n";

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
    if !args.folder.is_dir() {
        let folder = args.folder.display();
        return Err(CliError::usage(format!("{folder} is no folder; make it first")));
    }
    let mut command = command.disable_help_subcommand(true);
    command.build();
    page(&command, "fathom", &args.folder)?;
    for subcommand in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        let name = format!("fathom-{}", subcommand.get_name());
        page(subcommand, &name, &args.folder)?;
    }
    Ok(0)
}

/// Puts what the help says after its options into sections of their own: examples as they are
/// typed, exit codes, and notes.
fn with_sections(page: &str) -> String {
    let Some((before, extra)) = page.split_once(EXTRA) else { return page.to_owned() };
    let (extra, after) = extra.find("\n.SH ").map_or((extra, ""), |at| extra.split_at(at));
    let (mut examples, mut codes, mut notes) = (String::new(), String::new(), String::new());
    for paragraph in extra.split("\n\n").map(|text| text.trim_matches('\n')) {
        match paragraph.strip_prefix("Examples:\n") {
            Some(lines) => examples = format!(".SH EXAMPLES\n.nf\n{lines}\n.fi\n"),
            None if paragraph.starts_with("Exit code") => {
                codes = format!(".SH EXIT STATUS\n{paragraph}\n");
            }
            None if notes.is_empty() => notes = format!(".SH NOTES\n{paragraph}\n"),
            None => notes += &format!(".PP\n{paragraph}\n"),
        }
    }
    format!("{before}{notes}{codes}{examples}{}", after.trim_start_matches('\n'))
}

fn page(command: &Command, name: &str, folder: &Path) -> Result<(), CliError> {
    let path = folder.join(format!("{name}.1"));
    let cannot = CliError::file("write", &path);
    let mut text = Vec::new();
    let man = clap_mangen::Man::new(command.clone()).title(name.to_owned());
    man.render(&mut text).map_err(&cannot)?;
    let text = with_sections(&String::from_utf8_lossy(&text));
    fathom_files::replace(&path, text.as_bytes()).map_err(cannot)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_and_exit_codes_have_sections() {
        let page = ".SH OPTIONS\n-a\n.SH EXTRA\nExamples:\n  fathom check /a\n      what it \
                    does\n\nAll is judged.\n\nSo is this.\n\nExit codes: 0 PASS.\n.SH VERSION\nv1\n";
        assert_eq!(
            with_sections(page),
            ".SH OPTIONS\n-a\n.SH NOTES\nAll is judged.\n.PP\nSo is this.\n.SH EXIT STATUS\nExit \
             codes: 0 PASS.\n.SH EXAMPLES\n.nf\n  fathom check /a\n      what it does\n.fi\n.SH \
             VERSION\nv1\n"
        );
        assert_eq!(with_sections(".SH NAME\nx\n"), ".SH NAME\nx\n");
    }
}
