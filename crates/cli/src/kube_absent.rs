//! `fathom kube` and `fathom kubestr` in a binary that was built without the feature `kube`: both say
//! how to get one with it.
//!
//! A client for Kubernetes is a third of all that a build compiles, and most people who build Fathom
//! from its sources measure the machine they sit at.

use crate::cli_error::CliError;
use crate::session::{self, Session};
use clap::Args;
use fathom_host::Host;
use std::ffi::OsString;
use std::process::ExitCode;

/// Arguments that nothing reads.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct KubeArgs {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<OsString>,
}

/// Fails: this binary knows no clusters.
pub fn command(_args: &KubeArgs, _session: Session) -> ExitCode {
    session::ended(Err(CliError::NoKube))
}

/// Fails: this binary knows no clusters.
pub fn kubestr(_args: &[OsString], _host: &Host) -> ExitCode {
    session::ended(Err(CliError::NoKube))
}
