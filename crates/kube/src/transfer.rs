//! A command's input and output over the WebSocket of a pod, in frames as large as kubectl's.
//! The client library puts 4 KiB in a frame, and the API server and the kubelet handle each frame
//! on its own.

use crate::client::CommandSocket;
use futures_util::{Sink, SinkExt, Stream, StreamExt};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Status;
use std::io::{self, Write};
use std::pin::pin;
use std::time::Duration;
use tokio_tungstenite::tungstenite::{Error, Message};

/// Bytes in a frame, as kubectl sends them.
pub(crate) const FRAME_BYTES: usize = 32 << 10;
/// How long a connection may be idle: proxies close one after some minutes.
const IDLE: Duration = Duration::from_secs(60);

/// The first byte of each frame names its channel (Kubernetes, `remotecommand/constants.go`).
mod channel {
    pub(super) const STDIN: u8 = 0;
    pub(super) const STDOUT: u8 = 1;
    pub(super) const STDERR: u8 = 2;
    pub(super) const STATUS: u8 = 3;
    /// The end of the channel that the next byte names. Only version 5 of the protocol has it.
    pub(super) const CLOSE: u8 = 255;
}

/// Sends the whole of `input` while it receives the outputs, until the command ends; gives its
/// status, which is unknown if the connection broke.
///
/// # Errors
/// If an output takes no more, or a message is too long.
pub(crate) async fn transfer(
    socket: impl CommandSocket,
    closes_channels: bool,
    input: impl Stream<Item = Vec<u8>>,
    outputs: (&mut impl Write, &mut impl Write),
) -> io::Result<Option<Status>> {
    let (mut to, from) = socket.split();
    let mut received = pin!(receive(from, outputs));
    let sent = async {
        send(&mut to, input, closes_channels).await?;
        keep_open(&mut to).await
    };
    // A command that ends before its input does has said in its status why.
    tokio::select! {
        all = &mut received => all,
        _ = sent => received.await,
    }
}

/// Sends `input` and its end.
async fn send(
    to: &mut (impl Sink<Message, Error = Error> + Unpin),
    input: impl Stream<Item = Vec<u8>>,
    closes_channels: bool,
) -> Result<(), Error> {
    let mut input = pin!(input);
    loop {
        match tokio::time::timeout(IDLE, input.next()).await {
            Ok(Some(chunk)) => to.send(frame(channel::STDIN, &chunk)).await?,
            Ok(None) if closes_channels => {
                return to.send(frame(channel::CLOSE, &[channel::STDIN])).await;
            }
            Ok(None) => return to.close().await,
            Err(_) => to.send(Message::Ping(Vec::new().into())).await?,
        }
    }
}

/// Sends pings as long as the connection is there.
async fn keep_open(to: &mut (impl Sink<Message, Error = Error> + Unpin)) -> Result<(), Error> {
    loop {
        tokio::time::sleep(IDLE).await;
        to.send(Message::Ping(Vec::new().into())).await?;
    }
}

fn frame(channel: u8, content: &[u8]) -> Message {
    let mut bytes = Vec::with_capacity(1 + content.len());
    bytes.push(channel);
    bytes.extend_from_slice(content);
    Message::binary(bytes)
}

/// Everything until the status or the end of the connection. Data received before a break are all
/// there is.
async fn receive(
    mut from: impl Stream<Item = Result<Message, Error>> + Unpin,
    (stdout, stderr): (&mut impl Write, &mut impl Write),
) -> io::Result<Option<Status>> {
    while let Some(message) = from.next().await {
        let bytes = match message {
            Ok(Message::Binary(bytes)) => bytes,
            Ok(_) => continue,
            Err(Error::Capacity(why)) => return Err(io::Error::other(why)),
            Err(_) => break,
        };
        match bytes.split_first() {
            Some((&channel::STDOUT, content)) => write(stdout, content)?,
            Some((&channel::STDERR, content)) => write(stderr, content)?,
            // An empty frame opens each channel.
            Some((&channel::STATUS, content)) if !content.is_empty() => {
                let text = std::str::from_utf8(content).ok();
                return Ok(text.and_then(|text| serde_json::from_str(text).ok()));
            }
            _ => {}
        }
    }
    Ok(None)
}

fn write(to: &mut impl Write, content: &[u8]) -> io::Result<()> {
    to.write_all(content)?;
    to.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::{sink, stream};

    fn block_on<T>(work: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
        runtime.unwrap().block_on(work)
    }

    /// The frames that are sent for this input.
    fn sent(stdin: &[u8], closes_channels: bool) -> Vec<Vec<u8>> {
        let (sender, mut receiver) = tokio::sync::mpsc::unbounded_channel();
        let mut to = Box::pin(sink::unfold(sender, |sender, message: Message| async move {
            sender.send(message.into_data().to_vec()).unwrap();
            Ok::<_, Error>(sender)
        }));
        let input = stream::iter(stdin.chunks(FRAME_BYTES).map(<[u8]>::to_vec));
        block_on(send(&mut to, input, closes_channels)).unwrap();
        std::iter::from_fn(|| receiver.try_recv().ok()).collect()
    }

    #[test]
    fn the_input_arrives_whole_and_its_end_is_named() {
        let input: Vec<u8> = (0..FRAME_BYTES * 2 + 5).map(|i| (i % 251) as u8).collect();
        let frames = sent(&input, true);
        let (end, frames) = frames.split_last().unwrap();
        assert_eq!(end, &[channel::CLOSE, channel::STDIN]);
        assert_eq!(frames.iter().map(Vec::len).collect::<Vec<_>>(), [32_769, 32_769, 6]);
        assert!(frames.iter().all(|frame| frame[0] == channel::STDIN));
        assert_eq!(frames.iter().flat_map(|frame| &frame[1..]).copied().collect::<Vec<_>>(), input);
        assert_eq!(sent(&[], true), [[channel::CLOSE, channel::STDIN]]);
        assert!(sent(&[], false).is_empty());
    }

    #[test]
    fn streams_are_told_apart_until_the_status() {
        let status = br#"{"status":"Success"}"#;
        let frames = [
            frame(channel::STDOUT, b""),
            frame(channel::STATUS, b""),
            frame(channel::STDOUT, b"one "),
            Message::Ping(Vec::new().into()),
            frame(channel::STDERR, b"late"),
            frame(channel::STDOUT, b"two"),
            frame(channel::STATUS, status),
            frame(channel::STDOUT, b"never read"),
        ];
        let of = |count: usize| {
            let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
            let from = stream::iter(frames[..count].iter().cloned().map(Ok));
            let status = block_on(receive(from, (&mut stdout, &mut stderr))).unwrap();
            (stdout, stderr, status)
        };
        let (stdout, stderr, status) = of(frames.len());
        assert_eq!((&stdout[..], &stderr[..]), (&b"one two"[..], &b"late"[..]));
        assert_eq!(status.unwrap().status.as_deref(), Some("Success"));
        let (stdout, _, status) = of(3);
        assert_eq!((&stdout[..], status), (&b"one "[..], None));
    }
}
