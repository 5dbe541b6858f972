//! `fathom serve`: a local page for the history and for running runs.
//!
//! This module chooses the address and decides whether a token is needed; the crate `web` makes the
//! pages. ^C and SIGTERM end it, a second one at once.

mod address;
mod error;
mod token;

use crate::cli_error::{CliError, CommonError};
use crate::history_file;
use crate::system;
use crate::terminal::screen::warn_line;
use crate::terminal::stdout;
use address::Listen;
use clap::{Args, ValueHint};
use fathom_host::Host;
use fathom_message::Lang;
use fathom_text::{Text, text};
use fathom_web::{ConnectionLimits, ServeSettings, Stop, Token};
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

/// The command line of `fathom serve`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = AFTER_HELP)]
pub struct ServeArgs {
    /// Where to listen; on other addresses than this machine's own loopback a token is asked for
    /// [default: 127.0.0.1:7979, or the next port that is free]
    #[arg(long, value_name = "ADDR[:PORT]", value_parser = Listen::parse)]
    pub listen: Option<Listen>,

    /// Also answer where it is called by this name, as by a full domain name or through a proxy;
    /// may be given several times
    #[arg(long = "name", value_name = "HOST", value_parser = address::parse_name)]
    pub names: Vec<String>,

    /// Ask everybody for this token. Other users of this machine can read it in the list of
    /// processes: prefer --token-file or FATHOM_TOKEN. Without any of them, a token is made where
    /// one is needed
    #[arg(long, value_name = "TOKEN", conflicts_with = "token_file")]
    pub token: Option<Token>,

    /// Ask everybody for the token that FILE holds; nobody but you may be able to read FILE
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub token_file: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
The page shows the history (see `fathom history`), reports, comparisons and runs that go on. It
changes nothing.

Examples:
  fathom serve                                 on this machine, for its users
  ssh -L 7979:localhost:7979 HOST fathom serve
                                               of another machine, encrypted
  fathom serve --listen 0.0.0.0                for token holders; not encrypted
  fathom serve --listen 0.0.0.0 --name disks.example.com
  (umask 077; openssl rand -hex 16 > token)
  fathom serve --listen 0.0.0.0 --token-file token

Environment:
  FATHOM_TOKEN  the token, if neither --token nor --token-file is given
  FATHOM_HOME   see `fathom history --help`

Exit codes: 0 ended by ^C or SIGTERM; 1 it could not be served; 2 usage.";

/// Runs `fathom serve` and gives its exit code; without `lang` pages are as each browser asks.
///
/// # Errors
/// If they cannot be served.
pub fn command(args: &ServeArgs, lang: Option<Lang>, host: &Host) -> Result<u8, CliError> {
    // Before anything is opened: a token that cannot be used is no reason to serve without one.
    let given = token::given(args.token.as_ref(), args.token_file.as_deref())?;
    let listener = args.listen.unwrap_or_default().bind()?;
    let address = listener.local_addr()?;
    let open = !address.ip().is_loopback();
    let token = match given {
        Some(token) => Some(token),
        None if open => Some(Token::random().map_err(error::TokenSourceError::Random)?),
        None => None,
    };
    let mut names = args.names.clone();
    // On the loopback only this machine connects, so the server accepts only the loopback's names.
    names.extend(host.system().hostname.filter(|_| open));
    let stop = Stop::default();
    listen(&stop).map_err(CommonError::Signals)?;
    announce(address, names.first(), token.as_ref()).map_err(error::AnnouncementError)?;
    let limits = ConnectionLimits::default();
    let told = |lang, title: &str| Text::from_english(title).text(lang).to_owned();
    let history = history_file::file()?;
    let settings = ServeSettings { history, token, names, lang, told, limits };
    fathom_web::serve(listener, settings, &stop)?;
    Ok(0)
}

/// Says where the page is: on standard output, so that a program can take it from there.
fn announce(address: SocketAddr, name: Option<&String>, token: Option<&Token>) -> io::Result<()> {
    let host = match name {
        // A browser cannot open the unspecified address.
        Some(name) if address.ip().is_unspecified() => format!("{name}:{}", address.port()),
        _ => address.to_string(),
    };
    let shown = token.map(|token| format!("?token={}", token.as_str())).unwrap_or_default();
    match stdout::write(&format!("http://{host}/{shown}\n")) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(error),
        _ => {}
    }
    if !address.ip().is_loopback() {
        warn_line(text!(
            "The connection is not encrypted: who can listen on the network sees token and \
             figures. `fathom serve --help` shows how to go through ssh instead."
        ));
    }
    warn_line(text!("^C ends it."));
    Ok(())
}

/// Ends the server on the first signal and the process on the second.
fn listen(stop: &Stop) -> io::Result<()> {
    let stop = stop.clone();
    let mut asked = false;
    system::listen_to(system::STOPPING, move |signal| {
        if asked {
            system::end_as_by(signal);
        }
        asked = true;
        stop.stop();
    })
}
