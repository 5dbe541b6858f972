//! Jobs that prepare a target: one that fills it, one that tries the access.

use crate::jobs::{JobText, RefusedJob, spec_of};
use crate::volume_plan::VolumePlan;
use fathom_document::{Method, short_bytes};
use fathom_job::JobSpec;
use fathom_vocab::IoEngine;

/// The job that fills the target: our own file by laying it out, anything else by overwriting it
/// once.
///
/// # Errors
/// The job table's error.
pub(crate) fn fill(
    volume: &VolumePlan,
    method: &Method,
    block_bytes: u64,
) -> Result<JobSpec, RefusedJob> {
    let mut text = base("fill", volume, method.engine, method.direct);
    text.set("size", short_bytes(volume.size_bytes));
    text.set("bs", short_bytes(block_bytes));
    if volume.ours {
        // Layout writes data only for a job that will read.
        text.set("rw", "read");
        text.set("create_only", 1);
    } else {
        text.set("rw", "write");
        text.set("iodepth", 8);
        text.set("end_fsync", 1);
    }
    spec_of(&text, Some(&volume.path))
}

/// A job of one I/O, which shows whether a target can be reached by this access.
///
/// # Errors
/// The job table's error.
pub(crate) fn trial(
    volume: &VolumePlan,
    engine: IoEngine,
    direct: bool,
    block_bytes: u64,
) -> Result<JobSpec, RefusedJob> {
    let mut text = base("trial", volume, engine, direct);
    text.set("size", short_bytes(block_bytes));
    text.set("bs", short_bytes(block_bytes));
    text.set("rw", "read");
    text.set("number_ios", 1);
    spec_of(&text, Some(&volume.path))
}

fn base(name: &str, volume: &VolumePlan, engine: IoEngine, direct: bool) -> JobText {
    let mut text = JobText::default();
    text.set("name", name);
    volume.place().set(&mut text, engine);
    text.set("direct", u8::from(direct));
    text.set("randrepeat", 0);
    text.set("refill_buffers", 1);
    text.set("lat_percentiles", 1);
    text.set("thread", 1);
    text
}
