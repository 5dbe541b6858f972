//! A connection to one port of a server that reconnects by itself: a [`WireConnection`] and its
//! socket.
//!
//! Nothing here blocks. [`NfsLink::advance`] does what is possible now; callers wait for the
//! sockets of many links at once.

use crate::error::{NfsError, WireError};
use crate::rpc::RpcProgram;
use crate::socket;
use crate::wire::WireConnection;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

/// How long a new connection may take.
const CONNECT_TIME: Duration = Duration::from_secs(10);
/// Time until the second try to connect; it doubles up to [`RETRY_MAX`].
const RETRY_FIRST: Duration = Duration::from_millis(100);
const RETRY_MAX: Duration = Duration::from_secs(5);
/// Bytes that are received at a time, at least.
const RECEIVE: usize = 64 << 10;
/// Bytes of a long reply that are allocated at once.
const RECEIVE_MAX: usize = 2 << 20;

/// The destination of a link, and its behaviour when it breaks.
#[derive(Clone, Copy, Debug)]
pub struct LinkPlan {
    /// The server's address.
    pub server: SocketAddr,
    /// The program there, for errors.
    pub program: RpcProgram,
    /// The port to connect from; none means one that servers trust.
    pub source: Option<u16>,
    /// Maximum consecutive retries; none means no limit.
    pub tries: Option<u32>,
}

#[derive(Debug)]
enum LinkState {
    /// To be made at that moment.
    Down(Instant),
    /// Begun at that moment.
    Connecting(TcpStream, Instant),
    Up(TcpStream),
}

/// A connection and its socket.
#[derive(Debug)]
pub struct NfsLink {
    plan: LinkPlan,
    state: LinkState,
    /// Its calls.
    pub wire: WireConnection,
    /// Tries to connect in a row that failed.
    failed: u32,
    was_up: bool,
    /// Whether something came over the connection that is up: one that is closed before that is
    /// no better than one that could not be made.
    was_heard: bool,
    reconnects: u64,
    source_port: u16,
    /// Why it is down, if it is.
    trouble: Option<String>,
}

impl NfsLink {
    /// A link that is to be made at once.
    pub fn new(plan: LinkPlan, now: Instant) -> NfsLink {
        NfsLink {
            plan,
            state: LinkState::Down(now),
            wire: WireConnection::new(socket::random()),
            failed: 0,
            was_up: false,
            was_heard: false,
            reconnects: 0,
            source_port: 0,
            trouble: None,
        }
    }

    /// Its destination.
    pub fn address(&self) -> String {
        self.plan.server.to_string()
    }

    /// Whether it is connected.
    pub fn is_up(&self) -> bool {
        matches!(self.state, LinkState::Up(_))
    }

    /// Sets the maximum consecutive retries; none means no limit.
    pub fn set_tries(&mut self, tries: Option<u32>) {
        self.plan.tries = tries;
    }

    /// Whether it is down and nothing waits for it.
    pub fn is_idle(&self) -> bool {
        matches!(self.state, LinkState::Down(_)) && self.wire.in_flight() == 0
    }

    /// How often it was reconnected.
    pub fn reconnects(&self) -> u64 {
        self.reconnects
    }

    /// The port that it is connected from; 0 before it ever was.
    pub fn source_port(&self) -> u16 {
        self.source_port
    }

    /// Why it is down, if it is.
    pub fn trouble(&self) -> Option<&str> {
        self.trouble.as_deref()
    }

    /// The socket to wait for, and whether to wait for write space.
    pub fn socket(&self) -> Option<(&TcpStream, bool)> {
        match &self.state {
            LinkState::Down(_) => None,
            LinkState::Connecting(socket, _) => Some((socket, true)),
            LinkState::Up(socket) => Some((socket, self.wire.has_output())),
        }
    }

    /// The moment of the next check without events.
    pub fn due(&self) -> Option<Instant> {
        match &self.state {
            LinkState::Down(due) => Some(*due),
            LinkState::Connecting(_, since) => Some(*since + CONNECT_TIME),
            LinkState::Up(_) => None,
        }
    }

    /// Connects, and sends as much queued data as possible now.
    ///
    /// # Errors
    /// If it cannot be connected, and has been tried as often as it may be.
    pub fn advance(&mut self, now: Instant) -> Result<(), NfsError> {
        if let LinkState::Down(due) = self.state
            && now >= due
        {
            if self.plan.tries.is_some_and(|tries| self.failed > tries) {
                return Err(self.lost());
            }
            match socket::begin_connect(self.plan.server, self.plan.source) {
                Ok(socket) => self.state = LinkState::Connecting(socket, now),
                Err(error) => self.connect_failed(error, now)?,
            }
        }
        if let LinkState::Connecting(socket, since) = &self.state {
            let found = socket::connected(socket);
            let late = now >= *since + CONNECT_TIME;
            match found {
                Some(Ok(())) => self.has_connected(),
                Some(Err(error)) => self.connect_failed(error, now)?,
                None if late => self.connect_failed(io::ErrorKind::TimedOut.into(), now)?,
                None => {}
            }
        }
        if self.wire.has_output()
            && let LinkState::Up(socket) = &mut self.state
            && let Err(error) = send(socket, &mut self.wire)
        {
            self.broke(&error, now);
        }
        Ok(())
    }

    fn has_connected(&mut self) {
        let LinkState::Connecting(socket, _) =
            std::mem::replace(&mut self.state, LinkState::Down(Instant::now()))
        else {
            return;
        };
        // A requested port must be free at once for the next run, which after an orderly close
        // takes a minute. Nothing is lost: all calls are answered, or given up. If this fails, the
        // next run reports that the port is in use.
        if self.plan.source.is_some() {
            let _ = rustix::net::sockopt::set_socket_linger(&socket, Some(Duration::ZERO));
        }
        self.source_port = socket.local_addr().map_or(0, |address| address.port());
        self.reconnects += u64::from(std::mem::replace(&mut self.was_up, true));
        self.was_heard = false;
        self.state = LinkState::Up(socket);
    }

    fn connect_failed(&mut self, source: io::Error, now: Instant) -> Result<(), NfsError> {
        self.retry_later(now);
        let error =
            NfsError::Connect { address: self.address(), what: self.plan.program.name(), source };
        self.trouble = Some(error.to_string());
        match self.plan.tries {
            Some(tries) if self.failed > tries => Err(error),
            _ => Ok(()),
        }
    }

    fn retry_later(&mut self, now: Instant) {
        self.failed += 1;
        let wait = RETRY_FIRST.saturating_mul(1 << self.failed.min(7).saturating_sub(1));
        self.state = LinkState::Down(now + wait.min(RETRY_MAX));
    }

    /// The connection broke: it is reconnected, at once if it had worked.
    fn broke(&mut self, error: &io::Error, now: Instant) {
        self.trouble = Some(format!("{}: the connection is lost: {error}", self.address()));
        match self.was_heard {
            true => self.state = LinkState::Down(now),
            false => self.retry_later(now),
        }
        self.wire.lost();
    }

    /// Receives once: whether something came. Replies are then to be taken out of the wire.
    pub fn receive(&mut self, now: Instant) -> bool {
        let LinkState::Up(socket) = &mut self.state else { return false };
        let input = self.wire.input();
        let missing = input.missing().min(RECEIVE_MAX);
        let received = loop {
            match socket.read(input.room(missing.max(RECEIVE))) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other,
            }
        };
        match received {
            Ok(0) => self.broke(&io::Error::other("the server closed it"), now),
            Ok(bytes) => {
                self.wire.input().received(bytes);
                (self.was_heard, self.failed, self.trouble) = (true, 0, None);
                return true;
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) => self.broke(&error, now),
        }
        false
    }

    /// The received bytes are not NFS.
    pub fn malformed(&self, error: &WireError) -> NfsError {
        NfsError::Malformed { address: self.address(), reason: error.to_string() }
    }

    /// It has ended: there are no more retries.
    pub fn lost(&self) -> NfsError {
        let reason = self.trouble.clone().unwrap_or_else(|| "the server closed it".to_owned());
        NfsError::Lost { address: self.address(), reason }
    }
}

/// Sends as much as possible now.
fn send(socket: &mut TcpStream, wire: &mut WireConnection) -> io::Result<()> {
    while wire.has_output() {
        let sent = socket.write_vectored(&wire.output());
        match sent {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(bytes) => wire.sent(bytes),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
