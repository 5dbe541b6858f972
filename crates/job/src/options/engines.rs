//! Engines: Fathom's, and those of fio that Fathom does not have.

use super::kind::{Choice, word};
use crate::error::ValueProblem;
use fathom_text::text;
use fathom_vocab::IoEngine;

/// Engines of fio that Fathom does not have, with alternatives.
pub const FIO_ENGINES: &[(&str, &str)] = &[
    ("vsync", "Use pvsync or psync."),
    ("solarisaio", "On Linux use libaio or io_uring."),
    ("io_uring_cmd", "Use io_uring on the block device."),
    ("splice", "Use psync."),
    ("net", "Network transfers are not storage; use a network benchmark."),
    ("netsplice", "Network transfers are not storage; use a network benchmark."),
    ("cpuio", "Use stress-ng beside the job."),
    ("sg", "Use io_uring on the block device."),
    ("rdma", ""),
    ("rbd", "Map the image (rbd map) and use io_uring on the device."),
    ("rados", ""),
    ("http", ""),
    ("nbd", "Connect the export (nbd-client) and use io_uring on the device."),
    ("libiscsi", "Log in with iscsiadm and use io_uring on the device."),
    ("libblkio", "Use io_uring on the block device."),
    ("xnvme", "Use io_uring on the block device."),
    ("spdk", "Use io_uring on the block device."),
    ("spdk_bdev", "Use io_uring on the block device."),
    ("libzbc", "Zoned devices are not there yet."),
    ("libpmem", "Use mmap."),
    ("pmemblk", "Use mmap."),
    ("dev-dax", "Use mmap."),
    ("libhdfs", ""),
    ("gfapi", "Mount the volume and use psync."),
    ("gfapi_async", "Mount the volume and use libaio."),
    ("ime_psync", "Use psync."),
    ("ime_psyncv", "Use pvsync."),
    ("ime_aio", "Use libaio."),
    ("dfs", ""),
    ("mtd", ""),
    ("e4defrag", ""),
    ("falloc", ""),
    ("ftruncate", ""),
    ("filecreate", ""),
    ("filestat", ""),
    ("filedelete", ""),
    ("dircreate", ""),
    ("dirstat", ""),
    ("dirdelete", ""),
    ("exec", "Use exec_prerun= or exec_postrun=."),
    ("libcufile", ""),
    ("libhipfile", ""),
    ("cpp_null", "Use null."),
    ("page_fault", "Use mmap."),
    ("external", "Loaded engines are not supported."),
];

const CHOICES: &[Choice] = &[
    word("psync", "pread(2) and pwrite(2)"),
    word("sync", "lseek(2), then read(2) or write(2)"),
    word("pvsync", "preadv(2) and pwritev(2)"),
    word("pvsync2", "preadv2(2) and pwritev2(2), with flags"),
    word("libaio", "Linux asynchronous I/O: io_submit(2); aio and linuxaio are the same"),
    word("io_uring", "Linux asynchronous I/O: rings shared with the kernel"),
    word("posixaio", "aio_read(3) and aio_write(3)"),
    word("windowsaio", "overlapped I/O with a completion port (Windows)"),
    word("mmap", "copies to and from a mapped file"),
    word("null", "no I/O at all: measures the program itself"),
    word("nfs", "NFS version 3 without a mount: nfs_url= names the export"),
];

/// Other names of engines, and their own.
const ENGINE_ALIASES: &[(&str, &str)] = &[("aio", "libaio"), ("linuxaio", "libaio")];

/// The name of the engine that a value of `ioengine` selects.
pub(crate) fn engine_word(value: &str) -> &str {
    let name = value.split(':').next().unwrap_or_default();
    ENGINE_ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, own)| own)
}

/// Fathom's engines, for help and completion.
pub const fn engine_choices() -> &'static [Choice] {
    CHOICES
}

/// The engine with this name, on any system, or fio's message for one that Fathom does not have.
pub(crate) fn engine_named(name: &str) -> Result<IoEngine, ValueProblem> {
    if let Some(engine) = IoEngine::ALL.into_iter().find(|engine| engine.name() == name) {
        return Ok(engine);
    }
    let ours = engines_here();
    if let Some((_, instead)) = FIO_ENGINES.iter().find(|(theirs, _)| *theirs == name) {
        return Err(ValueProblem::whole(text!(
            "fio: engine {name} not loadable: it is a fio engine that Fathom does not have"
        ))
        .hinted(text!("{instead} Fathom has {ours}.")));
    }
    let near = super::nearest(name, IoEngine::here().map(IoEngine::name));
    let near = near.map(|near| text!("Did you mean {near}? ")).unwrap_or_default();
    Err(ValueProblem::whole(text!("fio: engine {name} not loadable: there is no such engine"))
        .hinted(text!("{near}Fathom has {ours}.")))
}

/// The names of the engines that this system has.
fn engines_here() -> String {
    IoEngine::here().map(IoEngine::name).collect::<Vec<_>>().join(", ")
}

/// The error for an engine of another system, if jobs are to run here.
pub(crate) fn engine_problem(engine: IoEngine) -> Option<ValueProblem> {
    (!engine.is_here()).then(|| not_here(engine, &engines_here()))
}

fn not_here(engine: IoEngine, ours: &str) -> ValueProblem {
    let system = if engine == IoEngine::Windowsaio { "Windows" } else { "Linux" };
    let [first, second] = IoEngine::deep().map(IoEngine::name);
    let name = engine.name();
    ValueProblem::whole(text!("fio: engine {name} not loadable: it is on {system} only"))
        .hinted(text!("Use {first} or {second}. Fathom has {ours} here."))
}
