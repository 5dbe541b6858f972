//! The machine of this process; loop devices and Windows disks are queried by system calls.
//!
//! `host` has no `unsafe` and so no ioctl; the engine has both. The data guard combines them: every
//! run examines loop devices through [`asking_loops`], with any host.

use fathom_engine::{disk_performance, disk_reply};
use fathom_host::{DiskCounters, DiskFacts, DiskReaders, FileId, Host};
use std::fs::File;
use std::io;
use std::path::Path;

/// This machine.
pub fn local_host() -> Host {
    let disks = DiskReaders { facts: disk_facts, counters: disk_counters };
    asking_loops(&Host::real()).with_disks(disks)
}

/// The same host, which also queries loop devices for their files.
pub(crate) fn asking_loops(host: &Host) -> Host {
    host.clone().with_loops(behind_loop)
}

fn behind_loop(device: &File) -> io::Result<FileId> {
    let behind = fathom_engine::loop_backing(device)?;
    Ok(match behind.block_device {
        Some((major, minor)) => FileId::Device { major, minor },
        None => FileId::File { device: behind.device, inode: behind.inode },
    })
}

fn disk_facts(device: &Path) -> io::Result<DiskFacts> {
    let reply = disk_reply(device)?;
    Ok(DiskFacts {
        number: reply.number,
        size_bytes: reply.size_bytes,
        model: reply.model,
        vendor: reply.vendor,
        serial: reply.serial,
        firmware: reply.revision,
        bus: reply.bus.map(str::to_owned),
        removable: reply.removable,
        logical_block_bytes: reply.sector_bytes.map(|(logical, _)| logical),
        physical_block_bytes: reply.sector_bytes.map(|(_, physical)| physical),
        seeks: reply.seeks,
        trims: reply.trims,
        volatile_cache: reply.volatile_cache,
    })
}

fn disk_counters(device: &Path) -> io::Result<DiskCounters> {
    let found = disk_performance(device)?;
    Ok(DiskCounters {
        reads: found.reads,
        read_bytes: found.read_bytes,
        read_time_100ns: found.read_time,
        writes: found.writes,
        written_bytes: found.written_bytes,
        write_time_100ns: found.write_time,
        idle_time_100ns: found.idle_time,
        now_100ns: found.query_time,
        queue_depth: found.queue_depth,
    })
}
