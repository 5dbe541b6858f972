//! Simulated volumes: servers with a queue before them, with known properties.

use fathom_document::limit::LoadLevel;
use fathom_stats::LatencyStats;
use fathom_vocab::SplitMix;

/// What a volume does to I/Os, in simulated time.
#[derive(Clone, Debug)]
pub struct Queue {
    /// I/Os that are served at once.
    pub servers: usize,
    /// Nanoseconds of each.
    pub service_ns: f64,
    /// Nanoseconds of service that it saves up while it is idle, as a token bucket does.
    pub burst_ns: f64,
    /// Whether I/Os arrive at random.
    pub poisson: bool,
    /// Seconds of a step.
    pub seconds: f64,
    /// Of each step, whether the volume stalls for 300 ms in it: one of so many.
    pub stall_one_in: Option<u64>,
    /// Where the randomness comes from.
    pub chance: SplitMix,
}

/// What one step on a queue came to.
#[derive(Clone, Debug, Default)]
pub struct Run {
    pub wait: LatencyStats,
    pub service: LatencyStats,
    pub response: LatencyStats,
    pub ios: u64,
    pub overdue_ios: u64,
    /// I/Os in flight at the end of the step, which complete after it.
    pub in_flight_ios: u64,
    /// When the last I/O completed, or the step ended.
    pub lasted_ns: f64,
}

const DEEP: u64 = 256;
const STALL_NS: f64 = 3e8;

impl Queue {
    /// One server of so many nanoseconds, steps of 30 seconds, arrivals at random: M/D/1.
    pub fn md1(service_ns: f64, seed: u64) -> Queue {
        let chance = SplitMix::new(seed);
        let (poisson, stall_one_in, burst_ns) = (true, None, 0.0);
        Queue { servers: 1, service_ns, burst_ns, poisson, seconds: 30.0, stall_one_in, chance }
    }

    /// What a load shows.
    pub fn run(&mut self, load: LoadLevel) -> Run {
        match load {
            LoadLevel::Deep => self.closed(DEEP),
            LoadLevel::Alone => self.closed(1),
            LoadLevel::Rate { rate_iops } => self.open(rate_iops as f64),
        }
    }

    fn closed(&self, depth: u64) -> Run {
        let busy = depth.min(self.servers as u64) as f64;
        let lat_ns = self.service_ns * depth as f64 / busy;
        let lasted_ns = self.seconds * 1e9;
        let ios = (busy * (lasted_ns + self.burst_ns) / self.service_ns) as u64;
        let mut run = Run { ios, lasted_ns, ..Run::default() };
        run.service.record(lat_ns as u64);
        run
    }

    fn open(&mut self, rate: f64) -> Run {
        let end_ns = self.seconds * 1e9;
        let stall =
            self.stall_one_in.is_some_and(|one_in| self.chance.draw().is_multiple_of(one_in));
        let stall_ns = if stall { end_ns / 3.0 } else { f64::INFINITY };
        let mut free_ns = vec![0.0f64; self.servers];
        let mut run = Run { lasted_ns: end_ns, ..Run::default() };
        let mut due_ns = 0.0;
        loop {
            due_ns += self.gap_ns(rate);
            if due_ns > end_ns {
                return run;
            }
            let first = free_ns.iter_mut().min_by(|a, b| a.total_cmp(b)).unwrap();
            let mut start_ns = (*first - self.burst_ns).max(due_ns);
            if (stall_ns..stall_ns + STALL_NS).contains(&start_ns) {
                start_ns = stall_ns + STALL_NS;
            }
            if start_ns > end_ns && run.in_flight_ios == DEEP {
                run.overdue_ios += 1;
                continue;
            }
            run.in_flight_ios += u64::from(start_ns + self.service_ns > end_ns);
            run.lasted_ns = run.lasted_ns.max(start_ns + self.service_ns);
            *first = first.max(start_ns) + self.service_ns;
            run.ios += 1;
            run.wait.record((start_ns - due_ns) as u64);
            run.service.record(self.service_ns as u64);
            run.response.record((start_ns - due_ns + self.service_ns) as u64);
        }
    }

    fn gap_ns(&mut self, rate: f64) -> f64 {
        let mean_ns = 1e9 / rate;
        if !self.poisson {
            return mean_ns;
        }
        let unit = ((self.chance.draw() >> 11) as f64 + 1.0) / (1u64 << 53) as f64;
        -unit.ln() * mean_ns
    }
}

/// The share of I/Os of an M/D/1 queue that wait no longer than `periods` service times at a load
/// of `rho` (Erlang 1909; as in Iversen and Staalhagen, "Waiting time distribution in M/D/1
/// queueing systems", Electronics Letters 35, 1999).
pub fn waits_at_most(rho: f64, periods: f64) -> f64 {
    let term = |k: usize| {
        let x = rho * (k as f64 - periods);
        let power: f64 = (1..=k).map(|i| x / i as f64).product();
        power * (-x).exp()
    };
    (1.0 - rho) * (0..=periods as usize).map(term).sum::<f64>()
}

/// The rate at which so many percent of the I/Os of an M/D/1 queue respond within `target_ns`.
pub fn md1_limit(service_ns: f64, target_ns: f64, percent: f64) -> f64 {
    let periods = target_ns / service_ns - 1.0;
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let rho = (low + high) / 2.0;
        match waits_at_most(rho, periods) * 100.0 > percent {
            true => low = rho,
            false => high = rho,
        }
    }
    low * 1e9 / service_ns
}

#[test]
fn the_formula_and_the_simulation_agree() {
    // Half loaded, an I/O in two waits at all (P(wait > 0) = rho).
    assert!((waits_at_most(0.5, 0.0) - 0.5).abs() < 1e-12);
    for target_ns in [1.1e6, 2e6, 5e6, 8e6] {
        let limit = md1_limit(5e5, target_ns, 99.0);
        let mut queue = Queue { seconds: 3000.0, ..Queue::md1(5e5, 7) };
        let run = queue.run(LoadLevel::Rate { rate_iops: limit as u64 });
        let p99 = run.response.histogram.percentile(99.0) as f64;
        assert!((p99 / target_ns - 1.0).abs() < 0.04, "{p99} at {limit}, not {target_ns}");
    }
}
