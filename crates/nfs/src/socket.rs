//! A TCP socket that never blocks, from a port that servers trust if possible.
//!
//! Many servers accept calls only from ports below 1024, which only root may use. So such a port is
//! tried first, and otherwise any port is used.

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use smallvec::SmallVec;
use socket2::{Domain, Protocol, Socket, Type};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

/// Ports that programs of root connect from, as the kernel's own client does.
const TRUSTED: std::ops::RangeInclusive<u16> = 665..=1023;
/// How many of them are tried before any other port is taken.
const TRIES: u16 = 32;

/// Begins to connect to `server`, from `source` or a trusted port; it has connected once it can be
/// written to.
///
/// # Errors
/// If that is refused at once.
pub(crate) fn begin_connect(server: SocketAddr, source: Option<u16>) -> io::Result<TcpStream> {
    if let Some(port) = source {
        return connect_from(server, Some(port));
    }
    let span = TRUSTED.end() - TRUSTED.start() + 1;
    let first = (random() as u16) % span;
    for at in 0..TRIES {
        match connect_from(server, Some(TRUSTED.start() + (first + at) % span)) {
            // Taken, or still remembered by a connection before.
            Err(error) if is_taken(&error) => {}
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => break,
            other => return other,
        }
    }
    connect_from(server, None)
}

fn is_taken(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::AddrInUse | io::ErrorKind::AddrNotAvailable)
}

fn connect_from(server: SocketAddr, port: Option<u16>) -> io::Result<TcpStream> {
    let any: IpAddr = match server {
        SocketAddr::V4(_) => Ipv4Addr::UNSPECIFIED.into(),
        SocketAddr::V6(_) => Ipv6Addr::UNSPECIFIED.into(),
    };
    let socket = Socket::new(Domain::for_address(server), Type::STREAM, Some(Protocol::TCP))?;
    socket.set_nonblocking(true)?;
    if let Some(port) = port {
        socket.set_reuse_address(true)?;
        socket.bind(&SocketAddr::new(any, port).into())?;
    }
    socket.set_tcp_nodelay(true)?;
    match socket.connect(&server.into()) {
        Err(error) if !is_under_way(&error) => Err(error),
        _ => Ok(TcpStream::from(socket)),
    }
}

/// Linux reports that it is in progress, Windows that it would block.
fn is_under_way(error: &io::Error) -> bool {
    matches!(Errno::from_io_error(error), Some(Errno::INPROGRESS | Errno::WOULDBLOCK))
}

/// The state of a started connection: none while it is in progress.
pub(crate) fn connected(socket: &TcpStream) -> Option<io::Result<()>> {
    let mut wait = [PollFd::new(socket, PollFlags::OUT)];
    match poll(&mut wait, Some(&Duration::ZERO.try_into().unwrap_or_default())) {
        Ok(0) | Err(Errno::INTR) => None,
        Ok(_) => Some(socket.take_error().and_then(|failed| failed.map_or(Ok(()), Err))),
        Err(errno) => Some(Err(errno.into())),
    }
}

/// Waits until one of the sockets has data, or write space if requested, or until the timeout.
///
/// # Errors
/// If waiting itself fails.
pub(crate) fn wait_for<'a>(
    sockets: impl Iterator<Item = (&'a TcpStream, bool)>,
    time: Duration,
) -> io::Result<()> {
    let flags = |write| if write { PollFlags::IN | PollFlags::OUT } else { PollFlags::IN };
    let mut wait: SmallVec<[PollFd<'_>; 8]> =
        sockets.map(|(socket, write)| PollFd::new(socket, flags(write))).collect();
    // A signal ends the wait early, which the caller treats as the timeout.
    match poll(&mut wait, Some(&time.try_into().unwrap_or_default())) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(errno) => Err(errno.into()),
    }
}

/// An unpredictable number.
pub(crate) fn random() -> u32 {
    getrandom::u32().unwrap_or(0x5eed_0001)
}
