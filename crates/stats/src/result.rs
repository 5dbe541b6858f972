//! `RunResult`: the result of a run. Recorders make it; outputs, reports and history only read it.
//!
//! It contains the data to show it in every format and to repeat the run, independent of its
//! source: this process, a file, or another host.

use crate::{CommonSpan, Histogram, LatencyBuckets, LatencySlice, Moments};
use fathom_vocab::{Direction, ErrorNumber, PerDirection};
use serde::{Deserialize, Serialize};

/// The version of the JSON that [`RunResult`] becomes; raised when a reader would misread it.
pub const SCHEMA: u32 = 1;

/// Everything that one run measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    /// [`SCHEMA`] when it was written.
    pub schema: u32,
    /// Version of Fathom that measured.
    pub fathom_version: String,
    /// When this result was taken, in milliseconds since 1970.
    pub timestamp_ms: u64,
    /// When the run began, in milliseconds since 1970.
    pub started_ms: u64,
    /// Options that were given to all jobs: canonical name and raw value.
    pub global_options: Vec<(String, Option<String>)>,
    /// One entry for each clone of each job, in the order of their numbers.
    pub jobs: Vec<JobResult>,
    /// What the disks under the files did meanwhile, by the kernel's counters.
    pub disks: Vec<DiskUtil>,
    /// What was noticed: fallbacks taken, options without effect. One sentence each.
    pub notes: Vec<String>,
    /// Whether a signal ended the run early.
    pub interrupted: bool,
    /// Milliseconds for which the process was stopped (SIGSTOP, ^Z) while jobs ran.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub pause_ms: u64,
    /// When each of several machines did its I/O; empty where one machine measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clients: Vec<ClientSpan>,
    /// Machines that were to measure and did not: lost, or unable. The notes have the reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing_clients: Vec<String>,
    /// What they did while all of them ran; none where one machine measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub common_span: Option<CommonSpan>,
    /// Round trips to the servers of the volume, of each machine; empty where none were made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub network: Vec<NetworkFigures>,
}

impl RunResult {
    /// The name of a job as the user gave it, without the machine of several that ran it.
    pub fn plain_name<'a>(&self, job: &'a JobResult) -> &'a str {
        self.client_of(job).map_or(job.name.as_str(), |(name, _)| name)
    }

    /// Milliseconds since 1970, by the clock of its machine, when its first job began; none where
    /// none began.
    pub fn first_begin_ms(&self) -> Option<u64> {
        let begun = self.jobs.iter().filter(|job| job.job_start_ms > 0);
        begun.map(|job| job.job_start_ms.saturating_sub(job.setup.ramp_ms)).min()
    }

    /// Puts all its moments on a clock that is ahead by so much.
    pub fn move_clock(&mut self, by_ms: i64) {
        let jobs = self.jobs.iter_mut().map(|job| &mut job.job_start_ms);
        let disks = self.disks.iter_mut().map(|disk| &mut disk.began_ms);
        let own = [&mut self.timestamp_ms, &mut self.started_ms];
        for moment in jobs.chain(disks).chain(own).filter(|moment| **moment > 0) {
            *moment = moment.saturating_add_signed(by_ms);
        }
    }

    /// The jobs, each as one: its clones and its parts on several machines are added up.
    pub fn whole_jobs(&self) -> Vec<JobResult> {
        let mut jobs: Vec<JobResult> = Vec::new();
        for job in &self.jobs {
            let name = self.plain_name(job);
            let same =
                |other: &&mut JobResult| other.name == name && other.group_id == job.group_id;
            match jobs.iter_mut().find(same) {
                Some(sum) => sum.merge(job),
                None => jobs.push(JobResult { name: name.to_owned(), ..job.clone() }),
            }
        }
        jobs
    }

    /// The name of a job that one of several machines ran, and that machine.
    pub fn client_of<'a>(&self, job: &'a JobResult) -> Option<(&'a str, &'a str)> {
        let split = |client: &ClientSpan| {
            let name = job.name.strip_suffix(client.host.as_str())?.strip_suffix('@')?;
            Some((name, &job.name[name.len() + 1..]))
        };
        // Of `user@host` and `host` it is the longer one.
        self.clients.iter().filter_map(split).max_by_key(|(_, host)| host.len())
    }
}

/// Round trips from a machine to a server beside the I/Os that went there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetworkFigures {
    /// The machine, of several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The server's address and port.
    pub server: String,
    /// How they were made.
    pub call: PingCall,
    /// Those before the load.
    pub before: RoundTrips,
    /// Those during the load.
    pub during: RoundTrips,
}

impl NetworkFigures {
    /// The network's round trip: the shortest of all. What others took longer, they waited for the
    /// load, or for a thread of the server or of this host to wake up.
    pub fn round_trip_ns(&self) -> Option<u64> {
        let known = [self.before, self.during].into_iter().filter(|of| of.count > 0);
        known.map(|of| of.min_ns).min()
    }

    /// By how much the load made a round trip longer: its own queue on the way. Half of those
    /// beside the load must take longer than nearly all before it.
    pub fn queue_ns(&self) -> u64 {
        let is_felt = self.before.count > 0 && self.during.median_ns > self.before.p99_ns;
        if is_felt { self.during.median_ns.saturating_sub(self.before.median_ns) } else { 0 }
    }
}

/// What makes a round trip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PingCall {
    /// A NULL call of NFS, on a connection of its own.
    #[default]
    NfsNull,
    /// A TCP connection that is made or refused.
    TcpConnect,
}

/// The times of several round trips.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RoundTrips {
    /// How many there were.
    pub count: u64,
    /// How many had no reply.
    pub lost: u64,
    /// The shortest.
    pub min_ns: u64,
    /// The median, to within 1 %.
    pub median_ns: u64,
    /// The 99th percentile.
    pub p99_ns: u64,
}

/// When one of several machines did its I/O, by a clock that is common to all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClientSpan {
    /// The machine.
    pub host: String,
    /// Nanoseconds from the first I/O of any machine to its first.
    pub begun_ns: u64,
    /// Nanoseconds from the first I/O of any machine to its last.
    pub ended_ns: u64,
    /// Nanoseconds by which its clock may be wrong.
    pub clock_error_ns: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// What one clone of a job did.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JobResult {
    /// Name of the job.
    pub name: String,
    /// Its description, if given.
    pub description: Option<String>,
    /// Number of its reporting group, from 0.
    pub group_id: u32,
    /// Whether the clones of its group are reported as one.
    pub group_reporting: bool,
    /// Number of the job (thread) in the whole run, from 1.
    pub number: u32,
    /// Thread id.
    pub pid: u32,
    /// The error that ended it, if one did.
    pub error: ErrorNumber,
    /// What failed, in words: the operation, the file, the offset.
    pub error_text: String,
    /// What it was asked to do, as far as outputs show it.
    pub setup: JobSetup,
    /// Options given to this job itself: canonical name and raw value.
    pub options: Vec<(String, Option<String>)>,
    /// Milliseconds from the start of the whole run to its end, laying out not included.
    pub elapsed_ms: u64,
    /// Milliseconds of measured time; also the base of the CPU shares.
    pub runtime_ms: u64,
    /// Milliseconds until it should end, for a dump taken while running; 0 when done.
    pub eta_ms: u64,
    /// When its measured time began, in milliseconds since 1970.
    pub job_start_ms: u64,
    /// Figures of each direction.
    pub dirs: PerDirection<DirectionStats>,
    /// Flushes (fsync, fdatasync): count and latency.
    pub sync: LatencyStats,
    /// CPU that it used.
    pub cpu: CpuUsage,
    /// How many I/Os were in flight when each was issued.
    pub depth: DepthCounts,
    /// Sizes of the batches handed to the kernel.
    pub submit: BatchCounts,
    /// Sizes of the batches taken back.
    pub complete: BatchCounts,
    /// Coarse distribution of completion latency over all directions.
    pub lat_buckets: LatencyBuckets,
    /// What was noticed: fallbacks that the engine took. One sentence each.
    pub notes: Vec<String>,
    /// Errors that did not end the job.
    pub total_err: u64,
    /// The first of them.
    pub first_error: ErrorNumber,
    /// The search for a depth that meets a latency target, if asked for.
    pub latency_target: Option<LatencyTargetResult>,
    /// The state of a steady-state job, if asked for.
    pub steady_state: Option<SteadyStateResult>,
    /// I/Os and bytes of each interval, for charts and verdicts.
    pub series: Series,
    /// How latencies were spread, half second by half second (of a longer run, in longer
    /// stretches); empty where no distribution was asked for or very many clones ran.
    #[serde(default)]
    pub latencies: Series<LatencySlice>,
    /// What a client would have waited, where a rate said when each I/O was due.
    #[serde(default)]
    pub open_loop: Option<Box<OpenLoop>>,
    /// What each connection to a server did, of engines that have some.
    #[serde(default)]
    pub connections: Vec<ConnectionFigures>,
}

/// What a connection to a server did.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConnectionFigures {
    /// The port that it was made from.
    pub source_port: u16,
    /// READs and WRITEs that were answered.
    pub ios: u64,
    /// Their bytes.
    pub bytes: u64,
    /// COMMITs that were answered.
    pub commits: u64,
    /// Mean time of a READ or a WRITE, in nanoseconds.
    pub mean_ns: u64,
    /// 99th percentile of it, to within 7 %.
    pub p99_ns: u64,
    /// Most calls in flight.
    pub most_in_flight: u32,
    /// How often it was made anew.
    pub reconnects: u64,
    /// Calls that were sent again.
    pub resends: u64,
    /// Replies that nobody waited for.
    pub strays: u64,
}

/// Latencies of I/Os that a schedule asked for at moments of its own, whatever became of the
/// ones before: what users feel at that rate (Tene, "How NOT to measure latency", 2015).
///
/// `response` = `wait` + total latency, for each I/O and so for the sums.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OpenLoop {
    /// From the moment at which an I/O was due to taking it up.
    pub wait: PerDirection<LatencyStats>,
    /// From the moment at which it was due to its completion.
    pub response: PerDirection<LatencyStats>,
    /// I/Os that were due when the job ended but had not been taken up, up to a million: the
    /// backlog, of which no latency tells.
    #[serde(default)]
    pub overdue_ios: PerDirection<u64>,
    /// I/Os that were in flight when the job ended, of all directions: they completed after it.
    #[serde(default)]
    pub in_flight_ios: u64,
}

impl OpenLoop {
    /// Counts I/Os of one direction that waited and took so long.
    pub fn record_all(&mut self, dir: Direction, waits_ns: &[u64], responses_ns: &[u64]) {
        self.wait[dir].record_all(waits_ns);
        self.response[dir].record_all(responses_ns);
    }
}

/// What a job was asked to do, as far as outputs show it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JobSetup {
    /// `rw` as fio spells it: `randread`, `rw` …
    pub rw: String,
    /// Smallest and largest block size of each direction, in bytes.
    pub bs: PerDirection<(u64, u64)>,
    /// `ioengine`.
    pub ioengine: String,
    /// `iodepth`.
    pub iodepth: u32,
    /// Whether direct I/O was asked for.
    pub direct: bool,
    /// Whether threads were asked for.
    pub thread: bool,
    /// Percentiles to show.
    pub percentile_list: Vec<f64>,
    /// Whether completion latency has percentiles.
    pub clat_percentiles: bool,
    /// Whether total latency has percentiles.
    pub lat_percentiles: bool,
    /// Whether submission latency has percentiles.
    pub slat_percentiles: bool,
    /// `unified_rw_reporting`: 0 each by itself, 1 as one, 2 both.
    pub unified_rw: u8,
    /// Figures in a number such as `10.2k`.
    pub significant_figures: u8,
    /// 1000 or 1024.
    pub kb_base: u32,
    /// 8 or 0 for bytes, 1 for bits.
    pub unit_base: u8,
    /// Whether `continue_on_error` was asked for.
    pub continue_on_error: bool,
    /// Seed of the clone's random streams.
    pub seed: u64,
    /// `ramp_time` in milliseconds: so long before [`JobResult::job_start_ms`] it began.
    #[serde(default)]
    pub ramp_ms: u64,
}

/// Figures of one direction.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DirectionStats {
    /// Bytes that were transferred.
    pub io_bytes: u64,
    /// I/Os that completed.
    pub total_ios: u64,
    /// I/Os that transferred less than was asked for.
    pub short_ios: u64,
    /// I/Os that were dropped.
    pub drop_ios: u64,
    /// Milliseconds in which this direction was measured; 0 where it had no I/O.
    pub runtime_ms: u64,
    /// From taking the I/O up to handing it to the kernel.
    pub slat: LatencyStats,
    /// From handing it to the kernel to its completion.
    pub clat: LatencyStats,
    /// From taking it up to its completion.
    pub lat: LatencyStats,
    /// Bandwidth in KiB/s over windows of `bwavgtime`.
    pub bw: Moments,
    /// I/Os a second over windows of `iopsavgtime`.
    pub iops: Moments,
}

/// A latency in nanoseconds: exact moments and, where asked for, its distribution.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LatencyStats {
    /// Count, mean, deviation, extremes.
    pub moments: Moments,
    /// Distribution; empty where no percentiles were asked for.
    pub histogram: Histogram,
}

impl LatencyStats {
    /// Counts one latency, and its place in the distribution.
    #[inline(always)]
    pub fn record(&mut self, value_ns: u64) {
        self.moments.record(value_ns);
        self.histogram.record(value_ns);
    }

    /// Counts many latencies.
    pub fn record_all(&mut self, values_ns: &[u64]) {
        self.moments.record_all(values_ns);
        self.histogram.record_all(values_ns);
    }

    /// Its percentiles in nanoseconds, in ascending order of `percents`.
    ///
    /// None lies beyond the longest latency, as the midpoint of a histogram's bucket may. fio's
    /// outputs show midpoints, and take them from the histogram.
    pub fn percentiles(&self, percents: &[f64]) -> Vec<u64> {
        let most = if self.moments.count > 0 { self.moments.max } else { u64::MAX };
        self.histogram.percentiles(percents).into_iter().map(|ns| ns.min(most)).collect()
    }

    /// One of [`LatencyStats::percentiles`]; 0 where none is known.
    pub fn percentile(&self, percent: f64) -> u64 {
        self.percentiles(&[percent]).first().copied().unwrap_or(0)
    }

    /// Adds another's values.
    pub fn merge(&mut self, other: &LatencyStats) {
        self.moments.merge(&other.moments);
        self.histogram.merge(&other.histogram);
    }
}

/// CPU used by a job's thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CpuUsage {
    /// Microseconds in user mode.
    pub user_us: u64,
    /// Microseconds in the kernel.
    pub system_us: u64,
    /// Context switches.
    pub context_switches: u64,
    /// Major page faults.
    pub major_faults: u64,
    /// Minor page faults.
    pub minor_faults: u64,
}

/// Counts by depth: 1, 2-3, 4-7, 8-15, 16-31, 32-63, 64 and more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DepthCounts(pub [u64; 7]);

impl DepthCounts {
    /// Counts `ios` I/Os issued while `depth` were in flight (they included).
    #[inline(always)]
    pub fn record(&mut self, depth: u32, ios: u64) {
        let log = 31 - (depth | 1).leading_zeros();
        self.0[log.min(6) as usize] += ios;
    }
}

/// Counts by batch size: 0, 1-4, 5-8, 9-16, 17-32, 33-64, more than 64.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchCounts(pub [u64; 7]);

impl BatchCounts {
    /// Counts one call with a batch of `size`.
    #[inline(always)]
    pub fn record(&mut self, size: u32) {
        let place = match size {
            0 => 0,
            1..=4 => 1,
            _ => (32 - (size - 1).leading_zeros()).min(7) as usize - 1,
        };
        self.0[place] += 1;
    }
}

/// What came of the search for a depth that meets a latency target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LatencyTargetResult {
    /// Target in microseconds.
    pub target_us: u64,
    /// Window in microseconds.
    pub window_us: u64,
    /// Share of I/Os that must meet it, in percent.
    pub percentile: f64,
    /// Depth that was found.
    pub depth: u32,
}

/// The state of a job that ends when its figures hold still.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SteadyStateResult {
    /// As given, such as `iops_slope:0.3%`.
    pub criterion: String,
    /// Whether the slope is judged.
    pub slope_judged: bool,
    /// Window in seconds.
    pub duration_s: u64,
    /// Whether it was reached.
    pub attained: bool,
    /// The judged figure: the slope or the greatest deviation, in the unit of the limit.
    pub value: f64,
    /// The limit.
    pub limit: f64,
    /// Whether value and limit are percentages of the mean.
    pub percent: bool,
    /// Slope of the regression line.
    pub slope: f64,
    /// I/Os a second in the window's intervals, oldest first; as in fio, 0 where none was yet.
    pub iops: Vec<u64>,
    /// KiB a second in the window's intervals.
    pub bw_kib: Vec<u64>,
    /// Mean latency in nanoseconds in the window's intervals.
    pub lat_ns: Vec<u64>,
}

/// What one interval of a run saw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interval {
    /// I/Os that completed, each direction.
    pub ios: PerDirection<u64>,
    /// Bytes that completed, each direction.
    pub bytes: PerDirection<u64>,
    /// Sum of completion latencies in nanoseconds, each direction.
    pub clat_sum_ns: PerDirection<u64>,
    /// Greatest completion latency in nanoseconds.
    pub clat_max_ns: u64,
}

/// Intervals of equal length from a job's start; ramp time is included and marked.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Series<T = Interval> {
    /// Length of an interval in milliseconds.
    pub interval_ms: u64,
    /// How many of the first intervals lie in the ramp.
    pub ramp_intervals: u32,
    /// The intervals.
    pub intervals: Vec<T>,
}

/// What a disk did during a run, by the kernel's counters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DiskUtil {
    /// Kernel name, such as `vda`.
    pub name: String,
    /// Completed I/Os of reads and writes.
    pub ios: (u64, u64),
    /// Sectors of 512 bytes, read and written.
    pub sectors: (u64, u64),
    /// Merged I/Os.
    pub merges: (u64, u64),
    /// Milliseconds that I/Os waited and were served, read and write.
    pub ticks_ms: (u64, u64),
    /// Flushes of its cache; none counted in documents from before they were.
    #[serde(default)]
    pub flush_ios: u64,
    /// Milliseconds of all I/Os in queue.
    pub in_queue_ms: u64,
    /// Share of time with I/O in flight, in percent.
    pub util_percent: f64,
    /// The same summed over the disks that it is made of (md, dm); `None` where it is plain.
    pub aggregate: Option<DiskAggregate>,
    /// When watching it began, in milliseconds since 1970.
    #[serde(default)]
    pub began_ms: u64,
    /// What it did half second by half second since then; of a longer run, in longer stretches.
    #[serde(default)]
    pub over_time: Series<DiskInterval>,
}

/// What a disk did in a stretch of time, by the kernel's counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiskInterval {
    /// How long it really was, in milliseconds: the counters are read when there is time for it.
    pub elapsed_ms: u64,
    /// Milliseconds with I/O in flight.
    pub busy_ms: u64,
    /// Milliseconds of all I/Os in queue; over the time, their mean number in flight.
    pub in_queue_ms: u64,
    /// Completed I/Os of reads and writes.
    pub ios: (u64, u64),
    /// Sectors of 512 bytes, read and written.
    pub sectors: (u64, u64),
}

/// Figures of the disks that a compound device is made of.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct DiskAggregate {
    /// Their number.
    pub members: u32,
    /// Completed I/Os, mean over the members.
    pub ios: (u64, u64),
    /// Sectors, mean over the members.
    pub sectors: (u64, u64),
    /// Merged I/Os, mean over the members.
    pub merges: (u64, u64),
    /// Milliseconds, mean over the members.
    pub ticks_ms: (u64, u64),
    /// Milliseconds in queue, mean over the members.
    pub in_queue_ms: u64,
    /// Greatest utilisation of a member, in percent.
    pub max_util_percent: f64,
}
