//! The rate that the client can drive, and the distance of a measurement from it.
//!
//! Before the first run one core is measured for about a fifth of a second, with each engine and
//! depth that will be used, on a file in memory. A volume's figure is its own only if it is well
//! below this rate. The verdict on the client (`fathom_analysis::client`) judges that, together
//! with other evidence; a second judge here could contradict it.

use crate::doctor::{Scratch, measure_ceiling};
use crate::machine::Machine;
use fathom_document::{Backing, Ceiling, CeilingCase};
use fathom_job::JobSpec;
use fathom_vocab::IoEngine;
use std::time::Duration;

/// The measuring time of a ceiling; a tenth of it before that is not counted.
const TIME: Duration = Duration::from_millis(200);
/// How long several take together.
const TOGETHER: Duration = Duration::from_millis(300);

/// Measures the rate that one core can drive with each of `engines`, at most at the given depth. A
/// failed measurement is listed with its reason.
pub fn measure_ceilings(
    engines: &[(IoEngine, u32)],
    scratch: &Scratch,
    machine: &mut dyn Machine,
) -> Vec<Ceiling> {
    let cases = cases(engines);
    let each = TIME.min(TOGETHER / u32::try_from(cases.len().max(1)).unwrap_or(u32::MAX));
    cases.iter().map(|case| measure_ceiling(case, scratch, each, machine)).collect()
}

fn cases(engines: &[(IoEngine, u32)]) -> Vec<CeilingCase> {
    let mut cases: Vec<CeilingCase> = Vec::new();
    // The network limits an export: a file in memory is no comparison.
    for (engine, depth) in engines.iter().filter(|(engine, _)| *engine != IoEngine::Nfs) {
        match cases.iter_mut().find(|case| case.engine == *engine) {
            Some(case) => case.depth = case.depth.max(*depth),
            None => cases.push(CeilingCase {
                engine: *engine,
                depth: *depth,
                threads: 1,
                backing: match engine {
                    IoEngine::Null => Backing::Nothing,
                    engine if engine.is_sync() => Backing::Tmpfs,
                    _ => Backing::PageCache,
                },
            }),
        }
    }
    cases
}

/// The IOPS that one core can drive for `jobs` side by side; none if that was not measured, if
/// their engines differ, or if a kernel thread submits for them.
pub fn ceiling_of(jobs: &[JobSpec], ceilings: &[Ceiling]) -> Option<f64> {
    let engine = jobs.first()?.engine.engine;
    let own = |job: &JobSpec| job.engine.engine == engine && !job.engine.private.sqthread_poll;
    by_engine(ceilings, engine).filter(|_| jobs.iter().all(own))?.undisturbed_iops()
}

/// The ceiling of an engine.
pub(crate) fn by_engine(ceilings: &[Ceiling], engine: IoEngine) -> Option<&Ceiling> {
    ceilings.iter().find(|ceiling| ceiling.case.engine == engine)
}
