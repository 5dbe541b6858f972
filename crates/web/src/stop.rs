//! The end of a server, which any thread may request.

use tokio::sync::watch;

/// Ends a server, from any thread.
#[derive(Clone, Debug)]
pub struct Stop(watch::Sender<bool>);

impl Default for Stop {
    fn default() -> Stop {
        Stop(watch::Sender::new(false))
    }
}

impl Stop {
    /// Ends it: it takes no more requests, and drops viewers of live runs.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }

    pub(crate) async fn stopped(&self) {
        // This value holds a sender, so the channel cannot be closed.
        let _ = self.0.subscribe().wait_for(|stop| *stop).await;
    }
}
