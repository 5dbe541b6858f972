//! An NFS server and an agent that lie: each of their answers is left out, garbage, of another
//! type, or without end. Every command ends with an error, in a minute, with little memory and
//! without a panic. What an API server of Kubernetes can say is in `crates/kube/src/hostile.rs`.
//!
//! Both liars stand between the command and an honest peer: all but one kind of answer is true.

use crate::devices::root;
use crate::sandbox::{Outcome, Sandbox, subject};
use fathom_nfs::test_server::TestServer;
use fathom_nfs::{
    RECORD_MAX, RecordReader, RpcCall, RpcProgram, RpcReply, Xdr, XdrReader, XdrWriter,
};
use std::fs;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// What is said in the place of an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Lie {
    Nothing,
    Garbage,
    OtherType,
    WithoutEnd,
}

const LIES: [Lie; 4] = [Lie::Nothing, Lie::Garbage, Lie::OtherType, Lie::WithoutEnd];

/// How long a command may take.
const LIMIT: Duration = Duration::from_secs(60);
/// Memory that it may write to, in KiB.
const MEMORY_KIB: u32 = 300_000;
/// Commands at once that do not wait for what is left out.
const AT_ONCE: usize = 4;

fn start(sandbox: &Sandbox, args: &[&str]) -> Outcome {
    let limited = format!("ulimit -d {MEMORY_KIB}; exec \"$@\"");
    let subject = subject().display().to_string();
    sandbox.start_program("sh", &[&["-c", &limited, "sh", &subject], args].concat()).finish()
}

/// Whether a command ended as it should.
fn ended(outcome: &Outcome, must_fail: bool) -> Result<(), String> {
    let said = format!("{}{}", outcome.stdout, outcome.stderr);
    let codes = if must_fail { 1..=5 } else { 0..=5 };
    let wrong = match outcome.code {
        _ if said.contains("panicked") => "it panicked",
        None => "a signal ended it: too much memory?",
        Some(code) if !codes.contains(&code) => "its exit code says nothing of it",
        _ if outcome.wall > LIMIT => "it took more than a minute",
        _ if said.trim().is_empty() => "it says nothing",
        _ => return Ok(()),
    };
    Err(outcome.describe(&format!("{wrong}, after {:?}", outcome.wall)))
}

/// Tries all of them: those that wait for what is left out beside each other, others few at a time.
fn assert_all<C: Copy + Send + std::fmt::Debug>(
    calls: &[C],
    tried: impl Fn(C, Lie) -> Result<(), String> + Sync,
) {
    let all: Vec<(C, Lie)> =
        LIES.iter().flat_map(|lie| calls.iter().map(|call| (*call, *lie))).collect();
    let (waiting, rest) = all.split_at(calls.len());
    let tried = &tried;
    let together = |some: &[(C, Lie)]| {
        thread::scope(|scope| {
            let one = |&(call, lie): &(C, Lie)| (call, lie, scope.spawn(move || tried(call, lie)));
            let begun: Vec<_> = some.iter().map(one).collect();
            let failed = begun.into_iter().filter_map(|(call, lie, thread)| {
                let why = thread.join().expect("it is tried").err()?;
                Some(format!("{call:?}, {lie:?}: {why}"))
            });
            failed.collect::<Vec<String>>()
        })
    };
    let mut failed = together(waiting);
    failed.extend(rest.chunks(AT_ONCE).flat_map(together));
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
}

// --- NFS -----------------------------------------------------------------------------------------

/// A call: its program, its number, its name, and whether a command fails without its answer.
type NfsCall = (RpcProgram, u32, &'static str, bool);

const NFS_CALLS: [NfsCall; 16] = [
    (RpcProgram::PORTMAP, 3, "GETPORT", true),
    (RpcProgram::MOUNT, 1, "MNT", true),
    (RpcProgram::MOUNT, 3, "UMNT", false),
    (RpcProgram::NFS, 0, "NULL", false),
    (RpcProgram::NFS, 1, "GETATTR", true),
    (RpcProgram::NFS, 2, "SETATTR", false),
    (RpcProgram::NFS, 3, "LOOKUP", true),
    (RpcProgram::NFS, 4, "ACCESS", true),
    (RpcProgram::NFS, 6, "READ", true),
    (RpcProgram::NFS, 7, "WRITE", true),
    (RpcProgram::NFS, 8, "CREATE", true),
    (RpcProgram::NFS, 12, "REMOVE", true),
    (RpcProgram::NFS, 17, "READDIRPLUS", true),
    (RpcProgram::NFS, 18, "FSSTAT", false),
    (RpcProgram::NFS, 19, "FSINFO", true),
    (RpcProgram::NFS, 21, "COMMIT", true),
];

fn numbered(program: RpcProgram, procedure: u32) -> (u32, u32) {
    (program.number, procedure)
}

fn write_record(to: &Mutex<TcpStream>, record: &[u8]) -> io::Result<()> {
    let mark = (record.len() as u32 | 0x8000_0000).to_be_bytes();
    let mut to = to.lock().unwrap_or_else(PoisonError::into_inner);
    to.write_all(&[&mark[..], record].concat())
}

/// Passes records on to `act`, until the connection ends.
fn for_each_record(
    mut from: TcpStream,
    mut act: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let mut records = RecordReader::new(RECORD_MAX);
    loop {
        let bytes = from.read(records.room(64 << 10))?;
        if bytes == 0 {
            return Ok(());
        }
        records.received(bytes);
        while let Some(record) = records.next_record().map_err(io::Error::other)? {
            act(record)?;
        }
    }
}

/// A lie as the answer to a call.
fn tell(to: &Mutex<TcpStream>, call: &RpcCall, lie: Lie) -> io::Result<()> {
    let mut reply = XdrWriter::default();
    RpcReply { xid: call.xid, outcome: Ok(()) }.write(&mut reply);
    match lie {
        Lie::Nothing => return Ok(()),
        Lie::Garbage => (0..16).for_each(|_| reply.u32(0xa5a5_a5a5)),
        // The answer to FSINFO, and to that a handle, as of MNT.
        Lie::OtherType if call.procedure == 19 => {
            [0, 4, 7, 0].map(|word| reply.u32(word)).into_iter().collect()
        }
        Lie::OtherType => {
            let words =
                [0, 0, 1 << 20, 1 << 20, 512, 1 << 20, 1 << 20, 512, 4096, 0, 0, 0, 1, 0x1b];
            words.into_iter().for_each(|word| reply.u32(word));
        }
        Lie::WithoutEnd => {
            let mut fragment = vec![0; 4 + (1 << 20)];
            fragment[..4].copy_from_slice(&(1u32 << 20).to_be_bytes());
            let mut to = to.lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                to.write_all(&fragment)?;
            }
        }
    }
    write_record(to, &reply.into_bytes())
}

/// Answers as `server` does, but lies about one call.
fn pass_on(
    client: TcpStream,
    server: SocketAddr,
    (lied, lie): ((u32, u32), Lie),
) -> io::Result<()> {
    let server = TcpStream::connect(server)?;
    let to_client = Arc::new(Mutex::new(client.try_clone()?));
    let (from_server, back) = (server.try_clone()?, to_client.clone());
    thread::spawn(move || for_each_record(from_server, |reply| write_record(&back, reply)));
    let to_server = Mutex::new(server.try_clone()?);
    let done = for_each_record(client, |record| {
        let call = RpcCall::read(&mut XdrReader::new(record)).map_err(io::Error::other)?;
        match numbered(call.program, call.procedure) == lied {
            true => tell(&to_client, &call, lie),
            false => write_record(&to_server, record),
        }
    });
    let _ = server.shutdown(Shutdown::Both);
    done
}

/// The port mapper, which knows one port.
fn map_ports(client: TcpStream, port: u16, (lied, lie): ((u32, u32), Lie)) -> io::Result<()> {
    let to_client = Mutex::new(client.try_clone()?);
    for_each_record(client, |record| {
        let call = RpcCall::read(&mut XdrReader::new(record)).map_err(io::Error::other)?;
        if numbered(call.program, call.procedure) == lied {
            return tell(&to_client, &call, lie);
        }
        let mut reply = XdrWriter::default();
        RpcReply { xid: call.xid, outcome: Ok(()) }.write(&mut reply);
        reply.u32(port.into());
        write_record(&to_client, &reply.into_bytes())
    })
}

fn accept(
    listener: TcpListener,
    act: impl Fn(TcpStream) -> io::Result<()> + Send + Sync + 'static,
) {
    let act = Arc::new(act);
    thread::spawn(move || {
        for client in listener.incoming().flatten() {
            let act = act.clone();
            thread::spawn(move || act(client));
        }
    });
}

/// Addresses of this machine for port mappers, whose port is fixed.
static ADDRESSES: AtomicU8 = AtomicU8::new(1);

fn nfs_tried((program, procedure, name, must_fail): NfsCall, lie: Lie) -> Result<(), String> {
    let honest = TestServer::start().expect("listens");
    let (_, port) = honest.url("").rsplit_once('=').map(|(_, port)| ((), port.to_owned())).unwrap();
    let upstream = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port.parse().unwrap());
    let address = Ipv4Addr::new(127, 0, 111, ADDRESSES.fetch_add(1, Relaxed));
    let lied = (numbered(program, procedure), lie);
    let listener = TcpListener::bind((address, 0)).expect("listens");
    let port = listener.local_addr().expect("an address").port();
    accept(listener, move |client| pass_on(client, upstream, lied));
    let ports = match root()
        .and_then(|()| TcpListener::bind((address, 111)).map_err(|why| why.to_string()))
    {
        Ok(mapper) => {
            accept(mapper, move |client| map_ports(client, port, lied));
            String::new()
        }
        Err(_) if program == RpcProgram::PORTMAP => return Ok(()),
        Err(_) => format!("?nfsport={port}&mountport={port}"),
    };
    let (sandbox, url) = (Sandbox::new(), format!("nfs://{address}/export{ports}"));
    let outcome = match name {
        "READDIRPLUS" => start(&sandbox, &["clean", &url]),
        _ => {
            let more = ["--size", "16m", "--time", "800ms", "--no-record", "-q"];
            start(&sandbox, &[&["measure", &url][..], &more].concat())
        }
    };
    ended(&outcome, must_fail)
}

#[test]
fn an_nfs_server_that_lies_is_an_error() {
    assert_all(&NFS_CALLS, nfs_tried);
}

// --- Agents --------------------------------------------------------------------------------------

/// A frame of an agent: the number of its kind, which of that kind, and whether a command fails
/// without it.
type AgentFrame = (u8, usize, &'static str, bool);

const AGENT_FRAMES: [AgentFrame; 8] = [
    (1, 0, "hello", true),
    (3, 0, "pong", true),
    (5, 0, "event", false),
    (9, 0, "ready", true),
    (6, 0, "reply", true),
    (6, 1, "second reply", true),
    (6, 2, "third reply", true),
    (8, 0, "bye", false),
];

const HEADER_BYTES: usize = 8;

/// Reads a frame; none at the end.
fn read_frame(from: &mut impl Read) -> Option<Vec<u8>> {
    let mut frame = vec![0; HEADER_BYTES];
    from.read_exact(&mut frame).ok()?;
    let length = u32::from_le_bytes(frame[4..].try_into().ok()?) as usize;
    frame.resize(HEADER_BYTES + length, 0);
    from.read_exact(&mut frame[HEADER_BYTES..]).ok()?;
    Some(frame)
}

/// A lie in the place of a frame.
fn tell_frame(to: &mut impl Write, frame: &[u8], lie: Lie) -> io::Result<()> {
    let mut told = frame.to_vec();
    match lie {
        Lie::Nothing => return Ok(()),
        Lie::Garbage => told[HEADER_BYTES..].fill(0xa5),
        Lie::OtherType => {
            let number = if frame[3] == 9 { 3 } else { 9 };
            let length: u32 = if number == 9 { 4 } else { 16 };
            told.resize(HEADER_BYTES + length as usize, 0);
            told[3] = number;
            told[4..HEADER_BYTES].copy_from_slice(&length.to_le_bytes());
        }
        Lie::WithoutEnd => loop {
            to.write_all(frame)?;
        },
    }
    to.write_all(&told)
}

/// Passes the frames of an honest agent on, but lies about one.
fn lie_for_agent(agent: &mut Child, mut coordinator: TcpStream, frame: AgentFrame, lie: Lie) {
    let (kind, which, ..) = frame;
    let mut from_agent = agent.stdout.take().expect("piped");
    let mut to_agent = agent.stdin.take().expect("piped");
    let mut from_coordinator = coordinator.try_clone().expect("a socket");
    thread::spawn(move || io::copy(&mut from_coordinator, &mut to_agent));
    let mut seen = 0;
    while let Some(frame) = read_frame(&mut from_agent) {
        let is_lied = frame[3] == kind && seen >= which;
        seen += usize::from(frame[3] == kind);
        let told = match is_lied {
            true => tell_frame(&mut coordinator, &frame, lie),
            false => coordinator.write_all(&frame),
        };
        if told.is_err() {
            break;
        }
    }
    let _ = coordinator.shutdown(Shutdown::Both);
}

/// A program that gives a pipe to this process.
fn pipe_to(sandbox: &Sandbox, port: u16) -> PathBuf {
    let path = sandbox.write(
        "via",
        format!(
            "#!/bin/bash\nexec 3<>/dev/tcp/127.0.0.1/{port}\ncat <&3 &\nexec >&-\ncat >&3\nkill $!\n"
        ),
    );
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a file");
    path
}

fn agent_tried(frame: AgentFrame, lie: Lie) -> Result<(), String> {
    let sandbox = Sandbox::new();
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("listens");
    let via = pipe_to(&sandbox, listener.local_addr().expect("an address").port());
    let home = sandbox.home();
    let agent = thread::spawn(move || {
        let (coordinator, _) = listener.accept().expect("a connection");
        let mut agent = Command::new(subject())
            .arg("agent")
            .env("FATHOM_HOME", home)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("an agent");
        lie_for_agent(&mut agent, coordinator, frame, lie);
        let _ = agent.kill();
        let _ = agent.wait();
    });
    let (work, via) = (sandbox.work().display().to_string(), format!("{} {{}}", via.display()));
    let args = ["measure", &work, "--on", "box", "--via", &via, "--agent", "fathom"];
    let more = ["--size", "16m", "--time", "800ms", "--no-record", "-q"];
    let outcome = start(&sandbox, &[&args[..], &more].concat());
    agent.join().expect("the liar ends");
    ended(&outcome, frame.3 && lie != Lie::WithoutEnd)
}

#[test]
fn an_agent_that_lies_is_an_error() {
    assert_all(&AGENT_FRAMES, agent_tried);
}
