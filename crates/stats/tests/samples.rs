//! Results made as the loop makes them, from lists of I/Os, for proptest.

use fathom_stats::{
    CoarseHistogram, CpuUsage, DirectionStats, DiskAggregate, DiskUtil, JobResult, JobSetup,
    LatencySlice, LatencyTargetResult, Moments, RunResult, Series, SeriesInterval,
    SteadyStateResult,
};
use fathom_vocab::{Direction, PerDirection};
use proptest::prelude::*;

/// One completed I/O.
#[derive(Clone, Copy, Debug)]
pub struct Io {
    pub at_ms: u64,
    pub dir: Direction,
    pub bytes: u64,
    pub slat_ns: u64,
    pub clat_ns: u64,
    pub depth: u32,
}

/// Latencies of up to two years, each power of two as likely as another.
pub fn latency_ns() -> impl Strategy<Value = u64> {
    (any::<u64>(), 8u32..64).prop_map(|(value, shift)| value >> shift)
}

pub fn io() -> impl Strategy<Value = Io> {
    let small = latency_ns().prop_map(|ns| ns >> 12);
    let numbers = (0u64..5000, 0usize..3, 0u64..1 << 20, small, latency_ns(), 1u32..300);
    numbers.prop_map(|(at_ms, dir, bytes, slat_ns, clat_ns, depth)| Io {
        at_ms,
        dir: Direction::ALL[dir],
        bytes,
        slat_ns,
        clat_ns,
        depth,
    })
}

pub fn ios() -> impl Strategy<Value = Vec<Io>> {
    prop::collection::vec(io(), 0..40)
}

/// Records a list of I/Os into a job.
pub fn record(job: &mut JobResult, ios: &[Io]) {
    for io in ios {
        let stats = &mut job.dirs[io.dir];
        stats.io_bytes += io.bytes;
        stats.total_ios += 1;
        stats.slat.record(io.slat_ns);
        stats.clat.record(io.clat_ns);
        stats.lat.record(io.slat_ns + io.clat_ns);
        stats.bw.record(io.bytes);
        stats.iops.record(io.slat_ns % 1000);
        job.sync.record(io.slat_ns);
        job.depth.record(io.depth, 1);
        job.submit.record(io.depth);
        job.complete.record(io.depth / 2);
        job.lat_buckets.record(io.clat_ns);
        job.series.record(io.at_ms, io.dir, io.bytes, io.clat_ns >> 20);
        let mut slice = LatencySlice::default();
        slice.0[io.dir] = CoarseHistogram::from(vec![(io.clat_ns, 1)]);
        job.latencies.at(io.at_ms).merge(&slice);
        let start_ns = io.slat_ns / 2;
        let open_loop = job.open_loop.get_or_insert_default();
        open_loop.record_all(io.dir, &[start_ns], &[start_ns + io.clat_ns]);
        open_loop.overdue_ios[io.dir] += io.depth as u64;
        open_loop.in_flight_ios += io.depth as u64;
    }
}

/// A blank job whose series has intervals of 100 ms.
pub fn blank() -> JobResult {
    JobResult { series: Series::new(100), latencies: Series::new(1000), ..JobResult::default() }
}

pub fn job() -> impl Strategy<Value = JobResult> {
    let times = (0u64..10_000, 0u64..10_000, 0u64..3, any::<u32>());
    (ios(), times, 0i32..3, 0u64..5, any::<bool>()).prop_map(
        |(ios, (runtime_ms, dir_ms, start, cpu), error, total_err, extras)| {
            let mut job = blank();
            record(&mut job, &ios);
            job.name = format!("job{start}");
            job.runtime_ms = runtime_ms;
            job.elapsed_ms = runtime_ms + 1;
            job.job_start_ms = start * 1_700_000_000_000;
            job.error = error.into();
            job.error_text = if error == 0 { String::new() } else { format!("error {error}") };
            job.total_err = total_err;
            job.first_error = (total_err as i32).into();
            job.cpu = CpuUsage { user_us: u64::from(cpu), minor_faults: 3, ..CpuUsage::default() };
            job.dirs.read.runtime_ms = dir_ms;
            job.dirs.write.runtime_ms = dir_ms / 2;
            job.setup = setup();
            if extras {
                job.description = Some("it's \"this\"".to_owned());
                job.options = vec![("rw".to_owned(), Some("read".to_owned())), ("x".into(), None)];
                job.latency_target = Some(LatencyTargetResult {
                    target_us: 10,
                    window_us: 20,
                    percentile: 99.5,
                    depth: 3,
                });
                job.steady_state = Some(SteadyStateResult {
                    criterion: "iops:0.3%".to_owned(),
                    iops: vec![1, 2, 3],
                    ..SteadyStateResult::default()
                });
            }
            job
        },
    )
}

fn setup() -> JobSetup {
    JobSetup {
        rw: "randrw".to_owned(),
        bs: PerDirection::splat((4096, 8192)),
        percentile_list: vec![50.0, 99.9],
        kb_base: 1024,
        ..JobSetup::default()
    }
}

pub fn run() -> impl Strategy<Value = RunResult> {
    (prop::collection::vec(job(), 0..3), any::<bool>()).prop_map(|(jobs, compound)| {
        let members = DiskAggregate { members: 2, ios: (1, 2), ..DiskAggregate::default() };
        RunResult {
            schema: fathom_stats::SCHEMA,
            fathom_version: "0.1.0".to_owned(),
            timestamp_ms: 1_795_202_762_123,
            global_options: vec![("direct".to_owned(), Some("1".to_owned()))],
            jobs,
            disks: vec![DiskUtil {
                name: "dm-0".to_owned(),
                util_percent: 12.5,
                aggregate: compound.then_some(members),
                ..DiskUtil::default()
            }],
            notes: vec!["libaio was not to be had".to_owned()],
            ..RunResult::default()
        }
    })
}

pub fn moments() -> impl Strategy<Value = Moments> {
    prop::collection::vec(latency_ns(), 0..30).prop_map(|values| {
        let mut moments = Moments::default();
        values.iter().for_each(|value| moments.record(*value));
        moments
    })
}

pub fn direction() -> impl Strategy<Value = DirectionStats> {
    job().prop_map(|job| job.dirs.read)
}
