//! The sampler on the machine of `laid_out`, whose counters change between two steps.

use super::laid_out::{DISKSTATS, Machine};
use super::rates::disk;
use crate::{Counters, IntervalOutcome, Partitions, Sampler, next_due, resolve};
use proptest::prelude::*;
use std::path::PathBuf;
use std::time::Duration;

fn sampler(machine: &Machine, path: &str) -> Sampler {
    let host = machine.host();
    let watched = resolve(&host, &[PathBuf::from(path)], Partitions::Asked).unwrap();
    Sampler::begin(host, watched).unwrap()
}

#[test]
fn each_step_counts_from_the_last() {
    let machine = Machine::new();
    let mut sampler = sampler(&machine, "/data");
    assert!(matches!(&sampler.last()[0].counters, Counters::Disk(stats) if stats.read_ios == 600));
    for reads in [607, 620] {
        let text = DISKSTATS.replace("nvme0n1p2 600", &format!("nvme0n1p2 {reads}"));
        machine.write("proc/diskstats", &text);
        let mut outcomes = sampler.step().unwrap();
        let expected = if reads == 607 { 7 } else { 13 };
        assert_eq!(disk(outcomes.remove(0)).counts.read_ios, expected);
        assert!(outcomes.remove(0).is_idle());
    }
}

#[test]
fn a_device_may_go_and_come_back() {
    let machine = Machine::new();
    let mut sampler = sampler(&machine, "/data");
    let without: String =
        DISKSTATS.lines().filter(|line| !line.contains("p2")).map(|l| format!("{l}\n")).collect();
    machine.write("proc/diskstats", &without);
    let gone = sampler.step().unwrap();
    assert!(matches!(gone[0], IntervalOutcome::Gone) && !gone[0].is_idle());
    assert!(matches!(gone[1], IntervalOutcome::Disk(_)));
    machine.write("proc/diskstats", &DISKSTATS.replace("p2 600", "p2 3"));
    let back = disk(sampler.step().unwrap().remove(0));
    assert!(back.restarted);
    assert_eq!(back.counts.read_ios, 3);
}

#[test]
fn nfs_counters_are_read_again() {
    let machine = Machine::new();
    let mut sampler = sampler(&machine, "/mnt/nas");
    assert!(sampler.step().unwrap()[0].is_idle());
    machine.write("proc/self/mountstats", "");
    assert!(matches!(sampler.step().unwrap()[0], IntervalOutcome::Gone));
}

#[test]
fn a_subject_without_counters_is_refused_at_the_beginning() {
    let machine = Machine::new();
    let host = machine.host();
    let watched = resolve(&host, &[PathBuf::from("sdx")], Partitions::Asked).unwrap();
    let error = Sampler::begin(host, watched).err().unwrap().to_string();
    assert!(error.contains("sdx is not listed in /proc/diskstats"), "{error}");
}

proptest! {
    #[test]
    fn the_next_reading_is_on_the_grid_and_ahead(
        now_us in 0u64..1 << 40,
        interval_us in 1u64..1 << 32,
    ) {
        let (now, interval) = (Duration::from_micros(now_us), Duration::from_micros(interval_us));
        let next = next_due(now, interval);
        prop_assert!(next > now && next - now <= interval);
        prop_assert_eq!(next.as_nanos() % interval.as_nanos(), 0);
    }
}
