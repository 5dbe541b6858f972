//! Each option of the job table either makes the load of a job, by which a baseline knows runs of
//! the same job, or is listed as one that does not.

use fathom_document::compare::OTHER_OPTIONS;
use fathom_job::options;

/// Options that make the load.
#[rustfmt::skip]
const LOAD_OPTIONS: &[&str] = &[
    "lockfile", "filetype", "size", "filesize", "nrfiles", "openfiles", "file_service_type",
    "offset", "offset_increment", "offset_align", "fallocate", "fadvise_hint", "create_only",
    "create_fsync", "overwrite", "pre_read", "invalidate", "file_append", "fill_device",
    "write_hint", "ioscheduler", "rw_sequencer", "ioengine", "iodepth_batch",
    "iodepth_batch_complete_min", "iodepth_batch_complete_max", "iodepth_low",
    "serialize_overlap", "io_submit_mode", "direct", "buffered", "atomic", "sync", "fsync",
    "fdatasync", "end_fsync", "fsync_on_close", "end_syncfs", "write_barrier", "sync_file_range",
    "bssplit", "bs_unaligned", "bs_is_seq_rand", "ba", "num_range", "rwmixread", "rwmixwrite",
    "rwmixcycle", "percentage_random", "percentage_sequential", "norandommap", "softrandommap",
    "random_generator", "random_distribution", "random_sequence_stride",
    "sprandom", "spr_op", "spr_num_regions", "spr_cs",
    "mem", "iomem_align", "gpu_dev_id", "rate", "rate_min", "rate_iops", "rate_iops_min",
    "rate_process", "rate_cycle", "rate_ignore_thinktime", "thinktime", "thinktime_spin",
    "thinktime_blocks", "thinktime_blocks_type", "thinktime_iotime", "thinkcycles",
    "max_latency", "latency_target", "latency_window", "latency_percentile", "latency_run",
    "flow", "flow_id", "flow_sleep", "flow_watermark", "stonewall", "wait_for", "exitall",
    "exit_what", "exitall_on_error", "cpus_allowed", "cpumask", "cpus_allowed_policy",
    "numa_cpu_nodes", "numa_mem_policy", "nice", "prio", "prioclass", "priohint", "exec_prerun",
    "exec_postrun", "uid", "gid", "lockmem", "cgroup", "cgroup_weight", "cgroup_nodelete",
    "profile", "threads", "zero_buffers", "refill_buffers", "scramble_buffers", "buffer_pattern",
    "buffer_compress_percentage", "buffer_compress_chunk", "dedupe_percentage", "dedupe_mode",
    "dedupe_working_set_percentage", "dedupe_global", "verify", "do_verify", "verify_only",
    "verify_interval", "verify_offset", "verify_pattern", "verify_pattern_interval",
    "verify_fatal", "verify_dump", "verify_async", "verify_async_cpus", "verify_backlog",
    "verify_backlog_batch", "verify_state_load", "verify_state_save", "verify_write_sequence",
    "verify_header_seed", "verify_policy", "experimental_verify", "verifysort", "verifysort_nr",
    "trim_percentage", "trim_verify_zero", "trim_backlog", "trim_backlog_batch", "write_iolog",
    "read_iolog", "read_iolog_chunked", "replay_no_stall", "replay_redirect", "replay_scale",
    "replay_align", "replay_time_scale", "replay_skip", "merge_blktrace_file",
    "merge_blktrace_scalars", "merge_blktrace_iters", "zonemode", "zonesize", "zonecapacity",
    "zonerange", "zoneskip", "read_beyond_wp", "max_open_zones", "job_max_open_zones",
    "ignore_zone_limits", "zone_reset_threshold", "zone_reset_frequency",
    "recover_zbd_write_error", "write_zone_remainder", "fdp", "dataplacement", "plid_select",
    "plids", "dp_scheme", "continue_on_error", "ignore_error", "hipri", "hipri_percentage",
    "fixedbufs", "registerfiles", "sqthread_poll", "sqthread_poll_cpu", "nonvectored",
    "uncached", "nowait", "force_async", "userspace_reap", "libaio_vectored",
    "cmdprio_percentage", "cmdprio_class", "cmdprio_hint", "cmdprio", "cmdprio_bssplit",
    "cmd_type", "cdb_len", "md_per_io_size", "pi_act", "pi_chk", "apptag", "apptag_mask", "deac",
    "write_mode", "verify_mode", "readfua", "writefua", "thp", "hostname", "bindname", "port",
    "protocol", "proto", "nodelay", "listen", "pingpong", "interface", "ttl", "window_size",
    "mss", "verb", "cpuload", "cpuchunks", "cpumode", "exit_on_io_done", "program", "arguments",
    "grace_time", "std_redirect", "clustername", "rbdname", "pool", "clientname", "busy_poll",
    "conf", "touch_objects", "uri", "volume", "brick", "skip_bad", "donorname", "inplace",
    "sg_write_mode", "stream_id", "namenode", "chunk_size", "http_host", "http_user",
    "http_pass", "https", "http_mode", "http_s3_key", "http_s3_keyid", "http_s3_region",
    "http_swift_auth_token", "http_verbose", "http_object_mode", "xnvme_async", "xnvme_sync",
    "xnvme_admin", "libblkio_driver", "libblkio_path", "gpu_dev_ids", "cuda_io", "cont",
    "object_class",
    "hugepage-size", "single-instance",
];

#[test]
fn every_option_makes_the_load_or_is_known_not_to() {
    for row in options() {
        let lists = [LOAD_OPTIONS, OTHER_OPTIONS].map(|list| list.contains(&row.name));
        assert!(
            lists[0] != lists[1],
            "put {} in LOAD_OPTIONS here, if other values of it are another load, or in \
             OTHER_OPTIONS of crates/document/src/compare/recording/load_options.rs",
            row.name
        );
    }
    for name in LOAD_OPTIONS.iter().chain(OTHER_OPTIONS) {
        assert!(options().iter().any(|row| row.name == *name), "{name} is no option");
    }
}
