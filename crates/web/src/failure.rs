//! Requests that cannot be answered, as a page with the reason.

use crate::refusal::GateRefusal;
use axum::http::StatusCode;
use fathom_store::StoreError;
use fathom_store::live::LiveError;

/// Why a request has no answer.
#[derive(Debug)]
pub(crate) enum PageFailure {
    /// The gate refused it.
    Refused(GateRefusal),
    /// Nothing is at that address.
    Nowhere,
    /// No run has that name.
    NoRun(String),
    /// Too few or too many runs to compare.
    Number(usize),
    /// The history cannot be read.
    History(StoreError),
    /// A live feed cannot be read.
    Feed(LiveError),
    /// The stored document of a run cannot be shown, with the reason.
    Document(String),
    /// A fault of ours.
    Fault,
}

impl PageFailure {
    /// The status of the answer.
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            PageFailure::Refused(GateRefusal::Host) => StatusCode::MISDIRECTED_REQUEST,
            PageFailure::Refused(GateRefusal::Origin) => StatusCode::FORBIDDEN,
            PageFailure::Refused(GateRefusal::Method) => StatusCode::METHOD_NOT_ALLOWED,
            PageFailure::Refused(GateRefusal::Token) => StatusCode::UNAUTHORIZED,
            PageFailure::Nowhere | PageFailure::NoRun(_) => StatusCode::NOT_FOUND,
            PageFailure::Number(_) => StatusCode::BAD_REQUEST,
            PageFailure::History(_) => StatusCode::SERVICE_UNAVAILABLE,
            PageFailure::Document(_) => StatusCode::UNPROCESSABLE_ENTITY,
            PageFailure::Feed(_) | PageFailure::Fault => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// The name of its sentence in the catalogue.
    pub(crate) fn sentence(&self) -> &'static str {
        match self {
            PageFailure::Refused(GateRefusal::Host) => "web-refused-host",
            PageFailure::Refused(GateRefusal::Origin) => "web-refused-origin",
            PageFailure::Refused(GateRefusal::Method) => "web-refused-method",
            PageFailure::Refused(GateRefusal::Token) => "web-refused-token",
            PageFailure::Nowhere => "web-nowhere",
            PageFailure::NoRun(_) => "web-no-run",
            PageFailure::Number(_) => "web-number",
            PageFailure::History(_) => "web-no-history",
            PageFailure::Feed(_) => "web-no-feed",
            PageFailure::Document(_) => "web-no-report",
            PageFailure::Fault => "web-fault",
        }
    }

    /// Whether the detail is a sentence, which is in English for any language of the page.
    pub(crate) fn is_in_english(&self) -> bool {
        matches!(self, PageFailure::History(_) | PageFailure::Feed(_) | PageFailure::Document(_))
    }

    /// The error in the words of its source; may be empty.
    pub(crate) fn detail(&self) -> String {
        match self {
            PageFailure::NoRun(name) => name.clone(),
            PageFailure::Number(count) => count.to_string(),
            PageFailure::History(error) => error.to_string(),
            PageFailure::Feed(error) => error.to_string(),
            PageFailure::Document(why) => why.clone(),
            PageFailure::Refused(_) | PageFailure::Nowhere | PageFailure::Fault => String::new(),
        }
    }
}

impl From<StoreError> for PageFailure {
    fn from(error: StoreError) -> PageFailure {
        match error {
            StoreError::NoRun { prefix } => PageFailure::NoRun(prefix),
            StoreError::Ambiguous { .. } => PageFailure::NoRun(error.to_string()),
            error => PageFailure::History(error),
        }
    }
}

impl From<LiveError> for PageFailure {
    fn from(error: LiveError) -> PageFailure {
        PageFailure::Feed(error)
    }
}
