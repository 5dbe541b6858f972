//! How a volume is reached: which engine, and whether past the page cache. Tried, not assumed.
//!
//! The trial is a run of a single I/O through the same door as the measurement, so that what
//! worked in the trial works in the run, on whatever machine the executor stands for.

use crate::execute::Executor;
use crate::jobs;
use crate::plan::VolumePlan;
use fathom_run::RunOptions;
use fathom_vocab::IoEngine;
use serde::{Deserialize, Serialize};

/// How I/Os reach a volume.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Method {
    /// The engine.
    pub engine: IoEngine,
    /// Whether files are opened with `O_DIRECT`.
    pub direct: bool,
    /// Why it is not the first choice: what was refused, in the system's words.
    pub why_not_direct: Option<String>,
    /// Why another engine is used than the first choice.
    pub why_not_first_engine: Option<String>,
}

impl Method {
    /// I/Os that are really in flight where `depth` are asked for.
    pub fn effective_depth(&self, depth: u32) -> u32 {
        if self.engine.is_sync() { 1 } else { depth }
    }
}

/// What is tried, in this order. Direct I/O is worth more than a better engine: the page cache
/// would answer a different question. posixaio comes last because it needs nothing of the kernel.
const CHOICES: [(IoEngine, bool); 5] = [
    (IoEngine::IoUring, true),
    (IoEngine::Libaio, true),
    (IoEngine::Posixaio, true),
    (IoEngine::IoUring, false),
    (IoEngine::Posixaio, false),
];

/// Finds the first way that works for `volume`.
///
/// # Errors
/// In words, where no way works; why the last one did not.
pub(crate) fn find(
    volume: &VolumePlan,
    asked: Option<IoEngine>,
    block_bytes: u64,
    executor: &mut dyn Executor,
    options: &RunOptions,
) -> Result<Method, String> {
    let choices: Vec<(IoEngine, bool)> = match asked {
        Some(engine) => vec![(engine, true), (engine, false)],
        None => CHOICES.to_vec(),
    };
    let mut refused: Vec<(IoEngine, bool, String)> = Vec::new();
    for (engine, direct) in choices {
        match attempt(volume, engine, direct, block_bytes, executor, options) {
            Ok(()) => return Ok(chosen(engine, direct, &refused)),
            Err(why) => refused.push((engine, direct, why)),
        }
        if executor.stopping() {
            return Err("interrupted before anything was measured".to_owned());
        }
    }
    Err(refused.pop().map(|(.., why)| why).unwrap_or_default())
}

fn chosen(engine: IoEngine, direct: bool, refused: &[(IoEngine, bool, String)]) -> Method {
    let why = |of: &dyn Fn(&(IoEngine, bool, String)) -> bool| {
        refused.iter().find(|attempt| of(attempt)).map(|(.., why)| why.clone())
    };
    let why_not_direct = if direct { None } else { why(&|(_, direct, _)| *direct) };
    // The engine is only to blame for what it refused under the conditions now in force.
    let why_not_first_engine = why(&|(other, with, _)| *other != engine && *with == direct);
    Method { engine, direct, why_not_direct, why_not_first_engine }
}

fn attempt(
    volume: &VolumePlan,
    engine: IoEngine,
    direct: bool,
    block_bytes: u64,
    executor: &mut dyn Executor,
    options: &RunOptions,
) -> Result<(), String> {
    let job = jobs::trial(volume, engine, direct, block_bytes);
    let result = executor.execute(&[job], options, &mut jobs::Deaf)?;
    match result.jobs.first() {
        Some(job) if job.error.is_error() => Err(job.error_text.clone()),
        Some(_) => Ok(()),
        None => Err("the trial I/O was never begun".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_laid_at_the_right_door() {
        let no = |engine, direct, why: &str| (engine, direct, why.to_owned());
        let all_direct = [
            no(IoEngine::IoUring, true, "EINVAL"),
            no(IoEngine::Libaio, true, "EINVAL"),
            no(IoEngine::Posixaio, true, "EINVAL"),
        ];
        let buffered = chosen(IoEngine::IoUring, false, &all_direct);
        assert_eq!(buffered.why_not_direct.as_deref(), Some("EINVAL"));
        assert_eq!(buffered.why_not_first_engine, None);
        let aio = chosen(IoEngine::Libaio, true, &[no(IoEngine::IoUring, true, "EPERM")]);
        assert_eq!(aio.why_not_direct, None);
        assert_eq!(aio.why_not_first_engine.as_deref(), Some("EPERM"));
    }
}
