//! The end of a server, which any thread may wish for.

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
    /// Ends it: no request is taken any more, those who look at live runs are let go.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }

    pub(crate) async fn stopped(&self) {
        // This end holds a sender, so it cannot be closed.
        let _ = self.0.subscribe().wait_for(|stop| *stop).await;
    }
}
