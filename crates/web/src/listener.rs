//! From a listening socket to answered requests, within [`ConnectionLimits`].
//!
//! hyper reads the heads and enforces their time limit; [`crate::connections`] decides which
//! connections stay. A failed accept never ends the server: if the process or the machine has no
//! more files, it tries again a moment later.

use crate::connections::{Connection, ConnectionLimits, Connections, Underway};
use crate::stop::Stop;
use crate::write_limit::WriteLimit;
use axum::Router;
use axum::body::{Body, HttpBody};
use hyper::body::{Bytes, Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io::{self, ErrorKind};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

/// Maximum bytes of a request's head, and of an unread body.
const HEAD_BYTES: usize = 16 << 10;

/// Lines of a request's head at most.
const HEAD_LINES: usize = 64;

/// The first pause after a failure to accept, and the longest.
const PAUSES: [Duration; 2] = [Duration::from_millis(10), Duration::from_secs(1)];

/// Answers by `router` until `stop`, and then until all requests in progress are answered.
pub(crate) async fn listen(
    listener: TcpListener,
    router: Router,
    limits: ConnectionLimits,
    stop: &Stop,
) {
    let connections = Connections::new(limits);
    let mut serving = JoinSet::new();
    let mut pause = PAUSES[0];
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(_) = serving.join_next() => continue,
            () = stop.stopped() => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                pause = PAUSES[0];
                if let Some((connection, closed)) = connections.admit(peer.ip()) {
                    let one = One { connection: Arc::new(connection), closed, limits };
                    serving.spawn(one.serve(stream, router.clone(), stop.clone()));
                }
            }
            Err(error) if is_of_one_peer(&error) => {}
            Err(_) => {
                connections.make_room();
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(PAUSES[1]);
            }
        }
    }
    drop(listener);
    while serving.join_next().await.is_some() {}
}

/// Whether the peer went away again before it was accepted.
fn is_of_one_peer(error: &io::Error) -> bool {
    use ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset, Interrupted};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset | Interrupted)
}

/// A connection that is served.
struct One {
    connection: Arc<Connection>,
    closed: oneshot::Receiver<()>,
    limits: ConnectionLimits,
}

impl One {
    async fn serve(self, stream: TcpStream, router: Router, stop: Stop) {
        let One { connection, mut closed, limits } = self;
        let router = TowerToHyperService::new(router);
        let service = service_fn(move |request: hyper::Request<Incoming>| {
            let underway = connection.begin();
            let answer = router.call(request);
            async move {
                let answer = answer.await?;
                Ok::<_, std::convert::Infallible>(
                    answer.map(|body| Answer { body, _underway: underway }),
                )
            }
        });
        let io = TokioIo::new(WriteLimit::new(stream, limits.write));
        let serving = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(limits.head)
            .max_headers(HEAD_LINES)
            .max_buf_size(HEAD_BYTES)
            .serve_connection(io, service);
        let mut serving = pin!(serving);
        tokio::select! {
            // A peer's error ends only its own connection.
            _ = serving.as_mut() => return,
            _ = &mut closed => return,
            () = stop.stopped() => {}
        }
        serving.as_mut().graceful_shutdown();
        let _ = serving.await;
    }
}

/// The body of an answer. Its request is in progress until all of it is sent.
struct Answer {
    body: Body,
    _underway: Underway,
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
