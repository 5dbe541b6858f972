//! A mean latency in parts: the network's round trip, what the load itself keeps waiting on the
//! way, and the rest, which is the server's.
//!
//! The round trips are measured beside the I/Os (`run`). The network's is the shortest of them: on
//! a busy host or server the others also wait for a thread to wake up. Large blocks take time to
//! cross, which a round trip of few bytes does not show: their rest is named so.

use fathom_message::{Message, Tell, shown_as_told};
use fathom_stats::{JobResult, NetworkFigures, PingCall, RunResult};

/// Blocks up to this size cross in a time that does not count.
const SMALL_BLOCK_BYTES: u64 = 8 << 10;
/// A wait for the load itself is named from this share of the latency on.
const LEAST_QUEUE: f64 = 0.05;
/// A round trip may be longer than a latency by chance, up to this factor.
const BY_CHANCE: f64 = 1.05;

/// The parts of the mean latency of I/Os that went to one server.
#[derive(Clone, Debug, PartialEq)]
pub struct LatencyParts {
    /// The machine, of several.
    pub host: Option<String>,
    /// How many machines these are of.
    pub hosts: usize,
    /// The test, as tables call it; empty where a run has no name.
    pub test: String,
    /// The server.
    pub server: String,
    /// How round trips were made.
    pub call: PingCall,
    /// How many I/Os the latency is the mean of.
    pub ios: u64,
    /// Bytes of the largest block.
    pub block_bytes: u64,
    /// The mean latency, in nanoseconds.
    pub latency_ns: f64,
    /// The network's round trip.
    pub network_ns: f64,
    /// How much longer the load made a round trip.
    pub queue_ns: f64,
}

impl LatencyParts {
    /// Of each machine that has round trips to one server; where there are several servers, it is
    /// not known which I/O went where.
    pub fn of_clients(result: &RunResult) -> Vec<LatencyParts> {
        let is_alone = |of: &&NetworkFigures| {
            result.network.iter().filter(|other| other.host == of.host).count() == 1
        };
        result.network.iter().filter(is_alone).filter_map(|of| part_of(result, of)).collect()
    }

    /// Of all machines of a run together; none where one of them has no round trips.
    pub fn of_run(result: &RunResult, test: &str) -> Option<LatencyParts> {
        let all = LatencyParts::of_clients(result);
        let ios: u64 = all.iter().map(|of| of.ios).sum();
        if all.len() != result.clients.len().max(1) || ios == 0 {
            return None;
        }
        let mean = |part: fn(&LatencyParts) -> f64| {
            all.iter().map(|of| part(of) * of.ios as f64).sum::<f64>() / ios as f64
        };
        let (hosts, test) = (all.len(), test.to_owned());
        let block_bytes = all.iter().map(|of| of.block_bytes).max()?;
        let [latency_ns, network_ns, queue_ns] =
            [mean(|of| of.latency_ns), mean(|of| of.network_ns), mean(|of| of.queue_ns)];
        let first = all.into_iter().next()?;
        let host = first.host.filter(|_| hosts == 1);
        let of = LatencyParts { host, hosts, test, ios, block_bytes, ..first };
        Some(LatencyParts { latency_ns, network_ns, queue_ns, ..of })
    }

    /// Whether more than chance makes a round trip longer than an I/O.
    fn is_beyond(&self) -> bool {
        self.network_ns > BY_CHANCE * self.latency_ns
    }

    /// What is neither the network's nor a wait for the load itself.
    pub fn rest_ns(&self) -> f64 {
        (self.latency_ns - self.network_ns - self.queue_ns).max(0.0)
    }

    fn calls(&self) -> Message {
        let id = match self.call {
            PingCall::NfsNull => "network-calls-null",
            PingCall::TcpConnect => "network-calls-tcp",
        };
        let calls = Message::new(id).with("server", &self.server);
        match self.hosts {
            0 | 1 => calls,
            hosts => {
                Message::new("network-calls-hosts").part("calls", calls).with("hosts", hosts as u64)
            }
        }
    }

    fn mean(&self) -> Message {
        match self.test.is_empty() {
            true => Message::new("network-mean"),
            false => Message::new("network-mean-of").with("test", &self.test),
        }
    }
}

fn part_of(result: &RunResult, network: &NetworkFigures) -> Option<LatencyParts> {
    let is_own = |job: &&JobResult| match &network.host {
        None => true,
        Some(host) => result.client_of(job).is_some_and(|(_, own)| own == host),
    };
    let mut sum = JobResult::default();
    let own = result.jobs.iter().filter(is_own);
    let block_bytes = own.clone().map(|job| job.setup.bs.iter().map(|(_, bs)| bs.1).max());
    let block_bytes = block_bytes.flatten().max()?;
    own.for_each(|job| sum.merge(job));
    let mut all = fathom_stats::Moments::default();
    sum.dirs.iter().for_each(|(_, stats)| all.merge(&stats.lat.moments));
    let (network_ns, latency_ns) = (network.round_trip_ns()? as f64, all.mean());
    let queue_ns = (network.queue_ns() as f64).min(latency_ns - network_ns);
    (all.count > 0).then(|| LatencyParts {
        host: network.host.clone(),
        hosts: 1,
        test: String::new(),
        server: network.server.clone(),
        call: network.call,
        ios: all.count,
        block_bytes,
        latency_ns,
        network_ns,
        queue_ns: if queue_ns < LEAST_QUEUE * latency_ns { 0.0 } else { queue_ns },
    })
}

/// Milliseconds with as many places for all parts as the whole needs, so that they add up.
struct Milliseconds {
    places: usize,
}

impl Milliseconds {
    fn of(whole_ns: f64) -> Milliseconds {
        let places = match whole_ns / 1e6 {
            ms if ms >= 9.995 => 1,
            ms if ms >= 0.0995 => 2,
            _ => 3,
        };
        Milliseconds { places }
    }

    fn rounded(&self, ns: f64) -> f64 {
        let scale = 10f64.powi(self.places as i32);
        (ns / 1e6 * scale).round() / scale
    }

    fn text(&self, ms: f64) -> String {
        format!("{:.*}", self.places, ms.max(0.0))
    }
}

impl Tell for LatencyParts {
    fn tell(&self) -> Message {
        let unit = Milliseconds::of(self.latency_ns.max(self.network_ns));
        let latency = unit.rounded(self.latency_ns);
        let network = match self.is_beyond() {
            true => unit.rounded(self.network_ns),
            false => unit.rounded(self.network_ns).min(latency),
        };
        let queue = unit.rounded(self.queue_ns);
        let id = if self.is_beyond() { "network-beyond" } else { "network-share" };
        let said = Message::new(id)
            .with("latency", unit.text(latency))
            .with("network", unit.text(network))
            .part("mean", self.mean())
            .part("calls", self.calls());
        if self.is_beyond() {
            return said;
        }
        let rest = match self.block_bytes > SMALL_BLOCK_BYTES {
            true => "network-rest-transfer",
            false => "network-rest-server",
        };
        let rest = Message::new(rest).with("time", unit.text(latency - network - queue));
        said.part(
            "rest",
            match queue > 0.0 {
                true => Message::new("network-rest-queue")
                    .with("queue", unit.text(queue))
                    .part("rest", rest),
                false => rest,
            },
        )
    }
}

shown_as_told!(LatencyParts);

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_stats::{ClientSpan, RoundTrips};
    use fathom_vocab::Direction;

    fn job(name: &str, latency_us: u64, ios: u64) -> JobResult {
        let mut job = JobResult { name: name.to_owned(), ..JobResult::default() };
        job.setup.bs[Direction::Read] = (4096, 4096);
        job.dirs.read.lat.moments.record_times(latency_us * 1000, ios);
        job
    }

    fn network(host: Option<&str>, before_us: u64, during_us: u64) -> NetworkFigures {
        let trips = |us: u64| {
            let (min_ns, median_ns) = (us * 1000, us * 1000 + 20_000);
            RoundTrips { count: 20, min_ns, median_ns, ..RoundTrips::default() }
        };
        NetworkFigures {
            host: host.map(str::to_owned),
            server: "10.0.0.1:2049".to_owned(),
            call: PingCall::NfsNull,
            before: trips(before_us),
            during: trips(during_us),
        }
    }

    fn sentence(jobs: Vec<JobResult>, network: Vec<NetworkFigures>) -> String {
        let client = |of: &NetworkFigures| {
            Some(ClientSpan { host: of.host.clone()?, ..ClientSpan::default() })
        };
        let clients = network.iter().filter_map(client).collect();
        let result = RunResult { jobs, network, clients, ..RunResult::default() };
        let parts = LatencyParts::of_run(&result, "latency");
        parts.map(|parts| parts.to_string()).unwrap_or_default()
    }

    /// Case C: 495.96 us at QD 1; a ping gives the network's share.
    #[test]
    fn a_latency_is_the_networks_and_the_servers() {
        let said = sentence(vec![job("a", 496, 100)], vec![network(None, 180, 190)]);
        let calls = "(mean of latency; NULL calls to 10.0.0.1:2049)";
        assert_eq!(said, format!("Latency 0.50 ms = network 0.18 + server 0.32 {calls}"));
        let short = sentence(vec![job("a", 85, 100)], vec![network(None, 31, 30)]);
        assert!(short.starts_with("Latency 0.085 ms = network 0.030 + server 0.055 "), "{short}");
    }

    #[test]
    fn a_wait_for_the_load_itself_is_not_the_networks() {
        let mut large = job("a", 8000, 100);
        large.setup.bs[Direction::Read] = (65536, 65536);
        let said = sentence(vec![large], vec![network(None, 200, 6200)]);
        let parts = "network 0.20 + the load's own queue 6.00 + transfer and server 1.80 ";
        assert!(said.starts_with(&format!("Latency 8.00 ms = {parts}")), "{said}");
        // Of a round trip that is longer for another reason no part is below zero.
        let other = sentence(vec![job("a", 500, 100)], vec![network(None, 200, 900)]);
        assert!(other.contains("queue 0.30 + server 0.00 "), "{other}");
    }

    #[test]
    fn what_a_cache_answered_made_no_round_trip() {
        let said = sentence(vec![job("a", 20, 100)], vec![network(None, 180, 190)]);
        assert!(said.starts_with("A round trip of 0.18 ms ("), "{said}");
        assert!(said.contains(" is longer than the latency of 0.02 ms "), "{said}");
    }

    #[test]
    fn each_of_several_machines_has_its_own_round_trip() {
        let jobs = vec![job("a@h1", 500, 300), job("a@h2", 900, 100)];
        let both = vec![network(Some("h1"), 100, 100), network(Some("h2"), 500, 500)];
        let said = sentence(jobs.clone(), both.clone());
        assert!(said.starts_with("Latency 0.60 ms = network 0.20 + server 0.40 "), "{said}");
        assert!(said.ends_with("NULL calls to 10.0.0.1:2049, from 2 hosts)"), "{said}");
        let servers = [both.clone(), both[..1].to_vec()].concat();
        assert_eq!(sentence(jobs, servers), "", "it is not known which server an I/O went to");
    }
}
