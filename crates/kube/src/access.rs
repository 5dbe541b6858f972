//! The cluster, and the namespace in it.

use crate::access_error::AccessError;
use crate::bearer::Bearer;
use crate::kubeconfig::kubeconfig;
use kube::Config;
use kube::config::{InClusterError, KubeConfigOptions};
use std::path::PathBuf;

/// How a cluster is reached: as kubectl would, unless something else is named.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClusterAccess {
    /// The file in place of the usual ones.
    pub kubeconfig: Option<PathBuf>,
    /// The files that kubectl reads: those of `$KUBECONFIG`, or `~/.kube/config`.
    pub usual: Vec<PathBuf>,
    /// The context in place of the file's current one.
    pub context: Option<String>,
    /// The namespace in place of the context's.
    pub namespace: Option<String>,
}

impl ClusterAccess {
    /// The client's settings, and the token that its requests carry.
    pub(crate) async fn settings(&self) -> Result<(Config, Bearer), AccessError> {
        let mut config = self.config().await?;
        // The client library panics at an address that is only a host.
        let url = &config.cluster_url;
        if !matches!(url.scheme_str(), Some("http" | "https")) || url.authority().is_none() {
            return Err(AccessError::Server(url.to_string()));
        }
        if let Some(namespace) = &self.namespace {
            config.default_namespace.clone_from(namespace);
        }
        let bearer = Bearer::take_from(&mut config.auth_info)?;
        Ok((config, bearer))
    }

    async fn config(&self) -> Result<Config, AccessError> {
        match self.config_of_user().await {
            // In a pod, its service account.
            Err(why) if self.kubeconfig.is_none() && self.context.is_none() => Config::incluster()
                .map_err(|pod| match pod {
                    InClusterError::ReadEnvironmentVariable(_) => why,
                    pod => AccessError::Nowhere { kubeconfig: Box::new(why), pod },
                }),
            config => config,
        }
    }

    async fn config_of_user(&self) -> Result<Config, AccessError> {
        let named = self.kubeconfig.as_ref().map_or(&*self.usual, std::slice::from_ref);
        let file = kubeconfig(named, self.context.as_deref())?;
        let options =
            KubeConfigOptions { context: self.context.clone(), ..KubeConfigOptions::default() };
        Config::from_custom_kubeconfig(file, &options).await.map_err(AccessError::Kubeconfig)
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
