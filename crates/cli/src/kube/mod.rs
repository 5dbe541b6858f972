//! `fathom kube`: how fast are the StorageClasses of a cluster?
//!
//! A pod is a machine and a claim is a target: `measure`, `compare` and `run` are the same as on
//! one machine, with pods instead. This module only starts and removes pods.

mod args;
mod check;
mod check_block;
mod check_csi;
mod cleanup;
mod jobs;
mod kubestr;
mod machine;
mod pod_programs;
mod pods;
mod survey;
mod volume_times;

pub use args::KubeArgs;
use fathom_text::text;
pub use kubestr::kubestr;
#[cfg(test)]
pub use kubestr::kubestr_command_line;

use crate::cli_error::CliError;
use crate::plan_args::PlanArgs;
use crate::session::Session;
use crate::{compare, measure, sweep};
use args::{
    KubeCommand, KubeCompareArgs, KubeMeasureArgs, KubePipeArgs, KubeSweepArgs, NO_TARGET, PodArgs,
};
use fathom_campaign::sweep::SweepError;
use fathom_campaign::{DEFAULT_SIZE_BYTES, TargetKind, binary_bytes};
use fathom_kube::{Cluster, ClusterAccess, VolumeMode, quantity_bytes};
use fathom_vocab::Target;
use pods::{PodsOrder, in_pods, not_started, pod_names};
use std::io::{stderr, stdin, stdout};
use std::path::Path;
use volume_times::{TimesOrder, time_volumes};

/// Runs `fathom kube` and gives its exit code.
///
/// # Errors
/// If the cluster refuses, or nothing was measured.
pub fn command(args: &KubeArgs, session: Session) -> Result<u8, CliError> {
    let access = args.access.access();
    match &args.command {
        None => survey::survey(&access, args.json, &session.screen),
        Some(KubeCommand::Measure(args)) => measured(&access, args, session),
        Some(KubeCommand::Compare(args)) => compared(&access, args, session),
        Some(KubeCommand::Run(args)) => jobs::run(&access, args, session),
        Some(KubeCommand::Sweep(args)) => swept(&access, args, session),
        Some(KubeCommand::Check(args)) => check::checked(&access, args, session),
        Some(KubeCommand::CheckBlock(args)) => {
            check_block::check_block(&access, &args.pods, session)
        }
        Some(KubeCommand::CheckCsi(args)) => check_csi::check_csi(&access, args, session),
        Some(KubeCommand::Cleanup(args)) => cleanup::cleanup(&access, args),
        Some(KubeCommand::Pipe(args)) => pipe(&access, args),
    }
}

/// The most pods of a run; more are probably a typing error.
const MOST_PODS: u32 = 1000;

impl PodArgs {
    /// How many pods measure.
    ///
    /// # Errors
    /// If that is no number of pods.
    fn count(&self) -> Result<u32, CliError> {
        match self.pods.parse() {
            Ok(pods @ 1..=MOST_PODS)
                if self.min_pods.is_some_and(|least| least > pods as usize) =>
            {
                Err(CliError::usage(text!("--min-pods is more than --pods; give at most as many")))
            }
            Ok(pods @ 1..=MOST_PODS) => Ok(pods),
            Ok(_) => Err(too_many_pods()),
            Err(_) => Err(CliError::usage(text!(
                "--pods {} is no number of pods; give one, as 6, and a range only to `fathom kube \
                 sweep`",
                self.pods
            ))),
        }
    }
}

impl PodArgs {
    /// How many volumes a pod has.
    fn volumes(&self) -> usize {
        self.classes.len() + self.claim.len()
    }

    /// Has the test file fit into its claim: not every class has a volume end at its size, and a
    /// larger file then takes the node's space.
    fn fit_file(&self, plan: &mut PlanArgs) -> Result<(), CliError> {
        let is_new = !self.classes.is_empty();
        let has_file = VolumeMode::from(self.volume_mode) == VolumeMode::Filesystem;
        let claim_bytes = quantity_bytes(&self.claim_size).filter(|_| is_new && has_file);
        match (claim_bytes, plan.size) {
            (Some(most), Some(bytes)) if bytes > most => Err(CliError::usage(text!(
                "--file-size {} does not fit into a claim of --size {}; give a smaller file or a \
                 larger claim",
                binary_bytes(bytes),
                self.claim_size
            ))),
            (Some(most), None) if most < 2 * DEFAULT_SIZE_BYTES => {
                plan.size = Some((most / 2).max(1));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Refuses any number of volumes and exports but one.
    fn refuse_several(&self, command: &str, exports: usize) -> Result<(), CliError> {
        match self.volumes() + exports {
            1 => Ok(()),
            _ => {
                Err(CliError::usage(text!("{command} takes one class, claim or export, as -s gp3")))
            }
        }
    }
}

fn too_many_pods() -> CliError {
    CliError::usage(text!("--pods takes from 1 to {MOST_PODS} pods"))
}

fn measured(
    access: &ClusterAccess,
    args: &KubeMeasureArgs,
    mut session: Session,
) -> Result<u8, CliError> {
    let mut own = args.measure.clone();
    own.course.report.check()?;
    args.pods.fit_file(&mut own.plan)?;
    let exports = exports(&own.targets, own.course.fleet.on.as_deref())?;
    if args.pods.claim.is_empty() {
        measure::check_time(&own, &mut session)?;
    }
    let order = match timed(access, args, &mut session) {
        Ok(order) => order,
        Err(why) => return not_started(why, &session.stopped),
    };
    in_pods(
        (access, &args.pods, &order),
        &args.measure.course.show,
        session,
        |targets, mut session| {
            own.plan.destroy_data_on.extend(blank(&args.pods, targets, &mut session));
            own.targets = [targets, &exports].concat();
            measure::measure(&own, session)
        },
    )
}

/// The pods to measure from, once volumes of their classes are timed.
fn timed(
    access: &ClusterAccess,
    args: &KubeMeasureArgs,
    session: &mut Session,
) -> Result<PodsOrder, CliError> {
    let quiet = args.measure.course.show.quiet;
    let mut order = PodsOrder { quiet, ..PodsOrder::of(args.pods.count()?) };
    if args.volumes == 0 || args.measure.course.show.dry_run {
        return Ok(order);
    }
    let times = TimesOrder {
        pods: &args.pods,
        volumes: args.volumes,
        snapshot_class: args.snapshot_class.as_deref(),
        quiet,
    };
    order.steps = time_volumes(access, &times, session)?;
    if !quiet && !args.measure.course.report.for_programs() {
        volume_times::tell(&order.steps, &session.screen);
    }
    Ok(order)
}

fn compared(
    access: &ClusterAccess,
    args: &KubeCompareArgs,
    session: Session,
) -> Result<u8, CliError> {
    let mut own = args.compare.clone();
    own.course.report.check()?;
    args.pods.fit_file(&mut own.plan)?;
    let exports = exports(&own.targets, own.course.fleet.on.as_deref())?;
    if args.pods.volumes() + exports.len() < 2 {
        let why = "compare takes two classes or more, as -s gp3,local-path, or exports beside them";
        return Err(CliError::usage(why));
    }
    let pods = args.pods.count()?;
    let order = PodsOrder { quiet: args.compare.course.show.quiet, ..PodsOrder::of(pods) };
    in_pods(
        (access, &args.pods, &order),
        &args.compare.course.show,
        session,
        |targets, mut session| {
            own.plan.destroy_data_on.extend(blank(&args.pods, targets, &mut session));
            own.targets = [targets, &exports].concat();
            compare::compare_places(&own, session)
        },
    )
}

fn swept(access: &ClusterAccess, args: &KubeSweepArgs, session: Session) -> Result<u8, CliError> {
    let mut own = args.sweep.clone();
    own.course.report.check()?;
    args.pods.fit_file(&mut own.plan)?;
    let export = exports(typed(&own.target), own.course.fleet.on.as_deref())?;
    args.pods.refuse_several("sweep", export.len())?;
    let is_list = args.pods.pods.parse::<u32>().is_err();
    own.clients = is_list.then(|| args.pods.pods.clone());
    // Errors of the options are reported before anything is created.
    let question = sweep::check(&own, Vec::new());
    let most = question.map_err(|why| CliError::usage(of_pods(why)))?.most_clients();
    let pods = match most.map(u32::try_from) {
        None => args.pods.count()?,
        Some(Ok(pods @ 1..=MOST_PODS)) => pods,
        Some(_) => return Err(too_many_pods()),
    };
    let order = PodsOrder { quiet: args.sweep.course.show.quiet, ..PodsOrder::of(pods) };
    in_pods(
        (access, &args.pods, &order),
        &args.sweep.course.show,
        session,
        |targets, mut session| {
            own.plan.destroy_data_on.extend(blank(&args.pods, targets, &mut session));
            // An export appears as it was typed.
            if let Some(target) = targets.first() {
                own.target = target.clone();
            }
            sweep::sweep(&own, pod_names(pods), session)
        },
    )
}

/// The same error where values of --pods were read as those of --clients.
fn of_pods(why: SweepError) -> SweepError {
    match why {
        SweepError::Values { axis, text, why } if axis == "clients" => {
            SweepError::Values { axis: "pods".to_owned(), text, why }
        }
        other => other,
    }
}

/// Devices of new claims that hold no data that is known: a volume that was there before its claim
/// may hold some, and is only read.
fn blank(args: &PodArgs, targets: &[Target], session: &mut Session) -> Vec<Target> {
    let is_new = VolumeMode::from(args.volume_mode) == VolumeMode::Block && args.claim.is_empty();
    let mut is_meant = |target: &&Target| {
        is_new && session.machine.examine(target).is_ok_and(|of| is_blank(&of.kind))
    };
    targets.iter().filter(|target| is_meant(target)).cloned().collect()
}

fn is_blank(kind: &TargetKind) -> bool {
    matches!(kind, TargetKind::Device { data: None, .. })
}

/// A typed target, where none is allowed.
fn typed(target: &Target) -> &[Target] {
    let typed = Some(target).filter(|target| target.path() != Some(Path::new(NO_TARGET)));
    typed.map_or(&[], std::slice::from_ref)
}

/// Typed targets: exports, which a pod reaches like any machine.
///
/// # Errors
/// If one is a path, or hosts are named.
fn exports(targets: &[Target], on: Option<&str>) -> Result<Vec<Target>, CliError> {
    if let Some(target) = targets.iter().find(|target| target.path().is_some()) {
        return Err(CliError::usage(text!(
            "'{target}' is a path, and pods have the volumes of -s CLASS or --claim NAME; leave it \
             out, or name an export, as nfs://nas/export"
        )));
    }
    match on {
        Some(_) => {
            Err(CliError::usage(text!("--on names hosts, and here pods measure; leave it out")))
        }
        None => Ok(targets.to_vec()),
    }
}

/// Connects our standard input and output to a command in a pod; agents are reached through it.
fn pipe(access: &ClusterAccess, args: &KubePipeArgs) -> Result<u8, CliError> {
    let cluster = Cluster::connect(access)?;
    let ends = (stdout().lock(), stderr().lock());
    let named = args.names.iter().find(|(name, _)| *name == args.pod);
    let pod = named.map_or(&args.pod, |(_, pod)| pod);
    let code = cluster.bridge(pod, &args.command, stdin(), ends)?;
    Ok(u8::try_from(code).unwrap_or(1))
}
