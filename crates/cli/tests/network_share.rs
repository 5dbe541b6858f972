//! The network's share of a latency, against a delay that the kernel makes (`tc netem`).
//!
//! A round trip has the delay and the little that the link and both ends take. That little is
//! measured without a delay first, and a control of the test's own takes the same path in the same
//! seconds, so that a busy machine delays both. Where the kernel has no netem, a server that answers
//! late stands for the network: its NULL calls wait as all others do.

use crate::devices::{lacks, need};
use crate::namespace::Network;
use crate::sandbox::{Sandbox, subject};
use fathom_nfs::NullCaller;
use fathom_nfs::test_server::TestServer;
use serde_json::Value;
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// The delays that are set, in microseconds.
const DELAYS_US: [u32; 3] = [200, 1000, 5000];
/// How often a pair of runs is repeated until another program did not disturb it.
const TRIES: usize = 10;

/// A run on an export, short and one I/O at a time.
fn on_export(url: &str) -> String {
    format!(
        "run --name=latency --ioengine=nfs --nfs_url={url} --rw=randread --bs=4k --size=1m \
         --runtime=1 --time_based --json --no-record -q"
    )
}

fn address_of(server: &TestServer) -> SocketAddr {
    let url = server.url("");
    let (_, port) = url.rsplit_once('=').expect("it has one port");
    SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port.parse().expect("a port"))
}

/// What a run in the namespace and the test's own round trips found, in microseconds.
struct Found {
    network_us: f64,
    control_us: f64,
    document: Value,
}

/// Runs `line` in the namespace, and connects to a closed port there meanwhile: the refusal takes
/// the way that the run's packets take.
fn measure(network: &Network, line: &str) -> Found {
    let is_over = AtomicBool::new(false);
    let sandbox = Sandbox::new();
    let subject = subject().display().to_string();
    let mut args = vec!["netns", "exec", &network.name, &subject];
    args.extend(line.split_whitespace());
    let (outcome, control_us) = std::thread::scope(|scope| {
        let control = scope.spawn(|| control_us(network, &is_over));
        let outcome = sandbox.start_program("ip", &args).finish();
        is_over.store(true, Relaxed);
        (outcome, control.join().expect("a round trip"))
    });
    assert!(matches!(outcome.code, Some(0 | 5)), "{}", outcome.describe(line));
    let document = outcome.json();
    let network_us = network_us(&document);
    Found { network_us, control_us, document }
}

/// The network's round trip.
fn network_us(document: &Value) -> f64 {
    let trips = &document["result"]["network"][0];
    let least = |when: &str| trips[when]["min_ns"].as_f64().filter(|ns| *ns > 0.0);
    let least = [least("before"), least("during")].into_iter().flatten();
    least.reduce(f64::min).expect("round trips") / 1e3
}

fn control_us(network: &Network, is_over: &AtomicBool) -> f64 {
    let closed = SocketAddr::new(network.far.into(), 1);
    let mut least = f64::INFINITY;
    while !is_over.load(Relaxed) {
        let begun = Instant::now();
        TcpStream::connect_timeout(&closed, Duration::from_secs(5)).expect_err("it is closed");
        least = least.min(begun.elapsed().as_secs_f64() * 1e6);
        std::thread::sleep(Duration::from_millis(5));
    }
    least
}

/// That a delay changes the network's round trip as much as it changes the control's, and by the
/// delay, to within a tenth.
fn assert_share(network: &Network, delay_us: u32, line: &str) {
    let delay = f64::from(delay_us);
    let mut last = String::new();
    for _ in 0..TRIES {
        network.delay(0).expect("no delay");
        let quiet = measure(network, line);
        network.delay(delay_us).expect("a delay");
        let slow = measure(network, line);
        let own = slow.network_us - quiet.network_us;
        let control = slow.control_us - quiet.control_us;
        assert!(slow.network_us >= delay, "a round trip takes the delay at least");
        last = format!("{own} against {control} us with a delay of {delay} us");
        if (own - delay).abs() <= 0.1 * delay || (own - control).abs() <= 0.1 * control {
            return assert_sentence(&slow, delay);
        }
    }
    panic!("{last}");
}

/// That the first sentences say it, and that the parts are the whole.
fn assert_sentence(found: &Found, delay_us: f64) {
    let summary = found.document["summary"].as_str().unwrap_or_default();
    let (_, parts) = summary.split_once("Latency ").unwrap_or_default();
    let number = |before: &str| -> f64 {
        let (_, rest) = parts.split_once(before).unwrap_or(("", parts));
        let end = rest.find(|c: char| c != '.' && !c.is_ascii_digit()).unwrap_or(rest.len());
        rest[..end].parse().unwrap_or(f64::NAN)
    };
    let (whole, network) = (number(""), number("network "));
    assert!(network * 1e3 >= 0.94 * delay_us, "{summary}");
    let rest = number("server ");
    let queue = if parts.contains("queue ") { number("queue ") } else { 0.0 };
    assert!((whole - network - queue - rest).abs() < 0.000_5, "{summary}");
}

/// A network that delays.
fn delaying() -> Option<Network> {
    let network = need(Network::start())?;
    match network.delay(0) {
        // The kernel was built without it.
        Err(why) if why.contains("qdisc kind is unknown") => lacks(&why),
        delayed => return need(delayed).map(|()| network),
    }
    None
}

#[test]
fn the_network_of_an_export_is_the_delay_that_was_set() {
    let Some(network) = delaying() else { return };
    let server = TestServer::start_at(&network.near.to_string()).expect("listens");
    for delay_us in DELAYS_US {
        assert_share(&network, delay_us, &on_export(&server.url("")));
    }
}

#[test]
fn the_network_of_an_export_is_the_time_of_calls_that_do_nothing() {
    let server = TestServer::start().expect("listens");
    for delay_us in DELAYS_US {
        let (delay, late) = (f64::from(delay_us), Duration::from_micros(delay_us.into()));
        server.misbehave(|how| how.slow_connections = (1, late));
        let mut own = NullCaller::connect(address_of(&server)).expect("connects");
        let mut control = || {
            let times = (0..50).map(|_| own.round_trip().expect("a reply").as_secs_f64() * 1e6);
            times.fold(f64::INFINITY, f64::min)
        };
        let mut last = (0.0, 0.0);
        let is_same = (0..TRIES).any(|_| {
            let before = control();
            let outcome = Sandbox::new().fathom(&on_export(&server.url("")));
            assert!(matches!(outcome.code, Some(0 | 5)), "{}", outcome.describe("a run"));
            let (document, control_us) = (outcome.json(), before.min(control()));
            let found = Found { network_us: network_us(&document), control_us, document };
            assert!(found.network_us >= delay, "a round trip takes the delay at least");
            assert_sentence(&found, delay);
            last = (found.network_us, control_us);
            (last.0 - control_us).abs() <= 0.1 * delay
        });
        assert!(is_same, "{last:?} us with a delay of {delay} us");
    }
}

#[test]
fn the_network_to_any_host_is_the_delay_that_was_set() {
    let Some(network) = delaying() else { return };
    let folder = Sandbox::new();
    let work = folder.work().display().to_string();
    // The file is here: how long its I/Os take is of no matter, as they are slowed down.
    let line = format!(
        "run --name=latency --directory={work} --rw=randread --bs=4k --size=1m --runtime=1 \
         --time_based --thinktime=1000 --ping {}:1 --json --no-record -q",
        network.near
    );
    for delay_us in DELAYS_US {
        network.delay(delay_us).expect("a delay");
        let found = measure(&network, &line);
        assert_eq!(found.document["result"]["network"][0]["call"], "tcp_connect");
        assert!(found.network_us >= f64::from(delay_us), "{}", found.network_us);
    }
}
