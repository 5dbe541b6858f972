//! Round trips to the server of a volume beside the I/Os: the network's share of their latency.
//!
//! A thread for each server makes them before the load, which the run waits for, and during it, on
//! a connection of its own. What the load itself keeps waiting on the way shows as the difference
//! of the two, and is not the network's.

use crate::disk::one_of_each_volume;
use crate::files::FilePlan;
use fathom_engine::NullCaller;
use fathom_host::Host;
use fathom_stats::{LatencyStats, NetworkFigures, PingCall, RoundTrips};
use fathom_vocab::PingTarget;
use serde::{Deserialize, Serialize};
use std::io;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Round trips before the load: so many, or as many as fit into that time.
const BEFORE: u64 = 20;
const BEFORE_TIME: Duration = Duration::from_millis(500);
/// The pause after each of them.
const BEFORE_PAUSE: Duration = Duration::from_millis(5);
/// The pause after each group of them during the load: few enough to be no load themselves.
const PAUSE: Duration = Duration::from_millis(50);
/// NULL calls in a group: the threads that answer the later ones are awake.
const GROUP: u32 = 4;
/// A new TCP connection for each leaves traces at the server, so there are fewer of them.
const CONNECT_PAUSE: Duration = Duration::from_millis(200);
/// How long a connection may take.
const CONNECT_TIME: Duration = Duration::from_secs(1);
/// How long the run waits for those before the load: until the first has failed.
const PATIENCE: Duration = Duration::from_secs(3);
/// Ports of NFS, SMB, iSCSI and SSH: where none is given, the first that answers or refuses.
const COMMON_PORTS: [u16; 4] = [2049, 445, 3260, 22];
/// Servers that are watched at most.
const SERVERS_MAX: usize = 8;

/// The round trips to measure beside a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NetworkProbe {
    /// None.
    #[default]
    Off,
    /// To the NFS servers of the jobs' files, if they are on any.
    Server,
    /// To this host.
    Host(PingTarget),
}

/// Round trips to each server.
#[derive(Debug, Default)]
pub(crate) struct NetworkWatch {
    servers: Vec<ServerWatch>,
    notes: Vec<String>,
}

/// Round trips to a server; its end ends the thread that makes them.
#[derive(Debug)]
struct ServerWatch {
    server: SocketAddr,
    call: PingCall,
    seen: Arc<Mutex<SeenTrips>>,
    /// The first message begins those during the load.
    load: Sender<()>,
}

#[derive(Debug, Default)]
struct SeenTrips {
    is_loaded: bool,
    before: TripStats,
    during: TripStats,
}

#[derive(Debug, Default)]
struct TripStats {
    times: LatencyStats,
    lost: u64,
}

impl NetworkWatch {
    /// Measures the round trips before the load, and is ready for those during it.
    pub fn begin<'f>(
        probe: &NetworkProbe,
        host: &Host,
        files: impl Iterator<Item = &'f FilePlan>,
    ) -> NetworkWatch {
        let (call, servers) = match probe {
            NetworkProbe::Off => return NetworkWatch::default(),
            NetworkProbe::Server => (PingCall::NfsNull, servers_of(host, files)),
            NetworkProbe::Host(target) => match answering_address(target) {
                Ok(server) => (PingCall::TcpConnect, vec![server]),
                Err(why) => {
                    let note = format!("--ping {target}: the network was not measured: {why}");
                    return NetworkWatch { notes: vec![note], ..NetworkWatch::default() };
                }
            },
        };
        let (measuring, measured) = channel();
        let watch = |server| ServerWatch::begin(server, call, measuring.clone());
        let servers: Vec<ServerWatch> = servers.into_iter().filter_map(watch).collect();
        drop(measuring);
        // Nothing is sent: the channel ends with the last thread that measures before the load.
        let _ = measured.recv_timeout(PATIENCE);
        NetworkWatch { servers, notes: Vec::new() }
    }

    /// From now on round trips are beside I/Os.
    pub fn load_began(&self) {
        for server in &self.servers {
            lock(&server.seen).is_loaded = true;
            // A thread that ended by itself has nothing more to measure.
            let _ = server.load.send(());
        }
    }

    /// What was measured so far; nothing of a server that never answered.
    pub fn so_far(&self) -> Vec<NetworkFigures> {
        let figures = |of: &ServerWatch| {
            let seen = lock(&of.seen);
            let (before, during) = (seen.before.round_trips(), seen.during.round_trips());
            let server = of.server.to_string();
            NetworkFigures { host: None, server, call: of.call, before, during }
        };
        let all = self.servers.iter().map(figures);
        all.filter(|of| of.round_trip_ns().is_some()).collect()
    }

    /// What could not be measured, in a sentence each.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }
}

impl ServerWatch {
    /// Starts the thread; none if there can be no more threads.
    fn begin(server: SocketAddr, call: PingCall, measuring: Sender<()>) -> Option<ServerWatch> {
        let (load, loaded) = channel();
        let seen = Arc::new(Mutex::new(SeenTrips::default()));
        let own = seen.clone();
        let body = move || {
            let mut pinger = Pinger { server, call, caller: None };
            pinger.before(&own);
            drop(measuring);
            // An error means that the run is over.
            if loaded.recv().is_err() {
                return;
            }
            let (pause, group) = match call {
                PingCall::NfsNull => (PAUSE, GROUP),
                PingCall::TcpConnect => (CONNECT_PAUSE, 1),
            };
            while !matches!(loaded.recv_timeout(pause), Err(RecvTimeoutError::Disconnected)) {
                // One without a reply has taken its time.
                let _ = (0..group).all(|_| pinger.ping(&own));
            }
        };
        std::thread::Builder::new().name("network".to_owned()).spawn(body).ok()?;
        Some(ServerWatch { server, call, seen, load })
    }
}

/// Makes round trips one after another.
struct Pinger {
    server: SocketAddr,
    call: PingCall,
    caller: Option<NullCaller>,
}

impl Pinger {
    fn before(&mut self, seen: &Mutex<SeenTrips>) {
        let begun = Instant::now();
        for _ in 0..BEFORE {
            // The first failure is enough to know.
            if !self.ping(seen) || begun.elapsed() >= BEFORE_TIME {
                return;
            }
            std::thread::sleep(BEFORE_PAUSE);
        }
    }

    /// Makes one, and counts it: whether it came back.
    fn ping(&mut self, seen: &Mutex<SeenTrips>) -> bool {
        let time = match self.call {
            PingCall::NfsNull => self.null_call(),
            PingCall::TcpConnect => connect_time(self.server).ok(),
        };
        let mut seen = lock(seen);
        let trips = if seen.is_loaded { &mut seen.during } else { &mut seen.before };
        match time {
            Some(time) => trips.times.record(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)),
            None => trips.lost += 1,
        }
        time.is_some()
    }

    fn null_call(&mut self) -> Option<Duration> {
        let mut caller = match self.caller.take() {
            Some(caller) => caller,
            None => NullCaller::connect(self.server).ok()?,
        };
        let time = caller.round_trip().ok()?;
        self.caller = Some(caller);
        Some(time)
    }
}

impl TripStats {
    fn round_trips(&self) -> RoundTrips {
        let (moments, at) = (&self.times.moments, self.times.percentiles(&[50.0, 99.0]));
        let percentile = |place: usize| at.get(place).copied().unwrap_or(0);
        RoundTrips {
            count: moments.count,
            lost: self.lost,
            min_ns: moments.min_or_zero(),
            median_ns: percentile(0).max(moments.min_or_zero()),
            p99_ns: percentile(1),
        }
    }
}

fn lock(seen: &Mutex<SeenTrips>) -> MutexGuard<'_, SeenTrips> {
    seen.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The servers of files, each once.
fn servers_of<'f>(host: &Host, files: impl Iterator<Item = &'f FilePlan>) -> Vec<SocketAddr> {
    let files: Vec<&FilePlan> = files.collect();
    let with_path = files.iter().filter(|file| file.access.has_paths());
    let paths = one_of_each_volume(with_path.map(|file| file.path.as_path()));
    let mut servers: Vec<SocketAddr> = Vec::new();
    for file in files {
        let has_path = file.access.has_paths();
        if has_path && !paths.contains(&file.path.as_path()) {
            continue;
        }
        let server = file.access.server(host, &file.path);
        servers.extend(server.filter(|server| !servers.contains(server)));
        if servers.len() == SERVERS_MAX {
            break;
        }
    }
    servers
}

/// The address of a host whose port answers or refuses.
fn answering_address(target: &PingTarget) -> io::Result<SocketAddr> {
    let ports = target.port.map_or(COMMON_PORTS.to_vec(), |port| vec![port]);
    let mut last = io::Error::from(io::ErrorKind::NotFound);
    for port in ports {
        for address in (target.host.as_str(), port).to_socket_addrs()? {
            match connect_time(address) {
                Ok(_) => return Ok(address),
                Err(why) => last = why,
            }
        }
    }
    Err(last)
}

/// The time in which a connection is made or refused: a round trip in both cases.
fn connect_time(server: SocketAddr) -> io::Result<Duration> {
    let begun = Instant::now();
    let made = TcpStream::connect_timeout(&server, CONNECT_TIME);
    let time = begun.elapsed();
    match made {
        Err(why) if why.kind() != io::ErrorKind::ConnectionRefused => Err(why),
        _ => Ok(time),
    }
}
