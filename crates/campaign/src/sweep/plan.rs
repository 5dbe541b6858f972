//! The plan: the cases, the target, the order, and the time.
//!
//! Decided before anything is touched, by the same guards as `measure`: data that is not ours is
//! only read unless its path was named, and cases that would write it are left out by name.

use super::error::SweepError;
use super::question::Question;
use crate::cases::{Case, PreparedTarget, Runner};
use crate::machine::{Machine, MachineError};
use crate::plan::plan_place;
use crate::volume_plan::{CommonOptions, VolumePlan};
use fathom_document::sweep::Order;
use fathom_document::sweep::{
    CaseRecord, KIND, SWEEP_SCHEMA, SessionRecord, Status, SweepDocument,
};
use fathom_document::{Head, Provenance, Setup, TrialId, Volume, records};
use fathom_job::JobSize;
use fathom_vocab::SplitMix;

/// The plan of a sweep.
#[derive(Clone, Debug)]
pub struct SweepPlan {
    /// The question.
    pub question: Question,
    /// The volume.
    pub volume: VolumePlan,
    /// The cases that run.
    pub cases: Vec<Case>,
    /// The cases that are left out because they would write to a read-only target.
    pub left_out: Vec<Case>,
    /// Decides order and offsets.
    pub seed: u64,
}

impl SweepPlan {
    /// Plans from the facts about `volume`, without touching anything; `settled` is the size in
    /// bytes of an earlier session.
    ///
    /// # Errors
    /// A [`SweepError`] if a case is no job, leaves its place, or the place cannot be used.
    pub fn new(
        question: Question,
        volume: Volume,
        settled: Option<u64>,
    ) -> Result<SweepPlan, SweepError> {
        let cases = question.cases()?;
        let largest = largest_size(&cases)?;
        let asked = &question.asked.common;
        let size_bytes = asked.size_bytes.or(largest).or(settled);
        let options = CommonOptions { size_bytes, ..asked.clone() };
        let volume = plan_place(volume, &cases, &options)?;
        let may = |case: &Case| volume.writes || !case.writes();
        let (cases, left_out): (Vec<Case>, Vec<Case>) = cases.into_iter().partition(may);
        if cases.is_empty() {
            return Err(SweepError::NothingToRead { path: volume.volume.name });
        }
        cases.iter().try_for_each(|case| stays_within(case, volume.size_bytes))?;
        let seed = question.asked.common.seed;
        Ok(SweepPlan { question, volume, cases, left_out, seed })
    }

    /// Its document before anything has run.
    pub fn document(&self, from: &Provenance) -> SweepDocument {
        SweepDocument {
            head: Head::new(KIND, SWEEP_SCHEMA, from),
            plan_hash: SweepPlan::hash(&self.question),
            status: Status::Running,
            seed: self.seed,
            plan: self.question.record(),
            turns: self.trials().len(),
            left_out: self.left_out.iter().map(|case| case.settings.clone()).collect(),
            sessions: Vec::new(),
            cases: Vec::new(),
            curves: Vec::new(),
        }
    }

    /// Begins a session of `document` on its target; an earlier session's unfinished trial is
    /// dropped.
    pub fn begin_session(&self, document: &mut SweepDocument, from: Provenance) {
        document.head.command = from.command;
        document.cases.retain(CaseRecord::is_over);
        document.curves.clear();
        document.status = Status::Running;
        let fathom_version = env!("CARGO_PKG_VERSION").to_owned();
        document.head.fathom_version.clone_from(&fathom_version);
        document.sessions.push(SessionRecord {
            started_ms: from.started_ms,
            fathom_version,
            setup: Setup {
                host: from.host,
                volume: self.volume.record(),
                ways: Vec::new(),
                remarks: records(&self.volume.remarks),
            },
            failure: None,
        });
    }

    /// Makes the target ready.
    ///
    /// # Errors
    /// If the test file cannot be made or no engine works.
    pub fn begin(&self, machine: &mut dyn Machine) -> Result<Runner, MachineError> {
        Runner::begin_one(&self.volume, self.cases.clone(), self.seed, machine)
    }

    /// Every run, in order: all cases run in a round before the next begins, so that changes in
    /// time affect all of them alike.
    pub fn trials(&self) -> Vec<TrialId> {
        let mut trials = Vec::with_capacity(self.cases.len() * self.question.asked.rounds as usize);
        for round in 0..self.question.asked.rounds {
            let mut order: Vec<usize> = self.cases.iter().map(|case| case.index).collect();
            if self.question.asked.order == Order::Shuffled {
                SplitMix::of(self.seed, &[u64::from(round)]).shuffle(&mut order);
            }
            let trial = |case| TrialId { round, case, target: 0 };
            trials.extend(order.into_iter().map(trial));
        }
        trials
    }

    /// Microseconds of one run, its ramp included.
    pub fn turn_us(&self) -> u64 {
        self.question.time.run_us + self.question.time.ramp_us
    }

    /// Microseconds in which the volume is written to at full speed; for a mix, its share of
    /// writes.
    pub fn writing_us(&self) -> u64 {
        let percent: u64 = self.cases.iter().map(Case::write_percent).sum();
        self.turn_us().saturating_mul(percent * u64::from(self.question.asked.rounds)) / 100
    }

    /// The command that repeats a case; with the first choice of engine if none was requested.
    pub fn command_of(&self, case: &Case) -> String {
        PreparedTarget::command_of(case, &self.volume)
    }

    /// The sweep's name: a hash of the question. Equal hashes mean equal questions.
    pub fn hash(question: &Question) -> String {
        // A struct of strings and numbers becomes JSON without fail.
        let text = serde_json::to_string(&question.record()).unwrap_or_default();
        format!("{:016x}", fnv_1a(text.as_bytes()))
    }
}

/// FNV-1a of 64 bits (Fowler, Noll, Vo; RFC 9923): short, and the same on every machine and in
/// every build, which the standard library's hasher does not guarantee.
fn fnv_1a(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// The largest size in the cases' own options, in bytes.
fn largest_size(cases: &[Case]) -> Result<Option<u64>, SweepError> {
    let sizes = cases.iter().filter_map(|case| Some((case, case.own_size()?)));
    let bytes = sizes.map(|(case, size)| match size {
        JobSize::Bytes(bytes) => Ok(bytes),
        JobSize::Percent(_) => Err(SweepError::Share { case: case.title() }),
    });
    bytes.collect::<Result<Vec<u64>, SweepError>>().map(|sizes| sizes.into_iter().max())
}

/// Refuses a job that would extend a file, or go beyond its allowed region.
fn stays_within(case: &Case, size_bytes: u64) -> Result<(), SweepError> {
    match case.end_bytes(size_bytes) {
        None => Err(SweepError::Share { case: case.title() }),
        Some(end_bytes) if end_bytes > size_bytes => {
            Err(SweepError::Beyond { case: case.title(), end_bytes, size_bytes })
        }
        Some(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_the_published_one() {
        assert_eq!(fnv_1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv_1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv_1a(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
