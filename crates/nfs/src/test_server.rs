//! A test server: files in memory, one port for MOUNT and NFS, its own counters, and every
//! misbehaviour that a client must handle.
//!
//! It uses the same definitions as the client, except for the bytes of records, which it makes
//! itself. It is part of the library so that tests of other crates can start it.

mod store;

use crate::mount::{MNT, MountReply, UMNT};
use crate::proto::*;
use crate::rpc::{RECORD_MAX, RecordReader, RpcCall, RpcProgram, RpcRefusal, RpcReply};
use crate::status::NfsStatus;
use crate::xdr::{Xdr, XdrReader, XdrWriter};
use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
pub use store::FileStore;

/// How a server misbehaves; all off by default.
#[derive(Clone, Debug, Default)]
pub struct Misbehaviour {
    /// This number of READs and WRITEs is answered with JUKEBOX.
    pub jukebox: u32,
    /// This number of READs and WRITEs of more than a byte transfers only half of the request.
    pub short: u32,
    /// The failure of a procedure.
    pub status: Option<(NfsProcedure, NfsStatus)>,
    /// Calls are taken and never answered.
    pub silent: bool,
    /// The connection is closed instead of this many answers.
    pub hang_ups: u32,
    /// Replies come in fragments of this number of bytes; 0 means one fragment.
    pub fragment: usize,
    /// Replies come twice, and after an unexpected one.
    pub repeats: bool,
    /// Calls that came together are answered in reverse.
    pub reversed: bool,
    /// WRITE answers with this stability, whatever was requested.
    pub committed: Option<WriteStability>,
    /// Every call is refused by RPC.
    pub refusal: Option<RpcRefusal>,
    /// Every folder has names without end.
    pub endless_folders: bool,
    /// The export is not to be mounted.
    pub unexported: bool,
    /// The export is read-only.
    pub read_only: bool,
    /// The verifier changes after every such number of WRITEs, and unstable data is lost; 0 means
    /// never.
    pub forgets_after: u64,
    /// Bytes that all files may have; 0 is any.
    pub room: u64,
    /// Replies carry no attributes.
    pub no_attributes: bool,
    /// READ and WRITE take no more bytes; 0 is 1 MiB.
    pub transfer_max: u32,
    /// Bytes a second that replies may have on each connection; 0 is any.
    pub connection_rate: u64,
    /// The same over all connections, as a link has it.
    pub link_rate: u64,
    /// Every n-th connection answers with this delay: a slow path among others; 0 means none.
    pub slow_connections: (u64, Duration),
}

/// The server's files and counters.
#[derive(Debug, Default)]
pub struct ServerState {
    /// The files.
    pub store: FileStore,
    /// How it misbehaves.
    pub misbehaviour: Misbehaviour,
    /// How often each procedure was done.
    pub counts: HashMap<NfsProcedure, u64>,
    /// How often WRITE requested each stability.
    pub stabilities: [u64; 3],
    /// Bytes that READs gave.
    pub read_bytes: u64,
    /// Bytes that WRITEs took.
    pub written_bytes: u64,
    /// Connections that were made.
    pub connections: u64,
    open: Vec<TcpStream>,
    /// When the link is free again.
    link_free: Option<Instant>,
    stopping: bool,
}

impl ServerState {
    /// How often a procedure was done.
    pub fn count(&self, procedure: NfsProcedure) -> u64 {
        self.counts.get(&procedure).copied().unwrap_or(0)
    }
}

/// A server that runs until it is dropped.
#[derive(Debug)]
pub struct TestServer {
    state: Arc<Mutex<ServerState>>,
    address: SocketAddr,
    accepting: Option<JoinHandle<()>>,
}

impl TestServer {
    /// Starts one at a port of the system's choice.
    ///
    /// # Errors
    /// If it cannot listen.
    pub fn start() -> io::Result<TestServer> {
        TestServer::start_at("127.0.0.1")
    }

    /// The same at an address of this machine, for clients in other namespaces.
    ///
    /// # Errors
    /// If it cannot listen.
    pub fn start_at(address: &str) -> io::Result<TestServer> {
        let state = Arc::new(Mutex::new(ServerState::default()));
        TestServer::listen(&format!("{address}:0"), state)
    }

    fn listen(at: &str, state: Arc<Mutex<ServerState>>) -> io::Result<TestServer> {
        let listener = TcpListener::bind(at)?;
        let address = listener.local_addr()?;
        let shared = state.clone();
        let accepting = std::thread::spawn(move || accept(&listener, &shared));
        Ok(TestServer { state, address, accepting: Some(accepting) })
    }

    /// The URL of its export, with more arguments.
    pub fn url(&self, arguments: &str) -> String {
        let (ip, port) = (self.address.ip(), self.address.port());
        format!("nfs://{ip}/export?nfsport={port}&mountport={port}{arguments}")
    }

    /// Its state; calls wait meanwhile.
    pub fn state(&self) -> MutexGuard<'_, ServerState> {
        lock(&self.state)
    }

    /// The URL of a name in its export.
    pub fn url_in(&self, name: &str, arguments: &str) -> String {
        self.url(arguments).replacen("/export", &format!("/export/{name}"), 1)
    }

    /// Changes how it misbehaves.
    pub fn misbehave(&self, change: impl FnOnce(&mut Misbehaviour)) {
        change(&mut self.state().misbehaviour);
    }

    /// Closes all connections.
    pub fn hang_up(&self) {
        for socket in self.state().open.drain(..) {
            let _ = socket.shutdown(Shutdown::Both);
        }
    }

    /// Stops listening, and closes all connections.
    pub fn stop(&mut self) {
        self.state().stopping = true;
        // A connection wakes the waiting accept.
        let _ = TcpStream::connect(self.address);
        self.hang_up();
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stop();
    }
}

fn lock(state: &Mutex<ServerState>) -> MutexGuard<'_, ServerState> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn accept(listener: &TcpListener, state: &Arc<Mutex<ServerState>>) {
    while let Ok((socket, _)) = listener.accept() {
        let mut shared = lock(state);
        if shared.stopping {
            return;
        }
        shared.connections += 1;
        let number = shared.connections;
        shared.open.extend(socket.try_clone());
        drop(shared);
        let state = state.clone();
        std::thread::spawn(move || {
            let _ = socket.set_nodelay(true);
            let _ = serve(&socket, number, &state);
            let _ = socket.shutdown(Shutdown::Both);
        });
    }
}

/// Answers until the connection of that number is over.
fn serve(mut socket: &TcpStream, number: u64, state: &Mutex<ServerState>) -> io::Result<()> {
    let mut records = RecordReader::new(RECORD_MAX);
    let mut free = None;
    loop {
        let bytes = socket.read(records.room(256 << 10))?;
        if bytes == 0 {
            return Ok(());
        }
        records.received(bytes);
        let mut replies = Vec::new();
        while let Some(record) = records.next_record().map_err(io::Error::other)? {
            let mut shared = lock(state);
            let Some(reply) = answer(record, &mut shared) else { return Ok(()) };
            if !shared.misbehaviour.silent {
                replies.push(reply);
            }
        }
        let how = lock(state).misbehaviour.clone();
        if how.reversed {
            replies.reverse();
        }
        for reply in &replies {
            let own = pass(&mut free, how.connection_rate, reply.len());
            let all = pass(&mut lock(state).link_free, how.link_rate, reply.len());
            std::thread::sleep(own.max(all).max(slowness(number, &how)));
            socket.write_all(&records_of(reply, &how))?;
        }
    }
}

/// How much later than others a connection answers.
fn slowness(number: u64, how: &Misbehaviour) -> Duration {
    match how.slow_connections {
        (0, _) => Duration::ZERO,
        (every, late) if number.is_multiple_of(every) => late,
        _ => Duration::ZERO,
    }
}

/// How far a schedule may be behind and still catch up: a thread that wakes late on a busy machine
/// takes nothing from the rate, and a pause makes no more than this of a burst.
const CATCH_UP: Duration = Duration::from_millis(50);

/// How long `bytes` wait behind earlier ones at this rate in bytes a second. Delays are
/// compensated, so that the average rate is exact.
fn pass(free: &mut Option<Instant>, rate: u64, bytes: usize) -> Duration {
    if rate == 0 {
        return Duration::ZERO;
    }
    let now = Instant::now();
    let behind = now.checked_sub(CATCH_UP).unwrap_or(now);
    let begin = free.map_or(now, |free| free.max(behind));
    let end = begin + Duration::from_secs_f64(bytes as f64 / rate as f64);
    *free = Some(end);
    end.saturating_duration_since(now)
}

/// The bytes of a reply on the wire.
fn records_of(reply: &[u8], how: &Misbehaviour) -> Vec<u8> {
    let one = |reply: &[u8]| {
        let size = if how.fragment == 0 { reply.len() } else { how.fragment };
        let parts: Vec<&[u8]> = reply.chunks(size.max(1)).collect();
        let mut bytes = Vec::with_capacity(reply.len() + 4 * parts.len());
        for (at, part) in parts.iter().enumerate() {
            let last = if at + 1 == parts.len() { 0x8000_0000 } else { 0 };
            bytes.extend((part.len() as u32 | last).to_be_bytes());
            bytes.extend_from_slice(part);
        }
        bytes
    };
    if !how.repeats {
        return one(reply);
    }
    let mut stray = reply.to_vec();
    stray[0] ^= 0x55;
    [one(&stray), one(reply), one(reply)].concat()
}

/// The reply to a call; none closes the connection.
fn answer(record: &[u8], state: &mut ServerState) -> Option<Vec<u8>> {
    let mut from = XdrReader::new(record);
    let call = RpcCall::read(&mut from).ok()?;
    let mut to = XdrWriter::default();
    let mut outcome = state.misbehaviour.refusal.map_or(Ok(()), Err);
    if call.credential.is_none() && call.procedure != 0 {
        outcome = Err(RpcRefusal::Denied(5));
    }
    let procedure = NfsProcedure::numbered(call.procedure);
    let known = match call.program {
        RpcProgram::MOUNT => matches!(call.procedure, 0 | MNT | UMNT),
        RpcProgram::NFS => procedure.is_some(),
        _ => false,
    };
    if !known {
        outcome = outcome.and(Err(RpcRefusal::NoProcedure));
    }
    RpcReply { xid: call.xid, outcome }.write(&mut to);
    if outcome.is_err() {
        return Some(to.into_bytes());
    }
    match (call.program, procedure) {
        (RpcProgram::MOUNT, _) => mount(call.procedure, &mut from, state, &mut to)?,
        (_, Some(procedure)) => do_call(procedure, &mut from, state, &mut to)?,
        (_, None) => {}
    }
    Some(to.into_bytes())
}

fn mount(
    procedure: u32,
    from: &mut XdrReader<'_>,
    state: &ServerState,
    to: &mut XdrWriter,
) -> Option<()> {
    if procedure == MNT {
        let root = FileStore::root();
        let is_export = String::read(from).ok()? == "/export";
        let reply = match state.misbehaviour.unexported || !is_export {
            true => Err(NfsStatus::ACCES),
            false => Ok(MountReply { root, flavors: vec![1] }),
        };
        write_result(&reply, to);
    }
    Some(())
}

fn do_call(
    procedure: NfsProcedure,
    from: &mut XdrReader<'_>,
    state: &mut ServerState,
    to: &mut XdrWriter,
) -> Option<()> {
    let how = &mut state.misbehaviour;
    let moves_data = matches!(procedure, NfsProcedure::Read | NfsProcedure::Write);
    if how.hang_ups > 0 && moves_data {
        how.hang_ups -= 1;
        return None;
    }
    if how.jukebox > 0 && moves_data {
        how.jukebox -= 1;
        NfsStatus::JUKEBOX.write(to);
        return Some(());
    }
    if let Some((_, status)) = how.status.filter(|(failing, _)| *failing == procedure) {
        status.write(to);
        return Some(());
    }
    *state.counts.entry(procedure).or_default() += 1;
    store::perform(procedure, from, state, to).ok()
}
