//! What the client can drive, and how far a measurement was from it.
//!
//! Before the first run one core is measured for a fifth of a second or so: through each engine
//! that will be used, as deep as it will be asked, on a file in memory. What a volume was measured
//! to give is the volume's own only as long as it stays well below. What that means is not said
//! here: the verdict on the client (`fathom_analysis::client`) holds every run against its ceiling
//! beside the other signs of the same thing, and two judges of one number would come to differ.

use crate::doctor::{Scratch, measure_ceiling};
use crate::machine::Machine;
use fathom_document::{Backing, Ceiling, CeilingCase};
use fathom_job::JobSpec;
use fathom_vocab::IoEngine;
use std::time::Duration;

/// How long a ceiling is measured where there is one; a tenth of it passes before and is not
/// counted.
const TIME: Duration = Duration::from_millis(200);
/// How long several take together.
const TOGETHER: Duration = Duration::from_millis(300);

/// Measures what one core can drive by each of `engines`, at most I/Os in flight of those that
/// stand beside it there. What cannot be measured is there with its reason.
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
    // What an export gives is the network's: there is nothing in memory to hold it against.
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

/// I/Os a second that one core can drive of what `jobs` do side by side; none where that was not
/// measured, where their engines differ, or where a thread of the kernel's submits for them.
pub fn ceiling_of(jobs: &[JobSpec], ceilings: &[Ceiling]) -> Option<f64> {
    let engine = jobs.first()?.engine.engine;
    let own = |job: &JobSpec| job.engine.engine == engine && !job.engine.private.sqthread_poll;
    by_engine(ceilings, engine).filter(|_| jobs.iter().all(own))?.undisturbed_iops()
}

/// The ceiling of an engine.
pub(crate) fn by_engine(ceilings: &[Ceiling], engine: IoEngine) -> Option<&Ceiling> {
    ceilings.iter().find(|ceiling| ceiling.case.engine == engine)
}
