//! The server: from a bound listener to its end.
//!
//! One thread answers everything. It reads no file itself: see [`crate::archive`].

use crate::app::App;
use crate::connections::Limits;
use crate::token::{Token, TokenError};
use crate::{listener, routes};
use fathom_message::Lang;
use rustix::process::{Resource, getrlimit};
use std::io;
use std::net::TcpListener;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;

/// Threads that read files and make reports: with two, one that waits does not stop everything.
const READERS: usize = 2;

/// How long answers that are under way may take when the server ends.
const PATIENCE: Duration = Duration::from_secs(2);

/// What is served, and to whom.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The file of the history; it need not be there yet.
    pub history: PathBuf,
    /// Asked of everybody where it is given; it must be, where others than this machine's users
    /// can reach the listener.
    pub token: Option<Token>,
    /// Names by which it may be called, beside `localhost` and addresses, without port and last
    /// dot. Who owns such a name decides who can read the pages in a visitor's browser.
    pub names: Vec<String>,
    /// The language for whoever chose none; `None` for what the browser asks for.
    pub lang: Option<Lang>,
    /// What connections may take.
    pub limits: Limits,
}

/// Why it was not served.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// Others could reach it, and no token was given.
    #[error("a page that others can reach needs a token")]
    Open,
    /// No secret could be made.
    #[error("{0}")]
    Token(#[from] TokenError),
    /// The listener or its thread failed.
    #[error("the page cannot be served: {0}")]
    Io(#[from] io::Error),
}

/// Ends a server, from any thread.
#[derive(Clone, Debug)]
pub struct Stop(watch::Sender<bool>);

impl Default for Stop {
    fn default() -> Stop {
        Stop(watch::Sender::new(false))
    }
}

impl Stop {
    /// Ends it: no request is taken any more, those who look at live runs are let go.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }

    pub(crate) async fn stopped(&self) {
        // This end holds a sender, so it cannot be closed.
        let _ = self.0.subscribe().wait_for(|stop| *stop).await;
    }
}

/// Serves on `listener` until `stop` says so.
///
/// # Errors
/// Where it must not be served ([`ServeError::Open`]) or cannot be.
pub fn serve(listener: TcpListener, settings: Settings, stop: &Stop) -> Result<(), ServeError> {
    let address = listener.local_addr()?;
    if !address.ip().is_loopback() && settings.token.is_none() {
        return Err(ServeError::Open);
    }
    let limits = within_open_files(settings.limits);
    let app = Arc::new(App::new(address, settings, stop)?);
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .max_blocking_threads(READERS)
        .build()?;
    let served = runtime.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        tokio::select! {
            () = listener::listen(listener, routes::router(app), limits, stop) => {}
            () = async { stop.stopped().await; tokio::time::sleep(PATIENCE).await } => {}
        }
        Ok(())
    });
    runtime.shutdown_timeout(PATIENCE);
    served
}

/// The limits with at most one connection for every two files that the process may open: the
/// history and its feeds need files, too.
fn within_open_files(limits: Limits) -> Limits {
    let files = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let most = usize::try_from(files / 2).unwrap_or(usize::MAX).max(1);
    Limits { connections: limits.connections.min(most), ..limits }
}
