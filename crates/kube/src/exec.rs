//! Commands in a pod: run to their end with their output, or as a pipe in both directions.

use crate::client::CommandSocket;
use crate::cluster::kinds::PODS;
use crate::cluster::{Cluster, REQUEST};
use crate::error::KubeError;
use crate::objects::{AGENT_SCRIPT, CONTAINER, agent_script};
use crate::program::{PROGRAM_FOLDER, PodProgram, hash};
use crate::transfer::{FRAME_BYTES, transfer};
use fathom_vocab::Architecture;
use futures_util::{Stream, stream};
use http::Request;
use k8s_openapi::api::core::v1::Pod;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Status;
use kube::Resource;
use kube::api::AttachParams;
use kube::core::Request as CoreRequest;
use std::io::{self, Read, Write};
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc;

/// Limit for an output of a command of ours: a hash, an error.
const OUTPUT_BYTES: usize = 64 << 10;
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
pub(crate) struct ExecOutput {
    /// Its exit code.
    pub(crate) code: i32,
    /// Its standard output.
    pub(crate) stdout: Vec<u8>,
    /// Its standard error.
    pub(crate) stderr: Vec<u8>,
}

impl Cluster {
    /// The connection of a command in a pod, and whether its channels can be closed.
    async fn connect_to(
        &self,
        pod: &str,
        command: &[String],
    ) -> Result<(impl CommandSocket + use<>, bool), KubeError> {
        let path = Pod::url_path(&(), Some(self.namespace()));
        let request = CoreRequest::new(path).exec(pod, command, &attach_params());
        let request = request.map_err(|why| failed(pod, command, why.to_string()))?;
        let connection = tokio::time::timeout(REQUEST, self.client().connect(request)).await;
        let late = |_| failed(pod, command, format!("no answer within {} s", REQUEST.as_secs()));
        self.started(pod, command, connection.map_err(late)?).await
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
        let answer = self.client().request(request);
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

    /// Runs a command in a pod to its end, with `stdin` as its input. Each of its outputs may have
    /// `limit` bytes.
    ///
    /// # Errors
    /// If it cannot be started, writes more, or the connection breaks.
    pub(crate) fn exec(
        &self,
        pod: &str,
        command: &[String],
        stdin: &[u8],
        limit: usize,
    ) -> Result<ExecOutput, KubeError> {
        let input = stream::iter(stdin.chunks(FRAME_BYTES).map(<[u8]>::to_vec));
        let (mut stdout, mut stderr) = (LimitedOutput::new(limit), LimitedOutput::new(limit));
        let work = self.carry(pod, command, input, (&mut stdout, &mut stderr));
        let late = |_| failed(pod, command, format!("no end within {} s", COPY.as_secs()));
        let code =
            self.block_on(async { tokio::time::timeout(COPY, work).await }).map_err(late)??;
        Ok(ExecOutput { code, stdout: stdout.bytes, stderr: stderr.bytes })
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
        let mut chunks = chunks_of(input);
        let input = stream::poll_fn(move |context| chunks.poll_recv(context));
        self.block_on(self.carry(pod, command, input, (&mut output, &mut complaints)))
    }

    /// Carries the input and the outputs of a command until it ends; gives its exit code.
    async fn carry(
        &self,
        pod: &str,
        command: &[String],
        input: impl Stream<Item = Vec<u8>>,
        outputs: (&mut impl Write, &mut impl Write),
    ) -> Result<i32, KubeError> {
        let (socket, closes_channels) = self.connect_to(pod, command).await?;
        let status = transfer(socket, closes_channels, input, outputs).await;
        let code = status.map_err(StatusError::Ended).and_then(exit_code);
        code.map_err(|why| failed(pod, command, why.to_string()))
    }

    /// Brings a program into a pod, and the script that starts it, each file checked by its hash.
    ///
    /// # Errors
    /// If the pod has no shell, or a copy still differs after some attempts.
    pub fn install(&self, pod: &str, program: &PodProgram) -> Result<(), KubeError> {
        for file in &program.files {
            self.copy(pod, &file.path(), &file.content)?;
        }
        self.copy(pod, AGENT_SCRIPT, agent_script(&program.words).as_bytes())
    }

    /// The architecture of the node of a pod.
    ///
    /// # Errors
    /// If the pod has no shell.
    pub fn architecture(&self, pod: &str) -> Result<Architecture, KubeError> {
        Ok(Architecture::named(self.shell(pod, "uname -m", &[])?.trim()))
    }

    /// The Fathom of this version in the image of a pod; none if it has no such.
    ///
    /// # Errors
    /// If the pod has no shell.
    pub fn image_program(&self, pod: &str, version: &str) -> Result<Option<PodProgram>, KubeError> {
        let said = self.shell(pod, "command -v fathom && fathom --version || :", &[])?;
        let mut lines = said.lines();
        let (path, own) = (lines.next(), lines.next());
        let is_same = own.and_then(|own| own.strip_prefix("fathom ")) == Some(version);
        Ok(path.filter(|_| is_same).map(PodProgram::of_image))
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
        let output = self.exec(pod, &command, stdin, OUTPUT_BYTES)?;
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
    AttachParams::default().container(CONTAINER).stdin(true).stderr(true)
}

fn failed(pod: &str, command: &[String], why: String) -> KubeError {
    KubeError::Exec { pod: pod.to_owned(), command: command.join(" "), why }
}

/// An output of a command, up to a limit.
struct LimitedOutput {
    bytes: Vec<u8>,
    limit: usize,
}

impl LimitedOutput {
    fn new(limit: usize) -> LimitedOutput {
        LimitedOutput { bytes: Vec::new(), limit }
    }
}

impl Write for LimitedOutput {
    fn write(&mut self, content: &[u8]) -> io::Result<usize> {
        if self.bytes.len() + content.len() > self.limit {
            let limit = self.limit >> 10;
            let why = format!("it wrote more than {limit} KiB; name another image by --image");
            return Err(io::Error::other(why));
        }
        self.bytes.extend_from_slice(content);
        Ok(content.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The data of a blocking input, read on a thread that may outlive the command.
fn chunks_of(mut input: impl Read + Send + 'static) -> mpsc::Receiver<Vec<u8>> {
    let (sender, chunks) = mpsc::channel(4);
    thread::spawn(move || {
        let mut chunk = vec![0; FRAME_BYTES];
        while let Ok(count @ 1..) = input.read(&mut chunk) {
            if sender.blocking_send(chunk[..count].to_vec()).is_err() {
                return;
            }
        }
    });
    chunks
}

/// Why there is no exit code.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
enum StatusError {
    /// No status came.
    #[error("the connection broke")]
    Broken,
    /// The server gives another reason.
    #[error("{0}")]
    Other(String),
    /// The connection was ended here.
    #[error(transparent)]
    Ended(#[from] io::Error),
}

/// The exit code in a status.
fn exit_code(status: Option<Status>) -> Result<i32, StatusError> {
    let Some(status) = status else { return Err(StatusError::Broken) };
    if status.status.as_deref() == Some("Success") {
        return Ok(0);
    }
    let causes = status.details.as_ref().and_then(|details| details.causes.as_ref());
    let code = causes.into_iter().flatten().find(|of| of.reason.as_deref() == Some("ExitCode"));
    match code.and_then(|of| of.message.as_deref()) {
        Some(code) => Ok(code.parse().unwrap_or(NO_CODE)),
        None => Err(StatusError::Other(status.message.unwrap_or_default())),
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
        assert_eq!(code(json!({"status": "Success"})).unwrap(), 0);
        let failed = json!({"status": "Failure", "reason": "NonZeroExitCode",
            "details": {"causes": [{"reason": "ExitCode", "message": "7"}]}});
        assert_eq!(code(failed).unwrap(), 7);
        let missing = json!({"status": "Failure", "message": "no such file"});
        assert_eq!(code(missing).unwrap_err().to_string(), "no such file");
        assert_eq!(exit_code(None).unwrap_err().to_string(), "the connection broke");
    }
}
