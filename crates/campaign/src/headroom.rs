//! How far a measurement was from what its client can drive.
//!
//! After the last phase the doctor's ceiling is measured once, for a fifth of a second: one core,
//! the engine and depth of the phase that did most I/Os a second, a file in memory. What a volume
//! was measured to give is the volume's own only as long as it stays well below.

use crate::doctor::{
    BLOCK_BYTES, Backing, Ceiling, CeilingCase, Scratch, measure_ceiling, two_figures,
};
use crate::execute::{Executor, Measured, Prepared};
use crate::over_rounds::OverRounds;
use crate::quantity::{binary_bytes, thousands};
use crate::suite::Phase;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How long the ceiling is measured; a tenth of it passes before and is not counted.
const TIME: Duration = Duration::from_millis(200);
/// From this share of the ceiling on, the client may be what limits.
const NEAR_PERCENT: f64 = 70.0;

/// The client beside what was measured with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Headroom {
    /// What one core drove where no disk was in the way, by the engine of the busiest phase.
    pub ceiling: Ceiling,
    /// The same, had other work left the core alone; none where it could not be measured.
    pub one_core_iops: Option<f64>,
    /// The phase that did most I/Os a second.
    pub busiest: Phase,
    /// On which of the volumes, from 0.
    pub volume: usize,
    /// Its I/Os a second.
    pub iops: f64,
    /// Them in percent of the ceiling.
    pub share_percent: Option<f64>,
}

impl Headroom {
    /// Measures the ceiling that belongs to `measured`; `None` where no phase has figures.
    pub fn measure(
        prepared: &Prepared,
        measured: &Measured,
        scratch: &Scratch,
        executor: &mut dyn Executor,
    ) -> Option<Headroom> {
        let sums = measured.over_rounds();
        let (busiest, iops) = busiest(&sums)?;
        let method = &prepared.methods[busiest.volume];
        let case = CeilingCase {
            engine: method.engine,
            depth: method.effective_depth(busiest.phase.depth),
            threads: 1,
            backing: if method.engine.is_sync() { Backing::Tmpfs } else { Backing::PageCache },
        };
        let ceiling = measure_ceiling(&case, scratch, TIME, executor);
        let one_core_iops = ceiling.undisturbed_iops();
        Some(Headroom {
            ceiling,
            one_core_iops,
            busiest: busiest.phase.clone(),
            volume: busiest.volume,
            iops,
            share_percent: one_core_iops.map(|ceiling| iops * 100.0 / ceiling),
        })
    }

    /// A sentence for people, in which the busiest phase is called `phase`; none where the ceiling
    /// could not be measured.
    pub fn text(&self, phase: &str) -> Option<String> {
        let (ceiling, share) = (self.one_core_iops?, self.share_percent?);
        let share = if share < 1.0 { "less than 1".to_owned() } else { format!("{share:.0}") };
        let mut text = format!(
            "One core of this host can drive about {} IO/s of {} through {} at depth {} before a \
             disk does anything; the busiest phase ({phase}) used {share} % of that.",
            thousands(two_figures(ceiling)),
            binary_bytes(BLOCK_BYTES),
            self.ceiling.case.engine.name(),
            self.ceiling.case.depth,
        );
        if self.share_percent? >= NEAR_PERCENT {
            text += " So near to it, the figure may be the client's and not the volume's: measure \
                     again with more jobs.";
        }
        Some(text)
    }
}

/// The phase with most I/Os a second, and how many.
fn busiest(phases: &[OverRounds]) -> Option<(&OverRounds, f64)> {
    let with_iops = phases.iter().filter_map(|phase| Some((phase, phase.figures?.iops)));
    with_iops.max_by(|(_, a), (_, b)| a.total_cmp(b))
}
