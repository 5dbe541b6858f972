//! kubestr's command line, with its short flags and defaults.

use clap::{ArgAction, Args, Parser, Subcommand};
use std::ffi::OsString;
use std::path::PathBuf;

/// The command line of kubestr.
#[derive(Clone, Debug, Parser)]
#[command(name = "kubestr", disable_help_subcommand = true, allow_external_subcommands = true)]
#[command(about = "kubestr's commands, done by Fathom: validate the storage of a cluster")]
pub struct KubestrArgs {
    /// json, or nothing for text
    #[arg(short, long, global = true, default_value = "", value_name = "json")]
    pub output: String,

    /// Write the JSON to this file
    #[arg(short = 'e', long, global = true, value_name = "FILE")]
    pub outfile: Option<PathBuf>,

    /// The file that says how clusters are reached [default: $KUBECONFIG, then ~/.kube/config]
    #[arg(long, global = true, value_name = "FILE")]
    pub kubeconfig: Option<PathBuf>,

    /// The context of that file [default: its current one]
    #[arg(long, global = true, value_name = "NAME")]
    pub context: Option<String>,

    #[command(subcommand)]
    pub command: Option<KubestrCommand>,
}

/// What it is to do; nothing is to look at the cluster.
#[derive(Clone, Debug, Subcommand)]
pub enum KubestrCommand {
    /// Run a test of fio's on a volume of a StorageClass
    Fio(KubestrFioArgs),
    /// Check whether a StorageClass gives raw devices
    Blockmount(KubestrBlockArgs),
    /// Check whether snapshots of a StorageClass keep data
    Csicheck(KubestrCsiArgs),
    /// Print the version
    Version,
    #[command(external_subcommand)]
    Other(Vec<OsString>),
}

/// The command line of `kubestr fio`.
#[derive(Clone, Debug, Args)]
pub struct KubestrFioArgs {
    /// The StorageClass
    #[arg(short, long, value_name = "CLASS")]
    pub storageclass: String,

    /// The size of the volume; the jobs are not scaled to it
    #[arg(short = 'z', long, value_name = "SIZE", default_value = "100Gi")]
    pub size: String,

    /// The namespace to run in
    #[arg(short, long, value_name = "NAME", default_value = "default")]
    pub namespace: String,

    /// Labels of the nodes to run on
    #[arg(short = 'N', long, value_name = "KEY=VALUE", value_delimiter = ',',
          value_parser = super::super::args::key_and_value)]
    pub nodeselector: Vec<(String, String)>,

    /// A job file of fio's
    #[arg(short = 'f', long, value_name = "FILE")]
    pub fiofile: Option<PathBuf>,

    /// A test that is built in: default-fio, randrw
    #[arg(short, long, value_name = "NAME")]
    pub testname: Option<String>,

    /// The pod's image: any with a shell
    #[arg(short, long, value_name = "IMAGE", default_value = "")]
    pub image: String,
}

/// The command line of `kubestr blockmount`.
#[derive(Clone, Debug, Args)]
pub struct KubestrBlockArgs {
    /// The StorageClass
    #[arg(short, long, value_name = "CLASS")]
    pub storageclass: String,

    /// The namespace to run in
    #[arg(short, long, value_name = "NAME", default_value = "default")]
    pub namespace: String,

    /// The pod's image: any with a shell
    #[arg(short, long, value_name = "IMAGE", default_value = "")]
    pub image: String,

    /// Remove what was made
    #[arg(short, long, action = ArgAction::Set, default_value_t = true, num_args = 0..=1,
          require_equals = true, default_missing_value = "true")]
    pub cleanup: bool,

    /// Only remove what earlier checks left
    #[arg(long, action = ArgAction::Set, default_value_t = false, num_args = 0..=1,
          require_equals = true, default_missing_value = "true")]
    pub cleanup_only: bool,

    /// Run as this user in the pod
    #[arg(short = 'u', long = "runAsUser", value_name = "UID", default_value_t = 0)]
    pub run_as_user: i64,

    /// Seconds that the pod may take to run
    #[arg(short, long, value_name = "SECONDS", default_value_t = 60)]
    pub wait_timeout: u32,

    /// The size of the volume
    #[arg(long, value_name = "SIZE", default_value = "1Gi")]
    pub pvc_size: String,
}

/// The command line of `kubestr csicheck`.
#[derive(Clone, Debug, Args)]
pub struct KubestrCsiArgs {
    /// The StorageClass
    #[arg(short, long, value_name = "CLASS")]
    pub storageclass: String,

    /// The VolumeSnapshotClass
    #[arg(short = 'v', long, value_name = "CLASS")]
    pub volumesnapshotclass: String,

    /// The namespace to run in
    #[arg(short, long, value_name = "NAME", default_value = "default")]
    pub namespace: String,

    /// The pod's image: any with a shell
    #[arg(short, long, value_name = "IMAGE", default_value = "")]
    pub image: String,

    /// Remove what was made
    #[arg(short, long, action = ArgAction::Set, default_value_t = true, num_args = 0..=1,
          require_equals = true, default_missing_value = "true")]
    pub cleanup: bool,

    /// Run as this user in the pod
    #[arg(short = 'u', long = "runAsUser", value_name = "UID", default_value_t = 0)]
    pub run_as_user: i64,

    /// Taken, and without effect: no snapshot is made of a snapshot's content here
    #[arg(short = 'k', long = "skipCFScheck", action = ArgAction::Set, default_value_t = false,
          num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub skip_cfs_check: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> Result<KubestrArgs, String> {
        KubestrArgs::try_parse_from(line.split_whitespace()).map_err(|why| why.to_string())
    }

    #[test]
    fn flags_and_defaults_are_kubestrs() {
        let Some(KubestrCommand::Fio(fio)) = parsed("kubestr fio -s a").unwrap().command else {
            panic!("fio");
        };
        assert_eq!((fio.size.as_str(), fio.namespace.as_str()), ("100Gi", "default"));
        let line =
            "kubestr fio -s a -z 1Gi -n b -N d=e,f=g -f x.fio -t randrw -i image -o json -e y";
        let all = parsed(line).unwrap();
        assert_eq!(all.output, "json");
        let line = "kubestr blockmount -s a -c=false --cleanup-only -u 7 -w 9 --pvc-size 2Gi";
        let Some(KubestrCommand::Blockmount(block)) = parsed(line).unwrap().command else {
            panic!("blockmount");
        };
        assert!(!block.cleanup && block.cleanup_only);
        assert_eq!((block.run_as_user, block.wait_timeout), (7, 9));
        assert!(parsed("kubestr fio").unwrap_err().contains("--storageclass"));
        let line = "kubestr csicheck -s a -v b -n c -i d -c=false -u 7 -k";
        let Some(KubestrCommand::Csicheck(csi)) = parsed(line).unwrap().command else {
            panic!("csicheck");
        };
        assert!(!csi.cleanup && csi.skip_cfs_check && csi.run_as_user == 7);
        assert!(parsed("kubestr csicheck -s a").unwrap_err().contains("--volumesnapshotclass"));
        let other = parsed("kubestr browse pvc x").unwrap().command;
        assert!(matches!(other, Some(KubestrCommand::Other(_))));
    }
}
