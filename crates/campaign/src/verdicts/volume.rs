//! Verdicts over all runs on a volume: each cap once, and the questions for which the runs were too
//! short, in one line.
//!
//! A cap that several phases share is reported for the volume. The phases keep it as their finding,
//! for charts, but do not report it, nor the two humps of latency that it causes.

use fathom_analysis::{
    BurstFinding, CapFinding, CapOverRuns, CapRun, ConnectionFinding, ConnectionRate, HumpsFinding,
    ShortQuestion, ShortRuns, SteadyState, caps_over_runs,
};
use fathom_document::verdicts::{
    Answer, Verdict, VolumeVerdicts, disturbance, mark_capped, suppress,
};
use fathom_document::{Phase, PhaseRecord};
use std::collections::BTreeSet;

/// Seconds that every question about a run's course needs: ten intervals of a second for a cap, and
/// some for the parts cut off at both ends.
const ENOUGH_S: f64 = 10.5;
/// Proposed times are multiples of this many seconds.
const PROPOSED_S: f64 = 10.0;

/// Judges the volumes over all their phases, and silences the phases' verdicts on the same. Of a
/// measurement that was stopped, nothing is said of the time that it should have had.
pub(crate) fn over_phases(phases: &mut [PhaseRecord], was_stopped: bool) -> Vec<VolumeVerdicts> {
    let volumes: BTreeSet<usize> = phases.iter().map(|phase| phase.volume).collect();
    let mut all = Vec::new();
    for volume in volumes {
        let mut own: Vec<&mut PhaseRecord> = phases
            .iter_mut()
            .filter(|phase| phase.volume == volume && phase.figures.is_some())
            .collect();
        let mut verdicts: Vec<Verdict> = take_caps(&mut own);
        verdicts.extend(over_connections(&own).map(Answer::Connections).map(Verdict::from));
        let short = too_short(&own).filter(|_| !was_stopped);
        verdicts.extend(short.map(|short| Verdict::from(Answer::TooShort(short))));
        if !verdicts.is_empty() {
            all.push(VolumeVerdicts { volume, verdicts });
        }
    }
    all
}

/// The caps of one volume's phases; the phases no longer report them.
fn take_caps(phases: &mut [&mut PhaseRecord]) -> Vec<Verdict> {
    let runs: Vec<CapRun> = phases.iter().filter_map(|phase| cap_run(phase)).collect();
    let found = caps_over_runs(&runs);
    for CapOverRuns { cap, runs } in &found {
        for at in runs {
            let held = Verdict::from(Answer::Capped(CapFinding::Capped(cap.clone())));
            let verdicts = &mut phases[*at].verdicts;
            if let Some(own) = verdicts.iter_mut().find(|v| matches!(v.answer, Answer::Capped(_))) {
                *own = held;
            }
            mark_capped(verdicts);
            suppress(verdicts, is_of_cap);
        }
    }
    let caps = found.into_iter().map(|one| CapFinding::Capped(one.cap));
    caps.map(|cap| Verdict::from(Answer::Capped(cap))).collect()
}

fn is_of_cap(answer: &Answer) -> bool {
    matches!(answer, Answer::Capped(_) | Answer::Humps(HumpsFinding::Two(_)))
}

fn cap_run(phase: &PhaseRecord) -> Option<CapRun<'_>> {
    let figures = phase.figures.as_ref()?;
    let finding = phase.verdicts.iter().find_map(|verdict| match &verdict.answer {
        Answer::Capped(finding) => Some(finding),
        _ => None,
    });
    Some(CapRun {
        direction: phase.phase.direction,
        block_bytes: phase.phase.block_bytes,
        depth: phase.phase.in_flight(),
        run_s: figures.runtime_ms as f64 / 1e3,
        iops: figures.iops,
        mean_latency_ns: figures.mean_ns,
        finding,
        is_disturbed: disturbance(&phase.verdicts).is_some(),
    })
}

/// The phase over more connections, compared with the same phase over those of the target.
fn over_connections(phases: &[&mut PhaseRecord]) -> Option<ConnectionFinding> {
    let more = phases.iter().find(|record| record.phase.nconnect.is_some())?;
    let unnamed = |phase: &Phase| Phase { name: String::new(), ..phase.clone() };
    // Over all rounds, each of which has both.
    let rate = |wanted: &Phase| {
        let own: Vec<&&mut PhaseRecord> =
            phases.iter().filter(|of| unnamed(&of.phase) == unnamed(wanted)).collect();
        let jobs = own.first()?.result.as_ref()?.jobs.first()?;
        let rates = own.iter().filter_map(|record| Some(record.figures.as_ref()?.mb_per_s));
        let mb_per_s = rates.sum::<f64>() / own.len() as f64;
        Some(ConnectionRate { connections: jobs.connections.len() as u64, mb_per_s })
    };
    let few = Phase { nconnect: None, ..more.phase.clone() };
    ConnectionFinding::of(&[rate(&few)?, rate(&more.phase)?])
}

/// The questions for which the phases were too short, and a sufficient total time.
fn too_short(phases: &[&mut PhaseRecord]) -> Option<ShortRuns> {
    let mut questions: Vec<ShortQuestion> =
        phases.iter().flat_map(|phase| &phase.verdicts).filter_map(question).collect();
    questions.sort_unstable();
    questions.dedup();
    let ran = phases.iter().filter_map(|phase| phase.result.as_ref());
    let run_ms = ran.flat_map(|result| &result.jobs).map(|job| job.runtime_ms).min()?;
    let run_s = run_ms as f64 / 1e3;
    let asked = !questions.is_empty() && run_s < ENOUGH_S;
    // All runs of a volume share its time.
    let total_s = (ENOUGH_S * phases.len() as f64 / PROPOSED_S).ceil() * PROPOSED_S;
    asked.then_some(ShortRuns { run_s, total_s, questions })
}

fn question(verdict: &Verdict) -> Option<ShortQuestion> {
    match &verdict.answer {
        Answer::Burst(BurstFinding::TooShort { .. }) => Some(ShortQuestion::Burst),
        Answer::Steady(of) if matches!(of.state, SteadyState::NotEnough { .. }) => {
            Some(ShortQuestion::Steady)
        }
        Answer::Capped(CapFinding::NotEnough) => Some(ShortQuestion::Cap),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
