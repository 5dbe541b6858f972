//! `fathom kube`: what do the StorageClasses of a cluster give?
//!
//! A pod is a machine and a claim is a target: `measure`, `compare` and `run` are those of
//! one machine, with pods in its place. What is ours here is how pods come up and go.

mod args;
mod cleanup;
mod jobs;
mod machine;
mod pods;
mod survey;

pub use args::KubeArgs;

use crate::cli_error::CliError;
use crate::session::{Session, ended};
use crate::{compare, measure};
use args::{KubeCommand, KubeCompareArgs, KubeMeasureArgs, KubePipeArgs, PodArgs};
use fathom_kube::{Cluster, ClusterAccess, VolumeMode};
use fathom_vocab::Target;
use pods::in_pods;
use std::io::{stderr, stdin, stdout};
use std::process::ExitCode;

/// Runs `fathom kube` and gives its exit code.
pub fn command(args: &KubeArgs, session: Session) -> ExitCode {
    let access = args.access.access();
    ended(match &args.command {
        None => survey::survey(&access, args.json, &session.screen),
        Some(KubeCommand::Measure(args)) => measured(&access, args, session),
        Some(KubeCommand::Compare(args)) => compared(&access, args, session),
        Some(KubeCommand::Run(args)) => jobs::run(&access, args, session),
        Some(KubeCommand::Cleanup(args)) => cleanup::cleanup(&access, args),
        Some(KubeCommand::Pipe(args)) => pipe(&access, args),
    })
}

fn measured(
    access: &ClusterAccess,
    args: &KubeMeasureArgs,
    session: Session,
) -> Result<u8, CliError> {
    let mut own = args.measure.clone();
    own.report.check()?;
    refuse_targets(&own.targets, own.fleet.on.as_deref())?;
    in_pods(access, &args.pods, &args.measure.show, session, |targets, session| {
        own.destroy_data_on.extend(writable(&args.pods, targets));
        own.targets = targets.to_vec();
        measure::measure(&own, session)
    })
}

fn compared(
    access: &ClusterAccess,
    args: &KubeCompareArgs,
    session: Session,
) -> Result<u8, CliError> {
    let mut own = args.compare.clone();
    own.report.check()?;
    refuse_targets(&own.targets, None)?;
    if args.pods.classes.len() + args.pods.claim.len() < 2 {
        let why = "compare takes two classes or more, as -s gp3,local-path";
        return Err(CliError::usage(why));
    }
    in_pods(access, &args.pods, &args.compare.show, session, |targets, session| {
        own.destroy_data_on.extend(writable(&args.pods, targets));
        own.targets = targets.to_vec();
        compare::compare_places(&own, session)
    })
}

/// Devices of new claims: nobody's data is on them.
fn writable<'a>(args: &PodArgs, targets: &'a [Target]) -> impl Iterator<Item = Target> + 'a {
    let is_new = VolumeMode::from(args.volume_mode) == VolumeMode::Block && args.claim.is_empty();
    targets.iter().filter(move |_| is_new).cloned()
}

fn refuse_targets(targets: &[Target], on: Option<&str>) -> Result<(), CliError> {
    if let Some(target) = targets.first() {
        return Err(CliError::usage(format!(
            "'{target}' is a path, and pods have the volumes of -s CLASS or --claim NAME; leave it \
             out"
        )));
    }
    match on {
        Some(_) => Err(CliError::usage("--on names hosts, and here pods measure; leave it out")),
        None => Ok(()),
    }
}

/// A command in a pod between our own standard input and output: what agents are reached by.
fn pipe(access: &ClusterAccess, args: &KubePipeArgs) -> Result<u8, CliError> {
    let cluster = Cluster::connect(access)?;
    let ends = (stdout().lock(), stderr().lock());
    let code = cluster.bridge(&args.pod, &args.command, stdin(), ends)?;
    Ok(u8::try_from(code).unwrap_or(1))
}
