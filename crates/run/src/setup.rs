//! A job's settings as outputs show them.

use fathom_job::JobSpec;
use fathom_stats::JobSetup;
use fathom_vocab::PerDirection;

/// A job's settings as outputs show them.
pub(crate) fn setup_of(job: &JobSpec, seed: u64) -> JobSetup {
    let m = &job.measure;
    JobSetup {
        rw: rw_name(job).to_owned(),
        bs: PerDirection::from_fn(|dir| (job.pattern.bs[dir].min(), job.pattern.bs[dir].max())),
        ioengine: job.engine.engine.name().to_owned(),
        iodepth: job.engine.iodepth,
        direct: job.engine.direct,
        thread: job.process.thread,
        percentile_list: m.percentile_list.clone(),
        clat_percentiles: m.clat_percentiles && !m.disable_clat,
        lat_percentiles: m.lat_percentiles && !m.disable_lat,
        slat_percentiles: m.slat_percentiles && !m.disable_slat,
        unified_rw: match m.unified_rw {
            fathom_job::UnifiedRw::None => 0,
            fathom_job::UnifiedRw::Mixed => 1,
            fathom_job::UnifiedRw::Both => 2,
        },
        significant_figures: m.significant_figures,
        kb_base: m.kb_base,
        unit_base: m.unit_base,
        continue_on_error: job.errors.counts_any(),
        seed,
        ramp_ms: job.extent.ramp_time_us / 1000,
    }
}

/// The value of `rw` as fio spells it.
pub(crate) fn rw_name(job: &JobSpec) -> &'static str {
    let rw = job.pattern.rw;
    match (rw.read, rw.write, rw.trim, rw.random) {
        (_, true, true, false) => "trimwrite",
        (_, true, true, true) => "randtrimwrite",
        (true, true, _, false) => "rw",
        (true, true, _, true) => "randrw",
        (_, true, _, false) => "write",
        (_, true, _, true) => "randwrite",
        (_, _, true, false) => "trim",
        (_, _, true, true) => "randtrim",
        (_, _, _, false) => "read",
        (_, _, _, true) => "randread",
    }
}
