//! Commands in a pod: run to their end with their output, or as a pipe in both directions.

use crate::cluster::Cluster;
use crate::cluster::kinds::PODS;
use crate::error::KubeError;
use crate::objects::{AGENT_SCRIPT, CONTAINER, agent_script};
use crate::program::{PROGRAM_FOLDER, ProgramFile, hash, start_words};
use crate::transfer::transfer;
use http::Request;
use k8s_openapi::api::core::v1::Pod;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Status;
use kube::api::{AttachParams, AttachedProcess};
use kube::client::Connection;
use kube::core::Request as CoreRequest;
use kube::{Api, Resource};
use std::io::{Read, Write};
use std::thread;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc;

/// Maximum bytes in transit in one direction.
const BUFFER_BYTES: usize = 256 << 10;
/// How long one file may take to cross.
const COPY: Duration = Duration::from_secs(600);
/// How long the server may take to give the reason of a refusal.
const REFUSAL: Duration = Duration::from_secs(5);
/// How often a file is copied again if its copy differs.
const COPIES: u32 = 5;
/// The exit code of a command whose own is unknown.
const NO_CODE: i32 = 1;

/// How a command in a pod ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecOutput {
    /// Its exit code.
    pub code: i32,
    /// Its standard output.
    pub stdout: Vec<u8>,
    /// Its standard error.
    pub stderr: Vec<u8>,
}

impl Cluster {
    /// A process in a pod, whose streams are read and written as they come.
    async fn attach(&self, pod: &str, command: &[String]) -> Result<AttachedProcess, KubeError> {
        let pods: Api<Pod> = Api::namespaced(self.client().clone(), self.namespace());
        let process = pods.exec(pod, command, &attach_params()).await;
        self.started(pod, command, process).await
    }

    /// The connection of a command in a pod.
    async fn connect_to(&self, pod: &str, command: &[String]) -> Result<Connection, KubeError> {
        let path = Pod::url_path(&(), Some(self.namespace()));
        let request = CoreRequest::new(path).exec(pod, command, &attach_params());
        let request = request.map_err(|why| failed(pod, command, why.to_string()))?;
        let connection = self.client().connect(request).await;
        self.started(pod, command, connection).await
    }

    /// A command that was started in a pod; if it was not, the reason of the server.
    async fn started<T>(
        &self,
        pod: &str,
        command: &[String],
        result: Result<T, kube::Error>,
    ) -> Result<T, KubeError> {
        match result {
            Ok(started) => Ok(started),
            Err(why) => {
                let refusal = self.refusal(pod).await;
                Err(refusal.unwrap_or_else(|| failed(pod, command, why.to_string())))
            }
        }
    }

    /// Why the server refuses access to a pod: a refused protocol upgrade gives no reason, but a
    /// plain request does.
    async fn refusal(&self, pod: &str) -> Option<KubeError> {
        let path = self.path(PODS, pod) + "/exec?command=true&stdout=true";
        let request = Request::get(path).body(Vec::new()).ok()?;
        let answer = self.client().request::<serde_json::Value>(request);
        let why = tokio::time::timeout(REFUSAL, answer).await.ok()?.err()?;
        let why = KubeError::of(&format!("commands in pod {pod}"), why);
        let is_told = matches!(
            why,
            KubeError::Forbidden { .. }
                | KubeError::Unauthorized { .. }
                | KubeError::NotFound { .. }
        );
        is_told.then_some(why)
    }

    /// Runs a command in a pod to its end, with `stdin` as its input.
    ///
    /// # Errors
    /// If it cannot be started, or the connection breaks.
    pub fn exec(
        &self,
        pod: &str,
        command: &[String],
        stdin: &[u8],
    ) -> Result<ExecOutput, KubeError> {
        let work = async {
            let end = transfer(self.connect_to(pod, command).await?, stdin).await;
            let code = exit_code(end.status).map_err(|why| failed(pod, command, why.0))?;
            Ok(ExecOutput { code, stdout: end.stdout, stderr: end.stderr })
        };
        let late = || failed(pod, command, format!("no end within {} s", COPY.as_secs()));
        self.block_on(async { tokio::time::timeout(COPY, work).await }).map_err(|_| late())?
    }

    /// Runs a command in a pod between these ends, until it ends; gives its exit code.
    ///
    /// # Errors
    /// If it cannot be started, or the connection breaks.
    pub fn bridge(
        &self,
        pod: &str,
        command: &[String],
        input: impl Read + Send + 'static,
        (mut output, mut complaints): (impl Write, impl Write),
    ) -> Result<i32, KubeError> {
        self.block_on(async {
            let mut process = self.attach(pod, command).await?;
            let status = process.take_status();
            let (to, stdout, stderr) = (process.stdin(), process.stdout(), process.stderr());
            let feed = async {
                let (Some(mut to), mut chunks) = (to, chunks_of(input)) else { return };
                while let Some(chunk) = chunks.recv().await {
                    if to.write_all(&chunk).await.is_err() || to.flush().await.is_err() {
                        return;
                    }
                }
                let _ = to.shutdown().await;
            };
            let ends = async {
                tokio::join!(copy(stdout, &mut output), copy(stderr, &mut complaints));
                match status {
                    Some(status) => status.await,
                    None => None,
                }
            };
            tokio::pin!(ends);
            // Input that never ends must not block a command that has ended.
            let status = tokio::select! {
                status = &mut ends => status,
                () = feed => ends.await,
            };
            exit_code(status).map_err(|why| failed(pod, command, why.0))
        })
    }

    /// Brings a program into a pod, and the script that starts it, each file checked by its hash.
    ///
    /// # Errors
    /// If the pod has no shell, or a copy still differs after some attempts.
    pub fn install(&self, pod: &str, files: &[ProgramFile]) -> Result<(), KubeError> {
        for file in files {
            self.copy(pod, &file.path(), &file.content)?;
        }
        self.copy(pod, AGENT_SCRIPT, agent_script(&start_words(files)).as_bytes())
    }

    pub(crate) fn copy(&self, pod: &str, path: &str, content: &[u8]) -> Result<(), KubeError> {
        let script = format!(
            "mkdir -p {PROGRAM_FOLDER} && cat >{path} && chmod 755 {path} && sha256sum {path}"
        );
        match copied(&hash(content), || self.shell(pod, &script, content))? {
            None => Ok(()),
            Some(sum) => {
                let why = format!("the copy differs after {COPIES} attempts: {}", sum.trim());
                Err(failed(pod, &["sha256sum".to_owned(), path.to_owned()], why))
            }
        }
    }

    /// The output of a shell script in a pod; an exit code other than 0 is an error.
    pub(crate) fn shell(&self, pod: &str, script: &str, stdin: &[u8]) -> Result<String, KubeError> {
        let command = ["/bin/sh", "-c", script].map(str::to_owned);
        let output = self.exec(pod, &command, stdin)?;
        match output.code {
            0 => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
            code => {
                let said = String::from_utf8_lossy(&output.stderr);
                let why = format!(
                    "exit code {code}: {}; the image needs sh, cat, chmod, mkdir, sha256sum and \
                     sleep, as busybox has them: name another by --image",
                    said.trim()
                );
                Err(failed(pod, &command, why))
            }
        }
    }
}

/// Copies until the copy has this hash, with a maximum number of tries; returns the last copy's
/// hash if none matches. A busy node may close a command's input before it has forwarded all data.
fn copied(
    sum: &str,
    mut copy: impl FnMut() -> Result<String, KubeError>,
) -> Result<Option<String>, KubeError> {
    let mut last = String::new();
    for _ in 0..COPIES {
        last = copy()?;
        if last.split_whitespace().next() == Some(sum) {
            return Ok(None);
        }
    }
    Ok(Some(last))
}

/// The container and the streams of a command.
fn attach_params() -> AttachParams {
    AttachParams::default()
        .container(CONTAINER)
        .stdin(true)
        .stderr(true)
        .max_stdin_buf_size(BUFFER_BYTES)
        .max_stdout_buf_size(BUFFER_BYTES)
}

fn failed(pod: &str, command: &[String], why: String) -> KubeError {
    KubeError::Exec { pod: pod.to_owned(), command: command.join(" "), why }
}

async fn copy(from: Option<impl AsyncRead + Unpin>, to: &mut impl Write) {
    let Some(mut from) = from else { return };
    let mut chunk = vec![0; BUFFER_BYTES];
    while let Ok(count @ 1..) = from.read(&mut chunk).await {
        if to.write_all(&chunk[..count]).and_then(|()| to.flush()).is_err() {
            return;
        }
    }
}

/// The data of a blocking input, read on a thread that may outlive the command.
fn chunks_of(mut input: impl Read + Send + 'static) -> mpsc::Receiver<Vec<u8>> {
    let (sender, chunks) = mpsc::channel(4);
    thread::spawn(move || {
        let mut chunk = vec![0; BUFFER_BYTES];
        while let Ok(count @ 1..) = input.read(&mut chunk) {
            if sender.blocking_send(chunk[..count].to_vec()).is_err() {
                return;
            }
        }
    });
    chunks
}

/// Why there is no exit code.
#[derive(Debug, PartialEq, Eq)]
struct StatusError(String);

/// The exit code in a status.
fn exit_code(status: Option<Status>) -> Result<i32, StatusError> {
    let Some(status) = status else {
        return Err(StatusError("the connection broke".to_owned()));
    };
    if status.status.as_deref() == Some("Success") {
        return Ok(0);
    }
    let causes = status.details.as_ref().and_then(|details| details.causes.as_ref());
    let code = causes.into_iter().flatten().find(|of| of.reason.as_deref() == Some("ExitCode"));
    match code.and_then(|of| of.message.as_deref()) {
        Some(code) => Ok(code.parse().unwrap_or(NO_CODE)),
        None => Err(StatusError(status.message.unwrap_or_default())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn code(status: serde_json::Value) -> Result<i32, StatusError> {
        exit_code(serde_json::from_value(status).unwrap())
    }

    #[test]
    fn a_copy_that_comes_short_is_made_again_and_not_for_ever() {
        let mut sums = ["e3b0 /fathom/start", "", "abcd /fathom/start"].into_iter();
        let copies = copied("abcd", || Ok(sums.next().unwrap().to_owned())).unwrap();
        assert_eq!((copies, sums.next()), (None, None));
        let mut count = 0;
        let copies = copied("abcd", || {
            count += 1;
            Ok("e3b0 /fathom/start".to_owned())
        });
        assert_eq!(copies.unwrap(), Some("e3b0 /fathom/start".to_owned()));
        assert_eq!(count, COPIES);
    }

    #[test]
    fn a_status_tells_the_exit_code_or_why_there_is_none() {
        assert_eq!(code(json!({"status": "Success"})), Ok(0));
        let failed = json!({"status": "Failure", "reason": "NonZeroExitCode",
            "details": {"causes": [{"reason": "ExitCode", "message": "7"}]}});
        assert_eq!(code(failed), Ok(7));
        let missing = json!({"status": "Failure", "message": "no such file"});
        assert_eq!(code(missing), Err(StatusError("no such file".to_owned())));
        assert_eq!(exit_code(None), Err(StatusError("the connection broke".to_owned())));
    }
}
