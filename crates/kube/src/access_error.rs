//! Why no cluster can be reached: the file, address, token or plugin, and advice.

use fathom_files::InputError;
use kube::config::{InClusterError, KubeconfigError};
use std::path::PathBuf;
use std::process::ExitStatus;
use thiserror::Error;

/// Why no cluster can be reached.
#[fathom_text::translated]
#[derive(Debug, Error)]
pub enum AccessError {
    /// A file cannot be read up to its limit.
    #[error(transparent)]
    File(#[from] InputError),
    /// A file that is no text.
    #[error("{} is no text; name another file", .0.display())]
    NoText(PathBuf),
    /// The client library finds no cluster in a kubeconfig.
    #[error("{0}")]
    Kubeconfig(#[source] KubeconfigError),
    /// There is no usable kubeconfig, and no service account of a pod.
    #[error("{kubeconfig}; as in a pod: {pod}")]
    Nowhere {
        /// The error of the kubeconfig.
        kubeconfig: Box<AccessError>,
        /// The error of the service account.
        pod: InClusterError,
    },
    /// An address that no request can be sent to.
    #[error("the server {0} is no address of an API server; write one as https://HOST:6443")]
    Server(String),
    /// A token that no request can carry.
    #[error("{0} has a line break or a control character; log in again")]
    Token(String),
    /// A way to log in that kubectl has no more.
    #[error(
        "kubectl 1.26 removed the auth-provider {0}, which Fathom does not know either; log in by \
         a plugin, such as kubelogin or gke-gcloud-auth-plugin"
    )]
    Provider(String),
    /// A kubeconfig's plugin does not start.
    #[error("cannot start the plugin {command}: {source}; {hint}")]
    PluginStart {
        /// Its command.
        command: String,
        /// The system's error.
        source: std::io::Error,
        /// The kubeconfig's advice, or ours.
        hint: String,
    },
    /// A kubeconfig's plugin gives no credentials.
    #[error("the plugin {command} gave no credentials: {source}; run it by hand")]
    Plugin {
        /// Its command.
        command: String,
        /// The reason.
        source: PluginError,
    },
}

/// Why a kubeconfig's plugin gave no credentials.
#[fathom_text::translated]
#[derive(Debug, Error)]
pub enum PluginError {
    /// Its output cannot be read.
    #[error("{0}")]
    Output(#[source] std::io::Error),
    /// It writes more than credentials.
    #[error("it wrote more than {} KiB", .0 >> 10)]
    TooMuch(u64),
    /// It failed.
    #[error("it ended with {0}")]
    Ended(ExitStatus),
    /// Its output is neither JSON nor YAML.
    #[error("{0}")]
    Syntax(String),
    /// The time of their end is no time.
    #[error("{0}")]
    Time(#[source] k8s_openapi::jiff::Error),
    /// Its output is something else.
    #[error("it wrote neither a token nor a certificate")]
    Nothing,
}
