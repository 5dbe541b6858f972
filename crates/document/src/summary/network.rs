//! The network's share of the latency: a sentence for each volume behind a network, of the test
//! with the fewest I/Os in flight, in which the least waits for the load itself.

use super::{about, claim_sentence};
use crate::document_runs::DocumentRun;
use crate::record::VolumeRecord;
use fathom_analysis::LatencyParts;
use fathom_message::{Message, Tell};
use std::collections::BTreeMap;

/// With several I/Os in flight a smaller share of the latency is left to the tables.
const LEAST_SHARE: f64 = 0.05;

pub(super) fn told(runs: &[DocumentRun<'_>], volumes: &[VolumeRecord]) -> Vec<Message> {
    let mut of_volumes: BTreeMap<Option<usize>, (u64, LatencyParts)> = BTreeMap::new();
    for run in runs {
        let depth = run.result.jobs.iter().map(|job| u64::from(job.setup.iodepth.max(1))).sum();
        let Some(parts) = LatencyParts::of_run(run.result, &run.title) else { continue };
        let least = of_volumes.get(&run.volume).map_or(u64::MAX, |(depth, _)| *depth);
        if depth < least {
            of_volumes.insert(run.volume, (depth, parts));
        }
    }
    of_volumes.retain(|_, (depth, parts)| {
        *depth <= 1 || parts.network_ns >= LEAST_SHARE * parts.latency_ns
    });
    let target = |volume: Option<usize>| {
        Some(volumes.get(volume?)?.place.target()).filter(|_| volumes.len() > 1)
    };
    let sentence = |(volume, (_, parts)): (_, (u64, LatencyParts))| match target(volume) {
        None => claim_sentence(parts.tell()),
        Some(target) => about(target, parts.tell(), None),
    };
    of_volumes.into_iter().map(sentence).collect()
}
