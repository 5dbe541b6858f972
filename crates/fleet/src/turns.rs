//! The number of connections opened at once. A thousand at once could overload this machine, or a
//! jump host.

use crate::link_child::lock;
use std::sync::{Condvar, Mutex};
use std::time::Duration;

/// Connections that are made at once.
const AT_ONCE: usize = 32;
/// How often a waiting one reports progress.
const WAIT: Duration = Duration::from_secs(5);

/// Turns for connecting.
#[derive(Debug, Default)]
pub(crate) struct ConnectionTurns {
    taken: Mutex<usize>,
    freed: Condvar,
}

/// A turn, until it is dropped.
#[derive(Debug)]
pub(crate) struct ConnectionTurn<'a>(&'a ConnectionTurns);

impl ConnectionTurns {
    /// Waits for a turn, and calls `waits` repeatedly until there is one.
    pub(crate) fn take(&self, waits: impl Fn()) -> ConnectionTurn<'_> {
        let mut taken = lock(&self.taken);
        while *taken >= AT_ONCE {
            let waited = self.freed.wait_timeout(taken, WAIT);
            let (guard, timeout) = waited.unwrap_or_else(|poisoned| poisoned.into_inner());
            taken = guard;
            if timeout.timed_out() {
                waits();
            }
        }
        *taken += 1;
        ConnectionTurn(self)
    }
}

impl Drop for ConnectionTurn<'_> {
    fn drop(&mut self) {
        *lock(&self.0.taken) -= 1;
        self.0.freed.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    #[test]
    fn no_more_than_so_many_have_a_turn_and_each_gets_one() {
        let (turns, now, most) =
            (ConnectionTurns::default(), AtomicUsize::new(0), AtomicUsize::new(0));
        let done = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..4 * AT_ONCE {
                scope.spawn(|| {
                    let turn = turns.take(|| {});
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    thread::yield_now();
                    now.fetch_sub(1, Ordering::SeqCst);
                    drop(turn);
                    done.fetch_add(1, Ordering::SeqCst);
                });
            }
        });
        assert_eq!(done.into_inner(), 4 * AT_ONCE);
        assert!(most.into_inner() <= AT_ONCE);
    }
}
