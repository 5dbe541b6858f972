//! What a run shows beside its rate: a cap, a client at its end, a cache before the volume.

use crate::plan::VolumePlan;
use crate::verdicts::{Context, known_limits};
use fathom_analysis::{
    BurstFinding, CacheFinding, CacheInputs, CapFinding, CapInputs, ClientFinding, ClientInputs,
    DirectIo, Humps, HumpsFinding, LatencySpread, Medium, RateUnit, Rates, SawTooth,
    SawToothFinding, Seen, SeenBy, find_burst, find_cached, find_cap, find_client, find_humps,
    find_saw_tooth,
};
use fathom_document::Goal;
use fathom_document::check::Load;
use fathom_host::Storage;
use fathom_stats::{DirectionStats, RunResult};

/// Intervals that the search for a cap needs; of a second each, or of less in a short run.
const CAP_INTERVALS: f64 = 10.0;
/// The shortest in which a throttle's own slices, of 100 ms, do not show.
const SHORTEST_S: f64 = 0.5;
/// Intervals in which the teeth of a throttle show.
const TOOTH_S: f64 = 0.1;

/// A run, and how it was made.
pub(super) struct Run<'a> {
    pub load: &'a Load,
    pub volume: &'a VolumePlan,
    /// I/Os that could be in flight.
    pub depth: u32,
    pub direct: DirectIo,
    pub cut_short: bool,
    pub client: Client,
    /// What is known of the machine meanwhile.
    pub context: Option<&'a Context>,
    pub result: &'a RunResult,
}

/// What held the rate of a run for its load; `stats` are those of its direction over all jobs.
pub(super) fn cap(of: &Run, stats: &DirectionStats) -> CapFinding {
    let (load, run) = (of.load, of.result);
    let unit = match load.goal {
        Goal::Throughput => RateUnit::Bytes,
        _ => RateUnit::Ios,
    };
    let in_unit = |rates: Rates| match unit {
        RateUnit::Bytes => rates.bytes_per_s,
        RateUnit::Ios => rates.iops,
    };
    let seconds = stats.runtime_ms as f64 / 1e3;
    let interval_s = (seconds / CAP_INTERVALS).clamp(SHORTEST_S, 1.0);
    let joined = Rates::of_jobs(&run.jobs, Some(load.direction), interval_s);
    let interval_s = joined.interval_s;
    let rates = in_unit(joined);
    let saw_tooth = saw_tooth(load, run);
    let (burst, humps) = (find_burst(unit, interval_s, &rates), humps(stats));
    let limits = of.context.map(|context| known_limits(run, context, &burst)).unwrap_or_default();
    let moments = &stats.lat.moments;
    find_cap(&CapInputs {
        unit,
        interval_s,
        rates: &rates,
        block_bytes: Some(load.block_bytes),
        depth: Some(of.depth),
        latency: Some(LatencySpread { mean_ns: moments.mean(), deviation_ns: moments.stddev() }),
        humps: humps.as_ref(),
        burst: if let BurstFinding::Burst(burst) = &burst { Some(burst) } else { None },
        saw_tooth: saw_tooth.as_ref(),
        limits: &limits,
        ..CapInputs::default()
    })
}

fn saw_tooth(load: &Load, run: &RunResult) -> Option<SawTooth> {
    let fine = Rates::of_jobs(&run.jobs, Some(load.direction), TOOTH_S);
    match find_saw_tooth(fine.interval_s, &fine.iops) {
        SawToothFinding::SawTooth(tooth) => Some(tooth),
        _ => None,
    }
}

fn humps(stats: &DirectionStats) -> Option<Humps> {
    match find_humps(&stats.lat.histogram) {
        HumpsFinding::Two(humps) => Some(humps),
        _ => None,
    }
}

/// What the machine did besides the run itself.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Client {
    /// Processors there are.
    pub cpus: u32,
    /// Busy share of all of them, 0 to 1.
    pub machine_busy: Option<f64>,
    /// Microseconds for which a quota stopped us.
    pub throttled_us: u64,
    /// I/Os a second that one core can drive.
    pub core_ceiling_iops: Option<f64>,
}

/// Whether it was the client that was measured.
pub(super) fn client(client: &Client, stats: &DirectionStats, run: &RunResult) -> ClientFinding {
    let seconds = stats.runtime_ms.max(1) as f64 / 1e3;
    // CPU is counted from the start of the ramp, and so is the elapsed time.
    let busy =
        run.jobs.iter().filter(|job| job.elapsed_ms > 0).map(|job| {
            (job.cpu.user_us + job.cpu.system_us) as f64 / (job.elapsed_ms as f64 * 1e3)
        });
    let elapsed_ms = run.jobs.iter().map(|job| job.elapsed_ms).max().unwrap_or(0);
    find_client(&ClientInputs {
        iops: stats.total_ios as f64 / seconds,
        threads: u32::try_from(run.jobs.len()).unwrap_or(u32::MAX),
        cpus: client.cpus,
        core_ceiling_iops: client.core_ceiling_iops,
        busiest_thread: busy.max_by(f64::total_cmp),
        machine_busy: client.machine_busy,
        throttled_us: client.throttled_us,
        elapsed_us: elapsed_ms * 1000,
        mean_latency_ns: Some(stats.lat.moments.mean()),
        ..ClientInputs::default()
    })
}

/// Whether it was the storage that was measured.
pub(super) fn cached(
    load: &Load,
    volume: &VolumePlan,
    direct: DirectIo,
    run: &RunResult,
) -> CacheFinding {
    // The series has the ramp too, as the counters have.
    let intervals = run.jobs.iter().flat_map(|job| &job.series.intervals);
    let issued_bytes = intervals.map(|interval| interval.bytes[load.direction]).sum();
    let mut inputs = CacheInputs::new(load.direction, issued_bytes);
    inputs.seen = seen(load, run);
    inputs.direct = direct;
    inputs.medium = match &volume.volume.storage {
        _ if volume.volume.is_memory() => Medium::Memory,
        Storage::Network { .. } => Medium::Network,
        storage if storage.device().is_some() => Medium::Device,
        _ => Medium::Unknown,
    };
    inputs.filesystem.clone_from(&volume.volume.mount.fstype);
    inputs.working_set_bytes = Some(volume.size_bytes);
    find_cached(&inputs)
}

/// What the one device beneath counted: how a pool or a mirror spreads its I/O is not known here.
fn seen(load: &Load, run: &RunResult) -> Option<Seen> {
    let [disk] = run.disks.as_slice() else { return None };
    if disk.aggregate.is_some() {
        return None;
    }
    let (sectors, merges) = match load.direction {
        fathom_vocab::Direction::Read => (disk.sectors.0, disk.merges.0),
        _ => (disk.sectors.1, disk.merges.1),
    };
    Some(Seen { by: SeenBy::Device, bytes: sectors.saturating_mul(512), merges })
}
