//! The access to a volume: the engine, and whether it bypasses the page cache. Tested, not assumed.
//!
//! The trial is a run of a single I/O through the same code as the measurement, so that an access
//! that worked in the trial works in the run, on any machine.

use crate::jobs;
use crate::machine::{Machine, MachineError, MachineErrorKind, RunOrder};
use crate::target_jobs;
use crate::volume_plan::VolumePlan;
use fathom_document::Method;
use fathom_host::System;
use fathom_text::{Text, text};
use fathom_vocab::{IoEngine, Platform};

/// The order of trials. Direct I/O is worth more than a better engine: with the page cache the
/// figures would describe the cache. posixaio is last because it needs nothing of the kernel.
/// Engines that the machine's system lacks are left out.
const CHOICES: [(IoEngine, bool); 7] = [
    (IoEngine::IoUring, true),
    (IoEngine::Libaio, true),
    (IoEngine::Windowsaio, true),
    (IoEngine::Posixaio, true),
    (IoEngine::IoUring, false),
    (IoEngine::Windowsaio, false),
    (IoEngine::Posixaio, false),
];

/// Finds the first access that works for `volume`.
///
/// # Errors
/// If none works; the error of the last one.
pub(crate) fn find(
    volume: &VolumePlan,
    asked: Option<IoEngine>,
    block_bytes: u64,
    machine: &mut dyn Machine,
    entropy: u64,
) -> Result<Method, MachineError> {
    let choices = choices(volume, asked, platform_of(&machine.system()?))?;
    let mut refused: Vec<(IoEngine, bool, Text)> = Vec::new();
    for (engine, direct) in choices {
        let job = target_jobs::trial(volume, engine, direct, block_bytes);
        let tried = job
            .map_err(MachineError::of_run)
            .and_then(|job| attempt(RunOrder::of(job, entropy), machine))
            .map_err(|why| why.message);
        match tried {
            Ok(()) => return Ok(chosen(engine, direct, &refused)),
            Err(why) => refused.push((engine, direct, why)),
        }
        if machine.stopping() {
            let why = "interrupted before anything was measured";
            return Err(MachineError::new(MachineErrorKind::Stopped, why));
        }
    }
    let why = refused.pop().map(|(.., why)| why).unwrap_or_default();
    Err(MachineError::new(MachineErrorKind::NoEngine, why))
}

/// The kind of a machine's system: Windows names itself so.
fn platform_of(system: &System) -> Platform {
    match &system.os_release {
        Some(name) if name.contains("Windows") => Platform::Windows,
        Some(_) => Platform::Unix,
        None => Platform::here(),
    }
}

/// The possible engines: an export is reached only by its own engine, which reaches nothing else.
fn choices(
    volume: &VolumePlan,
    asked: Option<IoEngine>,
    platform: Platform,
) -> Result<Vec<(IoEngine, bool)>, MachineError> {
    let is_there = |(engine, _): &(IoEngine, bool)| engine.is_on(platform);
    match (asked, volume.export.is_some()) {
        (None | Some(IoEngine::Nfs), true) => Ok(vec![(IoEngine::Nfs, true)]),
        (None, false) => Ok(CHOICES.into_iter().filter(is_there).collect()),
        (Some(engine), false) => Ok(vec![(engine, true), (engine, false)]),
        (Some(engine), true) => {
            let name = engine.name();
            let why = text!("an export is reached by the engine nfs, not {name}; leave it out");
            Err(MachineError::new(MachineErrorKind::NoEngine, why))
        }
    }
}

fn chosen(engine: IoEngine, direct: bool, refused: &[(IoEngine, bool, Text)]) -> Method {
    let why = |of: &dyn Fn(&(IoEngine, bool, Text)) -> bool| {
        refused.iter().find(|attempt| of(attempt)).map(|(.., why)| why.to_string())
    };
    let why_not_direct = if direct { None } else { why(&|(_, direct, _)| *direct) };
    // Only errors under the conditions now in force count against the engine.
    let why_not_first_engine = why(&|(other, with, _)| *other != engine && *with == direct);
    Method { engine, direct, why_not_direct, why_not_first_engine }
}

fn attempt(order: RunOrder, machine: &mut dyn Machine) -> Result<(), MachineError> {
    let run = machine.run(&order, &mut jobs::NullObserver)?;
    let failed = |why: &str| Err(MachineError::of_run(why));
    match run.outcome.result.jobs.first() {
        Some(job) if job.error.is_error() => failed(&job.error_text),
        Some(_) => Ok(()),
        None => Err(MachineError::of_run(Text::from("the trial I/O was never begun"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_are_those_of_the_machine_that_measures() {
        let on = |name: Option<&str>| {
            platform_of(&System { os_release: name.map(str::to_owned), ..System::default() })
        };
        assert_eq!(on(Some("Microsoft Windows Server 2022")), Platform::Windows);
        assert_eq!(on(Some("Debian GNU/Linux 12")), Platform::Unix);
        assert_eq!(on(None), Platform::here());
    }

    #[test]
    fn a_refusal_is_laid_at_the_right_door() {
        let no = |engine, direct, why: &'static str| (engine, direct, Text::from(why));
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
