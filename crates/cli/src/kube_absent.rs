//! `fathom kube` and `fathom kubestr` in a binary without the feature `kube`: both say how to get a
//! binary with it.
//!
//! A client for Kubernetes is a third of all that a build compiles, and most people who build
//! Fathom from its sources measure the machine they use.

use crate::cli_error::CliError;
use crate::session::{self, Session};
use clap::Args;
use fathom_host::Host;
use fathom_message::Lang;
use std::ffi::OsString;
use std::process::ExitCode;

/// Arguments that nothing reads.
#[derive(Debug, Args)]
#[command(disable_help_flag = true)]
pub struct IgnoredKubeArgs {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<OsString>,
}

pub use self::IgnoredKubeArgs as KubeArgs;

/// The binary was built without Kubernetes.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
#[error(
    "this fathom was built without Kubernetes; a package has it, and so has one built with `cargo \
     install --path crates/cli --features kube`"
)]
struct NoKubeError;

/// # Errors
/// Always: this binary has no client for clusters.
pub fn command(_args: &KubeArgs, _session: Session) -> Result<u8, CliError> {
    Err(NoKubeError.into())
}

/// Fails: this binary has no client for clusters.
pub fn kubestr(_args: &[OsString], _host: &Host, _help: Lang) -> ExitCode {
    session::ended(Err(NoKubeError))
}
