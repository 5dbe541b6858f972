//! Rows: options of one engine, or a few.

use super::kind::Kind;
use super::row::{Category, OptionRow, row as any_row};
use crate::error::ValueProblem;
use fathom_vocab::NfsUrl;

const fn row(name: &'static str, kind: Kind, help: &'static str) -> OptionRow {
    any_row(Category::Engine, name, kind, help)
}

/// An option of engines that Fathom does not have at all.
const fn foreign(
    name: &'static str,
    engines: &'static [&'static str],
    help: &'static str,
) -> OptionRow {
    row(name, Kind::Text, help)
        .only(engines)
        .refused("it belongs to a fio engine that Fathom does not have")
}

const U32: i64 = u32::MAX as i64;
const URING: &[&str] = &["io_uring", "io_uring_cmd"];
const CMDPRIO: &[&str] = &["libaio", "io_uring", "io_uring_cmd"];
const IONICE: &str = "Run the program under ionice, or two of them.";
const NVME: &str = "It serves io_uring_cmd, which Fathom does not have; use io_uring.";

pub(super) static ROWS: &[OptionRow] = &[
    row("hipri", Kind::Flag, "Poll for completion rather than wait for an interrupt")
        .only(&["io_uring", "io_uring_cmd", "pvsync2", "sg", "xnvme", "libblkio"])
        .set(|d, v| d.job.engine.private.hipri = v.flag()),
    row("hipri_percentage", Kind::Int(0, 100), "Percent of I/Os that hipri applies to")
        .only(&["pvsync2"])
        .usual("100", "50")
        .not_yet("Leave it out: hipri applies to all."),
    row("fixedbufs", Kind::Flag, "Register buffers with the kernel")
        .only(URING)
        .set(|d, v| d.job.engine.private.fixedbufs = v.flag()),
    row("registerfiles", Kind::Flag, "Register files with the kernel")
        .only(URING)
        .set(|d, v| d.job.engine.private.registerfiles = v.flag()),
    row("sqthread_poll", Kind::Flag, "A kernel thread takes submissions, without system calls")
        .only(&["io_uring", "io_uring_cmd", "xnvme"])
        .set(|d, v| d.job.engine.private.sqthread_poll = v.flag()),
    row("sqthread_poll_cpu", Kind::Int(0, U32), "CPU of that kernel thread")
        .only(URING)
        .usual("", "1")
        .set(|d, v| d.job.engine.private.sqthread_poll_cpu = Some(v.int_u32())),
    row("nonvectored", Kind::Int(-1, 1), "read and write rather than readv and writev")
        .only(URING)
        .usual("-1", "1")
        .set(|d, v| d.job.engine.private.nonvectored = v.int() == 1),
    row("uncached", Kind::Int(0, 1), "Use the page cache, but leave nothing in it")
        .only(&["io_uring", "io_uring_cmd", "pvsync2"])
        .usual("0", "1")
        .set(|d, v| d.job.engine.private.uncached = v.int() == 1),
    row("nowait", Kind::Bool, "Fail rather than block in submission")
        .only(&["io_uring", "io_uring_cmd", "libaio", "pvsync2"])
        .usual("0", "1")
        .set(|d, v| d.job.engine.private.nowait = v.flag()),
    row("force_async", Kind::Int(0, U32), "Every so many I/Os, one goes to a kernel worker")
        .only(URING)
        .usual("0", "4")
        .set(|d, v| d.job.engine.private.force_async = v.int_u32()),
    row("userspace_reap", Kind::Flag, "Take completions without a system call")
        .only(&["libaio"])
        .set(|d, v| d.job.engine.private.userspace_reap = v.flag()),
    row("libaio_vectored", Kind::Bool, "preadv and pwritev rather than pread and pwrite")
        .only(&["libaio"])
        .usual("0", "1")
        .not_yet("Leave it out: each I/O has one buffer."),
    row("cmdprio_percentage", Kind::Triple(0, 100), "Percent of I/Os with high priority")
        .only(CMDPRIO)
        .usual("0", "20")
        .not_yet(IONICE),
    row("cmdprio_class", Kind::Triple(0, 3), "Priority class of those I/Os")
        .only(CMDPRIO)
        .usual("", "1")
        .not_yet(IONICE),
    row("cmdprio_hint", Kind::Triple(0, 1023), "Priority hint of those I/Os")
        .only(CMDPRIO)
        .usual("", "1")
        .not_yet(IONICE),
    row("cmdprio", Kind::Triple(0, 7), "Priority of those I/Os within the class")
        .only(CMDPRIO)
        .usual("", "4")
        .not_yet(IONICE),
    row("cmdprio_bssplit", Kind::Text, "Priorities by block size")
        .only(CMDPRIO)
        .usual("", "4k/50")
        .not_yet_but(&[], IONICE),
    row("cmd_type", Kind::Text, "Sort of command").only(URING).usual("nvme", "nvme2").not_yet(NVME),
    row("cdb_len", Kind::Int(0, 32), "Length of a SCSI command")
        .only(URING)
        .usual("0", "16")
        .not_yet(NVME),
    row("md_per_io_size", Kind::Bytes, "Metadata of an I/O")
        .only(URING)
        .usual("0", "8")
        .not_yet(NVME),
    row("pi_act", Kind::Bool, "Let the device make protection information")
        .only(URING)
        .usual("1", "0")
        .not_yet_but(&[], NVME),
    row("pi_chk", Kind::Text, "What of protection information is checked")
        .only(URING)
        .usual("", "GUARD")
        .not_yet(NVME),
    row("apptag", Kind::Int(0, 65_535), "Application tag of protection information")
        .only(URING)
        .usual("0x1234", "1")
        .not_yet(NVME),
    row("apptag_mask", Kind::Int(0, 65_535), "Bits of the application tag that count")
        .only(URING)
        .usual("0xffff", "1")
        .not_yet(NVME),
    row("deac", Kind::Bool, "Deallocate when writing zeros")
        .only(URING)
        .usual("0", "1")
        .not_yet(NVME),
    row("write_mode", Kind::Text, "Which command writes")
        .only(URING)
        .usual("write", "zeroes")
        .not_yet(NVME),
    row("verify_mode", Kind::Text, "Which command verifies")
        .only(URING)
        .usual("read", "compare")
        .not_yet(NVME),
    row("readfua", Kind::Bool, "Reads from the medium, not from the device's cache")
        .only(&["io_uring", "io_uring_cmd", "sg"])
        .usual("0", "1")
        .not_yet(NVME),
    row("writefua", Kind::Bool, "Writes to the medium, not to the device's cache")
        .only(&["io_uring", "io_uring_cmd", "sg"])
        .usual("0", "1")
        .not_yet("Use sync=dsync with direct=1."),
    row("thp", Kind::Bool, "Ask for huge pages in the mapping")
        .only(&["mmap"])
        .usual("0", "1")
        .not_yet("Leave it out."),
    foreign("hostname", &["net", "netsplice", "rdma", "libhdfs", "http"], "Host to reach"),
    foreign("bindname", &["rdma"], "Address to bind"),
    foreign("port", &["net", "netsplice", "rdma", "libhdfs"], "Port"),
    foreign("protocol", &["net", "netsplice"], "Protocol"),
    foreign("proto", &["net", "netsplice"], "Protocol"),
    foreign("nodelay", &["net", "netsplice"], "TCP_NODELAY"),
    foreign("listen", &["net", "netsplice"], "Wait for the other side"),
    foreign("pingpong", &["net", "netsplice"], "Answer every message"),
    foreign("interface", &["net", "netsplice"], "Network interface"),
    foreign("ttl", &["net", "netsplice"], "Hops of multicast"),
    foreign("window_size", &["net", "netsplice"], "Socket buffer"),
    foreign("mss", &["net", "netsplice"], "TCP segment"),
    foreign("verb", &["rdma"], "RDMA operation"),
    foreign("cpuload", &["cpuio"], "Percent of a CPU"),
    foreign("cpuchunks", &["cpuio"], "Length of bursts"),
    foreign("cpumode", &["cpuio"], "Sort of load"),
    foreign("exit_on_io_done", &["cpuio"], "End with the last I/O job"),
    foreign("program", &["exec"], "Program to run"),
    foreign("arguments", &["exec"], "Its arguments"),
    foreign("grace_time", &["exec"], "Time before it is killed"),
    foreign("std_redirect", &["exec"], "Its output to files"),
    foreign("clustername", &["rbd", "rados"], "Ceph cluster"),
    foreign("rbdname", &["rbd"], "Image"),
    foreign("pool", &["rbd", "rados", "dfs"], "Pool"),
    foreign("clientname", &["rbd", "rados"], "Ceph user"),
    foreign("busy_poll", &["rbd", "rados"], "Poll for completion"),
    foreign("conf", &["rados"], "Ceph configuration"),
    foreign("touch_objects", &["rados"], "Make objects first"),
    foreign("uri", &["nbd"], "Export"),
    foreign("volume", &["gfapi", "gfapi_async"], "Gluster volume"),
    foreign("brick", &["gfapi", "gfapi_async"], "Gluster brick"),
    foreign("single-instance", &["gfapi", "gfapi_async"], "One instance for all jobs"),
    foreign("skip_bad", &["mtd"], "Leave bad blocks out"),
    foreign("donorname", &["e4defrag"], "Donor file"),
    foreign("inplace", &["e4defrag"], "How space is handled"),
    foreign("sg_write_mode", &["sg"], "Which command writes"),
    foreign("stream_id", &["sg"], "Stream of writes"),
    foreign("namenode", &["libhdfs"], "Name node"),
    foreign("chunk_size", &["libhdfs", "dfs"], "Size of chunks"),
    row("nfs_url", Kind::Text, "Export, as nfs://SERVER/EXPORT?nfsport=2049&nconnect=4")
        .only(&["nfs"])
        .usual("", "nfs://server/export")
        .check(|d, v| {
            let url = NfsUrl::parse(v.text());
            let wrong = |why| ValueProblem::whole(format!("nfs_url={}: {why}", v.text()));
            d.job.engine.nfs_url = Some(url.map_err(wrong)?);
            Ok(())
        }),
    foreign("http_host", &["http"], "Host to reach"),
    foreign("http_user", &["http"], "User"),
    foreign("http_pass", &["http"], "Password"),
    foreign("https", &["http"], "Whether to encrypt"),
    foreign("http_mode", &["http"], "webdav, swift or s3"),
    foreign("http_s3_key", &["http"], "S3 secret key"),
    foreign("http_s3_keyid", &["http"], "S3 key"),
    foreign("http_s3_region", &["http"], "S3 region"),
    foreign("http_s3_security_token", &["http"], "S3 token"),
    foreign("http_s3_sse_customer_key", &["http"], "S3 key of encryption"),
    foreign("http_s3_sse_customer_algorithm", &["http"], "S3 method of encryption"),
    foreign("http_s3_storage_class", &["http"], "S3 storage class"),
    foreign("http_swift_auth_token", &["http"], "Swift token"),
    foreign("http_verbose", &["http"], "Say more"),
    foreign("http_object_mode", &["http"], "block or range"),
    foreign("xnvme_async", &["xnvme"], "Asynchronous interface"),
    foreign("xnvme_sync", &["xnvme"], "Synchronous interface"),
    foreign("xnvme_admin", &["xnvme"], "Administrative interface"),
    foreign("libblkio_driver", &["libblkio"], "Driver"),
    foreign("libblkio_path", &["libblkio"], "Path"),
    foreign("gpu_dev_ids", &["libcufile"], "GPUs"),
    foreign("cuda_io", &["libcufile"], "How data gets to the GPU"),
    foreign("rocm_io", &["libhipfile"], "How data gets to the GPU"),
    foreign("cont", &["dfs"], "DAOS container"),
    foreign("object_class", &["dfs"], "DAOS object class"),
];
