//! Why an operation on a cluster failed: the operation, the object, and advice.

use crate::access_error::AccessError;
use crate::answer::AnswerTooLong;
use crate::client::ForeignName;
use crate::patch::PatchError;
use crate::program::ProgramError;
use crate::rights::advice;
use fathom_text::Text;
use fathom_vocab::Architecture;
use std::error::Error as StdError;
use thiserror::Error;

/// The most letters of a server's sentence that are shown.
const SENTENCE_LETTERS: usize = 2000;

/// A failed request to a cluster, or a run that did not start.
#[fathom_text::translated]
#[derive(Debug, Error)]
pub enum KubeError {
    /// No usable cluster configuration.
    #[error(
        "no way to a cluster: {0}; name a file by --kubeconfig, or make `kubectl get pods` work \
         first"
    )]
    Access(#[from] AccessError),
    /// The asynchronous part cannot be started.
    #[error("cannot start what talks to the cluster: {0}")]
    Runtime(#[source] std::io::Error),
    /// The API server does not answer.
    #[error(
        "the cluster does not answer, asked for {what}: {why}; check --context and the network"
    )]
    Connection {
        /// The requested object.
        what: String,
        /// The client's error.
        why: String,
    },
    /// Something else answers than an API server, or without end.
    #[error(
        "the answer about {what} is unusable: {why}; see whether the server of --context is that \
         of a cluster"
    )]
    Answer {
        /// The requested object.
        what: String,
        /// The reason.
        why: String,
    },
    /// The cluster does not know the user.
    #[error(
        "the cluster does not take your credentials, asked for {what}: {why}; log in again, until \
         `kubectl auth whoami` knows you, or name another --context"
    )]
    Unauthorized {
        /// The requested object.
        what: String,
        /// The server's sentence.
        why: String,
    },
    /// The user may not do it.
    #[error("the cluster refuses {what}: {why}; {}", advice(.why))]
    Forbidden {
        /// The requested object.
        what: String,
        /// The server's sentence.
        why: String,
    },
    /// The object does not exist.
    #[error("the cluster has no {what}: {why}")]
    NotFound {
        /// The requested object.
        what: String,
        /// The server's sentence.
        why: String,
    },
    /// The server does not take an object.
    #[error("the cluster does not take {what}: {why}")]
    Refused {
        /// The requested object.
        what: String,
        /// The server's sentence.
        why: String,
    },
    /// A class that is not there.
    #[error("the cluster has no StorageClass {class}; it has {known}")]
    NoClass {
        /// As it was named.
        class: String,
        /// Those that there are.
        known: String,
    },
    /// A namespace that is not there.
    #[error("the cluster has no namespace {0}; name another by --namespace")]
    NoNamespace(String),
    /// Labels that no node has.
    #[error("no node has {0}; see `kubectl get nodes --show-labels`")]
    NoNode(String),
    /// A claim that one node alone can mount.
    #[error(
        "claim {claim} can be mounted by one node at a time, and {pods} pods are spread over \
         nodes; leave out --pods, or name a claim that is ReadWriteMany"
    )]
    NotShared {
        /// The claim.
        claim: String,
        /// How many pods there should be.
        pods: u32,
    },
    /// A snapshot that cannot be taken.
    #[error("{0}")]
    Snapshot(Text),
    /// A run that cannot start.
    #[error("{0}")]
    Hindered(Text),
    /// A run that did not start in time.
    #[error("the pods of run {run} did not start within {limit_s} s: {why}")]
    TooSlow {
        /// The run.
        run: String,
        /// The limit.
        limit_s: u64,
        /// The last reason for waiting.
        why: String,
    },
    /// A stop was requested.
    #[error("stopped before the pods ran")]
    Stopped,
    /// A command in a pod that cannot be run.
    #[error("cannot run {command} in pod {pod}: {why}")]
    Exec {
        /// The pod.
        pod: String,
        /// The command.
        command: String,
        /// The error.
        why: String,
    },
    /// A patch that cannot be used.
    #[error(transparent)]
    Patch(#[from] PatchError),
    /// Our own binary cannot be read.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// A pod on a node for which there is no program.
    #[error(
        "pod {pod} runs on {node}, which is {architecture}, and no Fathom for that is here; \
         {remedy}, or choose other nodes by --nodeselector, or an image that has this version of \
         Fathom by --image"
    )]
    NoProgram {
        /// The pod.
        pod: String,
        /// Its node.
        node: String,
        /// The node's architecture.
        architecture: Architecture,
        /// What brings a program.
        remedy: String,
    },
    /// Objects that are still there.
    #[error("{0}")]
    LeftBehind(Text),
}

impl KubeError {
    /// The meaning of a client's error on a request for `what`.
    pub(crate) fn of(what: &str, why: kube::Error) -> KubeError {
        let what = what.to_owned();
        match why {
            kube::Error::Api(status) => {
                let why: String = status.message.chars().take(SENTENCE_LETTERS).collect();
                match status.code {
                    401 => KubeError::Unauthorized { what, why },
                    403 if !why.contains("exceeded quota") && !why.contains("PodSecurity") => {
                        KubeError::Forbidden { what, why }
                    }
                    // A proxy reports that the server is unavailable.
                    429 | 502..=504 => KubeError::Connection { what, why },
                    404 => KubeError::NotFound { what, why },
                    _ => KubeError::Refused { what, why },
                }
            }
            kube::Error::Service(why) if why.is::<AccessError>() => match why.downcast() {
                Ok(why) => KubeError::Access(*why),
                Err(why) => KubeError::Connection { what, why: why.to_string() },
            },
            kube::Error::Service(why) if why.is::<ForeignName>() => {
                KubeError::NotFound { what, why: why.to_string() }
            }
            other if is_unusable(&other) => KubeError::Answer { what, why: innermost(&other) },
            other => KubeError::Connection { what, why: innermost(&other) },
        }
    }

    /// Whether a retry may help.
    pub(crate) fn is_passing(&self) -> bool {
        // A balancer before a server that starts may answer itself.
        matches!(self, KubeError::Connection { .. } | KubeError::Answer { .. })
    }
}

/// Whether an answer came, which cannot be read.
fn is_unusable(why: &kube::Error) -> bool {
    let is_other = matches!(why, kube::Error::SerdeError(_) | kube::Error::FromUtf8(_));
    let mut causes = std::iter::successors(why.source(), |cause| (*cause).source());
    is_other || causes.any(|cause| cause.is::<AnswerTooLong>())
}

/// The innermost cause of an error: the outer ones only name layers.
fn innermost(why: &dyn StdError) -> String {
    match why.source() {
        Some(source) => innermost(source),
        None => why.to_string(),
    }
}
