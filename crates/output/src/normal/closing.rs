//! The end of the text: status of the groups, the disks, idleness of the CPUs.

use super::{both_units, line, rate_unit};
use crate::CpuIdleness;
use crate::figures::FigureUnit;
use fathom_stats::{DiskUtil, GroupDirection, GroupStatus, JobSetup};
use fathom_vocab::printable;
use std::fmt::Write;

pub(super) fn group(out: &mut String, group: &GroupStatus, setup: &JobSetup) {
    line!(out, "\nRun status group {} (all jobs):", group.group_id);
    if setup.unified_rw != 1 {
        for (name, dir) in ["READ", "WRITE", "TRIM"].into_iter().zip(group.dirs.iter()) {
            direction(out, name, dir.1, setup);
        }
    }
    if setup.unified_rw != 0 {
        direction(out, "MIXED", &group.mixed, setup);
    }
}

fn direction(out: &mut String, name: &str, dir: &GroupDirection, setup: &JobSetup) {
    if !dir.is_used() {
        return;
    }
    let rate = |bytes| both_units(bytes, setup, rate_unit(setup));
    let (all, all_other) = rate(dir.bw_bytes);
    let (min, min_other) = rate(dir.bw_min_bytes);
    let (max, max_other) = rate(dir.bw_max_bytes);
    let (io, io_other) = both_units(dir.io_bytes, setup, FigureUnit::Bytes);
    line!(
        out,
        "{name:>7}: bw={all} ({all_other}), {min}-{max} ({min_other}-{max_other}), \
         io={io} ({io_other}), run={}-{}msec",
        dir.runtime_min_ms,
        dir.runtime_max_ms,
    );
}

pub(super) fn disks(out: &mut String, disks: &[DiskUtil]) {
    if disks.is_empty() {
        return;
    }
    line!(out, "\nDisk stats (read/write):");
    for disk in disks {
        let pair = |(read, write): (u64, u64)| format!("{read}/{write}");
        let members = disk.aggregate.as_ref().map_or(String::new(), |members| {
            format!(
                ", aggrios={}, aggsectors={}, aggrmerge={}, aggrticks={}, aggrin_queue={}, \
                 aggrutil={:.2}%",
                pair(members.ios),
                pair(members.sectors),
                pair(members.merges),
                pair(members.ticks_ms),
                members.in_queue_ms,
                members.max_util_percent,
            )
        });
        // A compound device is indented further than its members, which follow it.
        let indent = if disk.aggregate.is_some() { "    " } else { "  " };
        line!(
            out,
            "{indent}{}: ios={}, sectors={}, merge={}, ticks={}, in_queue={}, util={:.2}%{members}",
            printable::line(&disk.name),
            pair(disk.ios),
            pair(disk.sectors),
            pair(disk.merges),
            pair(disk.ticks_ms),
            disk.in_queue_ms,
            disk.util_percent,
        );
    }
}

pub(super) fn idleness(out: &mut String, idle: &CpuIdleness) {
    line!(out, "\nCPU idleness:\n  system: {:.2}%", idle.system);
    if idle.show_cpus {
        let cpus: Vec<String> = idle.cpus.iter().map(|cpu| format!("{cpu:.2}%")).collect();
        line!(out, "  percpu: {}", cpus.join(", "));
    }
    line!(out, "  unit work: mean={:.2}us, stddev={:.2}", idle.unit_mean_us, idle.unit_stddev_us,);
}
