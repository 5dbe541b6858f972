//! A kubeconfig's plugin (`exec`): a command that writes a token or a certificate, as clients of
//! Kubernetes run it.

use crate::access_error::{AccessError, PluginError};
use k8s_openapi::jiff::Timestamp;
use kube::config::{ExecConfig, ExecInteractiveMode};
use serde_json::{Value, json};
use std::io::Read;
use std::process::{Child, Command, Stdio};

/// The most bytes of a plugin's output: a token has some KiB.
const OUTPUT_BYTES: u64 = 1 << 20;

/// What a plugin gave.
#[derive(Clone, Debug, Default)]
pub(crate) struct Credentials {
    pub(crate) token: Option<String>,
    /// A certificate and its key, as PEM.
    pub(crate) identity: Option<(String, String)>,
    /// When they end.
    pub(crate) until: Option<Timestamp>,
}

/// The command of a plugin.
pub(crate) fn name(plugin: &ExecConfig) -> &str {
    plugin.command.as_deref().unwrap_or_default()
}

/// Runs a plugin to its end.
///
/// # Errors
/// If it does not start, fails, or writes something else than credentials.
pub(crate) fn run(plugin: &ExecConfig) -> Result<Credentials, AccessError> {
    let mut child = command(plugin).spawn().map_err(|source| AccessError::PluginStart {
        command: name(plugin).to_owned(),
        source,
        hint: plugin.install_hint.clone().unwrap_or_else(|| "install it".to_owned()),
    })?;
    let credentials = output(&mut child).and_then(|output| credentials(&output));
    credentials.map_err(|source| AccessError::Plugin { command: name(plugin).to_owned(), source })
}

/// A plugin's output. A plugin that writes too much is ended.
fn output(child: &mut Child) -> Result<Vec<u8>, PluginError> {
    let mut output = Vec::new();
    let stdout = child.stdout.take().map(|stdout| stdout.take(OUTPUT_BYTES + 1));
    let read = stdout.map_or(Ok(0), |mut stdout| stdout.read_to_end(&mut output));
    let is_too_much = output.len() as u64 > OUTPUT_BYTES;
    if is_too_much || read.is_err() {
        let _ = child.kill();
    }
    let status = child.wait().map_err(PluginError::Output)?;
    read.map_err(PluginError::Output)?;
    match status.success() {
        _ if is_too_much => Err(PluginError::TooMuch(OUTPUT_BYTES)),
        true => Ok(output),
        false => Err(PluginError::Ended(status)),
    }
}

fn command(plugin: &ExecConfig) -> Command {
    let is_interactive = plugin.interactive_mode != Some(ExecInteractiveMode::Never);
    let mut spec = json!({"interactive": is_interactive});
    if plugin.provide_cluster_info {
        spec["cluster"] = json!(plugin.cluster);
    }
    let order = json!({
        "apiVersion": plugin.api_version, "kind": "ExecCredential", "spec": spec,
    });
    let variables = plugin.env.iter().flatten();
    let variables = variables.filter_map(|of| Some((of.get("name")?, of.get("value")?)));
    let mut command = Command::new(name(plugin));
    command
        .args(plugin.args.iter().flatten())
        .envs(variables)
        .env("KUBERNETES_EXEC_INFO", order.to_string())
        .stdin(if is_interactive { Stdio::inherit() } else { Stdio::null() })
        .stdout(Stdio::piped());
    command
}

/// The credentials in a plugin's output, which some write as YAML.
fn credentials(output: &[u8]) -> Result<Credentials, PluginError> {
    let output: Value =
        serde_saphyr::from_slice(output).map_err(|why| PluginError::Syntax(why.to_string()))?;
    let field = |name: &str| {
        let text = output.pointer(&format!("/status/{name}")).and_then(Value::as_str);
        text.filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let until = field("expirationTimestamp").map(|time| time.parse()).transpose();
    let credentials = Credentials {
        token: field("token"),
        identity: field("clientCertificateData").zip(field("clientKeyData")),
        until: until.map_err(PluginError::Time)?,
    };
    match credentials.token.is_some() || credentials.identity.is_some() {
        true => Ok(credentials),
        false => Err(PluginError::Nothing),
    }
}
