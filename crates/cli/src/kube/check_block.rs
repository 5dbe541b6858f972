//! `fathom kube check-block`: does a class give raw devices that perform I/O?

use super::args::{PodArgs, VolumeModeArg};
use super::jobs::{read_jobs, run_jobs};
use super::pods::{ClusterRun, PodsOrder, with_pods};
use crate::cli_error::CliError;
use crate::session::Session;
use crate::terminal::screen::say_line;
use fathom_campaign::TargetKind;
use fathom_kube::{
    ClusterAccess, KubeError, PodClaim, VolumeMode, check_data, difference, target_path,
};
use fathom_text::text;
use fathom_vocab::Target;

/// The jobs that write and then read.
const JOBS: [&str; 8] = [
    "--bs=64k",
    "--size=16m",
    "--ioengine=psync",
    "--direct=1",
    "--name=writes",
    "--rw=write",
    "--name=reads",
    "--rw=read",
];

/// How much is compared.
const DATA_BYTES: usize = 16 << 20;

/// Checks the class and prints the result.
///
/// # Errors
/// If it gives no device, or the device takes no I/O.
pub fn check_block(
    access: &ClusterAccess,
    args: &PodArgs,
    session: Session,
) -> Result<u8, CliError> {
    if args.classes.len() != 1 {
        return Err(CliError::usage(text!("check-block takes one class, as -s gp3")));
    }
    let pods = PodArgs { volume_mode: VolumeModeArg::Block, ..args.clone() };
    with_pods((access, &pods), &PodsOrder::of(1), session, |run, mut session| {
        write_and_read(run, &mut session)
    })
}

/// Refuses a volume that was there before its claim, if it holds data.
fn refuse_data(session: &mut Session, claim: &PodClaim, device: &str) -> Result<(), CliError> {
    match session.machine.examine(&Target::from(device))?.kind {
        TargetKind::Device { data: Some(data), .. } => Err(KubeError::Hindered(text!(
            "{class}: volume {} holds data ({data}), over which the check would write; empty it, \
             or name a class that makes new volumes",
            claim.pv,
            class = claim.class
        ))
        .into()),
        _ => Ok(()),
    }
}

fn write_and_read(run: &ClusterRun, session: &mut Session) -> Result<u8, CliError> {
    let (place, claim) = run.only()?;
    let (class, name) = (&claim.class, &claim.claim);
    let device = target_path(VolumeMode::Block, &claim.volume);
    refuse_data(session, claim, &device)?;
    let mut words = vec![format!("--filename={device}")];
    words.extend(JOBS.map(str::to_owned));
    words.push("--stonewall".to_owned());
    let jobs = read_jobs(&words, session)?;
    let result = run_jobs(&jobs, session)?;
    session.release();
    if let Some(code) = session.stopped.exit_code() {
        return Ok(code);
    }
    if let Some(job) = result.jobs.iter().find(|job| job.error.is_error()) {
        return Err(KubeError::Hindered(text!(
            "{class}: {} to the device of claim {name} fail: {}; see the storage driver's log on \
             its node",
            job.name,
            job.error_text
        ))
        .into());
    }
    let data = check_data(DATA_BYTES, fathom_vocab::entropy());
    run.cluster.write_data(&place.pod, &device, &data)?;
    let read = run.cluster.read_data(&place.pod, &device, DATA_BYTES)?;
    if let Some(found) = difference(&data, &read) {
        return Err(KubeError::Hindered(text!(
            "{class}: the device of claim {name} gives other data than were written: {found}; see \
             the storage driver's log on its node"
        ))
        .into());
    }
    say_line(text!(
        "{class}: raw devices work: of {} on node {}, 16 MiB were written, read and compared",
        claim.size,
        place.node
    ));
    Ok(0)
}
