//! What one core of this host can drive, found out before the first run of a command.
//!
//! Before, and not after: verdicts on a run are made when it is over and shown as it goes. The
//! scratch files are gone again when the first run begins, and with them what the page cache
//! holds of them, so that nothing of it is written back under a run.

use crate::host_probe;
use fathom_campaign::{LocalExecutor, TestFiles};
use fathom_host::Host;
use fathom_vocab::IoEngine;
use std::path::PathBuf;

/// Measures it for each of `engines`; where scratch files can be nowhere else, on one of `targets`.
pub fn measure(
    executor: &mut LocalExecutor,
    engines: &[(IoEngine, u32)],
    files: &TestFiles,
    targets: &[PathBuf],
) {
    let (scratch, _guards) = host_probe::scratch(&Host::real(), files, targets);
    executor.measure_ceilings(engines, &scratch);
}
