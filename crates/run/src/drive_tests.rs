//! The loop against a scripted engine on simulated time: every figure is known beforehand.

use crate::record::{FinishedIo, Full, Latencies, Recorder};
use crate::simulated::{BEGIN_NS, Simulation, simulate};
use fathom_engine::{Clock, Completion, Engine, Queued, Request, Scripted, ScriptedOutcome};
use fathom_job::JobSpec;
use fathom_stats::{CoarseHistogram, Histogram, JobResult};
use fathom_workload::Unpaced;
use proptest::prelude::*;
use std::io;
use std::time::Duration;

/// Runs `job` over 4 KiB blocks on a scripted engine; I/O number n does as `script` says.
fn drive(
    job: &JobSpec,
    blocks: u64,
    script: impl FnMut(u64, &Request) -> ScriptedOutcome + 'static,
) -> JobResult {
    simulate(job, blocks * 4096, 100, script).expect("buffers, and blocks that fit").0
}

/// Records each I/O by itself.
struct Singly(Full<false>);

impl Recorder for Singly {
    const TIMED: bool = true;

    fn merges(&self) -> bool {
        false
    }

    fn record(&mut self, io: &FinishedIo, ios: u64, into: &mut JobResult) {
        assert_eq!(ios, 1);
        self.0.record(io, ios, into);
    }
}

fn reads(depth: u32) -> JobSpec {
    let mut job = JobSpec::default();
    job.engine.engine = fathom_vocab::IoEngine::Libaio;
    job.engine.iodepth = depth;
    job.measure.lat_percentiles = true;
    job.measure.slat_percentiles = true;
    job
}

/// A scripted engine on another machine.
struct Remote(Scripted<false>);

impl Engine for Remote {
    const SYNC: bool = false;
    const REMOTE: bool = true;

    fn buffer(&mut self, slot: u32) -> &mut [u8] {
        self.0.buffer(slot)
    }

    fn queue(&mut self, request: &Request) -> Queued {
        self.0.queue(request)
    }

    fn commit(&mut self) -> io::Result<()> {
        self.0.commit()
    }

    fn reap(
        &mut self,
        min: u32,
        max: u32,
        timeout: Option<Duration>,
        done: &mut Vec<Completion>,
    ) -> io::Result<()> {
        self.0.reap(min, max, timeout, done)
    }
}

/// The service time of I/O number `n`: a tail that an average would hide.
fn tail(n: u64) -> u64 {
    match n % 100 {
        0 => 50_000_000,
        1..=9 => 2_000_000,
        _ => 100_000 + n % 7,
    }
}

#[test]
fn percentiles_are_exact_to_the_bucket() {
    for engine in [fathom_vocab::IoEngine::Psync, fathom_vocab::IoEngine::Libaio] {
        let mut job = reads(1);
        job.engine.engine = engine;
        let result = drive(&job, 10_000, |n, _| ScriptedOutcome::after(tail(n)));
        let clat = &result.dirs.read.clat;
        let mut expected: Vec<u64> = (0..10_000).map(tail).collect();
        expected.sort_unstable();
        assert_eq!(clat.moments.count, 10_000);
        assert_eq!(clat.moments.sum, expected.iter().map(|v| u128::from(*v)).sum::<u128>());
        for percent in [1.0, 50.0, 90.0, 95.0, 99.0, 99.5, 99.9] {
            let rank = (percent / 100.0 * 10_000f64).ceil() as usize - 1;
            let exact = Histogram::midpoint_of(Histogram::bucket_of(expected[rank]));
            assert_eq!(clat.histogram.percentile(percent), exact, "{engine:?} p{percent}");
        }
    }
}

#[test]
fn depth_over_latency_is_the_rate() {
    for depth in [1, 4, 32] {
        let result = drive(&reads(depth), 32_000, |_, _| ScriptedOutcome::after(500_000));
        let seconds = result.runtime_ms as f64 / 1000.0;
        let rate = result.dirs.read.total_ios as f64 / seconds;
        let identity = f64::from(depth) / 500e-6;
        assert!((rate / identity - 1.0).abs() < 0.01, "depth {depth}: {rate} of {identity}");
    }
}

#[test]
fn submission_and_completion_add_up_to_the_whole() {
    let script =
        |n: u64, _: &Request| ScriptedOutcome::after(1_000 + n * 13 % 977).with_submit(250);
    let result = drive(&reads(8), 5_000, script);
    let read = &result.dirs.read;
    assert!(read.slat.moments.sum > 0);
    assert_eq!(read.slat.moments.sum + read.clat.moments.sum, read.lat.moments.sum);
    let sum = read.slat.moments.mean() + read.clat.moments.mean();
    assert!((sum - read.lat.moments.mean()).abs() < 1.0);
}

#[test]
fn what_goes_to_a_server_is_in_flight_from_before_it_is_sent() {
    let job = reads(1);
    let run = Simulation { job: &job, size_bytes: 1000 * 4096, interval_ms: 100 };
    let (clock, time) = Clock::simulated(BEGIN_NS);
    let script = |_: u64, _: &Request| ScriptedOutcome::after(1_000).with_submit(250);
    let engine = Remote(Scripted::new(time, 1, 4096, script).expect("buffers"));
    let recorder = Full::<false>::new(Latencies::of(&job, false));
    let (result, _) = run.drive(clock, engine, Unpaced, recorder).expect("runs");
    let read = &result.dirs.read;
    let sums = [&read.slat, &read.clat, &read.lat].map(|latency| latency.moments.sum);
    assert_eq!(sums, [0, 1_250_000, 1_250_000]);
}

#[test]
fn short_transfer_is_asked_for_again_where_it_stopped() {
    let mut seen = Vec::new();
    let script = move |n: u64, request: &Request| {
        seen.push((request.offset, request.len));
        if n == 1 {
            assert_eq!(seen[1], (4096, 4096));
            return ScriptedOutcome::after(10).with_result(512);
        }
        if n == 2 {
            assert_eq!(seen[2], (4096 + 512, 4096 - 512));
        }
        ScriptedOutcome::after(10)
    };
    let result = drive(&reads(1), 4, script);
    let read = &result.dirs.read;
    assert_eq!((read.total_ios, read.short_ios, read.io_bytes), (4, 1, 4 * 4096));
}

/// A volume that takes in 512 bytes of each write at a time, and remembers what it was given.
#[derive(Default)]
struct InParts {
    buffer: Vec<u8>,
    /// Each block as its buffer was when it was begun, and as it arrived.
    begun: Vec<u8>,
    arrived: Vec<u8>,
}

impl Engine for &mut InParts {
    const SYNC: bool = true;

    fn buffer(&mut self, _slot: u32) -> &mut [u8] {
        &mut self.buffer
    }

    fn queue(&mut self, request: &Request) -> Queued {
        let (at, offset) = (request.at as usize, request.offset as usize);
        if at == 0 {
            self.begun.extend(&self.buffer);
        }
        let bytes = request.len.min(512) as usize;
        self.arrived[offset..offset + bytes].copy_from_slice(&self.buffer[at..at + bytes]);
        Queued::Done(bytes as i32)
    }

    fn commit(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn reap(
        &mut self,
        _: u32,
        _: u32,
        _: Option<Duration>,
        _: &mut Vec<Completion>,
    ) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_rest_of_a_short_write_carries_the_rest_of_its_data() {
    let mut job = JobSpec::default();
    (job.pattern.rw.read, job.pattern.rw.write) = (false, true);
    let mut volume =
        InParts { buffer: vec![0; 4096], arrived: vec![0; 4 * 4096], ..InParts::default() };
    let run = Simulation { job: &job, size_bytes: 4 * 4096, interval_ms: 100 };
    let recorder = Full::<true>::new(Latencies::of(&job, true));
    let (clock, _) = Clock::simulated(BEGIN_NS);
    let (result, _) = run.drive(clock, &mut volume, Unpaced, recorder).expect("blocks that fit");
    assert_eq!(result.dirs.write.short_ios, 4 * 7);
    assert!(volume.begun == volume.arrived, "each byte went where it belongs");
}

#[test]
fn first_error_ends_the_job_and_names_the_place() {
    let script = |n: u64, _: &Request| {
        if n == 5 { ScriptedOutcome::after(10).with_result(-5) } else { ScriptedOutcome::after(10) }
    };
    let result = drive(&reads(1), 100, script);
    let read = &result.dirs.read;
    assert_eq!((result.error.get(), read.total_ios, read.io_bytes), (5, 6, 5 * 4096));
    assert_eq!(read.clat.moments.count, 5, "a failed I/O has no latency");
    assert!(result.error_text.contains("file scripted"), "{}", result.error_text);
    assert!(result.error_text.contains("read offset=20480"), "{}", result.error_text);
}

#[test]
fn series_holds_every_io_at_its_time() {
    // 1 ms each: 100 in every interval of 100 ms.
    let result = drive(&reads(1), 1_000, |_, _| ScriptedOutcome::after(1_000_000));
    let ios: Vec<u64> = result.series.intervals.iter().map(|i| i.ios.read).collect();
    assert_eq!(ios.iter().sum::<u64>(), 1_000);
    assert!(ios[..9].iter().all(|n| (99..=101).contains(n)), "{ios:?}");
}

#[test]
fn a_stall_shows_in_its_interval() {
    let script =
        |n: u64, _: &Request| ScriptedOutcome::after(if n == 50 { 350_000_000 } else { 1_000_000 });
    let result = drive(&reads(1), 200, script);
    let intervals = &result.series.intervals;
    assert_eq!(intervals.iter().map(|i| i.ios.read).sum::<u64>(), 200);
    assert!(intervals[1].is_empty() && intervals[2].is_empty(), "{intervals:?}");
    assert_eq!(intervals.iter().map(|i| i.clat_max_ns).max(), Some(350_000_000));
}

#[test]
fn latencies_of_each_stretch_are_the_whole_distribution() {
    for engine in [fathom_vocab::IoEngine::Psync, fathom_vocab::IoEngine::Libaio] {
        let mut job = reads(1);
        job.engine.engine = engine;
        // Those of about the fourth second take 3 ms more.
        let slow = |n: u64| if (300..400).contains(&n) { 3_000_000 } else { 0 };
        let result = drive(&job, 1000, move |n, _| ScriptedOutcome::after(10_000_000 + slow(n)));
        let slices = &result.latencies.intervals;
        assert_eq!((result.latencies.interval_ms, slices.len()), (500, 21), "{engine:?}");
        let counts: Vec<u64> = slices.iter().map(|slice| slice.0.read.total()).collect();
        assert_eq!(counts.iter().sum::<u64>(), 1000);
        // Within the tick that closes a slice; from the seventh on each I/O takes 13 ms.
        assert!(counts[0].abs_diff(50) <= 1 && counts[6].abs_diff(38) <= 1, "{counts:?}");
        let step = |ns: u64| CoarseHistogram::from(vec![(ns, 1)]).steps().next().unwrap().0;
        let only = |slice: usize, ns: u64| {
            slices[slice].0.read.steps().all(|(found, _)| found == step(ns))
        };
        assert!(only(0, 10_000_000) && only(7, 13_000_000) && only(19, 10_000_000), "{slices:?}");
    }
}

#[test]
fn latencies_of_a_ramp_stand_apart() {
    let mut job = reads(4);
    job.extent.ramp_time_us = 1_250_000;
    job.extent.runtime_us = 1_500_000;
    job.extent.time_based = true;
    let result = drive(&job, 100, |_, _| ScriptedOutcome::after(10_000_000));
    let slices = &result.latencies;
    // A slice that was partly ramp counts as ramp.
    assert_eq!(slices.ramp_intervals, 3);
    let counts: Vec<u64> = slices.intervals.iter().map(|slice| slice.0.read.total()).collect();
    let expected = [200u64, 200, 200, 200, 200, 100];
    assert_eq!(counts.len(), expected.len(), "{counts:?}");
    // As many as are in flight may fall on either side.
    let near = counts.iter().zip(expected).all(|(count, wanted)| count.abs_diff(wanted) <= 4);
    assert!(near, "{counts:?}");
    let measured: u64 = slices.measured().map(|(_, slice)| slice.0.read.total()).sum();
    assert!(measured.abs_diff(500) <= 8, "{measured}");
}

#[test]
fn nothing_is_kept_where_no_distribution_is() {
    let mut job = reads(4);
    job.measure.clat_percentiles = false;
    job.measure.lat_percentiles = false;
    job.measure.slat_percentiles = false;
    let result = drive(&job, 400, |_, _| ScriptedOutcome::after(10_000_000));
    assert!(result.latencies.is_empty());
}

/// A thousand I/Os a second, of 100 us each but for one of a second.
fn with_a_stall(poisson: bool) -> JobResult {
    let mut job = reads(1);
    job.engine.engine = fathom_vocab::IoEngine::Psync;
    job.pace.rate_iops.read = 1000;
    job.pace.poisson = poisson;
    drive(&job, 10_000, |n, _| {
        ScriptedOutcome::after(if n == 2_000 { 1_000_000_000 } else { 100_000 })
    })
}

#[test]
fn a_stall_is_felt_by_all_that_were_due_meanwhile() {
    let result = with_a_stall(false);
    let (read, open) = (&result.dirs.read, result.open_loop.expect("a schedule"));
    // One slow sample among 10,000 is all that the device's own latency shows of it.
    assert!(read.clat.histogram.percentile(99.9) < 110_000);
    // The backlog of 1,000 shrinks by 900 us with each I/O: 1,111 I/Os feel it, half of them for
    // more than half a second.
    let response = &open.response.read;
    assert_eq!(response.moments.count, 10_000);
    assert_eq!(response.moments.max, 1_000_000_000);
    let felt: u64 =
        response.histogram.bins().filter(|(ns, _)| *ns > 110_000).map(|(_, count)| count).sum();
    assert!((1_105..=1_115).contains(&felt), "{felt}");
    let long: u64 =
        response.histogram.bins().filter(|(ns, _)| *ns > 500_000_000).map(|(_, count)| count).sum();
    assert!((550..=565).contains(&long), "{long}");
}

#[test]
fn response_is_wait_and_service() {
    for poisson in [false, true] {
        let result = with_a_stall(poisson);
        let (lat, open) = (&result.dirs.read.lat, result.open_loop.expect("a schedule"));
        let (wait, response) = (&open.wait.read.moments, &open.response.read.moments);
        assert_eq!(wait.sum + lat.moments.sum, response.sum);
        // The stall is felt by 11 of 100; arrivals at random wait for each other besides.
        assert_eq!(poisson, open.wait.read.histogram.percentile(85.0) > 0);
    }
}

#[test]
fn what_was_due_and_never_taken_up_is_counted() {
    for (rate, poisson, overdue) in
        [(900, false, 0..=1), (1500, false, 490..=501), (1500, true, 350..=650)]
    {
        let mut job = reads(4);
        job.pace.rate_iops.read = rate;
        job.pace.poisson = poisson;
        job.extent.time_based = true;
        job.extent.runtime_us = 1_000_000;
        // Four at a time of 4 ms each: a thousand a second, and the 1,500 due leave 500 behind.
        let result = drive(&job, 10_000, |_, _| ScriptedOutcome::after(4_000_000));
        let open = result.open_loop.expect("a schedule");
        let left = open.overdue_ios.read;
        assert!(overdue.contains(&left), "{left} at {rate}");
    }
}

#[test]
fn what_is_in_flight_at_the_end_is_counted() {
    let mut job = reads(64);
    job.pace.rate_iops.read = 500;
    job.extent.time_based = true;
    job.extent.runtime_us = 1_000_000;
    // Each takes 100 ms, so that 50 of the last are still in flight.
    let result = drive(&job, 10_000, |_, _| ScriptedOutcome::after(100_000_000));
    let open = result.open_loop.expect("a schedule");
    assert!((49..=51).contains(&open.in_flight_ios) && open.overdue_ios.read <= 1, "{open:?}");
}

/// Each direction keeps its own rate, whatever the mix and however the I/Os go out.
#[test]
fn a_mix_keeps_the_rates_of_its_directions() {
    for engine in [fathom_vocab::IoEngine::Psync, fathom_vocab::IoEngine::Libaio] {
        for (share, read, write) in [(90, 100, 100), (70, 300, 100)] {
            let mut job = reads(4);
            job.engine.engine = engine;
            job.pattern.rw.write = true;
            job.pattern.rwmixread = share;
            (job.pace.rate_iops.read, job.pace.rate_iops.write) = (read, write);
            job.extent.time_based = true;
            job.extent.runtime_us = 4_000_000;
            let result = drive(&job, 50, |_, _| ScriptedOutcome::after(100_000));
            let ios = (result.dirs.read.total_ios, result.dirs.write.total_ios);
            assert_eq!(ios, (read * 4, write * 4), "{engine:?}, mix {share}");
            let open = result.open_loop.expect("a schedule");
            let answered = (&open.response.read.moments, &open.response.write.moments);
            assert_eq!((answered.0.count, answered.1.count), ios);
            // The two fall due together now and then, and a synchronous engine does one at a time.
            assert!(answered.0.max.max(answered.1.max) <= 200_000, "{answered:?}");
            // Those due in the moment that it ends.
            assert!(open.overdue_ios.read + open.overdue_ios.write <= 2);
        }
    }
}

#[test]
fn what_a_mix_leaves_behind_is_counted_by_direction() {
    let mut job = reads(4);
    job.pattern.rw.write = true;
    (job.pace.rate_iops.read, job.pace.rate_iops.write) = (1_000, 500);
    job.extent.time_based = true;
    job.extent.runtime_us = 1_000_000;
    // Four at a time of 4 ms each: a thousand a second in halves, of 1,000 and 500 due.
    let result = drive(&job, 10_000, |_, _| ScriptedOutcome::after(4_000_000));
    let overdue = result.open_loop.expect("a schedule").overdue_ios;
    assert!((440..=560).contains(&overdue.read) && overdue.write <= 60, "{overdue:?}");
    assert!((490..=510).contains(&(overdue.read + overdue.write)), "{overdue:?}");
}

#[test]
fn without_a_schedule_nobody_waits() {
    let mut job = reads(4);
    assert_eq!(drive(&job, 100, |_, _| ScriptedOutcome::after(1000)).open_loop, None);
    job.pace.thinktime_us = 1000;
    job.pace.thinktime_blocks = 10;
    assert_eq!(drive(&job, 100, |_, _| ScriptedOutcome::after(1000)).open_loop, None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Recording I/Os that went in and came out together at once gives what recording each gives,
    /// down to the last nanosecond, whatever is mixed and whatever fails.
    #[test]
    fn runs_are_recorded_as_their_ios(
        depth in 1u32..40,
        batch in 1u32..40,
        reap in 1u32..40,
        times in proptest::collection::vec(1u64..4, 1..8),
        odd in proptest::option::of(0u64..200),
    ) {
        let mut job = reads(depth);
        (job.pattern.rw.read, job.pattern.rw.write) = (true, true);
        job.pattern.rwmixread = 50;
        job.errors.continue_on.read = true;
        job.errors.continue_on.write = true;
        job.engine.batch_submit = Some(batch);
        job.engine.batch_complete_max = Some(reap);
        let recorded = |singly: bool| {
            let times = times.clone();
            let script = move |n: u64, _: &Request| {
                let outcome = ScriptedOutcome::after(times[n as usize % times.len()] * 1000);
                if odd == Some(n) { outcome.with_result(512) } else { outcome }
            };
            let run = Simulation { job: &job, size_bytes: 200 * 4096, interval_ms: 100 };
            let done = match singly {
                true => run.recorded::<_, false>(script, Singly),
                false => run.recorded::<_, false>(script, |full| full),
            };
            done.expect("buffers, and blocks that fit").0
        };
        let (mut together, each) = (recorded(false), recorded(true));
        // The thread's own use of the CPU is no figure of the script's.
        together.cpu = each.cpu;
        prop_assert_eq!(together.dirs.read.total_ios + together.dirs.write.total_ios, 200);
        prop_assert_eq!(together, each);
    }

    /// Whatever the latencies and the batch rules: each I/O is counted once, and depth is kept.
    #[test]
    fn every_io_is_counted_once(
        depth in 1u32..64,
        batch in 1u32..64,
        min in 0u32..64,
        low in 1u32..64,
        blocks in 1u64..400,
        times in proptest::collection::vec(1u64..100_000, 1..16),
    ) {
        let mut job = reads(depth);
        job.engine.batch_submit = Some(batch);
        job.engine.batch_complete_min = min;
        job.engine.iodepth_low = Some(low);
        let result = drive(&job, blocks, move |n, _| {
            ScriptedOutcome::after(times[n as usize % times.len()])
        });
        prop_assert_eq!(result.dirs.read.total_ios, blocks);
        prop_assert_eq!(result.lat_buckets.total(), blocks);
        prop_assert_eq!(result.depth.0.iter().sum::<u64>(), blocks);
        let deepest = result.depth.0.iter().rposition(|n| *n > 0).unwrap_or(0);
        prop_assert!(1u32 << deepest <= depth);
    }
}
