//! A command's input and output over the WebSocket of a pod, in frames as large as kubectl's.
//! The client library puts 4 KiB in a frame, and the API server and the kubelet handle each frame
//! on its own.

use futures_util::{Sink, SinkExt, Stream, StreamExt};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Status;
use kube::client::Connection;
use tokio_tungstenite::tungstenite::{Error, Message};

/// Bytes in a frame, as kubectl sends them.
const FRAME_BYTES: usize = 32 << 10;

/// The first byte of each frame names its channel (Kubernetes, `remotecommand/constants.go`).
mod channel {
    pub(super) const STDIN: u8 = 0;
    pub(super) const STDOUT: u8 = 1;
    pub(super) const STDERR: u8 = 2;
    pub(super) const STATUS: u8 = 3;
    /// The end of the channel that the next byte names. Only version 5 of the protocol has it.
    pub(super) const CLOSE: u8 = 255;
}

/// What a command wrote, and how it ended.
#[derive(Debug, Default)]
pub(crate) struct CommandEnd {
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// Unknown if the connection broke.
    pub status: Option<Status>,
}

/// Sends the whole of `stdin` while it receives everything else, until the command ends.
pub(crate) async fn transfer(connection: Connection, stdin: &[u8]) -> CommandEnd {
    let closes_channels = connection.supports_stream_close();
    let (to, from) = connection.into_stream().split();
    let received = receive(from);
    tokio::pin!(received);
    // A command that ends before its input does has said in its status why.
    tokio::select! {
        all = &mut received => all,
        _ = send(to, stdin, closes_channels) => received.await,
    }
}

/// Sends `stdin` and its end.
async fn send(
    mut to: impl Sink<Message, Error = Error> + Unpin,
    stdin: &[u8],
    closes_channels: bool,
) -> Result<(), Error> {
    for chunk in stdin.chunks(FRAME_BYTES) {
        to.send(frame(channel::STDIN, chunk)).await?;
    }
    if closes_channels {
        to.send(frame(channel::CLOSE, &[channel::STDIN])).await
    } else {
        to.close().await
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
async fn receive(mut from: impl Stream<Item = Result<Message, Error>> + Unpin) -> CommandEnd {
    let mut end = CommandEnd::default();
    while let Some(Ok(message)) = from.next().await {
        let Message::Binary(bytes) = message else { continue };
        match bytes.split_first() {
            Some((&channel::STDOUT, content)) => end.stdout.extend_from_slice(content),
            Some((&channel::STDERR, content)) => end.stderr.extend_from_slice(content),
            // An empty frame opens each channel.
            Some((&channel::STATUS, content)) if !content.is_empty() => {
                end.status = std::str::from_utf8(content)
                    .ok()
                    .and_then(|text| serde_json::from_str(text).ok());
                break;
            }
            _ => {}
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::{sink, stream};

    fn block_on<T>(work: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(work)
    }

    /// The frames that are sent for this input.
    fn sent(stdin: &[u8], closes_channels: bool) -> Vec<Vec<u8>> {
        let (sender, mut receiver) = tokio::sync::mpsc::unbounded_channel();
        let to = Box::pin(sink::unfold(sender, |sender, message: Message| async move {
            sender.send(message.into_data().to_vec()).unwrap();
            Ok::<_, Error>(sender)
        }));
        block_on(send(to, stdin, closes_channels)).unwrap();
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
        let of =
            |count: usize| block_on(receive(stream::iter(frames[..count].iter().cloned().map(Ok))));
        let end = of(frames.len());
        assert_eq!((&end.stdout[..], &end.stderr[..]), (&b"one two"[..], &b"late"[..]));
        assert_eq!(end.status.unwrap().status.as_deref(), Some("Success"));
        let end = of(3);
        assert_eq!((&end.stdout[..], end.status), (&b"one "[..], None));
    }
}
