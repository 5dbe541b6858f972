//! The cluster, and the namespace in it.

use crate::error::KubeError;
use kube::Config;
use kube::config::{KubeConfigOptions, Kubeconfig};
use std::path::PathBuf;

/// How a cluster is reached: as kubectl would, unless something else is named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClusterAccess {
    /// The file in place of `$KUBECONFIG` and `~/.kube/config`.
    pub kubeconfig: Option<PathBuf>,
    /// The context in place of the file's current one.
    pub context: Option<String>,
    /// The namespace in place of the context's.
    pub namespace: Option<String>,
}

impl ClusterAccess {
    /// The client's settings.
    pub(crate) async fn config(&self) -> Result<Config, KubeError> {
        let options =
            KubeConfigOptions { context: self.context.clone(), ..KubeConfigOptions::default() };
        let unusable = |why: kube::config::KubeconfigError| KubeError::Kubeconfig(why.to_string());
        let mut config = match &self.kubeconfig {
            Some(path) => {
                let file = Kubeconfig::read_from(path).map_err(unusable)?;
                Config::from_custom_kubeconfig(file, &options).await.map_err(unusable)?
            }
            None if self.context.is_some() => {
                Config::from_kubeconfig(&options).await.map_err(unusable)?
            }
            // In a pod, its service account; elsewhere the user's file.
            None => Config::infer().await.map_err(|why| KubeError::Kubeconfig(why.to_string()))?,
        };
        if let Some(namespace) = &self.namespace {
            config.default_namespace.clone_from(namespace);
        }
        Ok(config)
    }

    /// The words that give a command of ours the same access.
    pub fn words(&self) -> Vec<String> {
        let kubeconfig = self.kubeconfig.as_ref().map(|path| path.display().to_string());
        let given = [
            ("--kubeconfig", kubeconfig),
            ("--context", self.context.clone()),
            ("--namespace", self.namespace.clone()),
        ];
        let given = given.into_iter().filter_map(|(flag, value)| Some((flag, value?)));
        given.flat_map(|(flag, value)| [flag.to_owned(), value]).collect()
    }
}
