//! Chooses the connections to keep, if more arrive than can be served.
//!
//! Anybody who reaches the port can open connections before showing a token. So there is a limit
//! for all together and one for each peer. At a limit, the connection that was idle longest is
//! closed: a browser opens it again, and idle connections lock nobody out. A connection with a
//! request, such as a live view, stays.

use std::collections::{BTreeMap, HashMap};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::oneshot;

/// The limits of one connection, of one peer and of all peers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// The time for the head of a request, from the connection's beginning or the answer before.
    pub head: Duration,
    /// The time within which a peer must accept some of its data.
    pub write: Duration,
    /// Maximum connections in total; fewer if the process may not open twice as many files.
    pub connections: usize,
    /// Connections of one address; of IPv6, of one network of 64 bits.
    pub per_peer: usize,
}

impl Default for ConnectionLimits {
    fn default() -> ConnectionLimits {
        ConnectionLimits {
            head: Duration::from_secs(15),
            write: Duration::from_secs(60),
            connections: 512,
            per_peer: 256,
        }
    }
}

/// All open connections.
#[derive(Debug)]
pub(crate) struct Connections {
    limits: ConnectionLimits,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    /// Counts events, so that numbers show their order.
    clock: u64,
    entries: BTreeMap<u64, Entry>,
}

#[derive(Debug)]
struct Entry {
    peer: IpAddr,
    requests: usize,
    idle_since: u64,
    /// Dropped, it closes the connection.
    _close: oneshot::Sender<()>,
}

/// An open connection; its place is free again when it is dropped.
#[derive(Debug)]
pub(crate) struct Connection {
    of: Arc<Connections>,
    id: u64,
}

/// A request of a connection, until its answer is sent whole.
#[derive(Debug)]
pub(crate) struct Underway(Arc<Connection>);

impl Connections {
    pub(crate) fn new(limits: ConnectionLimits) -> Arc<Connections> {
        Arc::new(Connections { limits, open: Mutex::default() })
    }

    /// A place for a connection of `peer`, with its close signal; none if all places have requests.
    pub(crate) fn admit(
        self: &Arc<Connections>,
        peer: IpAddr,
    ) -> Option<(Connection, oneshot::Receiver<()>)> {
        let peer = network(peer);
        let mut open = self.open();
        if open.count(peer) >= self.limits.per_peer && !open.close_idle(Some(peer)) {
            return None;
        }
        if open.entries.len() >= self.limits.connections {
            // The peer with the most connections loses one first.
            let crowd = open.crowd();
            if !open.close_idle(crowd) && !open.close_idle(None) {
                return None;
            }
        }
        let (close, closed) = oneshot::channel();
        let id = open.tick();
        open.entries.insert(id, Entry { peer, requests: 0, idle_since: id, _close: close });
        Some((Connection { of: self.clone(), id }, closed))
    }

    /// Closes the connection that was idle longest, if the process can open no more files.
    pub(crate) fn make_room(&self) {
        self.open().close_idle(None);
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }

    fn count(&self, peer: IpAddr) -> usize {
        self.entries.values().filter(|entry| entry.peer == peer).count()
    }

    /// The peer with most connections.
    fn crowd(&self) -> Option<IpAddr> {
        let mut counts: HashMap<IpAddr, usize> = HashMap::new();
        self.entries.values().for_each(|entry| *counts.entry(entry.peer).or_default() += 1);
        counts.into_iter().max_by_key(|(_, count)| *count).map(|(peer, _)| peer)
    }

    /// Closes the connection that was idle longest, of `peer` or of all; returns whether there was
    /// one.
    fn close_idle(&mut self, peer: Option<IpAddr>) -> bool {
        let idle = self
            .entries
            .iter()
            .filter(|(_, entry)| entry.requests == 0 && peer.is_none_or(|peer| entry.peer == peer));
        let oldest = idle.min_by_key(|(_, entry)| entry.idle_since).map(|(id, _)| *id);
        oldest.is_some_and(|id| self.entries.remove(&id).is_some())
    }
}

impl Connection {
    /// A request begins.
    pub(crate) fn begin(self: &Arc<Connection>) -> Underway {
        if let Some(entry) = self.of.open().entries.get_mut(&self.id) {
            entry.requests += 1;
        }
        Underway(self.clone())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.of.open().entries.remove(&self.id);
    }
}

impl Drop for Underway {
    fn drop(&mut self) {
        let mut open = self.0.of.open();
        let now = open.tick();
        if let Some(entry) = open.entries.get_mut(&self.0.id) {
            entry.requests = entry.requests.saturating_sub(1);
            entry.idle_since = now;
        }
    }
}

/// The owner of one IPv6 address has 2^64 of them.
fn network(peer: IpAddr) -> IpAddr {
    match peer.to_canonical() {
        IpAddr::V6(address) => {
            Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)).into()
        }
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connections(connections: usize, per_peer: usize) -> Arc<Connections> {
        Connections::new(ConnectionLimits { connections, per_peer, ..ConnectionLimits::default() })
    }

    fn peer(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn is_closed(closed: &mut oneshot::Receiver<()>) -> bool {
        matches!(closed.try_recv(), Err(oneshot::error::TryRecvError::Closed))
    }

    #[test]
    fn what_was_idle_longest_makes_room_and_what_has_a_request_stays() {
        let all = connections(3, 3);
        let (first, mut first_closed) = all.admit(peer("10.0.0.1")).unwrap();
        let (second, mut second_closed) = all.admit(peer("10.0.0.1")).unwrap();
        let (third, mut third_closed) = all.admit(peer("10.0.0.1")).unwrap();
        let (first, third) = (Arc::new(first), Arc::new(third));
        let request = first.begin();
        let (fourth, _closed) = all.admit(peer("10.0.0.1")).unwrap();
        assert!(is_closed(&mut second_closed) && !is_closed(&mut third_closed));
        drop(second);
        // Idle again, but later than the third became so.
        drop(request);
        let (_fifth, _closed) = all.admit(peer("10.0.0.2")).unwrap();
        assert!(is_closed(&mut third_closed) && !is_closed(&mut first_closed));
        drop(third);
        let fourth = Arc::new(fourth);
        let _busy = [first.begin(), fourth.begin()];
        let (sixth, _closed) = all.admit(peer("10.0.0.3")).unwrap();
        let sixth = Arc::new(sixth);
        let busy = sixth.begin();
        assert!(all.admit(peer("10.0.0.4")).is_none(), "all have requests");
        drop((busy, sixth));
        assert!(all.admit(peer("10.0.0.4")).is_some());
    }

    #[test]
    fn one_peer_cannot_take_the_places_of_others() {
        let all = connections(4, 2);
        let (_quiet, mut quiet_closed) = all.admit(peer("10.0.0.9")).unwrap();
        let mut taken: Vec<_> = (0..9).filter_map(|_| all.admit(peer("::ffff:10.0.0.1"))).collect();
        assert_eq!(
            taken.iter_mut().filter_map(|(_, closed)| (!is_closed(closed)).then_some(())).count(),
            2
        );
        let network: Vec<_> =
            (0..9).filter_map(|n| all.admit(peer(&format!("2001:db8::{n}")))).collect();
        assert_eq!(all.open().entries.len(), 4);
        assert_eq!(all.open().count(peer("2001:db8::")), 2, "one network is one peer");
        assert!(!is_closed(&mut quiet_closed), "who holds most gives way");
        drop((taken, network));
        assert_eq!(all.open().entries.len(), 1);
    }
}
