//! The client library within limits: of an answer's bytes, and of what the connection of a command
//! holds in memory.

use crate::answer::{AnswerLimit, AnswerLimits};
use crate::bearer::Bearer;
use futures_util::{Sink, Stream};
use http::Request;
use http::header::AUTHORIZATION;
use kube::client::ClientBuilder;
use kube::core::WatchEvent;
use kube::{Client, Config, Error};
use serde_json::Value;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{Error as SocketError, Message};

/// The most bytes of a message from a command, and of messages that wait to be sent. A server that
/// sends pings and takes no pongs fills the second.
const MESSAGE_BYTES: usize = 1 << 20;

/// The client library, whose requests carry our token.
#[derive(Clone)]
pub(crate) struct ApiClient {
    client: Client,
    bearer: Bearer,
}

impl ApiClient {
    pub(crate) fn new(config: Config, bearer: Bearer) -> Result<ApiClient, Error> {
        let client = ClientBuilder::try_from(config)?.with_layer(&AnswerLimits).build();
        Ok(ApiClient { client, bearer })
    }

    pub(crate) fn default_namespace(&self) -> &str {
        self.client.default_namespace()
    }

    /// The answer to a request.
    pub(crate) async fn request(&self, request: Request<Vec<u8>>) -> Result<Value, Error> {
        self.client.request(self.authorized(request).await?).await
    }

    /// The events of a watch.
    pub(crate) async fn events(
        &self,
        mut request: Request<Vec<u8>>,
    ) -> Result<impl Stream<Item = Result<WatchEvent<Value>, Error>> + use<>, Error> {
        request.extensions_mut().insert(AnswerLimit::Watch);
        self.client.request_events(self.authorized(request).await?).await
    }

    /// The connection of a command in a pod, and whether its channels can be closed.
    pub(crate) async fn connect(
        &self,
        request: Request<Vec<u8>>,
    ) -> Result<(impl CommandSocket + use<>, bool), Error> {
        let connection = self.client.connect(self.authorized(request).await?).await?;
        let closes_channels = connection.supports_stream_close();
        let limits = WebSocketConfig::default()
            .max_message_size(Some(MESSAGE_BYTES))
            .max_frame_size(Some(MESSAGE_BYTES))
            .max_write_buffer_size(MESSAGE_BYTES);
        // The library takes no limits. Nothing was read of the connection so far.
        let raw = connection.into_stream().into_inner();
        let socket = WebSocketStream::from_raw_socket(raw, Role::Client, Some(limits)).await;
        Ok((socket, closes_channels))
    }

    async fn authorized(&self, mut request: Request<Vec<u8>>) -> Result<Request<Vec<u8>>, Error> {
        check_path(request.uri().path()).map_err(|why| Error::Service(Box::new(why)))?;
        let header = self.bearer.header().await;
        let header = header.map_err(|why| Error::Service(Box::new(why)))?;
        if let Some(header) = header {
            request.headers_mut().insert(AUTHORIZATION, header);
        }
        Ok(request)
    }
}

/// A part of a path that is no name: a server's list may hold names that lead elsewhere.
#[fathom_text::translated]
#[derive(Debug, thiserror::Error)]
#[error("'{0}' is no name of an object")]
pub(crate) struct ForeignName(String);

/// Every request passes here, whoever made its path.
fn check_path(path: &str) -> Result<(), ForeignName> {
    match path.split('/').skip(1).find(|part| !is_plain_name(part)) {
        Some(part) => Err(ForeignName(part.to_owned())),
        None => Ok(()),
    }
}

/// Whether an object may be called so, and a path lead to it alone.
pub(crate) fn is_plain_name(name: &str) -> bool {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-._:".contains(letter);
    !matches!(name, "" | "." | "..") && name.chars().all(is_plain)
}

/// Messages to and from a command in a pod.
pub(crate) trait CommandSocket:
    Sink<Message, Error = SocketError> + Stream<Item = Result<Message, SocketError>> + Unpin
{
}

impl<S> CommandSocket for S where
    S: Sink<Message, Error = SocketError> + Stream<Item = Result<Message, SocketError>> + Unpin
{
}
