//! Limits for the bytes of an answer.
//!
//! Decided here: a layer below the client library counts them, since the library reads each body to
//! its end, that of an error and of a refused upgrade as well.

use bytes::Bytes;
use futures_util::future::BoxFuture;
use http::{Request, Response};
use http_body::{Body as HttpBody, Frame, SizeHint};
use kube::client::{Body, DynBody};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use thiserror::Error;
use tower::{BoxError, Layer, Service};

/// How long an answer may be; part of a request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum AnswerLimit {
    /// One object: a cluster stores none of more than 1.5 MiB.
    #[default]
    Object,
    /// A list: 100,000 volumes have 200 MiB.
    List,
    /// Events without end, each a line with one object.
    Watch,
}

impl AnswerLimit {
    fn bytes(self) -> usize {
        match self {
            AnswerLimit::Object | AnswerLimit::Watch => 8 << 20,
            AnswerLimit::List => 256 << 20,
        }
    }
}

/// An answer that is longer than its limit.
#[fathom_text::translated]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("it has more than {} MiB", .0 >> 20)]
pub(crate) struct AnswerTooLong(usize);

/// The layer that limits answers.
pub(crate) struct AnswerLimits;

impl<S> Layer<S> for AnswerLimits {
    type Service = LimitedService<S>;

    fn layer(&self, inner: S) -> LimitedService<S> {
        LimitedService(inner)
    }
}

/// A service whose answers are limited.
pub(crate) struct LimitedService<S>(S);

impl<S> Service<Request<Body>> for LimitedService<S>
where
    S: Service<Request<Body>, Response = Response<Box<DynBody>>>,
    S::Future: Send + 'static,
{
    type Response = Response<LimitedBody>;
    type Error = S::Error;
    type Future = BoxFuture<'static, Result<Response<LimitedBody>, S::Error>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let limit = request.extensions().get::<AnswerLimit>().copied().unwrap_or_default();
        let answer = self.0.call(request);
        Box::pin(async move {
            let answer = answer.await?;
            let limit = if answer.status().is_success() { limit } else { AnswerLimit::Object };
            Ok(answer.map(|inner| LimitedBody { inner, limit, count: 0 }))
        })
    }
}

/// The bytes of an answer up to its limit.
pub(crate) struct LimitedBody {
    inner: Box<DynBody>,
    limit: AnswerLimit,
    /// Bytes so far, or those since the last line break of a watch.
    count: usize,
}

impl LimitedBody {
    fn note(&mut self, data: &[u8]) -> Result<(), AnswerTooLong> {
        let line = data.iter().rposition(|byte| *byte == b'\n');
        match line.filter(|_| self.limit == AnswerLimit::Watch) {
            Some(at) => self.count = data.len() - at - 1,
            None => self.count += data.len(),
        }
        match self.count > self.limit.bytes() {
            true => Err(AnswerTooLong(self.limit.bytes())),
            false => Ok(()),
        }
    }
}

impl HttpBody for LimitedBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let frame = ready!(Pin::new(&mut self.inner).poll_frame(context));
        if let Some(data) = frame.as_ref().and_then(|of| of.as_ref().ok()?.data_ref()) {
            self.note(data)?;
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::task::Waker;

    /// A body that gives the same bytes again and again.
    struct Endless(&'static [u8]);

    impl HttpBody for Endless {
        type Data = Bytes;
        type Error = BoxError;

        fn poll_frame(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
            Poll::Ready(Some(Ok(Frame::data(Bytes::from_static(self.0)))))
        }
    }

    /// How many of at most `most` frames are read.
    fn frames(chunk: &'static [u8], limit: AnswerLimit, most: usize) -> usize {
        let mut body = LimitedBody { inner: Box::new(Endless(chunk)), limit, count: 0 };
        let mut context = Context::from_waker(Waker::noop());
        let is_data = |frame| matches!(frame, Poll::Ready(Some(Ok(_))));
        (0..most).take_while(|_| is_data(Pin::new(&mut body).poll_frame(&mut context))).count()
    }

    #[test]
    fn each_kind_of_answer_has_its_limit() {
        static MEBIBYTE: [u8; 1 << 20] = [b'a'; 1 << 20];
        assert_eq!(frames(&MEBIBYTE, AnswerLimit::Object, 1000), 8);
        assert_eq!(frames(&MEBIBYTE, AnswerLimit::List, 1000), 256);
        assert_eq!(frames(&MEBIBYTE, AnswerLimit::Watch, 1000), 8);
        static LINES: [u8; 1 << 16] = [b'\n'; 1 << 16];
        assert_eq!(frames(&LINES, AnswerLimit::Watch, 1000), 1000, "each line has its own");
        assert_eq!(frames(&LINES, AnswerLimit::Object, 1000), 128);
    }
}
