//! The options of a job that make its load: two runs of one job name are runs of one job only if
//! these are equal. Options that name files, bound the time, or log and report change no load. A
//! test of `campaign` puts each option of the job table on one side.

use crate::document_runs::GivenOption;
use fathom_stats::JobResult;

/// Options that are no part of the load.
#[rustfmt::skip]
pub const OTHER_OPTIONS: &[&str] = &[
    // Compared as numbers: blocks, depth and jobs.
    "rw", "bs", "bsrange", "iodepth", "numjobs",
    // Names, and where the files are.
    "name", "description", "filename", "directory", "filename_format", "unique_filename",
    "opendir", "nfs_url", "create_serialize", "create_on_open", "allow_file_create",
    "allow_mounted_write", "unlink", "unlink_each_loop", "comm",
    // Which random numbers.
    "randseed", "randrepeat", "allrandrepeat",
    // How long.
    "runtime", "time_based", "ramp_time", "ramp_size", "startdelay", "loops", "number_ios",
    "io_size", "steadystate", "steadystate_duration", "steadystate_ramp_time",
    "steadystate_check_interval",
    // What is measured and reported.
    "group_reporting", "new_group", "thread", "clat_percentiles", "lat_percentiles",
    "slat_percentiles", "percentile_list", "significant_figures", "unified_rw_reporting",
    "disk_util", "stats", "gtod_reduce", "disable_lat", "disable_clat", "disable_slat",
    "disable_bw_measurement", "gtod_cpu", "clocksource", "job_start_clock_id", "error_dump",
    "block_error_percentiles", "kb_base", "unit_base",
    // Log files.
    "write_bw_log", "write_lat_log", "write_iops_log", "write_hist_log", "per_job_logs",
    "bwavgtime", "iopsavgtime", "log_avg_msec", "log_hist_msec", "log_hist_coarseness",
    "log_window_value", "log_offset", "log_prio", "log_alternate_epoch", "log_issue_time",
    "log_alternate_epoch_clock_id", "log_entries", "log_compression", "log_compression_cpus",
    "log_store_compressed",
];

/// The options of a job that make its load, `NAME=VALUE` in the order of their names. What the job
/// itself was given replaces what all jobs were given.
pub(super) fn load_options(global: &[GivenOption], job: &JobResult) -> Vec<String> {
    let is_own = |name: &String| job.options.iter().any(|(own, _)| own == name);
    let inherited = global.iter().filter(|(name, _)| !is_own(name));
    let all = inherited.chain(&job.options);
    let makes_load = all.filter(|(name, _)| !OTHER_OPTIONS.contains(&name.as_str()));
    let text = |(name, value): &GivenOption| match value {
        Some(value) => format!("{name}={value}"),
        None => name.clone(),
    };
    let mut options: Vec<String> = makes_load.map(text).collect();
    options.sort();
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(options: &[(&str, &str)]) -> JobResult {
        JobResult { options: given(options), ..JobResult::default() }
    }

    fn given(options: &[(&str, &str)]) -> Vec<GivenOption> {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), Some((*value).to_owned()));
        options.iter().map(owned).collect()
    }

    #[test]
    fn logs_and_names_make_no_load_and_a_job_s_own_option_counts() {
        let logged = job(&[("direct", "1"), ("write_hist_log", "h"), ("filename", "/x")]);
        let plain = job(&[("direct", "1"), ("runtime", "9")]);
        assert_eq!(load_options(&[], &logged), load_options(&[], &plain));
        let global = given(&[("direct", "0"), ("rwmixread", "70"), ("write_lat_log", "l")]);
        assert_eq!(load_options(&global, &plain), ["direct=1", "rwmixread=70"]);
    }
}
