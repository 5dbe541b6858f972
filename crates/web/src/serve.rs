//! The server: from a bound listener to its end.
//!
//! One thread answers everything. It reads no file itself: see [`crate::archive`].

use crate::app::App;
use crate::connections::ConnectionLimits;
use crate::settings::{ServeError, ServeSettings};
use crate::stop::Stop;
use crate::{listener, routes};
use fathom_host::Host;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

/// Threads that read files and make reports: with two, one that waits does not stop everything.
const READERS: usize = 2;

/// How long answers in progress may take when the server ends.
const PATIENCE: Duration = Duration::from_secs(2);

/// Serves on `listener` until `stop`.
///
/// # Errors
/// If it must not be served ([`ServeError::Open`]) or cannot be.
pub fn serve(
    listener: TcpListener,
    settings: ServeSettings,
    stop: &Stop,
) -> Result<(), ServeError> {
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
fn within_open_files(limits: ConnectionLimits) -> ConnectionLimits {
    let files = Host::real().limits().nofile.and_then(|limit| limit.soft).unwrap_or(u64::MAX);
    let most = usize::try_from(files / 2).unwrap_or(usize::MAX).max(1);
    ConnectionLimits { connections: limits.connections.min(most), ..limits }
}
