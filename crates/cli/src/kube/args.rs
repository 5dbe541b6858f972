//! Arguments of `fathom kube`: the cluster, the volumes, the pods.

use crate::agent_binaries::{BINARY_FORM, NamedBinary, named_binary};
use crate::check::CheckArgs;
use crate::compare::CompareArgs;
use crate::invalid_value::InvalidValue;
use crate::measure::MeasureArgs;
use crate::plan_args::target;
use crate::quantity::parse_time;
use crate::sweep::SweepArgs;
use clap::{Arg, Args, Subcommand, ValueEnum, ValueHint};
use fathom_document::Assertion;
use fathom_kube::{ARCHITECTURE_LABEL, ClusterAccess, VolumeMode, quantity_bytes};
use fathom_vocab::Target;
use std::env;
use std::path::PathBuf;
use std::time::Duration;

const PODS: &str = "Claims and pods";
/// The access modes of a claim that can be written to.
const ACCESS_MODES: [&str; 3] = ["ReadWriteOnce", "ReadWriteMany", "ReadWriteOncePod"];
const EXPORT: &str = "nfs://SERVER/EXPORT";
/// The pod's image where none is named.
pub const USUAL_IMAGE: &str = "docker.io/library/busybox:1.37";

/// The command line of `fathom kube`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = AFTER_HELP, args_conflicts_with_subcommands = false)]
pub struct KubeArgs {
    /// One JSON document on standard output instead of text
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub access: KubeAccessArgs,

    #[command(subcommand)]
    pub command: Option<KubeCommand>,
}

const AFTER_HELP: &str = "\
Examples:
  fathom kube                                     classes and their problems
  fathom kube measure -s local-path --size 10Gi   what does this class give?
  fathom kube compare -s gp3,local-path           which class is better?
  fathom kube sweep -s nfs --access ReadWriteMany --pods 1..6
                                                  what do more pods gain?
  fathom kube cleanup                             what did killed runs leave?

The cluster is the one that kubectl would talk to. Rights that suffice are in the repository's
docs/kube-rbac.yaml. Claims and pods are removed at the end, also after ^C, SIGTERM or an
error; a run that is killed is removed by the cluster itself within two minutes.

Exit codes: 0 done, 1 something failed or was refused, 2 usage; of a measurement its own.";

/// Which cluster.
#[derive(Clone, Debug, Default, Args)]
pub struct KubeAccessArgs {
    /// The file that says how clusters are reached [default: $KUBECONFIG, then ~/.kube/config]
    #[arg(long, global = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub kubeconfig: Option<PathBuf>,

    /// The context of that file [default: its current one]
    #[arg(long, global = true, value_name = "NAME")]
    pub context: Option<String>,

    /// The namespace that claims and pods are made in [default: the context's]
    #[arg(long, short = 'n', global = true, value_name = "NAME")]
    pub namespace: Option<String>,
}

impl KubeAccessArgs {
    /// As the client takes it.
    pub fn access(&self) -> ClusterAccess {
        ClusterAccess {
            kubeconfig: self.kubeconfig.clone(),
            usual: usual_kubeconfigs(),
            context: self.context.clone(),
            namespace: self.namespace.clone(),
        }
    }
}

impl PodArgs {
    /// Whether the user chooses the architecture of nodes.
    pub fn chooses_architecture(&self) -> bool {
        self.node_selector.iter().any(|(key, _)| key == ARCHITECTURE_LABEL)
    }
}

/// The files that kubectl reads if none is named.
pub fn usual_kubeconfigs() -> Vec<PathBuf> {
    let named = env::var_os("KUBECONFIG").unwrap_or_default();
    let named: Vec<PathBuf> =
        env::split_paths(&named).filter(|path| !path.as_os_str().is_empty()).collect();
    match named.is_empty() {
        true => env::home_dir().map(|home| home.join(".kube/config")).into_iter().collect(),
        false => named,
    }
}

/// What is to be done in the cluster.
#[derive(Clone, Debug, Subcommand)]
pub enum KubeCommand {
    /// Measure what volumes of a StorageClass give, from a pod: latency, IOPS and throughput
    Measure(Box<KubeMeasureArgs>),
    /// Say which of several StorageClasses is better: one pod mounts a volume of each
    Compare(Box<KubeCompareArgs>),
    /// Run fio's jobs on a volume of a StorageClass
    Run(Box<KubeRunArgs>),
    /// Say how figures of a StorageClass change as options of the job or the number of pods change
    Sweep(Box<KubeSweepArgs>),
    /// Say whether a volume of a StorageClass keeps what was promised of it
    Check(Box<KubeCheckArgs>),
    /// Say whether a StorageClass gives raw devices that take I/O
    CheckBlock(Box<KubeCheckBlockArgs>),
    /// Say whether snapshots of a StorageClass keep data, and how long each step takes
    CheckCsi(Box<KubeCheckCsiArgs>),
    /// Remove claims and pods that killed runs left behind
    Cleanup(KubeCleanupArgs),
    #[command(hide = true)]
    Pipe(KubePipeArgs),
}

/// The command line of `fathom kube measure`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = MEASURE_HELP)]
#[command(mut_arg("targets", exports))]
#[command(mut_arg("classes", |arg| arg.required_unless_present_any(["claim", "targets"])))]
#[command(mut_arg("size", |arg| arg.long("file-size")))]
#[command(mut_arg("dry_run", without_letter))]
#[command(mut_args(without_hosts))]
pub struct KubeMeasureArgs {
    #[command(flatten)]
    pub pods: PodArgs,

    /// Before measuring, say how long so many volumes of each class take: to be provisioned,
    /// bound, attached, mounted, resized, restored from a snapshot, deleted
    ///
    /// They are made one after another, each with a pod of its own. They are resized if the class
    /// allows that, by one unit of --size, and snapshots are taken where its driver has a class of
    /// them.
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true,
          value_parser = clap::value_parser!(u32).range(..=1000), requires = "classes",
          conflicts_with = "claim", help_heading = PODS)]
    pub volumes: u32,

    /// With --volumes: the VolumeSnapshotClass [default: that of the class's driver]
    #[arg(long = "volumesnapshotclass", value_name = "CLASS", requires = "volumes",
          help_heading = PODS)]
    pub snapshot_class: Option<String>,

    #[command(flatten)]
    pub measure: MeasureArgs,
}

const MEASURE_HELP: &str = "\
Examples:
  fathom kube measure -s local-path --size 10Gi
  fathom kube measure -s gp3 --nodeselector disk=nvme --report gp3.html
  fathom kube measure -s gp3 --volume-mode Block      a raw device, with writes
  fathom kube measure --claim data-postgres-0         an existing claim
  fathom kube measure -s gp3 --volumes 10             how long do volumes take?
  fathom kube measure nfs://nas/export --pods 6       an export, from six pods

A claim of each class is made and mounted in one pod, Fathom is copied into the pod, and all is
removed at the end, also after ^C, SIGTERM or an error.

Exit codes: those of `fathom measure`; 1 where the pod did not start or something was left behind.";

/// The command line of `fathom kube compare`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = COMPARE_HELP)]
#[command(mut_arg("targets", exports))]
#[command(mut_arg("classes", |arg| arg.required_unless_present_any(["claim", "targets"])))]
#[command(mut_arg("size", |arg| arg.long("file-size")))]
#[command(mut_arg("dry_run", without_letter))]
#[command(mut_args(without_hosts))]
pub struct KubeCompareArgs {
    #[command(flatten)]
    pub pods: PodArgs,

    #[command(flatten)]
    pub compare: CompareArgs,
}

const COMPARE_HELP: &str = "\
Examples:
  fathom kube compare -s gp3,local-path --size 20Gi
  fathom kube compare -s nfs,gp3 --rw randread --repeat 10
  fathom kube compare -s nfs nfs://nas/export         what does the mount cost?

One pod mounts a volume of each class, so that all are measured from the same node and in turn.

Exit codes: those of `fathom compare`; 1 where the pod did not start or something was left behind.";

/// Clap's own is wider than a terminal.
const RUN_USAGE: &str = "fathom kube run [OPTIONS] -f <JOBFILE> [nfs://...] [-- <FIO OPTION>...]";

/// The command line of `fathom kube run`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = RUN_HELP, override_usage = RUN_USAGE)]
#[command(mut_arg("dry_run", without_letter))]
#[command(mut_arg("classes", |arg| arg.required_unless_present_any(["claim", "target"])))]
pub struct KubeRunArgs {
    /// An export of an NFS server in place of a volume; the pods need no mount
    #[arg(value_name = EXPORT, value_parser = target())]
    pub target: Option<Target>,

    /// A job file, or configmap/NAME[/KEY] for one in the namespace
    #[arg(long, short = 'f', value_name = "JOBFILE|configmap/NAME")]
    pub fiofile: String,

    /// Hold a figure against a limit, as 'p99<1ms' or 'read.iops>=3000'; may be given several times
    #[arg(long = "assert", value_name = "FIGURE<LIMIT")]
    pub assertions: Vec<Assertion>,

    #[command(flatten)]
    pub junit: crate::output::JunitArgs,

    #[command(flatten)]
    pub pods: PodArgs,

    #[command(flatten)]
    pub show: crate::output::show::ShowArgs,

    #[command(flatten)]
    pub report: crate::output::OutputArgs,

    /// Options of jobs as fio takes them, after --: what the file says itself stays
    #[arg(last = true, value_name = "FIO OPTION")]
    pub fio: Vec<std::ffi::OsString>,
}

const RUN_HELP: &str = "\
Examples:
  fathom kube run -f fio-read.fio -s local-path --size 10Gi
  fathom kube run -f fio-read.fio -s local-path --nodeselector disk=nvme
  fathom kube run -f configmap/fio-jobs/fio.job -s local-path
  fathom kube run -f read.fio -s gp3 -- --section=reads
  fathom kube run -f read.fio -s gp3 --assert 'p99<1ms' --junit fathom.xml
  fathom kube run -f read.fio -s nfs --access ReadWriteMany --pods 6
  fathom kube run -f read.fio nfs://nas/export --pods 6

Jobs run in the folder of the volume; those that name a directory or filename keep it.

Exit codes: those of `fathom run`; 1 where the pod did not start or something was left behind.";

/// The command line of `fathom kube sweep`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = SWEEP_HELP)]
#[command(mut_arg("target", |arg| export(arg).default_value(NO_TARGET)))]
#[command(mut_arg("classes", |arg| arg.required_unless_present_any(["claim", "target"])))]
#[command(mut_arg("size", |arg| arg.long("file-size")))]
#[command(mut_arg("clients", |arg| arg.hide(true)))]
#[command(mut_arg("dry_run", without_letter))]
#[command(mut_args(without_hosts))]
pub struct KubeSweepArgs {
    #[command(flatten)]
    pub pods: PodArgs,

    #[command(flatten)]
    pub sweep: SweepArgs,
}

/// What stands for the target until there are pods.
pub const NO_TARGET: &str = "/volumes";

const SWEEP_HELP: &str = "\
Examples:
  fathom kube sweep -s gp3 --iodepth 1..64            where is the knee?
  fathom kube sweep -s nfs --access ReadWriteMany --pods 1..6
                      what do more pods gain on one volume?
  fathom kube sweep -s nfs --access ReadWriteMany --pods 1..6 \\
      --rwmix 100:0..0:100/25
  fathom kube sweep -s gp3 --pods 1..6/1              a volume for each pod
  fathom kube sweep nfs://nas/export --pods 1..6      the same without a mount

The most pods of --pods are made once. Each case runs on the first so many of them: one of each
node before a second of any. Values are written as in `fathom sweep`.

Exit codes: those of `fathom sweep`; 1 where the pods did not start or something was left behind.";

/// Not that of `fathom check`, whose arguments it has.
const CHECK_USAGE: &str = "fathom kube check [OPTIONS] [nfs://SERVER/EXPORT]";

/// The command line of `fathom kube check`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = CHECK_HELP, override_usage = CHECK_USAGE)]
#[command(mut_arg("target", |arg| export(arg).default_value(NO_TARGET)))]
#[command(mut_arg("classes", |arg| arg.required_unless_present_any(["claim", "target"])))]
#[command(mut_arg("size", |arg| arg.long("file-size")))]
#[command(mut_arg("dry_run", without_letter))]
#[command(mut_args(without_hosts))]
#[command(mut_group("held to", |group| group.required(false)))]
pub struct KubeCheckArgs {
    #[command(flatten)]
    pub pods: PodArgs,

    #[command(flatten)]
    pub check: CheckArgs,
}

const CHECK_HELP: &str = "\
Examples:
  fathom kube check -s gp3 --size 500Gi               as the provider promises?
  fathom kube check -s gp3 --promise aws.gp3 --iops 6000 --size 500Gi
  fathom kube check --claim data-postgres-0 --iops 3000 --latency p99=2ms

Without --promise it is guessed from the class's provisioner and parameters, and said. The size
that was bought is that of the claim.

Exit codes: those of `fathom check`; 1 where the pod did not start or something was left behind.";

/// The command line of `fathom kube check-block`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = CHECK_BLOCK_HELP)]
#[command(mut_arg("classes", |arg| arg.required(true)))]
#[command(mut_arg("claim_size", |arg| arg.default_value("1Gi")))]
#[command(mut_arg("claim", |arg| arg.hide(true)))]
#[command(mut_arg("volume_mode", |arg| arg.hide(true)))]
#[command(mut_arg("pods", |arg| arg.hide(true)))]
#[command(mut_arg("min_pods", |arg| arg.hide(true)))]
pub struct KubeCheckBlockArgs {
    #[command(flatten)]
    pub pods: PodArgs,
}

const CHECK_BLOCK_HELP: &str = "\
Examples:
  fathom kube check-block -s gp3
  fathom kube check-block -s local --size 10Gi --wait 2m

A claim of the class is made with volumeMode Block, a pod takes it as a device, writes 16 MiB to it,
reads them and compares. All is removed at the end.

Exit codes: 0 it does, 1 it does not or something was left behind, 2 usage.";

/// The command line of `fathom kube check-csi`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = CHECK_CSI_HELP)]
#[command(mut_arg("classes", |arg| arg.required(true)))]
#[command(mut_arg("claim_size", |arg| arg.default_value("1Gi")))]
#[command(mut_arg("claim", |arg| arg.hide(true)))]
#[command(mut_arg("volume_mode", |arg| arg.hide(true)))]
#[command(mut_arg("pods", |arg| arg.hide(true)))]
#[command(mut_arg("min_pods", |arg| arg.hide(true)))]
pub struct KubeCheckCsiArgs {
    /// The VolumeSnapshotClass [default: that of the class's driver]
    #[arg(long = "volumesnapshotclass", short = 'v', value_name = "CLASS", help_heading = PODS)]
    pub snapshot_class: Option<String>,

    /// One JSON document on standard output instead of text
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub pods: PodArgs,
}

const CHECK_CSI_HELP: &str = "\
Examples:
  fathom kube check-csi -s gp3
  fathom kube check-csi -s csi -v snapclass --json

A pod writes 16 MiB to a new volume of the class. A snapshot is taken, other data are written over
the first, and a volume is made of the snapshot: it has to hold what was there before. All is
removed at the end.

Exit codes: 0 they do, 1 they do not or something was left behind, 2 usage.";

/// Options that say which hosts measure.
const HOSTS: [&str; 8] =
    ["on", "via", "agent", "agent_binary", "keep_agent", "relays", "min_clients", "shared_file"];

/// Has targets be exports alone: pods have no paths but those of their volumes.
fn exports(arg: Arg) -> Arg {
    const HELP: &str = "Exports of NFS servers beside volumes, or in place of them; the pods need \
                        no mount";
    arg.required(false).value_name(EXPORT).help(HELP).long_help(HELP)
}

/// The same of a command that takes one.
fn export(arg: Arg) -> Arg {
    const HELP: &str = "An export of an NFS server in place of a volume; the pods need no mount";
    arg.required(false).hide_default_value(true).value_name(EXPORT).help(HELP).long_help(HELP)
}

/// Leaves `-n` to --namespace, as kubectl has it.
fn without_letter(arg: Arg) -> Arg {
    arg.short(None)
}

/// Hides the options that say which hosts measure: here pods do.
fn without_hosts(arg: Arg) -> Arg {
    match arg.get_id().as_str() {
        // Pods have one of this name.
        "agent_binary" => arg.long("host-agent-binary").hide(true),
        id if HOSTS.contains(&id) => arg.hide(true),
        _ => arg,
    }
}

/// Which volumes, and the pods that mount them.
#[derive(Clone, Debug, Args)]
pub struct PodArgs {
    /// StorageClasses to make a claim of each
    #[arg(long = "storageclass", visible_alias = "class", short = 's', value_name = "CLASS[,CLASS]",
          value_delimiter = ',', help_heading = PODS)]
    pub classes: Vec<String>,

    /// Claims that are there, in place of new ones; they are not removed
    #[arg(long, value_name = "NAME[,NAME]", value_delimiter = ',', conflicts_with = "classes",
          help_heading = PODS)]
    pub claim: Vec<String>,

    /// How large a claim to make; providers often sell speed by size
    #[arg(long = "size", value_name = "SIZE", default_value = "10Gi", value_parser = claim_size,
          help_heading = PODS)]
    pub claim_size: String,

    /// How a claim may be mounted: ReadWriteOnce, ReadWriteMany, ReadWriteOncePod
    #[arg(long, value_name = "MODE", default_value = "ReadWriteOnce", value_parser = ACCESS_MODES,
          hide_possible_values = true, help_heading = PODS)]
    pub access: String,

    /// A folder with a file system, or a raw device, for which the pod has to be root
    #[arg(long, value_name = "MODE", default_value = "filesystem", value_enum,
          ignore_case = true, help_heading = PODS)]
    pub volume_mode: VolumeModeArg,

    /// How many pods measure at once, spread evenly over nodes; `sweep` takes values, as 1..6
    ///
    /// Each pod has a volume of its own, unless --access is ReadWriteMany: then all share one.
    /// Figures are those of all pods together, and each pod's share is told.
    #[arg(long, value_name = "N", default_value = "1", help_heading = PODS)]
    pub pods: String,

    /// Go on as long as so many pods are left [default: all of them]
    #[arg(long, value_name = "N", help_heading = PODS,
          value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..))]
    pub min_pods: Option<usize>,

    /// Labels of the nodes to run on, as disk=nvme,zone=a
    #[arg(long = "nodeselector", short = 'N', visible_alias = "node-selector",
          value_name = "KEY=VALUE", value_delimiter = ',', value_parser = key_and_value,
          help_heading = PODS)]
    pub node_selector: Vec<(String, String)>,

    /// The pod's image: any with a shell; Fathom is copied into it
    #[arg(long, value_name = "IMAGE", default_value = USUAL_IMAGE,
          help_heading = PODS)]
    pub image: String,

    /// Fathom's binary for nodes of another architecture, as arm64=FILE; pods then run on nodes of
    /// both [default: fathom-ARCH beside this one]
    #[arg(long = "agent-binary", value_name = BINARY_FORM, value_parser = named_binary,
          help_heading = PODS)]
    pub node_binaries: Vec<NamedBinary>,

    /// Run as this user in the pod [default: 65532, and root for a raw device]
    #[arg(long, value_name = "UID", help_heading = PODS)]
    pub run_as: Option<i64>,

    /// A YAML or JSON file with fields of the pod that differ, as tolerations or resources
    ///
    /// Our container is called fathom. Lists of named members are merged, other lists replaced, and
    /// null removes a field.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = PODS)]
    pub patch: Option<PathBuf>,

    /// How long the pods may take to run
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = parse_time,
          help_heading = PODS)]
    pub wait: Duration,

    /// When the cluster ends the pods, whatever they do
    #[arg(long, value_name = "TIME", default_value = "6h", value_parser = parse_time,
          help_heading = PODS)]
    pub deadline: Duration,
}

/// How a volume is given to a pod.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum VolumeModeArg {
    /// As a folder
    Filesystem,
    /// As a raw device
    Block,
}

impl From<VolumeModeArg> for VolumeMode {
    fn from(mode: VolumeModeArg) -> VolumeMode {
        match mode {
            VolumeModeArg::Filesystem => VolumeMode::Filesystem,
            VolumeModeArg::Block => VolumeMode::Block,
        }
    }
}

/// The command line of `fathom kube cleanup`.
#[derive(Clone, Debug, Args)]
#[command(after_long_help = CLEANUP_HELP)]
pub struct KubeCleanupArgs {
    /// Remove this run, also where its pods still run
    #[arg(long, value_name = "ID")]
    pub run: Option<String>,

    /// Remove all runs, also those whose pods still run
    #[arg(long, conflicts_with = "run")]
    pub all: bool,

    /// List what would be removed, and remove nothing
    #[arg(long)]
    pub dry_run: bool,
}

const CLEANUP_HELP: &str = "\
Examples:
  fathom kube cleanup --dry-run        what is there of runs in this namespace?
  fathom kube cleanup                  remove what no pod uses any more
  fathom kube cleanup --run 1a2b3c4d   remove one run

Objects are found by the label app.kubernetes.io/managed-by=fathom.

Exit codes: 0 nothing is left that should be gone, 1 something could not be removed, 2 usage.";

/// The command line of `fathom kube pipe`: a command in a pod, between our own standard input and
/// output.
#[derive(Clone, Debug, Args)]
pub struct KubePipeArgs {
    /// The pod, or what it is called in --names
    pub pod: String,

    /// What pods are called, as pod1=fathom-1a2b3c4d-0-abcde
    #[arg(long, value_delimiter = ',', value_parser = key_and_value)]
    pub names: Vec<(String, String)>,

    /// The command
    #[arg(required = true, last = true)]
    pub command: Vec<String>,
}

/// A size as the cluster takes it.
fn claim_size(text: &str) -> Result<String, InvalidValue> {
    match quantity_bytes(text) {
        Some(_) => Ok(text.to_owned()),
        None => Err(InvalidValue::Form("give a size as Kubernetes writes it, as 10Gi or 500M")),
    }
}

/// A label or another pair.
pub fn key_and_value(text: &str) -> Result<(String, String), InvalidValue> {
    let pair = text.split_once('=').filter(|(key, _)| !key.is_empty());
    let (key, value) =
        pair.ok_or(InvalidValue::Form("give a label with its value, as disk=nvme"))?;
    Ok((key.to_owned(), value.to_owned()))
}
